//! `lookalike calibrate`: which settings do labels call for?

use std::io::{IsTerminal, stdin, stdout};
use std::num::NonZeroU16;
use std::path::Path;

use lookalike::{Measure, Threshold, Tokens};
use lookalike_engine::{Calibrate, CalibrateReport, Collector, Error, LabelOptions, Propose, Proposed, Search};
use lookalike_io::write::{Cell, Inputs, Kind, Table, check, commit};
use lookalike_io::{Source, resolve};

use super::answers::Answers;
use super::session;
use super::shared::print_tables;
use crate::args::CalibrateArgs;
use crate::outcome::Outcome;
use crate::output::numbers::{count, counted};
use crate::output::plain::plain;
use crate::output::progress::Bars;
use crate::output::stdout::print_json;
use crate::settings::inputs::check_stdin;

/// How many values of a choice, and how many contradictions, are printed.
const SHOWN: usize = 5;
const THREE: NonZeroU16 = NonZeroU16::new(3).unwrap();

pub fn run(args: CalibrateArgs) -> Result<Outcome, Error> {
    check_stdin(&[&args.inputs, &args.with, &args.labels])?;
    let inputs = resolve(&args.inputs, args.rows.format)?;
    let with = resolve(&args.with, args.rows.format)?;
    if let Some(other) = args.measures.iter().find(|measure| !is_share(**measure)) {
        return Err(Error::Usage(format!(
            "--measures {other}: only similarities from 0 to 1 can be tried: {}",
            Measure::ALL
                .into_iter()
                .filter(|one| is_share(*one))
                .map(|one| one.to_string())
                .collect::<Vec<_>>()
                .join(", ")
        )));
    }
    if let Some(most) = args.label {
        return label(&args, inputs, with, most);
    }
    let job = Calibrate {
        search: search(&args),
        collector: args.rows.collector().without(args.without.table()?)?,
        labels: args.meaning.options(resolve(&args.labels, None)?, !args.with.is_empty(), args.rows.strict),
        inputs,
        with,
        splits: args.splits,
        report: args.report.clone(),
        force: args.printing.force,
    };
    let report = job.run(&Bars::new(args.printing.quiet))?;
    print_tables(&report, &tables(&report), (&report.bad_rows.problems, report.bad_rows.unreadable), &args.printing)
}

fn is_share(measure: Measure) -> bool {
    !measure.is_count()
}

/// Every combination that is tried: the text of --text and of each --try-text, each --within and none.
fn search(args: &CalibrateArgs) -> Search {
    let list = |fields: &String| fields.split(',').map(String::from).collect::<Vec<String>>();
    let mut text: Vec<Vec<String>> = args.try_text.iter().map(list).collect();
    if text.is_empty() || !args.rows.text.is_empty() || args.rows.html.is_some() {
        text.insert(0, args.rows.collector().fields.text);
    }
    let mut distinct: Vec<Vec<String>> = Vec::new();
    text.into_iter().for_each(|fields| {
        if !distinct.contains(&fields) {
            distinct.push(fields)
        }
    });
    let within = std::iter::once(Vec::new()).chain(args.within.iter().map(list)).collect();
    let tokens = match &args.tokens[..] {
        [] => vec![Tokens::Words(NonZeroU16::MIN), Tokens::Chars(THREE), Tokens::Letters(THREE), Tokens::default()],
        named => named.to_vec(),
    };
    Search { text: distinct, within, tokens, measures: args.measures.clone() }
}

/// Proposes pairs, and writes them or asks about them.
fn label(args: &CalibrateArgs, inputs: Vec<Source>, with: Vec<Source>, most: usize) -> Result<Outcome, Error> {
    let is_session = args.output.is_none();
    if is_session && args.labels.len() != 1 {
        return Err(Error::Usage(
            "--label needs -o FILE to write the pairs to, or one file --labels FILE for the answers".to_string(),
        ));
    }
    if is_session && !args.browser && !(stdin().is_terminal() && stdout().is_terminal()) {
        return Err(Error::Usage(
            "--label without -o asks questions, but this is not a terminal; use -o FILE, or --browser for a page"
                .to_string(),
        ));
    }
    let known: Vec<String> =
        args.labels.iter().filter(|path| !is_session || Path::new(path).exists()).cloned().collect();
    let known = resolve(&known, None)?;
    let labels = (!known.is_empty()).then(|| args.meaning.options(known, !args.with.is_empty(), args.rows.strict));
    let (collector, threshold) = around(args, [&inputs, &with], labels.as_ref())?;
    let measure = threshold.measure();
    let job = Propose { inputs, with, collector, measure, threshold, labels, most, seed: args.seed };
    if let Some(path) = &args.output {
        Table::check(path)?;
        check(path, args.printing.force, &Inputs::new(&job.inputs))?;
    }
    let proposed = job.run(&Bars::new(args.printing.quiet))?;
    match &args.output {
        Some(path) => {
            write(path, &proposed)?;
            if args.printing.json {
                print_json(&serde_json::json!({ "proposed": proposed.len(), "output": path.display().to_string() }))?;
            } else if !args.printing.quiet {
                message!(
                    "{} to label; fill in the column label (1, 0, or empty if unsure) and give the file back with --labels {}",
                    counted(proposed.len() as u64, "pair"),
                    path.display()
                );
            }
            Ok(Outcome::Done)
        }
        None if proposed.is_empty() => {
            message!("no pair to label: no two documents without a label are similar; try other --tokens or --text");
            Ok(Outcome::Done)
        }
        None => ask(Answers::begin(proposed, Path::new(&args.labels[0]))?, args.browser),
    }
}

fn usage(error: impl std::fmt::Display) -> Error {
    Error::Usage(error.to_string())
}

/// How to compare, and the threshold around which pairs are proposed: what the labels call for, if there are any and no threshold is named.
fn around(
    args: &CalibrateArgs,
    [inputs, with]: [&[Source]; 2],
    labels: Option<&LabelOptions>,
) -> Result<(Collector, Threshold), Error> {
    let search = search(args);
    let mut collector = args.rows.collector().without(args.without.table()?)?;
    collector.fields.text = search.text[0].clone();
    collector.recipe.tokens = args.tokens.first().copied().unwrap_or_default();
    let at = |measure: Measure, threshold: &str| Threshold::new(measure, threshold).map_err(usage);
    let (Some(labels), None) = (labels, &args.threshold) else {
        return Ok((collector, at(args.measures[0], args.threshold.as_deref().unwrap_or("0.8"))?));
    };
    let job = Calibrate {
        inputs: inputs.to_vec(),
        with: with.to_vec(),
        collector: collector.clone(),
        labels: labels.clone(),
        search,
        splits: 0,
        report: None,
        force: false,
    };
    let Some(chosen) = job.choose(&Bars::new(args.printing.quiet))? else {
        return Ok((collector, at(args.measures[0], "0.8")?));
    };
    let settings = chosen.settings;
    collector.recipe.tokens = settings.tokens.parse().map_err(usage)?;
    let threshold = at(settings.measure.parse().map_err(usage)?, chosen.threshold)?;
    if !args.printing.quiet {
        let (text, tokens) = (settings.text.join(","), &settings.tokens);
        let named = format!("--text {text} --tokens {tokens} --measure {} -t {}", settings.measure, chosen.threshold);
        message!("proposing pairs around what the labels call for: {}", plain(&named));
    }
    collector.fields.text = settings.text;
    Ok((collector, threshold))
}

/// Asks about each pair, in a browser or in the terminal.
fn ask(answers: Answers, in_browser: bool) -> Result<Outcome, Error> {
    if !in_browser {
        return session::run(answers);
    }
    #[cfg(unix)]
    return super::browser::run(answers);
    #[cfg(not(unix))]
    Err(Error::Usage("--browser works on Unix only; answer in the terminal, or use -o FILE".to_string()))
}

fn write(path: &Path, proposed: &[Proposed]) -> Result<(), Error> {
    let columns = [
        ("a", Kind::Text),
        ("b", Kind::Text),
        ("label", Kind::Text),
        ("similarity", Kind::Float),
        ("text_a", Kind::Text),
        ("text_b", Kind::Text),
    ];
    let mut table = Table::create(path, &columns)?;
    for pair in proposed {
        let [one, two] = &pair.texts;
        table.put(&[
            Cell::from(pair.a.as_str()),
            Cell::from(pair.b.as_str()),
            Cell::from(""),
            Cell::Float(pair.similarity),
            Cell::from(one.as_str()),
            Cell::from(two.as_str()),
        ])?;
    }
    Ok(commit(vec![table.finish()?])?)
}

/// What even the best one setting loses, and how much of the loss is above that.
fn floor_line(floor: Option<f64>, loss: f64) -> String {
    floor.map_or(String::new(), |floor| {
        let above = loss - floor;
        format!("floor              {floor:.4} (what even the best one setting loses; {above:+.4} above it)\n")
    })
}

fn tables(report: &CalibrateReport) -> String {
    let it = &report.calibration;
    let mut out = format!(
        "{} and {} that are the same in {}; {} tried with 15 thresholds each\n\n{}\n\n",
        counted(report.documents, "document"),
        counted(it.enough.same, "pair"),
        counted(it.enough.groups, "group"),
        counted(report.tried, "way to compare").replace("way to compares", "ways to compare"),
        plain(&report.command)
    );
    out += &format!(
        "expected F1        {:.4} ({:.3} to {:.3} in {} splits: chosen on one half of the groups, judged on the other)\n",
        it.expected.value,
        it.expected.low,
        it.expected.high,
        it.splits.len()
    );
    out += &format!("F1 on all labels   {:.4} ({:.3} to {:.3})\n", it.f1.value, it.f1.low, it.f1.high);
    // The same if no label says that a document of the other half is different.
    let alone = format!("; {:.4} if the documents of the other half are not read", it.median_loss_alone);
    let alone = if it.splits.iter().any(|split| split.alone != split.f1) { &alone } else { "" };
    out += &format!("lost to hindsight  {:.4} (median over the splits{alone})\n", it.median_loss);
    out += &floor_line(it.floor, it.median_loss);
    if let Some(default) = &it.default {
        out += &format!("default settings   {:.4} (words:5, jaccard 0.8)\n", default.f1);
    }
    out += "\nhow much each choice matters: the best F1 with each value\n";
    for influence in it.influences.iter().filter(|influence| influence.values.len() > 1) {
        let values: Vec<String> =
            influence.values.iter().take(SHOWN).map(|(value, f1)| format!("{} {f1:.3}", plain(value))).collect();
        let more = if influence.values.len() > SHOWN { ", …" } else { "" };
        out += &format!("{:>10}  {:.3}  {}{more}\n", influence.choice, influence.spread, values.join(", "));
    }
    if !it.enough.is_enough {
        out += "\ntoo few labels\n";
        it.enough.lacking.iter().for_each(|lacking| out += &format!("  {lacking}\n"));
        if let Some(more) = it.enough.more {
            out += &format!(
                "  about {} that are the same would settle it; --label proposes some\n",
                counted(more, "more pair")
            );
        }
        if let Some(more) = it.enough.more_different {
            out += &format!(
                "  about {} that look similar would settle it; --label proposes some\n",
                counted(more, "more different pair")
            );
        }
    }
    if report.conflict_count > 0 {
        out += &format!("\nlabels that contradict each other: {}\n", count(report.conflict_count));
        report.conflicts.iter().take(SHOWN).for_each(|conflict| out += &format!("  {}\n", plain(conflict)));
    }
    if report.unknown > 0 {
        out += &format!("\nlabelled pairs with a document that is not in the inputs: {}\n", count(report.unknown));
    }
    for skipped in report.skipped.iter().take(SHOWN) {
        out += &format!("\nnot tried to the end: {}\n", plain(skipped));
    }
    out
}
