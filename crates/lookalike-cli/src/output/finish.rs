//! What do commands that read documents do with their report?

use lookalike_engine::{Error, ReadReport};
use serde::Serialize;

use super::stdout::print_json;
use super::summary::problems;
use crate::args::PrintArgs;
use crate::outcome::Outcome;

/// Prints a report as JSON if `--json` asks for it, and names the bad rows. Returns whether the command should print its summary.
pub fn print_report<R: Serialize>(report: &R, read: &ReadReport, printing: &PrintArgs) -> Result<bool, Error> {
    if printing.json {
        print_json(report)?;
    }
    if !printing.quiet {
        problems(&read.problems, read.unusable + read.unreadable);
    }
    Ok(!printing.quiet && !printing.json)
}

/// How a command ended. `is_found` is whether what `--fail-if-found` looks for is there.
pub fn outcome(read: &ReadReport, is_found: bool) -> Outcome {
    match (is_found, read.unusable + read.unreadable) {
        (true, _) => Outcome::Failed,
        (false, 0) => Outcome::Done,
        (false, _) => Outcome::DoneWithBadRows,
    }
}
