//! What do commands that read documents do with their report?

use lookalike_engine::{Error, ReadReport};
use serde::Serialize;

use super::stdout::print_json;
use super::summary::problems;
use crate::args::RunArgs;
use crate::outcome::Outcome;

/// Prints a report, as `--json` and `--quiet` ask, and says how the command ended. `is_found` is whether what
/// `--fail-if-found` looks for is there.
pub fn finish<R: Serialize>(
    report: &R,
    read: &ReadReport,
    run: &RunArgs,
    is_found: bool,
    summarise: impl FnOnce(&R),
) -> Result<Outcome, Error> {
    let bad = read.unusable + read.unreadable;
    if run.json {
        print_json(report)?;
    }
    if !run.quiet {
        problems(&read.problems, bad);
        if !run.json {
            summarise(report);
        }
    }
    Ok(match (is_found, bad) {
        (true, _) => Outcome::Failed,
        (false, 0) => Outcome::Done,
        (false, _) => Outcome::DoneWithBadRows,
    })
}
