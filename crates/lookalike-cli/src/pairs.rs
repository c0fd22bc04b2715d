use std::path::Path;

use lookalike_engine::{Error, Pairs, PairsReport, Wanted};
use lookalike_io::resolve;

use crate::args::PairsArgs;
use crate::progress::Bars;
use crate::summary::{Values, bytes, count, histogram, of_threads, problems, special, within};
use crate::{Outcome, check_stdin, print};

pub fn run(args: PairsArgs) -> Result<Outcome, Error> {
    let is_stdout = |path: &Path| path == Path::new("-");
    if args.json && (is_stdout(&args.output) || args.stats.as_deref().is_some_and(is_stdout)) {
        return Err(Error::Usage("--json and the pairs both write to stdout; name a file with -o".to_string()));
    }
    check_stdin(&[&args.inputs, &args.with])?;
    let job = Pairs {
        wanted: match args.top {
            Some(most) => Wanted::Top(args.matching.measure, usize::try_from(most).unwrap_or(usize::MAX)),
            None => Wanted::Reaching(args.matching.threshold()?),
        },
        inputs: resolve(&args.inputs, args.reading.format)?,
        with: resolve(&args.with, args.reading.format)?,
        collector: args.reading.collector(None, &args.matching.within),
        method: args.algorithm,
        distinct: args.distinct,
        counts: args.counts,
        limit: args.limit_per_document,
        output: args.output,
        stats: args.stats,
        force: args.force,
    };
    let report = job.run(&Bars::new(args.quiet))?;
    if args.json {
        let json = serde_json::to_string_pretty(&report).expect("a report is plain data");
        print(format!("{json}\n").as_bytes())?;
    }
    if !args.quiet {
        problems(&report.problems, report.unusable + report.unreadable);
    }
    if args.explain {
        eprintln!("{}", report.plan);
    }
    if !args.quiet && !args.json {
        summarise(&report);
    }
    Ok(if args.fail_if_found && report.pairs > 0 {
        Outcome::Failed
    } else if report.unusable + report.unreadable > 0 {
        Outcome::DoneWithBadRows
    } else {
        Outcome::Done
    })
}

/// The summary, at most six lines, and a histogram.
fn summarise(report: &PairsReport) {
    let others = match report.others {
        0 => String::new(),
        others => format!(" with {}", count(others)),
    };
    let bound = match report.threshold {
        Some(threshold) if report.is_distance => format!(" ≤ {threshold}"),
        Some(threshold) => format!(" ≥ {threshold}"),
        None => ", the most similar,".to_string(),
    };
    eprintln!(
        "{} documents{others}, {} with {} of text; {}{bound} on {}{}, exact",
        count(report.documents),
        bytes(report.input_bytes),
        bytes(report.text_bytes),
        report.measure,
        report.tokens,
        within(&report.within)
    );
    eprintln!(
        "{} pairs, {} of them identical; {} distinct sets, joined by {}",
        count(report.pairs),
        count(report.identical_pairs),
        count(report.distinct_sets),
        report.method
    );
    if report.left_out > 0 {
        eprintln!("{} pairs left out: one of their documents has enough", count(report.left_out));
    }
    special(&[
        (report.empty, "empty: resemble nothing"),
        (report.unusable, "without usable text: resemble nothing"),
        (report.unreadable, "rows unreadable: left out"),
    ]);
    let seconds = report.seconds;
    let memory = match report.peak_memory_bytes {
        0 => String::new(),
        peak => format!(", peak memory {}", bytes(peak)),
    };
    eprintln!(
        "{:.2} s on {} (read {:.2}, prepare {:.2}, join {:.2}, write {:.2}){memory}",
        seconds.total,
        of_threads(report.threads),
        seconds.read,
        seconds.prepare,
        seconds.join,
        seconds.write
    );
    histogram(&report.histogram, if report.is_distance { Values::Distances } else { Values::Similarities }, "pairs");
}
