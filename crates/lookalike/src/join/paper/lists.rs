//! Which records have an element in their indexed prefix?

use super::probe::{Indexed, Probe};
use crate::join::Records;

/// A record with an element in its indexed prefix, and the position of that element (from 0).
#[derive(Clone, Copy, Default)]
pub(super) struct Posting {
    pub(super) record: u32,
    pub(super) position: u32,
}

/// The inverted index: for every element, the records entered so far.
///
/// Records are entered by ascending size, and later records need larger partners. So the size filter needs no test per
/// entry: records that are too small are at the head of a list, and are dropped for good.
pub(super) struct Lists {
    lists: Vec<List>,
    postings: Vec<Posting>,
}

/// The remaining part of a list: a range of the postings.
#[derive(Clone, Copy)]
struct List {
    head: usize,
    end: usize,
}

impl Lists {
    /// Makes room for the indexed prefixes of the records of one kind of side.
    pub(super) fn new(records: &Records, kind: usize, indexed: &Indexed) -> Lists {
        let mut lists = vec![List { head: 0, end: 0 }; records.universe()];
        for record in (0..records.len() as u32).filter(|&record| records.sides().entered(record) == kind) {
            for &element in indexed.prefix(records.set(record)) {
                lists[element as usize].end += 1;
            }
        }
        let mut room = 0;
        for list in &mut lists {
            let start = room;
            room += list.end;
            *list = List { head: start, end: start };
        }
        Lists { lists, postings: vec![Posting::default(); room] }
    }

    /// Returns the number of postings once all records are entered.
    pub(super) fn room(&self) -> u64 {
        self.postings.len() as u64
    }

    /// Enters a record. It must be later than all entered before.
    pub(super) fn enter(&mut self, record: u32, prefix: &[u32]) {
        for (position, &element) in prefix.iter().enumerate() {
            let list = &mut self.lists[element as usize];
            self.postings[list.end] = Posting { record, position: position as u32 };
            list.end += 1;
        }
    }

    /// Returns the postings of an element whose records are large enough for the probing record and must share an
    /// element with it.
    #[inline]
    pub(super) fn of(&mut self, element: u32, probe: &Probe) -> &[Posting] {
        let list = &mut self.lists[element as usize];
        while list.head < list.end && self.postings[list.head].record < probe.least {
            list.head += 1;
        }
        let fitting = &self.postings[list.head..list.end];
        if probe.needy <= probe.least {
            return fitting;
        }
        &fitting[fitting.partition_point(|posting| posting.record < probe.needy)..]
    }
}
