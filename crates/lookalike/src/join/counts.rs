//! How much work did a join do?

/// How much work a join did. A pair counts once, however many elements it shares.
///
/// The paper's *candidate size* is the number of pairs that reach verification, [`Counts::after_suffix`]. A filter that
/// an algorithm does not use drops nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Elements in the index, over all records.
    pub index_entries: u64,
    /// Pairs that share an element of the probing prefix of one and the indexed prefix of the other, and whose sizes
    /// fit.
    pub candidates_by_prefix: u64,
    /// Pairs that also passed the positional filter, at any shared element.
    pub after_positional: u64,
    /// Pairs that also passed the suffix filter.
    pub after_suffix: u64,
    /// Pairs that also passed the filter by bit signatures. The paper has no such filter.
    pub after_signature: u64,
    /// Pairs whose elements were compared. For the others, too few elements are left after the prefixes.
    pub verified: u64,
    /// Pairs found. They include pairs that need no common element, which no filter sees.
    pub results: u64,
}

impl Counts {
    /// Adds the work of another part of the same join.
    pub fn add(&mut self, other: &Counts) {
        self.index_entries += other.index_entries;
        self.candidates_by_prefix += other.candidates_by_prefix;
        self.after_positional += other.after_positional;
        self.after_suffix += other.after_suffix;
        self.after_signature += other.after_signature;
        self.verified += other.verified;
        self.results += other.results;
    }

    /// Returns the work of a source that only verifies candidates.
    pub fn of_verified(verified: u64) -> Counts {
        Counts { verified, ..Counts::default() }
    }
}
