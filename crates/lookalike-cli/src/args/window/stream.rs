//! Which arguments does `lookalike stream` take?

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lookalike_engine::Only;

use super::super::common::{PrintArgs, READING, ReadArgs, WindowArgs};

#[derive(Args)]
#[command(
    after_help = "Use --help for details and examples.",
    after_long_help = EXAMPLES,
    mut_arg("tokens", |tokens| tokens.default_value("letters:4")),
    // Each verdict depends on the documents before it, so there is nothing to run in parallel.
    mut_arg("threads", |threads| threads.hide(true))
)]
pub struct StreamArgs {
    /// Files, folders, globs, or - for stdin, which is read line by line
    #[arg(value_name = "INPUT", default_value = "-")]
    pub inputs: Vec<String>,

    /// Field that holds the time: RFC 3339, or a number of seconds since 1970
    #[arg(long, value_name = "FIELD", default_value = "time", help_heading = READING)]
    pub time: String,

    /// Write only these verdicts
    #[arg(long, value_enum)]
    pub only: Option<OnlyArg>,

    /// Where to write the verdicts, as JSON lines; - for stdout
    ///
    /// A file is compressed if it ends in .gz or .zst. It appears when the input ends.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub comparing: WindowArgs,

    #[command(flatten)]
    pub reading: ReadArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum OnlyArg {
    /// Documents that resemble nothing in the window
    New,
    /// Exact copies and near-duplicates
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

const EXAMPLES: &str = "\
Examples:
  Print the duplicates of a news feed:
    lookalike stream press.jsonl --only duplicates

  Read a pipe, with a window of a week, and compare only with documents that were new:
    cat press.jsonl | lookalike stream --window 7d --segment 1d --compare-with accepted

  Compare by word shingles and Jaccard similarity:
    lookalike stream press.jsonl --tokens words:5 --measure jaccard -o verdicts.jsonl

  Keep upper and lower case and use the index of the paper by Montanari and Puglisi:
    lookalike stream press.jsonl --case keep --index bitmaps";
