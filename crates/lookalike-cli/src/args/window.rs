use clap::{Args, ValueEnum};
use lookalike::{CompareWith, IndexKind};

use super::MeasureArg;

/// What a document is compared with, and how.
#[derive(Args)]
pub struct WindowArgs {
    /// How far back a document is compared: the current segment, and as many before it as this takes
    #[arg(long, value_name = "SPAN", default_value = "24h", value_parser = parse_span)]
    pub window: i64,

    /// What time is cut into; a whole segment is forgotten at once
    #[arg(long, value_name = "SPAN", default_value = "1h", value_parser = parse_span)]
    pub segment: i64,

    /// How similarity is measured: max, jaccard, cosine, dice, containment, overlap (a count)
    #[arg(long, value_name = "MEASURE", default_value = "max")]
    pub measure: MeasureArg,

    /// Similarity from which on a document is a duplicate, itself included: 0.8, 4/5; for overlap a count
    #[arg(short, long, value_name = "T", default_value = "0.8")]
    pub threshold: String,

    /// How documents are found again; the verdicts are the same
    #[arg(long, value_enum, default_value_t = IndexArg::Prefix)]
    pub index: IndexArg,

    /// With which documents of the window one is compared
    #[arg(long, value_enum, default_value_t = CompareWithArg::All)]
    pub compare_with: CompareWithArg,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum IndexArg {
    /// By the rarest elements of each: fast
    Prefix,
    /// The DDD paper's: a bitmap for each element, and a counter for each document
    Bitmaps,
}

impl From<IndexArg> for IndexKind {
    fn from(index: IndexArg) -> IndexKind {
        match index {
            IndexArg::Prefix => IndexKind::Prefix,
            IndexArg::Bitmaps => IndexKind::Bitmaps,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CompareWithArg {
    /// With all, duplicates too
    All,
    /// With those that were new when they came
    Accepted,
}

impl From<CompareWithArg> for CompareWith {
    fn from(with: CompareWithArg) -> CompareWith {
        match with {
            CompareWithArg::All => CompareWith::All,
            CompareWithArg::Accepted => CompareWith::Accepted,
        }
    }
}

/// `90s`, `15m`, `24h`, `7d`, in milliseconds.
fn parse_span(text: &str) -> Result<i64, String> {
    let wrong = || format!("'{text}' is not a span of time like 90s, 15m, 24h or 7d");
    let unit = match text.chars().last() {
        Some('s') => 1_000,
        Some('m') => 60_000,
        Some('h') => 3_600_000,
        Some('d') => 86_400_000,
        _ => return Err(wrong()),
    };
    let digits = &text[..text.len() - 1];
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    digits
        .parse::<i64>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| format!("'{text}' is too long"))
}
