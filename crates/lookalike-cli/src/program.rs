//! How do other programs run a command, without a terminal and without a process of its own?

use std::ffi::OsString;

use clap::Parser;
use lookalike::Threshold;
use lookalike::engine::SiteRule;
use lookalike_engine::{Dedup, Error, Signing, Verify};

use crate::args::{Cli, Command};
use crate::commands;
use crate::outcome::Outcome;
use crate::output::caller::{Watcher, run_for_program};

/// What a command printed, and its exit status.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The exit status: 0, 1 if `check` or `--fail-if-found` found something, 3 if there were bad rows.
    pub status: u8,
    /// What it wrote to standard output. With `--json` that is its report.
    pub text: String,
    /// Its messages, which it would write to standard error.
    pub messages: String,
}

/// Runs a command for a program that watches it.
pub fn print(
    arguments: Vec<OsString>,
    watcher: Watcher,
    run: impl FnOnce(Command) -> Result<Outcome, Error>,
) -> Result<Printed, Error> {
    let command = parse(arguments)?;
    let asks = matches!(&command, Command::Calibrate(args) if args.browser);
    if asks || matches!(command, Command::Serve(_) | Command::Watch(_)) {
        return Err(Error::Usage("this command does not end by itself; run it in a process of its own".to_string()));
    }
    let (outcome, taken) = run_for_program(watcher, || run(command));
    let text = String::from_utf8_lossy(&taken.stdout).into_owned();
    Ok(Printed { status: outcome?.status(), text, messages: taken.messages })
}

/// Returns the job that arguments of `dedup` describe.
pub fn dedup_job(arguments: Vec<OsString>) -> Result<Dedup, Error> {
    match parse(arguments)? {
        Command::Dedup(args) => commands::dedup::job(&args),
        _ => Err(Error::Usage("these are not the arguments of dedup".to_string())),
    }
}

/// A method that compares signatures.
#[derive(Clone, Debug)]
pub struct SignedMethod {
    /// The signatures, and how they find pairs.
    pub signing: Signing,
    /// The measure and the threshold.
    pub threshold: Threshold,
    /// What is done with candidates.
    pub verify: Verify,
    /// How the site of a page is found.
    pub site: SiteRule,
}

/// Returns the method that arguments of `pairs` describe, or `None` if it is the exact one.
pub fn signed_method(arguments: Vec<OsString>) -> Result<Option<SignedMethod>, Error> {
    let Command::Pairs(args) = parse(arguments)? else {
        return Err(Error::Usage("these are not the arguments of pairs".to_string()));
    };
    args.by_method.check()?;
    let threshold = args.matching.threshold()?;
    let (verify, site) = (args.by_method.verify(&args.matching), args.by_method.site.clone().unwrap_or_default());
    let signing = args.by_method.signing(&threshold)?;
    Ok(signing.map(|signing| SignedMethod { signing, threshold, verify, site }))
}

fn parse(arguments: Vec<OsString>) -> Result<Command, Error> {
    let arguments = std::iter::once(OsString::from("lookalike")).chain(arguments);
    match Cli::try_parse_from(arguments) {
        Ok(cli) => Ok(cli.command),
        Err(error) => Err(Error::Usage(message_of(&error.to_string()))),
    }
}

/// The first paragraph of a message of the parser. The others are about the command line.
fn message_of(message: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or(message);
    let lines: Vec<&str> = first.lines().map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_string()
}
