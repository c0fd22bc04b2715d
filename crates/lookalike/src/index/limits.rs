//! How much does work on an index hold at a time?

/// How much is done at a time when an index is searched, and when its parts are made. Answers do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexLimits {
    /// Elements of a batch that are looked up together, about.
    pub elements: usize,
    /// Parts searched at a time; bounds the pending hits.
    pub parts: usize,
    /// Hits that wait to be verified, if they are in more than one part.
    pub hits: usize,
    /// Elements are ordered by this many of their first bits: 1 to 20.
    pub bits: u32,
    /// Groups of elements that a thread takes at a time.
    pub groups: u64,
    /// Documents of a part whose hits are counted at a time.
    pub documents: usize,
    /// If a part has more elements, only those of some documents are counted: that is enough to tell rare elements from frequent ones.
    pub counted: usize,
    /// The most slots of the table that counts elements, of two bytes each. With fewer, other elements may be posted.
    pub slots: usize,
    /// Postings that are sorted at a time.
    pub postings: usize,
    /// Bytes of the parts that are in memory at a time, if they can be read again.
    pub pages: u64,
}

/// Bytes of an element that is looked up.
const KEY: u64 = 16;
/// Bytes of a hit: those of one thread, and of all threads together.
const HIT: u64 = 32;
/// Bytes of a posting that is sorted, and of its key on the way.
const POSTING: u64 = 24;

impl Default for IndexLimits {
    fn default() -> IndexLimits {
        IndexLimits {
            elements: 1 << 22,
            parts: 8,
            hits: 1 << 22,
            bits: 10,
            groups: 16,
            documents: 1 << 17,
            counted: 1 << 19,
            slots: 1 << 28,
            postings: usize::MAX,
            pages: u64::MAX,
        }
    }
}

impl IndexLimits {
    /// Returns the limits of work that may hold about this many bytes, besides what follows from the number of documents.
    pub fn within(bytes: u64) -> IndexLimits {
        let usual = IndexLimits::default();
        let few = |bytes: u64, of: u64, usual: usize| usual.min(usize::try_from(bytes / of).unwrap_or(usize::MAX));
        // Half of it for pages, half for what is looked up or sorted.
        let (pages, rest) = (bytes / 2, bytes / 2);
        let elements = few(rest / 4, KEY, usual.elements).max(1 << 8);
        let slots = few(rest / 4, 2, usual.slots).max(1 << 8);
        IndexLimits {
            elements,
            hits: few(rest / 4 * 3, HIT, usual.hits).max(elements),
            slots: 1 << slots.ilog2(),
            postings: few(rest / 4 * 3, POSTING, usual.postings).max(1 << 8),
            pages,
            ..usual
        }
    }
}
