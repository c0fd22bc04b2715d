//! The lists of the heavy plan: all entries by element, and those of one list that a block may be partners of.

use std::ops::Range;

use super::sizes::Reaches;
use super::{Dense, ROOMLESS};
use crate::arch::LANES;

/// The entries of one kind, by element and record.
pub(super) struct Lists {
    /// Where the list of each element starts, and at last where the last one ends.
    starts: Vec<u32>,
    pub(super) records: Vec<u32>,
    reaches: Vec<u32>,
}

impl Lists {
    pub(super) fn new(dense: &Dense, kind: usize) -> Lists {
        let rooms = &dense.rooms[kind];
        let mut starts = Vec::with_capacity(rooms.len() + 1);
        let mut end = 0;
        for &room in rooms {
            starts.push(end);
            end += room;
        }
        starts.push(end);
        let (mut records, mut places) = (vec![0; end as usize], vec![0; end as usize]);
        let mut reaches = Reaches::new(dense.threshold, dense.records.largest());
        let mut next: Vec<u32> =
            starts.iter().zip(rooms).map(|(&start, &room)| if room > 0 { start } else { ROOMLESS }).collect();
        for record in 0..dense.records.len() as u32 {
            if dense.sides().entered(record) != kind {
                continue;
            }
            let reaches = reaches.of_size(dense.records.size(record));
            for (&element, &reach) in dense.records.set(record).iter().zip(reaches) {
                let at = &mut next[element as usize];
                if *at != ROOMLESS {
                    (records[*at as usize], places[*at as usize]) = (record, reach);
                    *at += 1;
                }
            }
        }
        Lists { starts, records, reaches: places }
    }

    /// Where the list of an element lies.
    pub(super) fn of(&self, element: u32) -> Range<usize> {
        self.starts[element as usize] as usize..self.starts[element as usize + 1] as usize
    }
}

/// Entries of a list that the records of a block may be partners of.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) records: Vec<u32>,
    pub(super) reaches: Vec<u32>,
}

impl Entries {
    /// Those of a range of records that reach records of this size.
    pub(super) fn gather(&mut self, lists: &Lists, list: Range<usize>, range: Range<u32>, size: u32) {
        let (records, reaches) = (&lists.records[list.clone()], &lists.reaches[list]);
        let start = first_not_below(records, range.start);
        self.records.clear();
        self.reaches.clear();
        for (&record, &reach) in records[start..].iter().zip(&reaches[start..]) {
            if record >= range.end {
                break;
            }
            if reach >= size {
                self.records.push(record);
                self.reaches.push(reach);
            }
        }
    }
}

/// Where the first number that is not below the bound stands, or would stand, in an ascending list.
#[inline]
pub(super) fn first_not_below(numbers: &[u32], bound: u32) -> usize {
    if numbers.len() <= 2 * LANES {
        return numbers.iter().filter(|&&number| number < bound).count();
    }
    numbers.partition_point(|&number| number < bound)
}
