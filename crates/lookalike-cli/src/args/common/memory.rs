//! How much memory may a run use? The arguments that say it.

use std::path::PathBuf;

use clap::Args;

use super::size::parse_size;

#[derive(Args)]
#[command(next_help_heading = "Memory")]
pub struct MemoryArgs {
    #[command(flatten)]
    pub budget: BudgetArgs,

    /// Print what the run will need, from a sample of the inputs, and stop
    ///
    /// Memory by purpose, temporary files, passes over the inputs, and time.
    #[arg(long)]
    pub plan: bool,

    /// Folder for the state of the run, so that the same command continues it after a crash
    ///
    /// The inputs and the options must be the same. `lookalike run show DIR` shows its progress. With --method, edit distance or an
    /// index, the run starts again, but a finished run is recognised.
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,

    /// Discard the state in the folder of --run, and start again
    #[arg(long, requires = "run")]
    pub restart: bool,
}

/// How much memory may be used, and where what does not fit goes.
#[derive(Args)]
#[command(next_help_heading = "Memory")]
pub struct BudgetArgs {
    /// Memory to use, such as 512MiB or 8GB [default: 80 % of what is available]
    ///
    /// If the sets of all documents do not fit, the inputs are read again, and the sets that may have a partner go to temporary files. The
    /// result is the same.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<usize>,

    /// Folder for temporary files [default: TMPDIR, or /tmp]
    ///
    /// The files have no name, so nothing is left however the run ends.
    #[arg(long, value_name = "DIR")]
    pub tmp: Option<PathBuf>,
}
