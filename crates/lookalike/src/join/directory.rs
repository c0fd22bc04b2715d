//! Which documents have an element in their prefix: postings by element, and each document's way into them.

use rayon::prelude::*;

/// An element of a document's prefix, before the directory is built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    pub(super) element: u64,
    pub(super) document: u32,
    pub(super) position: u32,
}

/// One of a document's elements that others have in their prefix too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Which list of the directory.
    pub(super) list: u32,
    /// Where the element stands in the document's set.
    pub(super) position: u32,
}

/// A document in a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) document: u32,
    pub(super) size: u32,
    pub(super) position: u32,
}

/// For every element, the documents entered so far that have it in their short prefix, and those that have it further back in their
/// long one. Documents are entered in ascending order, and can be taken out again in the reverse.
pub(super) struct Directory {
    steps: Vec<Step>,
    /// Where each document's steps end.
    ends: Vec<usize>,
    short: Lists,
    long: Lists,
}

impl Directory {
    /// Lists for the elements that occur in at least two of these postings; `documents` is how many documents there are, and
    /// `short_prefix` tells how many of a document's positions are in its short prefix.
    pub(super) fn build(
        mut postings: Vec<Posting>,
        documents: usize,
        short_prefix: impl Fn(u32) -> u32 + Sync,
    ) -> Directory {
        postings.par_sort_unstable();
        let runs = || postings.chunk_by(|a, b| a.element == b.element).filter(|run| run.len() > 1);

        let mut ends = vec![0; documents];
        let (mut short, mut long) = (Lists::default(), Lists::default());
        for run in runs() {
            for posting in run {
                ends[posting.document as usize] += 1;
            }
            let in_short = run.iter().filter(|posting| posting.position < short_prefix(posting.document)).count();
            short.add_list(in_short);
            long.add_list(run.len() - in_short);
        }
        let mut end = 0;
        for slot in &mut ends {
            end += *slot;
            *slot = end;
        }

        // Fills each document's steps from the back, so that the ends become the starts, and then moves them up again.
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
        short.finish();
        long.finish();
        Directory { steps, ends, short, long }
    }

    /// A document's elements that other documents may have, in the order of the set.
    #[inline]
    pub(super) fn steps(&self, document: u32) -> &[Step] {
        let start = if document == 0 { 0 } else { self.ends[document as usize - 1] };
        &self.steps[start..self.ends[document as usize]]
    }

    /// Documents that have the element of this list in their short prefix, ascending.
    #[inline]
    pub(super) fn short(&self, list: u32) -> &[Entry] {
        self.short.get(list)
    }

    /// Documents that have it in the rest of their long prefix, ascending.
    #[inline]
    pub(super) fn long(&self, list: u32) -> &[Entry] {
        self.long.get(list)
    }

    /// Enters a document: from now on others find it. Documents are entered in ascending order.
    pub(super) fn enter(&mut self, document: u32, size: u32, short_prefix: u32) {
        let start = if document == 0 { 0 } else { self.ends[document as usize - 1] };
        for step in &self.steps[start..self.ends[document as usize]] {
            let entry = Entry { document, size, position: step.position };
            if step.position < short_prefix {
                self.short.push(step.list, entry)
            } else {
                self.long.push(step.list, entry)
            }
        }
    }

    /// Takes out the document that was entered last.
    pub(super) fn leave(&mut self, document: u32, short_prefix: u32) {
        let start = if document == 0 { 0 } else { self.ends[document as usize - 1] };
        for step in &self.steps[start..self.ends[document as usize]] {
            if step.position < short_prefix { self.short.pop(step.list) } else { self.long.pop(step.list) }
        }
    }

    /// Takes out everything.
    pub(super) fn clear(&mut self) {
        self.short.lens.fill(0);
        self.long.lens.fill(0);
    }
}

/// Lists of fixed capacity, one behind the other.
#[derive(Default)]
struct Lists {
    /// Where each list starts.
    starts: Vec<usize>,
    lens: Vec<u32>,
    entries: Vec<Entry>,
    total: usize,
}

impl Lists {
    fn add_list(&mut self, capacity: usize) {
        self.starts.push(self.total);
        self.total += capacity;
    }

    fn finish(&mut self) {
        self.lens = vec![0; self.starts.len()];
        self.entries = vec![Entry::default(); self.total];
    }

    #[inline]
    fn get(&self, list: u32) -> &[Entry] {
        let start = self.starts[list as usize];
        &self.entries[start..start + self.lens[list as usize] as usize]
    }

    #[inline]
    fn push(&mut self, list: u32, entry: Entry) {
        let len = &mut self.lens[list as usize];
        self.entries[self.starts[list as usize] + *len as usize] = entry;
        *len += 1;
    }

    #[inline]
    fn pop(&mut self, list: u32) {
        self.lens[list as usize] -= 1;
    }
}
