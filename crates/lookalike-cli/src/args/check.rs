//! Which arguments does `lookalike check` take?

use clap::Args;

use super::common::{BudgetArgs, MatchArgs, ReadArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct CheckArgs {
    /// Inputs of the run
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Rows that the run kept: a file, or the folder of -o DIR/
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub kept: Vec<String>,

    /// Table of the documents that the run removed
    ///
    /// It needs the field id. If it has twin and similarity, these are checked too.
    #[arg(long, value_name = "FILE", required = true)]
    pub removed: String,

    /// Reference collection of the run
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub against: Vec<String>,

    /// Print the result as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// Print no progress and no result; only set the exit status
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub budget: BudgetArgs,

    #[command(flatten)]
    pub reading: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  Check a run:
    lookalike dedup press.jsonl -o kept.jsonl --removed removed.jsonl
    lookalike check press.jsonl --kept kept.jsonl --removed removed.jsonl";
