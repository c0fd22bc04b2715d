//! What does a run print, replace and return? The arguments that say it.

use clap::Args;

#[derive(Args)]
pub struct PrintArgs {
    /// Replace output files that exist
    #[arg(long)]
    pub force: bool,

    /// Print the summary as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// Print no progress and no summary
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct FoundArgs {
    /// Exit with status 1 if there is a near-duplicate
    #[arg(long)]
    pub fail_if_found: bool,
}
