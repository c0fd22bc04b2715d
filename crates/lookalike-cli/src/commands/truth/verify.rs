//! `lookalike verify`: how similar are the candidates of others?

use lookalike::Measure;
use lookalike_engine::{Error, FoundOptions, TableInput, VerifyCandidates, VerifyReport};
use lookalike_io::resolve;

use crate::args::VerifyArgs;
use crate::outcome::Outcome;
use crate::output::finish::{outcome, print_report};
use crate::output::numbers::{count, counted, percent};
use crate::output::plain::plain;
use crate::output::progress::Bars;
use crate::output::summary::problems;
use crate::settings::inputs::check_stdin;

/// How many of the least similar candidates are printed.
const SHOWN: usize = 5;

pub fn run(args: VerifyArgs) -> Result<Outcome, Error> {
    check_stdin(&[&args.inputs, &args.with, &args.candidates])?;
    let inputs = resolve(&args.inputs, args.reading.rows.format)?;
    args.reading.check(&inputs)?;
    let job = VerifyCandidates {
        inputs,
        with: resolve(&args.with, args.reading.rows.format)?,
        candidates: FoundOptions {
            table: TableInput { files: resolve(&args.candidates, None)?, columns: args.columns.clone() },
            linked: !args.with.is_empty(),
            clusters: args.clusters,
            twins_are_pairs: true,
            strict: args.reading.rows.strict,
        },
        threshold: args.matching.threshold()?,
        collector: args.reading.collector(None, &args.matching.within)?,
        output: args.output,
        force: args.printing.force,
    };
    let report = job.run(&Bars::new(args.printing.quiet))?;
    if !args.printing.quiet {
        problems(&report.candidate_problems, report.bad_candidates);
    }
    if print_report(&report, &report.read, &args.printing)? {
        summarise(&report);
    }
    let outcome = outcome(&report.read, args.fail_if_short && report.short > 0);
    Ok(if outcome == Outcome::Done && report.bad_candidates > 0 { Outcome::DoneWithBadRows } else { outcome })
}

fn summarise(report: &VerifyReport) {
    let measure = &report.measure;
    let sign = if measure.parse().is_ok_and(Measure::is_distance) { '≤' } else { '≥' };
    let what = if report.candidates == "clusters" {
        format!("{} compared with their first member", counted(report.pairs, "cluster member"))
    } else {
        counted(report.pairs, "candidate pair")
    };
    message!(
        "{} and {what}; {} with {measure} {sign} {}, {} without ({})",
        counted(report.documents, "document"),
        count(report.reaching),
        report.threshold,
        count(report.short),
        percent(report.short, report.pairs)
    );
    if let Some(error) = report.mean_error {
        message!("stated similarities: {} not exact, off by {error:.4} on average", count(report.misstated));
    }
    message!(
        "{}: {} hold together at the threshold; all split into {}",
        counted(report.clusters, "cluster"),
        count(report.clusters_supported),
        counted(report.parts, "part")
    );
    if let Some(share) = report.wrong_share {
        message!(
            "if the first of each cluster is kept: {} removed, {} of them wrongly ({:.1} %, 95 % interval {:.1} to {:.1})",
            counted(report.removals, "document"),
            count(report.wrong_removals),
            share.value * 100.0,
            share.low * 100.0,
            share.high * 100.0
        );
    }
    if report.unknown > 0 {
        message!("candidates with a document that is not in the inputs: {}", count(report.unknown));
    }
    if report.repeated_ids > 0 {
        message!("documents with the id of an earlier one, which was compared instead: {}", count(report.repeated_ids));
    }
    if !report.worst.is_empty() {
        message!("\nleast similar");
    }
    for worst in report.worst.iter().take(SHOWN) {
        message!("{:>9.4}  {} and {}", worst.similarity.unwrap_or(0.0), plain(&worst.a), plain(&worst.b));
    }
}
