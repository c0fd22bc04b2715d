//! `lookalike sketch`: what is the signature of each document?

use std::path::Path;

use clap::ValueEnum;
use lookalike::sketch::{Filter, MinHash};
use lookalike_engine::{Collector, Error, SignerKind, Sketch, SketchReport};
use lookalike_io::resolve;

use crate::args::{SketchArgs, SketchMethod};
use crate::outcome::Outcome;
use crate::output::finish::{outcome, print_report};
use crate::output::numbers::{bytes, count, counted};
use crate::output::progress::Bars;
use crate::output::summary::{of_threads, peak_memory, special};
use crate::settings::inputs::check_stdin;
use crate::settings::memory::budget;

pub fn run(args: SketchArgs) -> Result<Outcome, Error> {
    if args.printing.json && args.output == Path::new("-") {
        return Err(Error::Usage("--json and the signatures both write to stdout; name a file with -o".to_string()));
    }
    check_stdin(&[&args.inputs])?;
    let signature = signature(&args)?;
    let inputs = resolve(&args.inputs, args.reading.rows.format)?;
    args.reading.check(&inputs)?;
    let job = Sketch {
        signature,
        inputs,
        collector: Collector { memory: budget(args.memory), ..args.reading.collector(None, &[])? },
        output: args.output,
        force: args.printing.force,
    };
    let report = job.run(&Bars::new(args.printing.quiet))?;
    if print_report(&report, &report.read, &args.printing)? {
        summarise(&report);
    }
    Ok(outcome(&report.read, false))
}

/// Returns the signature that the arguments ask for. Refuses options of other methods.
fn signature(args: &SketchArgs) -> Result<SignerKind, Error> {
    let options = [
        ("--functions", args.functions.is_some(), SketchMethod::Minhash),
        ("--features", args.features.is_some(), SketchMethod::Features),
        ("--bits", args.bits.is_some(), SketchMethod::Simhash),
    ];
    if let Some((option, _, method)) = options.iter().find(|(_, is_given, method)| *is_given && *method != args.method)
    {
        let name = method.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string());
        return Err(Error::Usage(format!("{option} works only with --method {name}")));
    }
    Ok(match args.method {
        SketchMethod::Minhash => {
            SignerKind::MinHash(MinHash::new(args.functions.map_or(128, |functions| functions.get().into())))
        }
        SketchMethod::Features => {
            let filter = args.features.map_or_else(|| Filter::new(6, 14, 2), Ok);
            SignerKind::Features(filter.map_err(|error| Error::Usage(error.to_string()))?)
        }
        SketchMethod::Simhash => SignerKind::SimHash(args.bits.unwrap_or(384)),
    })
}

fn summarise(report: &SketchReport) {
    message!(
        "{}, {} with {} of text; {} of {} bytes on {}",
        counted(report.documents, "document"),
        bytes(report.read.input_bytes.unwrap_or(0)),
        bytes(report.read.text_bytes),
        report.signature,
        count(report.signature_bytes as u64),
        report.tokens
    );
    special(&[
        (report.read.empty, "empty (no signature)"),
        (report.read.unusable, "without usable text (no signature)"),
        (report.read.unreadable, "unreadable (left out)"),
    ]);
    let memory = peak_memory(report.peak_memory_bytes);
    message!(
        "{:.2} s on {}, {:.0} MB/s{memory}",
        report.seconds,
        of_threads(report.threads),
        report.megabytes_per_second
    );
}
