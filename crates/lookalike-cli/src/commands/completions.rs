//! `lookalike completions`: which script completes the command line in a shell?

use clap::CommandFactory;
use lookalike_engine::Error;

use crate::args::{Cli, CompletionsArgs};
use crate::outcome::Outcome;
use crate::output::stdout::print;

pub fn run(args: &CompletionsArgs) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lookalike", &mut script);
    print(&script)?;
    Ok(Outcome::Done)
}
