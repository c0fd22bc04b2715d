//! `lookalike pairs`: which documents are similar?

use std::path::Path;

use lookalike::engine::{Algorithm, PaperAlgorithm};
use lookalike_engine::{Collector, Error, Pairs, PairsReport, Wanted};
use lookalike_io::resolve_in;

use crate::args::{MatchArgs, MeasureArg, MethodArg, PairsArgs};
use crate::outcome::Outcome;
use crate::output::finish::{outcome, print_report};
use crate::output::histogram::{Values, histogram};
use crate::output::numbers::{count, counted};
use crate::output::plan::print_plan;
use crate::output::progress::Bars;
use crate::output::summary::{bound, how_compared, memory_plan, of_threads, peak_memory, special};
use crate::settings::inputs::check_stdin;

pub fn run(args: PairsArgs) -> Result<Outcome, Error> {
    let is_stdout = |path: &Path| path == Path::new("-");
    if args.printing.json && (is_stdout(&args.output) || args.stats.as_deref().is_some_and(is_stdout)) {
        return Err(Error::Usage(
            "--json and the pairs or --stats both write to stdout; name a file instead of -".to_string(),
        ));
    }
    check_stdin(&[&args.inputs, &args.with])?;
    let wanted = wanted(&args)?;
    let collector = args.memory.budget.limit(args.reading.collector(None, &args.matching.within)?)?;
    let collector = args.by_method.sets(collector, &args.matching, &args.typed)?;
    let collector = match wanted {
        Wanted::Signed { threshold, verify } => args.by_method.collector(collector, &threshold, verify)?,
        _ => collector,
    };
    let space = args.memory.budget.space()?;
    let inputs = resolve_in(&args.inputs, args.reading.rows.format, &space)?;
    args.reading.check(&inputs)?;
    let job = Pairs {
        wanted,
        inputs,
        with: resolve_in(&args.with, args.reading.rows.format, &space)?,
        collector: Collector { edit: edit_distance(&wanted), ..collector },
        algorithm: args.by_method.algorithm(args.algorithm)?,
        distinct: args.distinct,
        counts: args.counts,
        limit: args.limit_per_document,
        output: args.output,
        stats: args.stats,
        report: args.report.output(),
        force: args.printing.force,
        run: args.memory.run(),
    };
    if args.memory.plan {
        return print_plan(&job.plan()?, &args.printing);
    }
    let report = job.run(&Bars::new(args.printing.quiet))?;
    if args.explain {
        message!("{}", report.plan);
    }
    let is_found = args.found.fail_if_found && report.pairs > 0;
    if print_report(&report, &report.read, &args.printing)? {
        summarise(&report);
    }
    Ok(outcome(&report.read, is_found))
}

/// Returns which pairs the arguments ask for.
fn wanted(args: &PairsArgs) -> Result<Wanted, Error> {
    let usage = |message: String| Err(Error::Usage(message));
    let MatchArgs { measure, .. } = &args.matching;
    args.by_method.check()?;
    if args.by_method.is_signed() {
        if args.top.is_some() || args.algorithm != Algorithm::Auto {
            return usage("--top and --algorithm work only with --method exact".to_string());
        }
        if matches!(measure, MeasureArg::Edit) {
            return usage("--measure edit works only with --method exact".to_string());
        }
        if args.q.is_some() {
            return usage("--q works only with --measure edit".to_string());
        }
        if args.by_method.unverified && args.counts {
            return usage("--counts does not work with --unverified, which compares no sets".to_string());
        }
        return Ok(Wanted::Signed {
            threshold: args.matching.threshold()?,
            verify: args.by_method.verify(&args.matching),
        });
    }
    match (measure, args.top) {
        (MeasureArg::Sets(_), _) if args.q.is_some() => usage("--q works only with --measure edit".to_string()),
        (MeasureArg::Sets(measure), Some(most)) => {
            Ok(Wanted::Top(*measure, usize::try_from(most).unwrap_or(usize::MAX)))
        }
        (MeasureArg::Sets(_), None) => Ok(Wanted::Reaching(args.matching.threshold()?)),
        (MeasureArg::Edit, _) if args.counts => {
            usage("--counts does not work with --measure edit, which compares texts".to_string())
        }
        (MeasureArg::Edit, _) if args.by_method.method != MethodArg::Exact => {
            usage("--measure edit works only with --method exact".to_string())
        }
        (MeasureArg::Edit, None) if !is_for_texts(args.algorithm) => usage(format!(
            "--algorithm {} does not work with --measure edit, which compares texts; use auto, allpairs, ppjoin or ppjoin+",
            args.algorithm
        )),
        (MeasureArg::Edit, Some(_)) if args.algorithm != Algorithm::Auto => {
            usage("--algorithm does not work with --measure edit and --top".to_string())
        }
        (MeasureArg::Edit, _) => {
            args.matching.check_texts(args.typed.tokens, args.reading.bag)?;
            Ok(match args.top {
                Some(most) => Wanted::TopEdit { q: args.q, most: usize::try_from(most).unwrap_or(usize::MAX) },
                None => Wanted::Edit { distance: args.matching.distance()?, q: args.q },
            })
        }
    }
}

/// Whether an algorithm has a way with edit distance.
fn is_for_texts(algorithm: Algorithm) -> bool {
    match algorithm {
        Algorithm::Auto => true,
        Algorithm::Paper(algorithm) => algorithm != PaperAlgorithm::SpotSigs,
        _ => false,
    }
}

/// Returns the distance that texts are compared within, if they are. For the nearest pairs, that may be any.
fn edit_distance(wanted: &Wanted) -> Option<u32> {
    match wanted {
        Wanted::Edit { distance, .. } => Some(*distance),
        Wanted::TopEdit { .. } => Some(u32::MAX),
        Wanted::Reaching(_) | Wanted::Signed { .. } | Wanted::Top(..) => None,
    }
}

/// Prints at most six lines and a histogram.
fn summarise(report: &PairsReport) {
    let others = match report.others {
        0 => String::new(),
        others => format!(" with {}", count(others)),
    };
    let bound = match report.compared.threshold {
        None if report.signatures.is_none() => ", the most similar,".to_string(),
        threshold => bound(threshold, report.compared.is_distance),
    };
    let documents = format!("{}{others}", counted(report.documents, "document"));
    how_compared(&documents, &report.read, &report.compared, &bound, report.signatures.as_ref());
    message!(
        "{}, {} of them identical; {}, joined by {}",
        counted(report.pairs, "pair"),
        count(report.identical_pairs),
        counted(report.distinct_sets, if report.compared.measure == "edit" { "distinct text" } else { "distinct set" }),
        report.algorithm.as_deref().unwrap_or(report.compared.method)
    );
    if report.left_out > 0 {
        message!("{} left out by --limit-per-document", counted(report.left_out, "pair"));
    }
    special(&[
        (report.read.empty, "empty (not compared)"),
        (report.read.unusable, "without usable text (not compared)"),
        (report.read.unreadable, "unreadable (left out)"),
    ]);
    memory_plan(&report.memory);
    let seconds = report.seconds;
    let memory = peak_memory(report.peak_memory_bytes);
    message!(
        "{:.2} s on {} (read {:.2}, prepare {:.2}, join {:.2}, write {:.2}){memory}",
        seconds.total,
        of_threads(report.threads),
        seconds.read,
        seconds.prepare,
        seconds.join,
        seconds.write
    );
    histogram(&report.histogram, Values::of(report.compared.is_distance), "pairs");
}
