//! Which arguments does `lookalike completions` take?

use clap::Args;
use clap_complete::Shell;

#[derive(Args)]
#[command(after_long_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to complete for
    pub shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  Turn on completion in this bash:
    eval \"$(lookalike completions bash)\"

  Install it for fish:
    lookalike completions fish > ~/.config/fish/completions/lookalike.fish";
