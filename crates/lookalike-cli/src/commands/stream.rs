//! `lookalike stream`: which documents of a stream are new?

use std::path::Path;

use lookalike_engine::{Error, Stream, StreamReport};
use lookalike_io::resolve_live;

use crate::args::StreamArgs;
use crate::outcome::Outcome;
use crate::output::numbers::{bytes, count, counted, percent};
use crate::output::progress::Bars;
use crate::output::stdout::print_json;
use crate::output::summary::{peak_memory, problems, special};
use crate::settings::inputs::check_stdin;

pub fn run(args: StreamArgs) -> Result<Outcome, Error> {
    if args.printing.json && args.output == Path::new("-") {
        return Err(Error::Usage("--json and the verdicts both write to stdout; name a file with -o".to_string()));
    }
    check_stdin(&[&args.inputs])?;
    let (threshold, span) = args.comparing.threshold_and_span()?;
    let inputs = resolve_live(&args.inputs, args.reading.rows.format)?;
    args.reading.check(&inputs)?;
    let job = Stream {
        inputs,
        collector: args.reading.collector(Some(&args.time), &[])?,
        threshold,
        span,
        index: args.comparing.index.into(),
        compare_with: args.comparing.compare_with.into(),
        only: args.only.map(Into::into),
        output: args.output,
        force: args.printing.force,
    };
    let quiet = args.printing.quiet;
    // Verdicts are the progress that a terminal shows.
    let report = job.run(&Bars::new(true), |problem| {
        if !quiet {
            message!("lookalike: {problem}");
        }
    })?;
    if args.printing.json {
        print_json(&report)?;
    }
    let bad = report.read.unusable + report.read.unreadable;
    if !quiet {
        // The first few were printed when they arrived.
        problems(&[], bad - report.read.problems.len() as u64);
        if !args.printing.json {
            summarise(&report);
        }
    }
    Ok(if bad > 0 { Outcome::DoneWithBadRows } else { Outcome::Done })
}

fn summarise(report: &StreamReport) {
    message!(
        "{} with {} of text; {} ≥ {} on {}, a window of {} in segments of {}, exact",
        counted(report.documents, "document"),
        bytes(report.read.text_bytes),
        report.measure,
        report.threshold,
        report.tokens,
        span(report.window_seconds),
        span(report.segment_seconds)
    );
    let stopped = report.exact + report.near;
    message!(
        "{} new; stopped {} ({}): {}, {}; {} in the window at the end",
        count(report.new),
        count(stopped),
        percent(stopped, report.documents),
        counted(report.exact, "exact copy"),
        counted(report.near, "near-duplicate"),
        count(report.in_window)
    );
    special(&[
        (report.old, "older than the window (not compared)"),
        (report.read.empty, "empty (new, not compared)"),
        (report.read.unusable, "without usable text or time (new, not compared)"),
        (report.read.unreadable, "unreadable (left out)"),
    ]);
    let memory = peak_memory(report.peak_memory_bytes);
    message!("{:.2} s, {} documents per second{memory}", report.seconds, count(report.documents_per_second as u64));
}

/// Formats a span as `24h` or `90s`.
fn span(seconds: f64) -> String {
    let seconds = seconds as u64;
    // One day is more often written as 24h; from two days on, days.
    let unit = [(86_400, 2, "d"), (3_600, 1, "h"), (60, 1, "m"), (1, 0, "s")]
        .into_iter()
        .find(|(unit, least, _)| seconds >= unit * least && seconds.is_multiple_of(*unit));
    unit.map_or_else(String::new, |(unit, _, name)| format!("{}{name}", seconds / unit))
}
