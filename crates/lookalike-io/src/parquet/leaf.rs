//! Reads one leaf column of one row group, in runs of whole records that are limited in number and in bytes.

use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::{AsBytes, DataType};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::FileReader;
use ::parquet::schema::types::ColumnDescPtr;

use super::guard::{Result, error, guarded};
use super::pages::Checked;

/// The most records of a run.
const RUN_RECORDS: usize = 1024;

/// The target size of a run in bytes. Values are slices of decoded pages, which are about this size too.
const RUN_BYTES: usize = 1 << 20;

/// Opens column `leaf` of row group `group`.
pub(super) fn open(reader: &dyn FileReader, group: usize, leaf: usize) -> Result<ColumnReader> {
    guarded(|| {
        let rows = reader.get_row_group(group)?;
        let column = rows.metadata().column(leaf).column_descr_ptr();
        let pages = Checked::new(rows.get_column_page_reader(leaf)?, column.clone());
        Ok(get_column_reader(column, Box::new(pages)))
    })
}

/// The number of rows of row group `group`.
pub(super) fn rows_of(reader: &dyn FileReader, group: usize) -> Result<usize> {
    let rows = reader.metadata().row_group(group).num_rows();
    usize::try_from(rows).map_err(|_| error(format!("row group {group} declares {rows} rows")))
}

/// A run of whole records: the values, and the definition and repetition levels of every place where a value can be. Levels are empty
/// if the column has none (required, not repeated).
pub(super) struct Run<T: DataType> {
    pub values: Vec<T::T>,
    pub definition: Vec<i16>,
    pub repetition: Vec<i16>,
    pub records: usize,
}

/// Reads the records of a leaf column, as many as its row group has rows.
pub(super) struct Leaf<T: DataType> {
    reader: ColumnReaderImpl<T>,
    column: ColumnDescPtr,
    run: Run<T>,
    /// Records not yet read.
    left: usize,
    /// Records to request next.
    step: usize,
}

impl<T: DataType> Leaf<T> {
    pub fn new(reader: ColumnReaderImpl<T>, column: ColumnDescPtr, rows: usize) -> Self {
        let run = Run { values: Vec::new(), definition: Vec::new(), repetition: Vec::new(), records: 0 };
        // Starts small, because the size of the values is unknown.
        let step = 32;
        Leaf { reader, column, run, left: rows, step }
    }

    /// The next run, or `None` after the last. Fails if the column has fewer or more records than the row group has rows: every later
    /// value would end up in the wrong row.
    pub fn next(&mut self) -> Result<Option<&mut Run<T>>> {
        let bytes = self.read().map_err(|e| self.named(e))?;
        let records = self.run.records;
        if records > self.left {
            return Err(self.named(error("more records than the row group has rows")));
        }
        if records == 0 {
            let missing = self.left;
            return match missing {
                0 => Ok(None),
                _ => Err(self.named(error(format!("the last {missing} records are missing")))),
            };
        }
        self.left -= records;
        let fits = (RUN_BYTES * records / bytes.max(1)).clamp(1, RUN_RECORDS);
        self.step = fits.min(self.step * 2);
        Ok(Some(&mut self.run))
    }

    /// Reads a run and returns the bytes of its values. Requests one record more than there should be, to detect a surplus.
    fn read(&mut self) -> Result<usize> {
        let run = &mut self.run;
        run.values.clear();
        run.definition.clear();
        run.repetition.clear();
        let want = self.step.min(self.left.saturating_add(1));
        let reader = &mut self.reader;
        let bytes = guarded(|| {
            reader.read_records(want, Some(&mut run.definition), Some(&mut run.repetition), &mut run.values)?;
            // A byte array from a damaged dictionary panics on access. Access all of them here, where a panic is caught, so that callers
            // need not.
            Ok(run.values.iter().map(|v| v.as_bytes().len()).sum())
        })?;
        // Counted here: the count of `read_records` misses the last record if an empty page follows it.
        run.records = if self.column.max_rep_level() > 0 {
            if run.repetition.first().is_some_and(|&level| level != 0) {
                return Err(error("the first record has no beginning"));
            }
            run.repetition.iter().filter(|&&level| level == 0).count()
        } else if self.column.max_def_level() > 0 {
            run.definition.len()
        } else {
            run.values.len()
        };
        Ok(bytes)
    }

    /// Adds the column's name to an error, and drops the prefix that the `parquet` crate would repeat.
    fn named(&self, e: ParquetError) -> ParquetError {
        let message = match e {
            ParquetError::General(message) => message,
            other => other.to_string(),
        };
        error(format!("column {}: {message}", self.column.path().string()))
    }
}
