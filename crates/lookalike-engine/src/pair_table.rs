use std::path::Path;

use lookalike_io::write::{Cell, Finished, Kind, Table};

use crate::documents::Documents;
use crate::error::Error;

/// A table of pairs being written.
pub(crate) struct PairTable<'a> {
    table: Table,
    documents: &'a Documents,
    is_distance: bool,
    counts: bool,
    agree: bool,
}

/// Two documents, by number, and how they compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Their similarity or distance.
    pub(crate) value: f64,
    /// How many elements they share.
    pub(crate) common: u32,
    /// How many they have.
    pub(crate) size_a: u32,
    pub(crate) size_b: u32,
    /// In how many bits their simhashes agree, if those were compared.
    pub(crate) agree: Option<u32>,
}

impl Row {
    /// Whether the two are the same set.
    pub(crate) fn is_identical(&self) -> bool {
        self.common == self.size_a && self.common == self.size_b
    }
}

const fn columns(value: (&'static str, Kind)) -> [(&'static str, Kind); 6] {
    let count = Kind::Int;
    [("a", Kind::Text), ("b", Kind::Text), value, ("common", count), ("size_a", count), ("size_b", count)]
}

static SIMILARITIES: [(&str, Kind); 6] = columns(("similarity", Kind::Float));
static DISTANCES: [(&str, Kind); 6] = columns(("distance", Kind::Int));

impl<'a> PairTable<'a> {
    /// Begins a table, with the counts and the agreement of simhashes if wanted.
    pub(crate) fn create(
        path: &Path,
        documents: &'a Documents,
        is_distance: bool,
        counts: bool,
        agree: bool,
    ) -> Result<PairTable<'a>, Error> {
        let columns = if is_distance { &DISTANCES } else { &SIMILARITIES };
        let mut columns = if counts { columns.to_vec() } else { columns[..3].to_vec() };
        columns.extend(agree.then_some(("agree", Kind::Int)));
        Ok(PairTable { table: Table::create(path, &columns)?, documents, is_distance, counts, agree })
    }

    pub(crate) fn put(&mut self, row: &Row) -> Result<(), Error> {
        if self.table.is_closed() {
            return Ok(());
        }
        let (a, b) = (Cell::Text(self.documents.id(row.a)), Cell::Text(self.documents.id(row.b)));
        let value = if self.is_distance { Cell::Int(row.value as i64) } else { Cell::Float(row.value) };
        let count = |count: u32| Cell::Int(count.into());
        let mut cells = vec![a, b, value];
        if self.counts {
            cells.extend([row.common, row.size_a, row.size_b].map(count));
        }
        if self.agree {
            cells.push(row.agree.map_or(Cell::Null, count));
        }
        Ok(self.table.put(&cells)?)
    }

    pub(crate) fn finish(self) -> Result<Finished, Error> {
        Ok(self.table.finish()?)
    }
}
