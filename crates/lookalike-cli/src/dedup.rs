use std::path::{Path, PathBuf};

use lookalike_engine::{Dedup, Error, KeptTarget, Outputs, Rule};
use lookalike_io::resolve;

use crate::args::{DedupArgs, MethodArg};
use crate::progress::Bars;
use crate::{Outcome, check_stdin, print_json, summary};

pub fn run(args: DedupArgs) -> Result<Outcome, Error> {
    let outputs = Outputs {
        kept: args.output.as_deref().map(kept_target).transpose()?,
        removed: args.removed,
        pairs: args.pairs,
        clusters: args.clusters,
        annotate: args.annotate,
        bad: args.bad,
        force: args.run.force,
    };
    if args.run.json && outputs.uses_stdout() {
        return Err(Error::Usage("--json and an output named - both write to stdout".to_string()));
    }
    check_stdin(&[&args.inputs, &args.against])?;
    let inputs = resolve(&args.inputs, args.reading.format)?;
    args.reading.check(&inputs)?;
    args.by.check()?;
    let threshold = args.matching.threshold()?;
    let verify = args.by.verify(&args.matching);
    let collector = args.reading.collector(args.keep.field(), &args.matching.within);
    let job = Dedup {
        threshold,
        verify,
        inputs,
        against: resolve(&args.against, args.reading.format)?,
        collector: args.by.collector(collector, &threshold, verify)?,
        keep: args.keep,
        // What Broder's clustering from sketches is.
        rule: if args.components || args.by.method == MethodArg::Sketch { Rule::Components } else { Rule::Survivors },
        outputs,
    };
    let report = job.run(&Bars::new(args.run.quiet))?;
    if args.run.json {
        print_json(&report)?;
    }
    if !args.run.quiet {
        summary::problems(&report.read.problems, report.read.unusable + report.read.unreadable);
        if !args.run.json {
            summary::report(&report);
        }
    }
    Ok(if args.found.fail_if_found && report.identical + report.near > 0 {
        Outcome::Failed
    } else if report.read.unusable + report.read.unreadable > 0 {
        Outcome::DoneWithBadRows
    } else {
        Outcome::Done
    })
}

fn kept_target(output: &str) -> Result<KeptTarget, Error> {
    if output.ends_with('/') {
        let folder = output.trim_end_matches('/');
        return Ok(KeptTarget::Folder(PathBuf::from(if folder.is_empty() { "/" } else { folder })));
    }
    if Path::new(output).is_dir() {
        return Err(Error::Usage(format!(
            "cannot write {output}: it is a folder; {output}/ gets a file for each input"
        )));
    }
    Ok(KeptTarget::File(PathBuf::from(output)))
}
