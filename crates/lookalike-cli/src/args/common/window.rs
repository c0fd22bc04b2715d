//! What is a document of a stream compared with? The arguments that say it.

use clap::{Args, ValueEnum};
use lookalike::{CompareWith, WindowIndex};

use super::MeasureArg;

#[derive(Args)]
#[command(next_help_heading = "Window")]
pub struct WindowArgs {
    /// How far back a document is compared
    ///
    /// The window is the current segment plus as many segments before it as this span takes. Spans are written like 90s, 15m, 24h or
    /// 7d.
    #[arg(long, value_name = "SPAN", default_value = "24h", value_parser = parse_span)]
    pub window: i64,

    /// Length of a segment; the window forgets one whole segment at a time
    #[arg(long, value_name = "SPAN", default_value = "1h", value_parser = parse_span)]
    pub segment: i64,

    /// How similarity is measured: max, jaccard, cosine, dice, overlap, containment
    ///
    /// max divides the common elements by the larger set; overlap counts them. docs/reference/measures.md defines all of them.
    #[arg(long, value_name = "MEASURE", default_value = "max")]
    pub measure: MeasureArg,

    /// Minimum similarity of a duplicate, inclusive
    ///
    /// A decimal or a fraction above 0 and up to 1: 0.8, 4/5. For overlap the minimum number of common elements.
    #[arg(short, long, allow_negative_numbers = true, value_name = "T", default_value = "0.8")]
    pub threshold: String,

    /// Index that finds documents of the window; the verdicts are the same
    #[arg(long, value_enum, default_value_t = IndexArg::Prefix)]
    pub index: IndexArg,

    /// Which documents of the window a document is compared with
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = CompareWithArg::All)]
    pub compare_with: CompareWithArg,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum IndexArg {
    /// The rarest elements of each document; fast
    Prefix,
    /// The index of the paper by Montanari and Puglisi: a bitmap for each element
    Bitmaps,
}

impl From<IndexArg> for WindowIndex {
    fn from(index: IndexArg) -> WindowIndex {
        match index {
            IndexArg::Prefix => WindowIndex::Prefix,
            IndexArg::Bitmaps => WindowIndex::Bitmaps,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CompareWithArg {
    /// All documents, duplicates too
    All,
    /// Only documents that were new when they arrived
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

/// Parses `90s`, `15m`, `24h` or `7d` into milliseconds.
fn parse_span(text: &str) -> Result<i64, String> {
    let wrong = || format!("'{text}' is not a span like 90s, 15m, 24h or 7d");
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
        .ok_or_else(|| format!("'{text}' is out of range"))
}
