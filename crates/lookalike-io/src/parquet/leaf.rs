//! One leaf column of one row group, read in runs of whole records that are
//! small in bytes as well as in number.

use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::{AsBytes, DataType};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::FileReader;
use ::parquet::schema::types::ColumnDescPtr;

use super::guard::{Result, error, guarded};
use super::pages::Checked;

/// Most records of a run.
const RUN_RECORDS: usize = 1024;

/// About how many bytes of values a run should have. Values are slices of
/// decoded pages, which are about this size too.
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
    usize::try_from(rows).map_err(|_| error(format!("row group {group} has {rows} rows")))
}

/// A run of whole records: the values that are there, and for each place
/// where a value could be its definition and repetition level. Levels are
/// empty where the column has none (required, not repeated).
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
    /// Records to ask for next.
    step: usize,
}

impl<T: DataType> Leaf<T> {
    pub fn new(reader: ColumnReaderImpl<T>, column: ColumnDescPtr, rows: usize) -> Self {
        let run = Run { values: Vec::new(), definition: Vec::new(), repetition: Vec::new(), records: 0 };
        // Starts small, since nothing is known yet about the size of values.
        let step = 32;
        Leaf { reader, column, run, left: rows, step }
    }

    /// The next run, or `None` after the last. A column with fewer or more
    /// records than the row group has rows is an error: taking the rows
    /// apart by counting would give every later value to the wrong row.
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

    /// Reads a run, and says how many bytes its values have. Asks for a record
    /// more than there should be, so that a surplus shows.
    fn read(&mut self) -> Result<usize> {
        let run = &mut self.run;
        run.values.clear();
        run.definition.clear();
        run.repetition.clear();
        let want = self.step.min(self.left.saturating_add(1));
        let reader = &mut self.reader;
        let bytes = guarded(|| {
            reader.read_records(want, Some(&mut run.definition), Some(&mut run.repetition), &mut run.values)?;
            // In here because a byte array from a damaged dictionary can have
            // no bytes, not even none, and then panics when asked for them.
            // Whoever gets the run need not fear that.
            Ok(run.values.iter().map(|v| v.as_bytes().len()).sum())
        })?;
        // Counted here, because the number that `read_records` returns lacks
        // the last record when an empty page follows it.
        run.records = if self.column.max_rep_level() > 0 {
            if run.repetition.first().is_some_and(|&level| level != 0) {
                return Err(error("a record starts in the middle"));
            }
            run.repetition.iter().filter(|&&level| level == 0).count()
        } else if self.column.max_def_level() > 0 {
            run.definition.len()
        } else {
            run.values.len()
        };
        Ok(bytes)
    }

    /// The error with the column's name, and said once that it is Parquet's.
    fn named(&self, e: ParquetError) -> ParquetError {
        let message = match e {
            ParquetError::General(message) => message,
            other => other.to_string(),
        };
        error(format!("column {}: {message}", self.column.path().string()))
    }
}
