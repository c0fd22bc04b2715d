//! Writes the table of pairs.

use std::path::Path;

use lookalike_io::write::{Cell, Finished, Table};

use crate::error::Error;
use crate::pairs::{Beside, PairColumns, PairRow};
use crate::read::Documents;

/// A table of pairs being written.
pub(crate) struct PairTable<'a> {
    table: Table,
    documents: &'a Documents,
    columns: PairColumns,
    counts: bool,
}

impl<'a> PairTable<'a> {
    /// Creates a table, with the counts if `counts`.
    pub(crate) fn create(
        path: &Path,
        documents: &'a Documents,
        columns: PairColumns,
        counts: bool,
    ) -> Result<PairTable<'a>, Error> {
        Ok(PairTable { table: Table::create(path, &columns.of(counts))?, documents, columns, counts })
    }

    pub(crate) fn put(&mut self, row: &PairRow) -> Result<(), Error> {
        if self.table.is_closed() {
            return Ok(());
        }
        let (a, b) = (Cell::Text(self.documents.id(row.a)?), Cell::Text(self.documents.id(row.b)?));
        let value = if self.columns.is_distance { Cell::Int(row.value as i64) } else { Cell::Float(row.value) };
        let count = |count: u32| Cell::Int(count.into());
        let mut cells = vec![a, b, value];
        if self.counts {
            cells.extend([row.common, row.size_a, row.size_b].map(count));
        }
        match row.beside {
            Beside::Nothing => {}
            Beside::Agreement(bits) => cells.push(count(bits)),
            Beside::Pages(pair, difference) => {
                cells.extend([pair.b_similarity, pair.c_similarity].map(count));
                cells.push(pair.same_site.map_or(Cell::Null, Cell::Bool));
                cells.extend(self.columns.verified.then(|| difference.map_or(Cell::Null, count)));
            }
        }
        Ok(self.table.put(&cells)?)
    }

    pub(crate) fn finish(self) -> Result<Finished, Error> {
        Ok(self.table.finish()?)
    }
}
