//! Reads a few columns of a file in batches of rows.

use std::collections::VecDeque;
use std::fmt;

use ::parquet::basic::Repetition;
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{ChunkReader, FileReader};
use ::parquet::schema::types::SchemaDescriptor;

use super::guard::{Result, error};
use super::value::{Source, Value, source};
use super::{leaf, open};

/// Consecutive rows of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Position in the file of the first row, from 0.
    pub first_row: u64,
    /// Number of rows.
    pub len: usize,
    /// The values of each requested column, in the order of the request.
    pub columns: Vec<Vec<Value>>,
}

/// Why a file cannot be read.
#[derive(Debug)]
pub enum OpenError {
    /// The file is truncated, damaged, encrypted or no Parquet file.
    Unreadable(ParquetError),
    /// The file has no such top-level column.
    NoColumn {
        /// The requested name.
        name: String,
        /// The names of its columns.
        columns: Vec<String>,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Unreadable(e) => write!(f, "{e}"),
            OpenError::NoColumn { name, columns } => {
                write!(f, "no column {name:?} (columns: {})", columns.join(", "))
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// Reads some columns of a file from its first row to its last.
pub struct Fields {
    file: Box<dyn FileReader>,
    wanted: Vec<Wanted>,
    rows: u64,
    /// Rows already returned.
    row: u64,
    /// The row group to open next.
    group: usize,
    /// Rows of the open row group not yet returned.
    left: usize,
}

/// A requested column.
struct Wanted {
    /// Its index among the leaf columns; `None` for a nested column, which is not read.
    leaf: Option<usize>,
    source: Option<Box<dyn Source>>,
    /// Values read but not yet returned. Columns are read in runs, and the runs of two columns end at different rows.
    ahead: VecDeque<Value>,
}

impl Fields {
    /// Opens a file to read the top-level columns `wanted`.
    pub fn open<R: ChunkReader + 'static>(source: R, wanted: &[&str]) -> Result<Self, OpenError> {
        let file = open::open(source).map_err(OpenError::Unreadable)?;
        let schema = file.metadata().file_metadata().schema_descr();
        let wanted = wanted
            .iter()
            .map(|name| {
                let leaf = find(schema, name)
                    .ok_or_else(|| OpenError::NoColumn { name: name.to_string(), columns: names(schema) })?;
                Ok(Wanted { leaf, source: None, ahead: VecDeque::new() })
            })
            .collect::<Result<_, OpenError>>()?;
        let rows = count(&file).map_err(OpenError::Unreadable)?;
        Ok(Fields { file: Box::new(file), wanted, rows, row: 0, group: 0, left: 0 })
    }

    /// The number of rows of the file.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The names of the file's top-level columns.
    pub fn columns(&self) -> Vec<String> {
        names(self.file.metadata().file_metadata().schema_descr())
    }

    /// The open file, for example to copy rows from it.
    pub fn file(&self) -> &dyn FileReader {
        &*self.file
    }

    /// The next rows: at least one, at most `max_rows`, and at most `max_bytes` of values unless a single row has more. `None` after the
    /// last row and after an error.
    pub fn next(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<Batch>> {
        let batch = self.batch(max_rows.max(1), max_bytes);
        if batch.is_err() {
            // The column that failed is in an undefined state.
            self.row = self.rows;
        }
        batch
    }

    fn batch(&mut self, max_rows: usize, max_bytes: usize) -> Result<Option<Batch>> {
        let first_row = self.row;
        let mut columns = vec![Vec::new(); self.wanted.len()];
        let mut len = 0;
        let mut bytes = 0;
        while len < max_rows && self.row < self.rows {
            while self.left == 0 {
                self.next_group()?;
            }
            let mut size = 0;
            for wanted in &mut self.wanted {
                size += wanted.front()?.size();
            }
            if len > 0 && bytes + size > max_bytes {
                break;
            }
            for (column, wanted) in columns.iter_mut().zip(&mut self.wanted) {
                column.push(wanted.ahead.pop_front().unwrap_or(Value::Other));
            }
            len += 1;
            bytes += size;
            self.row += 1;
            self.left -= 1;
        }
        Ok((len > 0).then_some(Batch { first_row, len, columns }))
    }

    /// Opens the next row group. There is one as long as rows are left.
    fn next_group(&mut self) -> Result<()> {
        let group = self.group;
        self.left = leaf::rows_of(&*self.file, group)?;
        for wanted in &mut self.wanted {
            if let Some(leaf) = wanted.leaf {
                wanted.source = Some(source(&*self.file, group, leaf, self.left)?);
            }
        }
        self.group += 1;
        Ok(())
    }
}

impl Wanted {
    /// The value of the next row.
    fn front(&mut self) -> Result<&Value> {
        if let (true, Some(source)) = (self.ahead.is_empty(), &mut self.source) {
            source.read(&mut self.ahead)?;
        }
        Ok(self.ahead.front().unwrap_or(&Value::Other))
    }
}

/// The number of rows of a file. The footer has a count too, but rows are read by row groups.
fn count(file: &dyn FileReader) -> Result<u64> {
    (0..file.num_row_groups()).try_fold(0u64, |rows, group| {
        let more = leaf::rows_of(file, group)? as u64;
        rows.checked_add(more).ok_or_else(|| error("the row groups have too many rows"))
    })
}

/// The names of the top-level columns.
fn names(schema: &SchemaDescriptor) -> Vec<String> {
    let fields = schema.root_schema().get_fields();
    fields.iter().map(|field| field.name().to_string()).collect()
}

/// The leaf column of the top-level column `name`. `Some(None)` if the column is nested, `None` if there is no such column.
fn find(schema: &SchemaDescriptor, name: &str) -> Option<Option<usize>> {
    let fields = schema.root_schema().get_fields();
    let place = fields.iter().position(|field| field.name() == name)?;
    let field = &fields[place];
    if field.is_group() || field.get_basic_info().repetition() == Repetition::REPEATED {
        return Some(None);
    }
    Some((0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == place))
}
