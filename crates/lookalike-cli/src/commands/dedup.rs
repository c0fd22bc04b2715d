//! `lookalike dedup`: which documents stay?

use std::path::{Path, PathBuf};

use lookalike::engine::Algorithm;
use lookalike_engine::{Bound, Collector, Dedup, DedupReport, Error, GrowIndex, KeptTarget, Outputs, Rule, Verify};
use lookalike_io::resolve_in;

use crate::args::{DedupArgs, MeasureArg, MethodArg};
use crate::outcome::Outcome;
use crate::output::finish::{outcome, print_report};
use crate::output::histogram::{Values, histogram};
use crate::output::numbers::{bytes, count, counted, percent};
use crate::output::plan::print_plan;
use crate::output::progress::Bars;
use crate::output::summary::{bound, how_compared, memory_plan, of_threads, peak_memory, special};
use crate::settings::inputs::check_stdin;

pub fn run(args: DedupArgs) -> Result<Outcome, Error> {
    let job = job(&args)?;
    if args.printing.json && job.outputs.uses_stdout() {
        return Err(Error::Usage(
            "--json and an output named - both write to stdout; name a file instead of -".to_string(),
        ));
    }
    if args.memory.plan {
        return print_plan(&job.plan()?, &args.printing);
    }
    let report = job.run(&Bars::new(args.printing.quiet))?;
    let is_found = args.found.fail_if_found && report.identical + report.near > 0;
    if print_report(&report, &report.read, &args.printing)? {
        summarise(&report);
    }
    Ok(outcome(&report.read, is_found))
}

/// Returns the job that the arguments describe.
pub fn job(args: &DedupArgs) -> Result<Dedup, Error> {
    let outputs = Outputs {
        kept: args.output.as_deref().map(kept_target).transpose()?,
        removed: args.removed.clone(),
        pairs: args.pairs.clone(),
        clusters: args.clusters.clone(),
        annotate: args.annotate.clone(),
        bad: args.bad.clone(),
        force: args.printing.force,
    };
    check_stdin(&[&args.inputs, &args.against])?;
    let space = args.memory.budget.space()?;
    let inputs = resolve_in(&args.inputs, args.reading.rows.format, &space)?;
    args.reading.check(&inputs)?;
    args.by_method.check()?;
    let collector = args.memory.budget.limit(args.reading.collector(args.keep.field(), &args.matching.within)?)?;
    let (bound, verify, collector) = compared(args, collector)?;
    Ok(Dedup {
        bound,
        verify,
        algorithm: args.by_method.algorithm(Algorithm::Auto)?,
        inputs,
        against: resolve_in(&args.against, args.reading.rows.format, &space)?,
        collector,
        keep: args.keep.clone(),
        // Broder's paper clusters sketches by connected components.
        rule: if args.components || args.by_method.method == MethodArg::Sketch {
            Rule::Components
        } else {
            Rule::Survivors
        },
        index: args.index.clone().map(|folder| GrowIndex { folder, existing: args.existing }),
        outputs,
        report: args.report.output(),
        run: args.memory.run(),
    })
}

/// Returns from where on documents are a pair, how that is verified, and what to collect for it.
fn compared(args: &DedupArgs, collector: Collector) -> Result<(Bound, Verify, Collector), Error> {
    if matches!(args.matching.measure, MeasureArg::Edit) {
        if args.by_method.method != MethodArg::Exact {
            return Err(Error::Usage("--measure edit works only with --method exact".to_string()));
        }
        args.matching.check_texts(args.typed.tokens, args.reading.bag)?;
        let distance = args.matching.distance()?;
        let collector = Collector { edit: Some(distance), ..collector };
        return Ok((Bound::Texts(distance), Verify::Threshold, collector));
    }
    let collector = args.by_method.sets(collector, &args.matching, &args.typed)?;
    let (threshold, verify) = (args.matching.threshold()?, args.by_method.verify(&args.matching));
    Ok((Bound::Sets(threshold), verify, args.by_method.collector(collector, &threshold, verify)?))
}

fn kept_target(output: &str) -> Result<KeptTarget, Error> {
    if output.ends_with('/') {
        let folder = output.trim_end_matches('/');
        return Ok(KeptTarget::Folder(PathBuf::from(if folder.is_empty() { "/" } else { folder })));
    }
    if Path::new(output).is_dir() {
        return Err(Error::Usage(format!(
            "cannot write {output}: it is a folder; use -o {output}/ for one file per input"
        )));
    }
    Ok(KeptTarget::File(PathBuf::from(output)))
}

/// Prints at most six lines and a histogram.
fn summarise(report: &DedupReport) {
    let against = match report.references {
        0 => String::new(),
        references => format!(" against {}", count(references)),
    };
    let bound = bound(report.compared.threshold, report.compared.is_distance);
    let documents = format!("{}{against}", counted(report.documents, "document"));
    how_compared(&documents, &report.read, &report.compared, &bound, report.signatures.as_ref());
    message!(
        "removed {}: {} identical to an earlier document, {} near; {}; kept {} ({})",
        count(report.identical + report.near),
        count(report.identical),
        count(report.near),
        counted(report.clusters, "cluster"),
        count(report.kept),
        percent(report.kept, report.documents)
    );
    if report.rule == "components" {
        message!("grouped by connected components: a removed document may resemble no kept document");
    }
    if let Some(index) = &report.index {
        let done = if index.was_in {
            "this batch was already in".to_string()
        } else {
            format!("{} added", count(index.added))
        };
        message!(
            "index {}: {done}, {}, {} in {}",
            index.folder,
            counted(index.documents, "document"),
            bytes(index.bytes),
            counted(index.parts, "part")
        );
    }
    special(&[
        (report.read.empty, "empty (kept, not compared)"),
        (report.read.unusable, "without usable text (kept, not compared)"),
        (report.read.unreadable, "unreadable (left out)"),
    ]);
    if let Some(pairs) = report.pairs {
        message!("{}", counted(pairs, "pair"));
    }
    memory_plan(&report.memory);
    let seconds = report.seconds;
    let memory = peak_memory(report.peak_memory_bytes);
    message!(
        "{:.2} s on {} (read {:.2}, compare {:.2}, write {:.2}), {:.0} MB/s{memory}",
        seconds.total,
        of_threads(report.threads),
        seconds.read,
        seconds.compare,
        seconds.write,
        report.megabytes_per_second
    );
    histogram(
        &report.histogram,
        Values::of(report.compared.is_distance),
        if report.pairs.is_some() { "pairs" } else { "removed documents, compared with their twins" },
    );
}
