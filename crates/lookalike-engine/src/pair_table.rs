use std::path::Path;

use lookalike_io::write::{Cell, Finished, Kind, Table};

use crate::documents::Documents;
use crate::error::Error;
use crate::signatures::PagePair;

/// A table of pairs being written.
pub(crate) struct PairTable<'a> {
    table: Table,
    documents: &'a Documents,
    telling: Telling,
    counts: bool,
}

/// What is told of every pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Telling {
    /// Whether it is a distance that is measured.
    pub(crate) is_distance: bool,
    /// Whether sets were compared; if not, the similarity is called what it is.
    pub(crate) verified: bool,
    pub(crate) beside: Besides,
}

/// What is told beside the similarity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Besides {
    Nothing,
    Agreement,
    Pages,
}

/// That of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside {
    Nothing,
    /// In how many bits its simhashes agree.
    Agreement(u32),
    /// What the algorithms for pages know, and the words in a diff of both.
    Pages(PagePair, Option<u32>),
}

/// What a similarity is called that sets were not compared for.
pub(crate) const UNVERIFIED: &str = "unverified_similarity";

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
    pub(crate) beside: Beside,
}

impl Row {
    /// Whether the two are the same set.
    pub(crate) fn is_identical(&self) -> bool {
        self.common == self.size_a && self.common == self.size_b
    }
}

impl Telling {
    fn columns(&self, counts: bool) -> Vec<(&'static str, Kind)> {
        let value = match self {
            Telling { is_distance: true, .. } => ("distance", Kind::Int),
            Telling { verified: true, .. } => ("similarity", Kind::Float),
            Telling { .. } => (UNVERIFIED, Kind::Float),
        };
        let mut columns = vec![("a", Kind::Text), ("b", Kind::Text), value];
        if counts {
            columns.extend(["common", "size_a", "size_b"].map(|name| (name, Kind::Int)));
        }
        match self.beside {
            Besides::Nothing => {}
            Besides::Agreement => columns.push(("agree", Kind::Int)),
            Besides::Pages => {
                columns.extend(["b_similarity", "c_similarity"].map(|name| (name, Kind::Int)));
                columns.push(("same_site", Kind::Bool));
                columns.extend(self.verified.then_some(("term_difference", Kind::Int)));
            }
        }
        columns
    }
}

impl<'a> PairTable<'a> {
    /// Begins a table, with the counts if wanted.
    pub(crate) fn create(
        path: &Path,
        documents: &'a Documents,
        telling: Telling,
        counts: bool,
    ) -> Result<PairTable<'a>, Error> {
        Ok(PairTable { table: Table::create(path, &telling.columns(counts))?, documents, telling, counts })
    }

    pub(crate) fn put(&mut self, row: &Row) -> Result<(), Error> {
        if self.table.is_closed() {
            return Ok(());
        }
        let (a, b) = (Cell::Text(self.documents.id(row.a)), Cell::Text(self.documents.id(row.b)));
        let value = if self.telling.is_distance { Cell::Int(row.value as i64) } else { Cell::Float(row.value) };
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
                cells.extend(self.telling.verified.then(|| difference.map_or(Cell::Null, count)));
            }
        }
        Ok(self.table.put(&cells)?)
    }

    pub(crate) fn finish(self) -> Result<Finished, Error> {
        Ok(self.table.finish()?)
    }
}
