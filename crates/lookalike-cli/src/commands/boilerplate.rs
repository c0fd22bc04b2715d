//! `lookalike boilerplate`: which passages do the sites of a collection repeat?

use lookalike::Rational;
use lookalike_engine::{BoilerplateReport, Collector, Error, LearnBoilerplate};
use lookalike_io::resolve;

use crate::args::BoilerplateArgs;
use crate::outcome::Outcome;
use crate::output::finish::{outcome, print_report};
use crate::output::numbers::{bytes, counted};
use crate::output::progress::Bars;
use crate::output::summary::{of_threads, peak_memory, special};
use crate::settings::inputs::check_stdin;
use crate::settings::memory::budget;

pub fn run(args: BoilerplateArgs) -> Result<Outcome, Error> {
    check_stdin(&[&args.inputs])?;
    if args.min_share > Rational::ONE {
        return Err(Error::Usage(format!(
            "--min-share {} is more than 1, which is all pages of a site",
            args.min_share
        )));
    }
    let inputs = resolve(&args.inputs, args.rows.format)?;
    let job = LearnBoilerplate {
        inputs,
        collector: Collector { memory: budget(args.memory), ..args.rows.collector() }.by_site(args.site)?,
        min_pages: args.min_pages,
        min_share: args.min_share,
        output: args.output,
        force: args.printing.force,
    };
    let report = job.run(&Bars::new(args.printing.quiet))?;
    if print_report(&report, &report.read, &args.printing)? {
        summarise(&report);
    }
    Ok(outcome(&report.read, false))
}

fn summarise(report: &BoilerplateReport) {
    message!(
        "{} of {}, {} of text",
        counted(report.documents, "document"),
        counted(report.sites, "site"),
        bytes(report.read.text_bytes)
    );
    let share = 100.0 * report.passage_bytes as f64 / report.read.text_bytes.max(1) as f64;
    message!(
        "{} repeated on {}: {share:.1} % of the text",
        counted(report.passages, "passage"),
        counted(report.sites_with_passages, "site")
    );
    special(&[
        (report.read.empty, "empty"),
        (report.read.unusable, "without usable text (left out)"),
        (report.read.unreadable, "unreadable (left out)"),
    ]);
    let memory = peak_memory(report.effort.peak_memory_bytes);
    message!("{:.2} s on {}{memory}", report.effort.seconds, of_threads(report.effort.threads));
}
