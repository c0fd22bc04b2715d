use std::fmt;

/// Why sets cannot be held or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetsError {
    /// There is not enough memory.
    #[error("out of memory: {} more for {purpose} could not be had", Bytes(*.wanted))]
    OutOfMemory {
        /// Bytes that were asked for.
        wanted: usize,
        /// What they were for.
        purpose: &'static str,
    },
    /// A document's set has 2³² elements or more.
    #[error("a document has {0} distinct elements; at most {max} are possible", max = u32::MAX)]
    LargeSet(usize),
    /// The sets that one thread put away at a time, or in all, cannot be addressed.
    #[error("more sets than one thread can hold; use more threads, or split the input")]
    FullArena,
    /// There are 2³² documents or more.
    #[error("more than {max} documents; split the input", max = u32::MAX)]
    ManyDocuments,
    /// There are 2³² different elements or more to be compared.
    #[error("more than {max} different elements; split the input", max = u32::MAX)]
    ManyElements,
    /// A set is not ascending, or has an element twice.
    #[error("the set of document {0} is not ascending and distinct; sort it, and remove repeated elements")]
    NotAscending(u32),
}

/// A number of bytes as people write it, rounded up.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.iter().find(|(unit, _)| self.0 >= 4 * unit || (self.0 >= *unit && self.0.is_multiple_of(*unit))) {
            Some((unit, name)) => write!(f, "{} {name}", self.0.div_ceil(*unit)),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_wanted() {
        let message = |wanted| SetsError::OutOfMemory { wanted, purpose: "the sets" }.to_string();
        assert_eq!(message(32 << 20), "out of memory: 32 MiB more for the sets could not be had");
        assert_eq!(message((5 << 30) + 1), "out of memory: 6 GiB more for the sets could not be had");
        assert_eq!(message(3 << 9), "out of memory: 1536 bytes more for the sets could not be had");
    }
}
