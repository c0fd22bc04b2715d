//! Reads the requested columns of a Parquet file.

use std::io;

use xxhash_rust::xxh3::Xxh3;

use super::fields::{Found, Values};
use crate::error::Error;
use crate::parquet::{Batch, Fields, OpenError, Value};
use crate::source::Source;

/// The most rows of a block: enough to make reading a column in runs worthwhile.
const ROWS: usize = 1 << 14;

/// The names of a file's columns.
pub(super) fn names(source: &Source) -> Result<Vec<String>, Error> {
    open(source, &[]).map(|fields| fields.columns())
}

/// The first difference between the columns of two files, if there is one.
pub fn schema_difference(one: &Source, two: &Source) -> Result<Option<String>, Error> {
    Ok(crate::parquet::schema_difference(open(one, &[])?.file(), open(two, &[])?.file()))
}

fn open(source: &Source, wanted: &[&str]) -> Result<Fields, Error> {
    Fields::open(source.open()?, wanted).map_err(|error| {
        let path = source.path().to_path_buf();
        match error {
            OpenError::Unreadable(error) => Error::damaged(&path, error.to_string()),
            OpenError::NoColumn { name, columns } => {
                Error::NoColumn { path, column: name, available: columns, advice: "" }
            }
        }
    })
}

/// Cuts a file into blocks of rows.
pub(super) struct ColumnBlocks {
    fields: Fields,
    /// The column of each requested field in a batch.
    places: Vec<Option<usize>>,
}

/// A block of rows with the requested columns.
pub(super) struct Columns {
    batch: Batch,
    places: Vec<Option<usize>>,
    /// The number of rows of the file.
    of: u64,
}

impl ColumnBlocks {
    /// Opens a file to read the requested fields. Each is one of the `available` columns or `None`.
    pub(super) fn open(source: &Source, available: &[String], wanted: &[Option<usize>]) -> Result<ColumnBlocks, Error> {
        let names: Vec<&str> = wanted.iter().flatten().map(|&column| available[column].as_str()).collect();
        let mut next = 0;
        let places = wanted.iter().map(|column| column.map(|_| (next, next += 1).0)).collect();
        Ok(ColumnBlocks { fields: open(source, &names)?, places })
    }

    pub(super) fn next(&mut self, bytes: usize) -> io::Result<Option<Columns>> {
        let batch = self.fields.next(ROWS, bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(batch.map(|batch| Columns { batch, places: self.places.clone(), of: self.fields.rows() }))
    }
}

impl Columns {
    /// The approximate share of these rows in the file's `bytes`.
    pub(super) fn share(&self, bytes: u64) -> u64 {
        (u128::from(bytes) * self.batch.len as u128 / u128::from(self.of.max(1))) as u64
    }

    /// Calls `each` with every row's number, counting from 1, and its index in the block.
    pub(super) fn for_each<E>(&self, mut each: impl FnMut(u64, usize) -> Result<(), E>) -> Result<(), E> {
        (0..self.batch.len).try_for_each(|at| each(self.batch.first_row + at as u64 + 1, at))
    }

    /// Adds all values to a hash.
    pub(super) fn add_to(&self, hash: &mut Xxh3) {
        for value in self.batch.columns.iter().flatten() {
            match value {
                Value::Null => hash.update(&[0]),
                Value::Text(text) => {
                    hash.update(&[1]);
                    hash.update(&(text.len() as u64).to_le_bytes());
                    hash.update(text.data());
                }
                Value::Int(number) => hash.update(&tagged(2, number.to_le_bytes())),
                Value::UInt(number) => hash.update(&tagged(3, number.to_le_bytes())),
                Value::Float(number) => hash.update(&tagged(4, number.to_bits().to_le_bytes())),
                Value::Bool(value) => hash.update(&[5, u8::from(*value)]),
                Value::Other => hash.update(&[6]),
            }
        }
    }

    /// Reads the requested fields of the row at index `at`. A string that is not UTF-8 counts as no string.
    pub(super) fn read(&self, at: usize, values: &mut Values) {
        values.clear(self.places.len());
        for (field, place) in self.places.iter().enumerate() {
            let Some(place) = place else { continue };
            match &self.batch.columns[*place][at] {
                Value::Null => {}
                Value::Text(bytes) => match str::from_utf8(bytes.data()) {
                    Ok(text) => values.set_text(field, text),
                    Err(_) => values.set(field, Found::Other),
                },
                Value::Int(number) => values.set(field, Found::Int((*number).into())),
                Value::UInt(number) => values.set(field, Found::Int((*number).into())),
                Value::Float(number) => values.set(field, Found::Float(*number)),
                Value::Bool(value) => values.set(field, Found::Bool(*value)),
                Value::Other => values.set(field, Found::Other),
            }
        }
    }
}

fn tagged(kind: u8, number: [u8; 8]) -> [u8; 9] {
    let mut bytes = [kind; 9];
    bytes[1..].copy_from_slice(&number);
    bytes
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::parquet::{Cell, Column, Kind, TableWriter};
    use crate::read::{Blocks, Fields};
    use crate::source::resolve;

    /// The hash of the first block of a file with these values.
    fn hash_of(path: &Path, rows: &[(Option<&str>, i64)]) -> u64 {
        let columns = [Column::new("text", Kind::Text), Column::required("time", Kind::Int)];
        let mut table = TableWriter::create(Vec::new(), &columns).unwrap();
        for (text, time) in rows {
            let text = text.map_or(Cell::Null, |text| Cell::from(text.to_string()));
            table.row(&[text, Cell::Int(*time)]).unwrap();
        }
        std::fs::write(path, table.finish().unwrap()).unwrap();
        let sources = resolve(&[path.display().to_string()], None).unwrap();
        let fields = Fields { text: vec!["text".to_string()], key: Some("time".to_string()), ..Fields::default() };
        Blocks::new(&sources, &fields, Default::default()).next_block().unwrap().unwrap().hash()
    }

    #[test]
    fn other_values_have_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.parquet");
        let tables: [&[(Option<&str>, i64)]; 6] = [
            &[(Some("one"), 1), (Some("two"), 2)],
            &[(Some("one"), 1), (Some("twi"), 2)],
            &[(Some("onet"), 1), (Some("wo"), 2)],
            &[(Some("one"), 1), (Some("two"), 3)],
            &[(None, 1), (Some("two"), 2)],
            &[(Some(""), 1), (Some("two"), 2)],
        ];
        let mut hashes = tables.map(|rows| hash_of(&path, rows)).to_vec();
        assert_eq!(hashes[0], hash_of(&path, tables[0]));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), tables.len());
    }
}
