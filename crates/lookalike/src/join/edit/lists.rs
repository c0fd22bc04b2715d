//! Which texts have a gram or a piece?

use hashbrown::HashTable;
use rayon::prelude::*;

/// A key under which a text is found: the hash of a gram or of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    pub(super) key: u64,
    pub(super) entry: Entry,
}

/// A text in a list. Lists are sorted by length, then by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// The length of the text.
    pub(super) length: u32,
    /// The start of the gram or piece in the text.
    pub(super) position: u32,
    pub(super) place: u32,
}

/// By key, the texts that are found under it.
#[derive(Default)]
pub(super) struct Lists {
    heads: HashTable<Head>,
    entries: Vec<Entry>,
}

struct Head {
    key: u64,
    start: usize,
    end: usize,
}

impl Lists {
    /// Builds the lists, without those with fewer than `least` entries.
    pub(super) fn build(mut postings: Vec<Posting>, least: usize) -> Lists {
        postings.par_sort_unstable();
        let runs = || postings.chunk_by(|a, b| a.key == b.key).filter(|run| run.len() >= least);
        let mut lists = Lists {
            heads: HashTable::with_capacity(runs().count()),
            entries: Vec::with_capacity(runs().map(<[Posting]>::len).sum()),
        };
        for run in runs() {
            let (key, start) = (run[0].key, lists.entries.len());
            lists.entries.extend(run.iter().map(|posting| posting.entry));
            lists.heads.insert_unique(key, Head { key, start, end: lists.entries.len() }, |head| head.key);
        }
        lists
    }

    /// Returns the texts with this key, or none if there is no list.
    #[inline]
    pub(super) fn list(&self, key: u64) -> &[Entry] {
        let head = self.heads.find(key, |head| head.key == key);
        head.map_or(&[], |head| &self.entries[head.start..head.end])
    }
}
