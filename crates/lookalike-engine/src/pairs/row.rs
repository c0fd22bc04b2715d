//! A pair as a row of a table, and the columns of that table.

use lookalike_io::write::Kind;

use crate::sign::PagePair;

/// The columns of a table of pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairColumns {
    /// Whether the value is a distance.
    pub(crate) is_distance: bool,
    /// Whether sets were compared. If not, the column of the similarity is named [`UNVERIFIED`].
    pub(crate) verified: bool,
    pub(crate) beside: Besides,
}

/// Which extra columns the table has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Besides {
    Nothing,
    Agreement,
    Pages,
}

/// The extra values of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside {
    Nothing,
    /// The number of bits in which the simhashes agree.
    Agreement(u32),
    /// How the signatures of the pages compare, and the number of words in a diff.
    Pages(PagePair, Option<u32>),
}

/// The column of similarities that are only estimates.
pub(crate) const UNVERIFIED: &str = "unverified_similarity";

/// Two documents, by number, and how they compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairRow {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Their similarity or distance.
    pub(crate) value: f64,
    /// The number of elements they share.
    pub(crate) common: u32,
    /// The sizes of their sets.
    pub(crate) size_a: u32,
    pub(crate) size_b: u32,
    pub(crate) beside: Beside,
}

impl PairRow {
    /// Whether the sets are equal.
    pub(crate) fn is_identical(&self) -> bool {
        self.common == self.size_a && self.common == self.size_b
    }
}

impl PairColumns {
    /// The names and types of the columns, with the counts if `counts`.
    pub(crate) fn of(&self, counts: bool) -> Vec<(&'static str, Kind)> {
        let value = match self {
            PairColumns { is_distance: true, .. } => ("distance", Kind::Int),
            PairColumns { verified: true, .. } => ("similarity", Kind::Float),
            PairColumns { .. } => (UNVERIFIED, Kind::Float),
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
