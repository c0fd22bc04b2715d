//! `lookalike graph`: what do pairs look like as a graph?

mod svg;

use std::path::{Path, PathBuf};

use lookalike_engine::{Counted, Error, Graph, GraphReport, Values};
use lookalike_io::write::{Inputs, check, commit, discard_folders, make_folder_of};
use lookalike_io::{Format, Output, Source, resolve};

use crate::args::GraphArgs;
use crate::outcome::Outcome;
use crate::output::numbers::{count, counted};
use crate::output::progress::Bars;
use crate::output::stdout::{print, print_json};
use crate::output::summary::problems;
use crate::settings::inputs::check_stdin;

pub fn run(args: &GraphArgs) -> Result<Outcome, Error> {
    check_stdin(&[&args.inputs])?;
    let inputs = resolve(&args.inputs, args.format)?;
    let is_table =
        |source: &&Source| matches!(source.format(), Format::Jsonl | Format::Csv | Format::Tsv | Format::Parquet);
    if let Some(other) = inputs.iter().find(|source| !is_table(source)) {
        let path = other.path().display();
        return Err(Error::Usage(format!(
            "{path} is not a table of pairs; if it is one, name its format with --format jsonl, csv, tsv or parquet"
        )));
    }
    let report = Graph { inputs, by: args.by.clone(), strict: args.strict }.run(&Bars::new(true))?;
    if let Some(folder) = &args.svg {
        draw(folder, args.force, &report).inspect_err(|_| discard_folders())?;
    }
    if args.json {
        print_json(&report)?;
    } else {
        print(tables(&report).as_bytes())?;
    }
    problems(&report.bad_rows.problems, report.bad_rows.unreadable);
    Ok(if report.bad_rows.unreadable > 0 { Outcome::DoneWithBadRows } else { Outcome::Done })
}

/// Writes all pictures, or none.
fn draw(folder: &Path, force: bool, report: &GraphReport) -> Result<(), Error> {
    let mut pictures: Vec<(PathBuf, String)> = vec![
        (folder.join("degrees.svg"), svg::degrees(report)),
        (folder.join("components.svg"), svg::components(report)),
    ];
    pictures.extend(svg::values(report).map(|picture| (folder.join("values.svg"), picture)));
    make_folder_of(&folder.join("degrees.svg"))?;
    for (path, _) in &pictures {
        check(path, force, &Inputs::new(&[]))?;
    }
    let mut finished = Vec::new();
    for (path, picture) in pictures {
        let mut output = Output::create(&path)?;
        output.put(picture.as_bytes())?;
        finished.push(output.finish()?);
    }
    Ok(commit(finished)?)
}

fn tables(report: &GraphReport) -> String {
    let mut out = format!(
        "{} in {}; {:.2} pairs per document on average, at most {}\n",
        counted(report.documents, "document"),
        counted(report.pairs, "pair"),
        report.average_degree,
        count(report.greatest_degree)
    );
    out += &format!(
        "{}, the largest of {}\n",
        counted(report.components, "connected component"),
        counted(report.largest_component, "document")
    );
    if report.repeated + report.with_itself > 0 {
        out += &format!(
            "repeated pairs: {}; documents paired with themselves: {}\n",
            count(report.repeated),
            count(report.with_itself)
        );
    }
    table(&mut out, "pairs", "documents", &ranges(&report.degrees));
    table(&mut out, "documents", "components", &ranges(&report.component_sizes));
    if let (Some(by), Some(values)) = (&report.by, &report.values) {
        table(&mut out, by, "rows", &labelled(values));
    }
    out
}

/// Maximum number of distinct values that have a row each.
const OWN_ROWS: usize = 12;

/// Returns a row for each number, or for 1, 2, 3–4, 5–8 and so on if there are many.
fn ranges(counts: &[Counted<u64>]) -> Vec<(String, u64)> {
    if counts.len() <= OWN_ROWS {
        return counts.iter().map(|counted| (count(counted.value), counted.count)).collect();
    }
    let top = |value: u64| value.checked_next_power_of_two().unwrap_or(u64::MAX);
    let groups = counts.chunk_by(|one, two| top(one.value) == top(two.value));
    let label = |group: &[Counted<u64>]| match top(group[0].value) {
        top @ 0..=2 => count(top),
        top => format!("{}–{}", count(top / 2 + 1), count(top)),
    };
    groups.map(|group| (label(group), group.iter().map(|counted| counted.count).sum())).collect()
}

fn labelled(values: &Values) -> Vec<(String, u64)> {
    match values {
        Values::Numbers(counts) if counts.iter().all(|counted| counted.value >= 0) => {
            let counts: Vec<Counted<u64>> = counts
                .iter()
                .map(|counted| Counted { value: counted.value.unsigned_abs(), count: counted.count })
                .collect();
            ranges(&counts)
        }
        Values::Numbers(counts) => counts.iter().map(|counted| (counted.value.to_string(), counted.count)).collect(),
        Values::Ranges(bins) => bins.iter().map(|bin| (svg::range(bin), bin.count)).collect(),
        Values::Labels(counts) => {
            counts.iter().map(|counted| (counted.value.escape_debug().to_string(), counted.count)).collect()
        }
    }
}

fn table(out: &mut String, of: &str, what: &str, rows: &[(String, u64)]) {
    let all: u64 = rows.iter().map(|(_, count)| count).sum();
    *out += &format!("\n{of:>16}  {what:>12}   share\n");
    for (label, n) in rows {
        *out += &format!("{label:>16}  {:>12}  {:>5.1} %\n", count(*n), 100.0 * *n as f64 / all.max(1) as f64);
    }
}
