use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lookalike::window::{CompareWith, IndexKind};
use lookalike_engine::Only;

use super::{MeasureArg, ReadArgs, RunArgs};

#[derive(Args)]
#[command(
    after_help = "`--help` shows examples.",
    after_long_help = STREAM_EXAMPLES,
    mut_arg("tokens", |tokens| tokens.default_value("letters:4")),
    // Verdicts follow each other: there is nothing to share.
    mut_arg("threads", |threads| threads.hide(true))
)]
pub struct StreamArgs {
    /// Files, folders, globs, or - for stdin, which is read line by line as it comes
    #[arg(value_name = "INPUT", default_value = "-")]
    pub inputs: Vec<String>,

    /// Field of a document's time: RFC 3339, or a number of seconds
    #[arg(long, value_name = "FIELD", default_value = "time")]
    pub time: String,

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

    /// Write only these verdicts; one that is `old` is neither
    #[arg(long, value_enum)]
    pub only: Option<OnlyArg>,

    /// Verdicts, JSON lines: a file (compressed if it ends in .gz or .zst; it appears when the input ends), - for stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub run: RunArgs,
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

#[derive(Clone, Copy, ValueEnum)]
pub enum OnlyArg {
    /// On documents that resemble nothing in the window
    New,
    /// On exact copies and near-duplicates
    Duplicates,
}

impl From<OnlyArg> for Only {
    fn from(only: OnlyArg) -> Only {
        match only {
            OnlyArg::New => Only::New,
            OnlyArg::Duplicates => Only::Duplicates,
        }
    }
}

/// `90s`, `15m`, `24h`, `7d`, in milliseconds.
pub(super) fn parse_span(text: &str) -> Result<i64, String> {
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

const STREAM_EXAMPLES: &str = "\
A verdict has the fields id, verdict (new, exact, near, or old for what is older than the window), of and similarity (of the most
similar in the window, the earliest of equals), and matches: each with id, similarity, and age in seconds. docs/streams.md defines them.

Examples:
  What a newsroom would stop at the door:
    lookalike stream examples/press.jsonl --only duplicates

  Line by line in a pipe, a week back, compared only with what was let in:
    cat examples/press.jsonl | lookalike stream --window 7d --segment 1d --compare-with accepted

  By word shingles and Jaccard similarity:
    lookalike stream examples/press.jsonl --tokens words:5 --measure jaccard -o verdicts.jsonl

  The paper's own reading, case kept, and its index:
    lookalike stream examples/press.jsonl --case keep --index bitmaps";
