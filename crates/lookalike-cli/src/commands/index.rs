//! `lookalike index`: what does a collection that grows hold, and what does it find?

use std::io::Read;
use std::path::Path;

use lookalike_engine::{
    ChangeReport, CheckIndex, Collector, Error, IndexReport, MergeIndex, QueryIndex, QueryReport, RemoveFromIndex,
    ShowIndex,
};
use lookalike_io::resolve;

use crate::args::{ChangeIndexArgs, IndexAction, IndexArgs, QueryIndexArgs, RemoveIndexArgs, ShowIndexArgs};
use crate::outcome::Outcome;
use crate::output::finish::{outcome, print_report};
use crate::output::numbers::{bytes, count, counted};
use crate::output::progress::Bars;
use crate::output::stdout::{print, print_json};
use crate::output::summary::{of_threads, peak_memory, special, within};
use crate::settings::inputs::check_stdin;
use crate::settings::memory::budget;

pub fn run(args: IndexArgs) -> Result<Outcome, Error> {
    match args.action {
        IndexAction::Show(args) => show(args),
        IndexAction::Query(args) => query(*args),
        IndexAction::Remove(args) => remove(args),
        IndexAction::Merge(args) => merge(args),
        IndexAction::Check(args) => check(args),
    }
}

fn show(args: ShowIndexArgs) -> Result<Outcome, Error> {
    let report = ShowIndex { folder: args.folder }.run()?;
    if args.json {
        print_json(&report)?
    } else {
        print(described(&report).as_bytes())?
    }
    Ok(Outcome::Done)
}

fn check(args: ShowIndexArgs) -> Result<Outcome, Error> {
    let report = CheckIndex { folder: args.folder }.run(&Bars::new(false))?;
    if args.json {
        print_json(&report)?;
    } else {
        message!(
            "passed: {} in {}, {}; every checksum is right",
            counted(report.documents, "document"),
            counted(report.parts.len() as u64, "part"),
            bytes(report.bytes)
        );
    }
    Ok(Outcome::Done)
}

fn described(report: &IndexReport) -> String {
    let settings = &report.settings;
    let mut text = format!(
        "{}, {}, {} in {}; batches: {}\n",
        counted(report.documents, "document"),
        counted(report.elements, "element"),
        bytes(report.bytes),
        counted(report.parts.len() as u64, "part"),
        count(report.batches)
    );
    text += &format!(
        "{} ≥ {} on {}{}{}{}{}\n",
        settings.measure,
        settings.threshold,
        settings.tokens,
        if settings.bag { " with repetitions" } else { "" },
        if settings.case == "keep" { ", case kept" } else { "" },
        if settings.page == "text" { String::new() } else { format!(", pages by {}", settings.page) },
        within(&settings.within)
    );
    if report.remembered > 0 {
        text += &format!("removed near-duplicates on record: {}\n", count(report.remembered));
    }
    if report.removed > 0 {
        text += &format!("removed (deleted by the next merge): {}\n", count(report.removed));
    }
    for part in &report.parts {
        text += &format!("  {}  {}, {}\n", part.file, counted(part.documents, "document"), bytes(part.bytes));
    }
    text
}

fn query(args: QueryIndexArgs) -> Result<Outcome, Error> {
    if args.printing.json && args.output == Path::new("-") {
        return Err(Error::Usage(
            "--json and the matches both write to stdout; name a file with -o instead of -".to_string(),
        ));
    }
    check_stdin(&[&args.inputs])?;
    let inputs = resolve(&args.inputs, args.rows.format)?;
    let job = QueryIndex {
        folder: args.folder,
        inputs,
        // Tokens, pages and fields to compare within are those of the index, which the job knows.
        collector: Collector {
            memory: budget(args.memory.memory),
            ..args.rows.collector().without(args.without.table()?)?
        },
        threshold: args.threshold,
        output: args.output,
        force: args.printing.force,
    };
    let report = job.run(&Bars::new(args.printing.quiet))?;
    if print_report(&report, &report.read, &args.printing)? {
        summarise(&report);
    }
    Ok(outcome(&report.read, false))
}

fn summarise(report: &QueryReport) {
    message!(
        "{} looked up, {} in the index; {} ≥ {} on {}, exact",
        counted(report.documents, "document"),
        count(report.indexed),
        report.measure,
        report.threshold,
        report.tokens
    );
    message!("{} of {}", counted(report.matches, "match"), counted(report.matched, "document"));
    special(&[
        (report.read.empty, "empty (not compared)"),
        (report.read.unusable, "without usable text (not compared)"),
        (report.read.unreadable, "unreadable (left out)"),
    ]);
    let memory = peak_memory(report.effort.peak_memory_bytes);
    message!("{:.2} s on {}{memory}", report.effort.seconds, of_threads(report.effort.threads));
}

fn remove(args: RemoveIndexArgs) -> Result<Outcome, Error> {
    let mut ids = args.id;
    if let Some(file) = &args.ids {
        ids.extend(read_lines(file)?.lines().filter(|line| !line.is_empty()).map(String::from));
    }
    let report = RemoveFromIndex { folder: args.folder, ids }.run()?;
    told(&report, args.json, args.quiet, |report| {
        message!("took out {}; {} left", counted(report.removed, "document"), count(report.documents));
        if let [first, ..] = &report.unknown[..] {
            let unknown = counted(report.unknown.len() as u64, "id");
            message!("not in the index: {unknown}, the first is '{first}'");
        }
    })
}

fn read_lines(file: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| Error::Usage(format!("cannot read {}: {error}", file.display())))?;
    Ok(text)
}

fn merge(args: ChangeIndexArgs) -> Result<Outcome, Error> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let threads = args.threads.map_or(cores, usize::from);
    let job = MergeIndex { folder: args.folder, threads, memory: budget(args.memory.memory) };
    let report = job.run(&Bars::new(args.quiet))?;
    told(&report, args.json, args.quiet, |report| {
        message!(
            "{}, {} before; {}",
            counted(report.parts, "part"),
            count(report.parts_before),
            counted(report.documents, "document")
        );
    })
}

fn told(
    report: &ChangeReport,
    json: bool,
    quiet: bool,
    summarise: impl FnOnce(&ChangeReport),
) -> Result<Outcome, Error> {
    if json {
        print_json(report)?;
    } else if !quiet {
        summarise(report);
    }
    Ok(Outcome::Done)
}
