use clap::Args;

use super::{MatchArgs, ReadArgs};

#[derive(Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// What went into the run
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// The rows that the run kept: a file, or the folder of -o DIR/
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub kept: Vec<String>,

    /// The table of what it removed; `twin` and `similarity` may be missing
    #[arg(long, value_name = "FILE", required = true)]
    pub removed: String,

    /// The run's reference collection
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub against: Vec<String>,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Print the verdict as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// No progress and no verdict but the exit code
    #[arg(short, long)]
    pub quiet: bool,
}

const CHECK_EXAMPLES: &str = "\
Checks that every input row is kept or removed, that no kept pair reaches the threshold, and that every removed document's
twin is kept and as similar as stated. Give the options of the run. Exit code 1 and the offending ids if a promise is broken.

Examples:
  lookalike dedup examples/press.jsonl -o kept.jsonl --removed removed.jsonl
  lookalike check examples/press.jsonl --kept kept.jsonl --removed removed.jsonl";
