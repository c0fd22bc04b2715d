//! `lookalike evaluate`: how good is what was found?

use lookalike_engine::{Collector, Error, Evaluate, EvaluateBy, EvaluateReport, Example, FoundOptions, TableInput};
use lookalike_io::{Fields, resolve};

use super::shared::{interval, print_tables, text_fields};
use crate::args::EvaluateArgs;
use crate::outcome::Outcome;
use crate::output::numbers::{count, counted};
use crate::output::plain::plain;
use crate::output::progress::Bars;
use crate::settings::inputs::check_stdin;

/// How many wrong and missed pairs, and how many contradictions, are printed.
const SHOWN: usize = 5;
/// How many characters of a text are printed.
const LONGEST: usize = 160;

pub fn run(args: EvaluateArgs) -> Result<Outcome, Error> {
    check_stdin(&[&args.found, &args.labels.labels, &args.documents, &args.with])?;
    let strict = args.rows.strict;
    let documents = resolve(&args.documents, args.rows.format)?;
    let with = resolve(&args.with, args.rows.format)?;
    let usual = args.rows.collector();
    let text = text_fields(&args.rows, &documents)?;
    let job = Evaluate {
        found: FoundOptions {
            table: TableInput { files: resolve(&args.found, None)?, columns: args.columns.clone() },
            linked: args.linked,
            clusters: args.clusters,
            twins_are_pairs: false,
            strict,
        },
        labels: args.labels.options(args.linked, strict)?,
        least: args.threshold,
        documents,
        with,
        collector: Collector { fields: Fields { text, ..usual.fields }, ..usual },
        by: args.by.clone().map(EvaluateBy::Field).or(args.by_site.then_some(EvaluateBy::Site)),
        report: args.report.clone(),
        force: args.printing.force,
    };
    let report = job.run(&Bars::new(true))?;
    print_tables(&report, &tables(&report), (&report.bad_rows.problems, report.bad_rows.unreadable), &args.printing)
}

fn tables(report: &EvaluateReport) -> String {
    let it = &report.evaluation;
    let mut out = format!(
        "{} found{}: {} right, {} wrong, {} without a label; {} missed\n",
        counted(it.pairs, "pair"),
        if it.found == "clusters" { " in clusters" } else { "" },
        count(it.right),
        count(it.wrong),
        count(it.unlabelled),
        count(it.missed)
    );
    for (name, value) in [
        ("precision", &it.precision),
        ("recall", &it.recall),
        ("F1", &it.f1),
        ("average precision", &it.average_precision),
    ] {
        if value.is_some() {
            out += &format!("{name:<18} {}\n", interval(value));
        }
    }
    if it.right + it.missed == 0 {
        out += "no label says that two documents are the same: recall and F1 are unknown\n";
    }
    if let Some(clusters) = &it.clusters {
        out += &format!(
            "B-cubed            precision {:.4}, recall {:.4}, F1 {:.4}\nadjusted Rand      {:.4} (both over {})\n",
            clusters.b_cubed_precision,
            clusters.b_cubed_recall,
            clusters.b_cubed_f1,
            clusters.adjusted_rand_index,
            counted(clusters.documents, "document")
        );
    }
    levels(report, &mut out);
    slices(report, &mut out);
    examples("wrong: found, but different", &it.worst_wrong, it.wrong, &mut out);
    examples("missed: the same, but not found", &it.worst_missed, it.missed, &mut out);
    if it.conflict_count > 0 {
        out += &format!("\nlabels that contradict each other: {}\n", count(it.conflict_count));
        it.conflicts.iter().take(SHOWN).for_each(|conflict| out += &format!("  {}\n", plain(conflict)));
    }
    if it.unsure > 0 {
        out += &format!("\n{} that do not decide\n", counted(it.unsure, "label"));
    }
    out
}

fn levels(report: &EvaluateReport, out: &mut String) {
    if report.evaluation.levels.is_empty() {
        return;
    }
    *out += "\n similarity       right     wrong  unlabelled  precision\n";
    for level in report.evaluation.levels.iter().rev() {
        let range =
            if level.from == level.to { format!("{}", level.from) } else { format!("{}–{}", level.from, level.to) };
        let precision = level.precision.map_or("–".to_string(), |precision| format!("{:.3}", precision.value));
        *out += &format!(
            "{range:>11}  {:>10}{:>10}  {:>10}  {precision:>9}\n",
            count(level.right),
            count(level.wrong),
            count(level.unlabelled)
        );
    }
}

fn slices(report: &EvaluateReport, out: &mut String) {
    let Some(first) = report.evaluation.by.first() else { return };
    *out += &format!("\n{:<24}right     wrong    missed  precision     recall\n", plain(&first.field));
    for slice in &report.evaluation.by {
        let share = |value: &Option<lookalike_engine::Interval>| {
            value.map_or("–".to_string(), |one| format!("{:.3}", one.value))
        };
        *out += &format!(
            "{:<19}{:>10}{:>10}{:>10}  {:>9}  {:>9}\n",
            slice.value,
            count(slice.right),
            count(slice.wrong),
            count(slice.missed),
            share(&slice.precision),
            share(&slice.recall)
        );
    }
}

fn examples(title: &str, examples: &[Example], all: u64, out: &mut String) {
    if examples.is_empty() {
        return;
    }
    let shown = examples.len().min(SHOWN) as u64;
    let of = if shown < all { format!(" ({} of {})", shown, count(all)) } else { String::new() };
    *out += &format!("\n{title}{of}\n");
    for example in examples.iter().take(SHOWN) {
        let similarity = example.similarity.map_or(String::new(), |value| format!("  {value:.4}"));
        *out += &format!("  {} and {}{similarity}\n", plain(&example.a), plain(&example.b));
        for text in example.texts.iter().flatten().filter(|text| !text.is_empty()) {
            *out += &format!("    {}\n", shortened(text));
        }
    }
}

/// The beginning of a text, on one line.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", plain(&line[..end])),
        None => plain(&line),
    }
}
