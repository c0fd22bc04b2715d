//! Which arguments did the user type, rather than leave at their defaults?

use clap::error::Error;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// Whether arguments that have a default were typed. It adds no arguments of its own, and must come before the group that has them:
/// clap takes values out of the matches in the order of the fields.
pub struct Typed {
    pub tokens: bool,
}

impl FromArgMatches for Typed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Typed, Error> {
        Ok(Typed { tokens: matches.value_source("tokens") == Some(ValueSource::CommandLine) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Typed::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Typed {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
