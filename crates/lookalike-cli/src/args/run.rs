//! Which arguments does `lookalike run` take?

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunFolderArgs {
    #[command(subcommand)]
    pub command: RunCommand,
}

#[derive(Subcommand)]
pub enum RunCommand {
    /// Show what a run has done, and what is left
    Show {
        /// The folder of the run
        #[arg(value_name = "DIR")]
        folder: PathBuf,

        /// Print the state as JSON to stdout
        #[arg(long)]
        json: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  Start a long run, or continue it after a crash:
    lookalike dedup press.jsonl --run state -o kept.jsonl

  Show its progress:
    lookalike run show state";
