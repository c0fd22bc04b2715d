//! `lookalike check`: does what a run wrote keep the promises?

use lookalike_engine::{Check, Error, Failure, Verdict};
use lookalike_io::resolve_in;

use crate::args::CheckArgs;
use crate::outcome::Outcome;
use crate::output::numbers::{count, counted};
use crate::output::progress::Bars;
use crate::output::stdout::print_json;
use crate::output::summary::memory_plan;
use crate::settings::inputs::check_stdin;

/// Maximum number of violations to print.
const SHOWN: usize = 10;

pub fn run(args: CheckArgs) -> Result<Outcome, Error> {
    let removed = [args.removed];
    check_stdin(&[&args.inputs, &args.against, &args.kept, &removed])?;
    let space = args.budget.space()?;
    let resolve = |inputs: &[String]| resolve_in(inputs, args.reading.rows.format, &space);
    let inputs = resolve(&args.inputs)?;
    args.reading.check(&inputs)?;
    let job = Check {
        threshold: args.matching.threshold()?,
        inputs,
        against: resolve(&args.against)?,
        kept: resolve(&args.kept)?,
        removed: resolve_in(&removed, None, &space)?,
        collector: args.budget.limit(args.reading.collector(None, &args.matching.within)?)?,
    };
    let verdict = job.run(&Bars::new(args.quiet))?;
    if args.json {
        let json = serde_json::json!({
            "documents": verdict.documents,
            "kept": verdict.kept,
            "removed": verdict.removed,
            "passed": verdict.failures.is_empty(),
            "breaches": verdict.breaches,
            "failures": verdict.failures.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "memory": verdict.memory,
        });
        print_json(&json)?;
    } else if !args.quiet {
        summarise(&verdict);
    }
    Ok(if !verdict.failures.is_empty() {
        Outcome::Failed
    } else if verdict.bad_rows > 0 {
        Outcome::DoneWithBadRows
    } else {
        Outcome::Done
    })
}

fn summarise(verdict: &Verdict) {
    memory_plan(&verdict.memory);
    let Verdict { documents, kept, removed, breaches, failures, .. } = verdict;
    if failures.is_empty() {
        message!(
            "passed: each of {} documents is kept ({}) or removed ({}), no two kept documents reach the threshold, and every \
             removed document is as similar to its kept twin as stated",
            count(*documents),
            count(*kept),
            count(*removed)
        );
        return;
    }
    for failure in failures.iter().take(SHOWN) {
        message!("  {failure}");
    }
    if *breaches > SHOWN as u64 {
        message!("  … and {} more", count(breaches - SHOWN as u64));
    }
    message!("failed: {} in {}", counted(*breaches, "violation"), counted(*documents, "document"));
    if failures.iter().any(|failure| matches!(failure, Failure::TooFar(..) | Failure::NoTwin(_))) {
        message!(
            "Connected components cause this: if A resembles B and B resembles C, they remove C because of A, although no kept \
             document resembles C."
        );
    }
}
