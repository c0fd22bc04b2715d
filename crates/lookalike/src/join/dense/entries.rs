//! The lists of the heavy plan: all entries by element, and the entries that a block may pair with.

use std::ops::Range;

use rayon::prelude::*;

use super::setup::Dense;
use super::sizes::Reaches;
use crate::arch::LANES;

/// Marks an element without a list, because no two records meet there.
const ROOMLESS: u32 = u32::MAX;

/// The entries of one kind, by element and record.
pub(super) struct Lists {
    /// Where the list of each element starts, and finally where the last one ends.
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
        let (mut records, mut reaches) = (vec![0; end as usize], vec![0; end as usize]);
        let bounds = bounds(&starts, rayon::current_num_threads());
        let parts: Vec<_> = bounds
            .windows(2)
            .zip(split(&mut records, &starts, &bounds).into_iter().zip(split(&mut reaches, &starts, &bounds)))
            .map(|(ends, (records, reaches))| Part { elements: ends[0]..ends[1], records, reaches })
            .collect();
        parts.into_par_iter().for_each(|part| part.fill(dense, kind, &starts));
        Lists { starts, records, reaches }
    }

    /// Returns the position of an element's list.
    pub(super) fn of(&self, element: u32) -> Range<usize> {
        self.starts[element as usize] as usize..self.starts[element as usize + 1] as usize
    }
}

/// Cuts the elements into one range per thread, with about equally many entries. Each range starts at a bound and ends
/// at the next.
fn bounds(starts: &[u32], parts: usize) -> Vec<u32> {
    let (last, total) = (starts.len() - 1, u64::from(starts[starts.len() - 1]));
    let bound =
        |part: usize| starts[..last].partition_point(|&start| u64::from(start) * (parts as u64) < total * part as u64);
    (0..parts).map(|part| bound(part) as u32).chain([last as u32]).collect()
}

/// The entries of each range.
fn split<'a>(mut entries: &'a mut [u32], starts: &[u32], bounds: &[u32]) -> Vec<&'a mut [u32]> {
    let mut parts = Vec::with_capacity(bounds.len());
    for ends in bounds.windows(2) {
        let (part, behind) = entries.split_at_mut((starts[ends[1] as usize] - starts[ends[0] as usize]) as usize);
        parts.push(part);
        entries = behind;
    }
    parts
}

/// The lists of a range of elements, while they are filled.
struct Part<'a> {
    elements: Range<u32>,
    records: &'a mut [u32],
    reaches: &'a mut [u32],
}

impl Part<'_> {
    fn fill(self, dense: &Dense, kind: usize, starts: &[u32]) {
        let Range { start, end } = self.elements;
        let mut next: Vec<u32> = (start..end)
            .map(|element| match dense.rooms[kind][element as usize] {
                0 => ROOMLESS,
                _ => starts[element as usize] - starts[start as usize],
            })
            .collect();
        let mut reaches = Reaches::new(dense.threshold, dense.records.largest());
        for record in 0..dense.records.len() as u32 {
            if dense.sides().entered(record) != kind {
                continue;
            }
            let reaches = reaches.of_size(dense.records.size(record));
            // Elements ascend.
            let entered = dense.records.set(record).iter().zip(reaches).skip_while(|&(&element, _)| element < start);
            for (&element, &reach) in entered.take_while(|&(&element, _)| element < end) {
                let at = &mut next[(element - start) as usize];
                if *at != ROOMLESS {
                    (self.records[*at as usize], self.reaches[*at as usize]) = (record, reach);
                    *at += 1;
                }
            }
        }
    }
}

/// Entries of a list that the records of a block may pair with.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) records: Vec<u32>,
    pub(super) reaches: Vec<u32>,
}

impl Entries {
    /// Takes the entries of a range of records that reach records of this size.
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

/// Returns the position of the first number in an ascending list that is not below the bound.
#[inline]
pub(super) fn first_not_below(numbers: &[u32], bound: u32) -> usize {
    if numbers.len() <= 2 * LANES {
        return numbers.iter().filter(|&&number| number < bound).count();
    }
    numbers.partition_point(|&number| number < bound)
}
