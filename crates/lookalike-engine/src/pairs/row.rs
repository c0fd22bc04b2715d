//! A pair as the row of a table.

use lookalike_io::write::Kind;

use crate::sign::PagePair;

/// What a table has of every pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairColumns {
    /// Whether it is a distance that is measured.
    pub(crate) is_distance: bool,
    /// Whether sets were compared; if not, the similarity is called what it is.
    pub(crate) verified: bool,
    pub(crate) beside: Besides,
}

/// What it has beside the similarity.
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
pub(crate) struct PairRow {
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

impl PairRow {
    /// Whether the two are the same set.
    pub(crate) fn is_identical(&self) -> bool {
        self.common == self.size_a && self.common == self.size_b
    }
}

impl PairColumns {
    /// Their names and kinds, with the counts if wanted.
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
