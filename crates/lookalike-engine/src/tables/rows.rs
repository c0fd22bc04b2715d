//! Reads tables: rows with named columns, in JSON lines, CSV, TSV or Parquet.

use std::collections::BTreeSet;

use lookalike::engine::Progress;
use lookalike_io::{Blocks, Content, Fields, Format, RowReader, Source, read};

use crate::error::{Error, Problem};
use crate::read::WatchedBlocks;
use crate::report::BadRowsReport;

/// Counts of the rows that were read from tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableRead {
    pub(crate) rows: u64,
    pub(crate) unreadable: u64,
    /// The first few unreadable rows.
    pub(crate) problems: Vec<String>,
}

impl TableRead {
    /// The bad rows, for a report.
    pub(crate) fn bad_rows(self) -> BadRowsReport {
        BadRowsReport { unreadable: self.unreadable, problems: self.problems }
    }
}

/// The most problems to keep.
const NAMED: usize = 5;
/// How many JSON rows are searched for field names, because a row may lack a field that others have.
const LOOKED_AT: usize = 100;

/// The columns of a table. Those of JSON lines are the fields of the first rows.
pub(crate) fn columns_of(source: &Source) -> Result<Vec<String>, Error> {
    let path = source.path().display();
    match source.format() {
        Format::Csv | Format::Tsv | Format::Parquet => Ok(read::columns(source)?.unwrap_or_default()),
        Format::Jsonl => {
            let fields = Fields::default();
            let mut reader = RowReader::new(&fields, usize::MAX);
            let mut blocks = Blocks::new(std::slice::from_ref(source), &fields, Default::default());
            let (mut names, mut seen) = (Vec::new(), BTreeSet::new());
            let mut left = LOOKED_AT;
            if let Some(block) = blocks.next_block()? {
                reader.for_each(&block, |_, raw| -> Result<(), Error> {
                    if left > 0 && raw.is_some() {
                        left -= 1;
                        let object = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(
                            raw.unwrap_or_default(),
                        );
                        names.extend(
                            object
                                .unwrap_or_default()
                                .into_iter()
                                .map(|(name, _)| name)
                                .filter(|name| seen.insert(name.clone())),
                        );
                    }
                    Ok(())
                })?;
            }
            Ok(names)
        }
        Format::Text | Format::Html | Format::Warc | Format::Lines => {
            Err(Error::Usage(format!("{path} is not a table; its name must end in .jsonl, .csv, .tsv or .parquet")))
        }
    }
}

/// Calls `each` with the values of these columns in every row. It returns why the row is bad, if it is.
pub(crate) fn read_table(
    source: &Source,
    columns: &[String],
    strict: bool,
    read: &mut TableRead,
    progress: &dyn Progress,
    mut each: impl FnMut(&[Option<&str>]) -> Result<(), String>,
) -> Result<(), Error> {
    let fields = Fields { within: columns.to_vec(), ..Fields::default() };
    let mut reader = RowReader::new(&fields, usize::MAX);
    let sources = std::slice::from_ref(source);
    let mut blocks = WatchedBlocks::new(Blocks::new(sources, &fields, Default::default()), sources, progress);
    while let Some(block) = blocks.next_block()? {
        reader.for_each(&block, |row, _| {
            let done = match &row.content {
                Content::Unreadable(reason) => Err(reason.to_string()),
                Content::Unusable(reason) if !reason.is_empty() => Err(reason.to_string()),
                _ => each(&split_written(row.within)),
            };
            let Err(reason) = done else {
                read.rows += 1;
                return Ok(());
            };
            let problem = Problem { file: source.path().display().to_string(), row: row.number, reason };
            if strict {
                return Err(Error::Strict(problem));
            }
            read.unreadable += 1;
            if read.problems.len() < NAMED {
                read.problems.push(problem.to_string());
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Splits concatenated values: each has its length before it, and a dash is a missing value.
pub(crate) fn split_written(mut written: &str) -> Vec<Option<&str>> {
    let mut values = Vec::new();
    while !written.is_empty() {
        if let Some(rest) = written.strip_prefix('-') {
            values.push(None);
            written = rest;
            continue;
        }
        let parts = written.split_once(':').and_then(|(length, rest)| rest.split_at_checked(length.parse().ok()?));
        let Some((value, rest)) = parts else { break };
        values.push(Some(value).filter(|value| !value.is_empty()));
        written = rest;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart() {
        assert_eq!(split_written("3:0.9-1:x0:"), [Some("0.9"), None, Some("x"), None]);
        assert_eq!(split_written("é"), []);
        assert_eq!(split_written("99:x"), []);
    }
}
