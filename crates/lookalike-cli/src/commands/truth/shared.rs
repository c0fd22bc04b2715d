//! What do these commands share?

use lookalike_engine::{Classes, Error, Interval, LabelOptions, TableInput};
use lookalike_io::{Source, read, resolve};
use serde::Serialize;

use crate::args::{LabelArgs, LabelMeaningArgs, PrintArgs, RowArgs};
use crate::outcome::Outcome;
use crate::output::stdout::{print, print_json};
use crate::output::summary::problems;

impl LabelArgs {
    /// How the labels are read.
    pub fn options(&self, linked: bool, strict: bool) -> Result<LabelOptions, Error> {
        Ok(self.meaning.options(resolve(&self.labels, None)?, linked, strict))
    }
}

impl LabelMeaningArgs {
    /// How the labels in these files are read.
    pub fn options(&self, files: Vec<Source>, linked: bool, strict: bool) -> LabelOptions {
        LabelOptions {
            table: TableInput { files, columns: self.label_columns.clone() },
            classes: Classes::new(self.same.clone()),
            complete: self.complete,
            linked,
            groups: self.groups,
            strict,
        }
    }
}

/// Prints a report as JSON or as tables, names the bad rows, and says how the command ended.
pub fn print_tables(
    report: &impl Serialize,
    tables: &str,
    (named, unreadable): (&[String], u64),
    printing: &PrintArgs,
) -> Result<Outcome, Error> {
    if printing.json {
        print_json(report)?;
    } else if !printing.quiet {
        print(tables.as_bytes())?;
    }
    if !printing.quiet {
        problems(named, unreadable);
    }
    Ok(if unreadable > 0 { Outcome::DoneWithBadRows } else { Outcome::Done })
}

/// Returns the text fields that documents have: none if the user named none and the files have no column `text`.
pub fn text_fields(rows: &RowArgs, documents: &[Source]) -> Result<Vec<String>, Error> {
    let named: Vec<String> = rows.html.iter().cloned().chain(rows.text.clone()).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    for source in documents {
        if read::columns(source)?.is_some_and(|columns| !columns.iter().any(|name| name == "text")) {
            return Ok(Vec::new());
        }
    }
    Ok(vec!["text".to_string()])
}

/// Formats a number with its interval: `0.912 (0.88 to 0.94)`.
pub fn interval(interval: &Option<Interval>) -> String {
    match interval {
        None => "unknown".to_string(),
        Some(Interval { value, low, high }) => format!("{value:.4} ({low:.3} to {high:.3})"),
    }
}
