use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lookalike_engine::Only;

use super::{ReadArgs, RunArgs, WindowArgs};

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

    #[command(flatten)]
    pub comparing: WindowArgs,

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

const STREAM_EXAMPLES: &str = "\
A verdict has the fields id, verdict (new, exact, near, or old for what is older than the window), of and similarity (of the most
similar in the window, the earliest of equals), and matches: each with id, similarity, and age in seconds. docs/guides/streams.md defines them.

Examples:
  What a newsroom would stop at the door:
    lookalike stream examples/press.jsonl --only duplicates

  Line by line in a pipe, a week back, compared only with what was let in:
    cat examples/press.jsonl | lookalike stream --window 7d --segment 1d --compare-with accepted

  By word shingles and Jaccard similarity:
    lookalike stream examples/press.jsonl --tokens words:5 --measure jaccard -o verdicts.jsonl

  The paper's own reading, case kept, and its index:
    lookalike stream examples/press.jsonl --case keep --index bitmaps";
