//! Which documents have an element in their prefix? Postings by element, and the lists of each document.

use std::ops::Range;

use rayon::prelude::*;

use crate::arch::prefetch;
use crate::storage::{Plain, Storage, StorageError, Table};

/// An element of a document's prefix, before the directory is built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    pub(super) element: u64,
    pub(super) document: u32,
    pub(super) position: u32,
}

/// An element of a document that others have in their prefix too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The list of the element.
    pub(super) list: u32,
    /// The position of the element in the document's set.
    pub(super) position: u32,
}

/// A document in a list.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Entry {
    pub(super) document: u32,
    pub(super) size: u32,
    pub(super) position: u32,
    /// The length of the document's short prefix.
    pub(super) short: u32,
}

/// By element, the entered documents that have it in their short prefix, and those that have it in the rest of their
/// long prefix. Documents are entered in ascending order, and removed in reverse.
pub(super) struct Directory {
    steps: Vec<Step>,
    /// Where each document's steps end.
    ends: Vec<usize>,
    heads: Vec<Head>,
    entries: Table<Entry>,
}

// SAFETY: it is four numbers of 32 bits.
unsafe impl Plain for Entry {}

/// The position of an element's two lists, and how far they are filled. It is all in one place because every lookup
/// starts here and most end here.
#[derive(Clone, Copy)]
struct Head {
    /// Where the short-prefix entries start, and the entries of the rest of the long prefix.
    short: usize,
    long: usize,
    shorts: u32,
    longs: u32,
    /// The last document entered, or a later one that was removed again.
    last: u32,
}

/// The entered documents that have an element in their prefix, ascending.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    /// Documents with the element in their short prefix.
    pub(super) short: &'a [Entry],
    /// Documents with the element in the rest of their long prefix.
    pub(super) long: &'a [Entry],
}

impl Directory {
    /// The maximum number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of elements with a list.
    pub(super) fn lists(&self) -> usize {
        self.heads.len()
    }

    /// Builds lists for the elements that occur in at least two of these postings. `documents` is the number of
    /// documents, and `short_prefix` returns the length of a document's short prefix.
    pub(super) fn build(
        mut postings: Vec<Posting>,
        documents: usize,
        short_prefix: impl Fn(u32) -> u32 + Sync,
        storage: &dyn Storage,
    ) -> Result<Directory, StorageError> {
        postings.par_sort_unstable();
        let runs = || postings.chunk_by(|a, b| a.element == b.element).filter(|run| run.len() > 1);

        let mut ends = vec![0; documents];
        let mut heads = Vec::new();
        let mut room = 0;
        for run in runs() {
            for posting in run {
                ends[posting.document as usize] += 1;
            }
            let in_short = run.iter().filter(|posting| posting.position < short_prefix(posting.document)).count();
            heads.push(Head { short: room, long: room + in_short, shorts: 0, longs: 0, last: 0 });
            room += run.len();
        }
        let mut end = 0;
        for slot in &mut ends {
            end += *slot;
            *slot = end;
        }

        // Filling each document's steps from the back turns the ends into starts; then move them up again.
        let mut steps = vec![Step { list: 0, position: 0 }; end];
        for (list, run) in runs().enumerate() {
            for posting in run {
                let slot = &mut ends[posting.document as usize];
                *slot -= 1;
                steps[*slot] = Step { list: list as u32, position: posting.position };
            }
        }
        ends.push(end);
        ends.remove(0);
        let mut start = 0;
        for &end in &ends {
            steps[start..end].sort_unstable_by_key(|step| step.position);
            start = end;
        }
        Ok(Directory { steps, ends, heads, entries: Table::new(storage, room, "the postings")? })
    }

    /// Renumbers the documents: the first of the order becomes 0. None may be entered.
    pub(super) fn renumber(&mut self, order: &[u32]) {
        let mut steps = Vec::with_capacity(self.steps.len());
        let mut ends = Vec::with_capacity(order.len());
        for &document in order {
            steps.extend_from_slice(self.steps(document));
            ends.push(steps.len());
        }
        (self.steps, self.ends) = (steps, ends);
    }

    #[inline]
    fn steps_of(&self, document: u32) -> Range<usize> {
        let start = if document == 0 { 0 } else { self.ends[document as usize - 1] };
        start..self.ends[document as usize]
    }

    /// Returns a document's elements that others may have, in the order of the set.
    #[inline]
    pub(super) fn steps(&self, document: u32) -> &[Step] {
        &self.steps[self.steps_of(document)]
    }

    /// Returns the documents in a list that are in a range, or `None` if there are none.
    #[inline]
    pub(super) fn list(&self, list: u32, range: &Range<u32>) -> Option<List<'_>> {
        let head = &self.heads[list as usize];
        if head.last < range.start || head.shorts + head.longs == 0 {
            return None;
        }
        let all = List {
            short: &self.entries[head.short..head.short + head.shorts as usize],
            long: &self.entries[head.long..head.long + head.longs as usize],
        };
        // Usually all are in the range, which is known without reading any.
        let whole = range.start == 0 && head.last < range.end;
        Some(if whole { all } else { List { short: within(all.short, range), long: within(all.long, range) } })
    }

    /// Prefetches lists: for later steps their heads, for the next ones their entries.
    #[inline]
    pub(super) fn prefetch(&self, steps: &[Step]) {
        if let Some(step) = steps.get(HEADS_AHEAD) {
            prefetch(&self.heads, step.list as usize);
        }
        if let Some(step) = steps.get(ENTRIES_AHEAD) {
            prefetch(&self.entries, self.heads[step.list as usize].short);
        }
    }

    /// Enters a document, so that others find it. Documents are entered in ascending order.
    pub(super) fn enter(&mut self, document: u32, size: u32, short_prefix: u32) {
        for step in &self.steps[self.steps_of(document)] {
            let head = &mut self.heads[step.list as usize];
            let at = if step.position < short_prefix {
                head.shorts += 1;
                head.short + head.shorts as usize - 1
            } else {
                head.longs += 1;
                head.long + head.longs as usize - 1
            };
            head.last = document;
            self.entries[at] = Entry { document, size, position: step.position, short: short_prefix };
        }
    }

    /// Removes the document that was entered last.
    pub(super) fn leave(&mut self, document: u32, short_prefix: u32) {
        for step in &self.steps[self.steps_of(document)] {
            let head = &mut self.heads[step.list as usize];
            if step.position < short_prefix { head.shorts -= 1 } else { head.longs -= 1 }
        }
    }

    /// Removes all documents.
    pub(super) fn clear(&mut self) {
        for head in &mut self.heads {
            (head.shorts, head.longs, head.last) = (0, 0, 0);
        }
    }
}

/// How many steps ahead to prefetch.
const HEADS_AHEAD: usize = 8;
const ENTRIES_AHEAD: usize = 4;

/// The entries of documents in a range, ascending.
fn within<'a>(entries: &'a [Entry], range: &Range<u32>) -> &'a [Entry] {
    let start = entries.partition_point(|entry| entry.document < range.start);
    let end = entries.partition_point(|entry| entry.document < range.end);
    &entries[start..end]
}
