//! Our index: documents by their rarest elements.
//!
//! ```text
//! to find what document d resembles:
//!     for every generation: count, for each document entered in it, the entered elements that it shares with d's rarest
//!     whoever shares enough of these, and is of the right size and time, is compared in all elements
//! ```

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::dictionary::Dictionary;
use super::generation::Generation;
use super::{DocumentRef, Found};
use crate::measure::Threshold;

/// Documents of the window from which on there is something to order by.
const FEWEST: usize = 256;
/// A generation ends when the window has so many times the documents that it had when it began.
const GROWTH: usize = 4;

#[derive(Default)]
pub(super) struct Prefix {
    dictionary: Dictionary,
    segments: BTreeMap<i64, Codes>,
    generations: Vec<Generation>,
    /// Documents in the window, now and when the last generation began.
    live: usize,
    live_then: usize,
    /// The segment in which it began.
    began: i64,
    /// How many segments later it ends at the latest.
    lasts: i64,
    /// The elements that are looked for.
    codes: Vec<u32>,
    /// By code, whether it is one of those: the number of the search.
    marks: Vec<u32>,
    search: u32,
}

/// The elements of a segment's documents, as ascending codes: differences in as few bytes as hold them.
#[derive(Default)]
struct Codes {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Codes {
    fn push(&mut self, codes: &[u32]) {
        let mut last = 0;
        for &code in codes {
            let mut difference = code - last;
            while difference >= 0x80 {
                self.bytes.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            self.bytes.push(difference as u8);
            last = code;
        }
        self.ends.push(self.bytes.len());
    }

    fn for_each(&self, slot: u32, mut each: impl FnMut(u32)) {
        let slot = slot as usize;
        let start = if slot == 0 { 0 } else { self.ends[slot - 1] };
        let (mut last, mut difference, mut shift) = (0, 0, 0);
        for &byte in &self.bytes[start..self.ends[slot]] {
            difference |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                last += difference;
                each(last);
                (difference, shift) = (0, 0);
            }
        }
    }
}

impl Prefix {
    /// An empty index of a window of so many segments.
    pub(super) fn new(segments: i64) -> Prefix {
        // Half of a window later, what the order was made by is half gone.
        Prefix { lasts: (segments / 2).max(1), ..Prefix::default() }
    }

    pub(super) fn insert(&mut self, at: DocumentRef, set: &[u64], threshold: &Threshold) {
        self.codes.clear();
        self.codes.extend(set.iter().map(|&element| self.dictionary.take(element)));
        self.codes.sort_unstable();
        self.segments.entry(at.segment).or_default().push(&self.codes);
        self.live += 1;
        self.renew(at.segment);
        if let Some(last) = self.generations.last_mut() {
            last.insert(at, &self.codes, threshold);
        }
    }

    /// Begins a new generation if the last is out of date.
    fn renew(&mut self, segment: i64) {
        let has_grown = self.live >= FEWEST.max(GROWTH * self.live_then);
        let is_old = segment.saturating_sub(self.began) >= self.lasts;
        if self.generations.is_empty() || has_grown || is_old {
            self.generations.retain(|generation| generation.live() > 0);
            self.generations.push(Generation::new(self.dictionary.counts()));
            (self.live_then, self.began) = (self.live, segment);
        }
    }

    pub(super) fn remove(&mut self, at: DocumentRef) {
        let Prefix { dictionary, segments, generations, live, .. } = self;
        if let Some(codes) = segments.get(&at.segment) {
            codes.for_each(at.slot, |code| dictionary.release(code));
            generations.iter_mut().for_each(|generation| generation.forget(|other| other == at));
            *live -= 1;
        }
    }

    /// Forgets a segment, of which `is_there` tells what was not removed before.
    pub(super) fn expire(&mut self, segment: i64, is_there: impl Fn(u32) -> bool) {
        let Some(codes) = self.segments.remove(&segment) else { return };
        for slot in (0..codes.ends.len() as u32).filter(|&slot| is_there(slot)) {
            codes.for_each(slot, |code| self.dictionary.release(code));
            self.live -= 1;
        }
        for generation in &mut self.generations {
            generation.forget(|at| at.segment == segment);
        }
        let last = self.generations.len().saturating_sub(1);
        let mut number = 0;
        self.generations.retain(|generation| {
            number += 1;
            generation.live() > 0 || number > last
        });
    }

    pub(super) fn find(
        &mut self,
        set: &[u64],
        among: RangeInclusive<i64>,
        threshold: &Threshold,
        found: &mut Vec<Found>,
    ) {
        let Prefix { dictionary, segments, generations, codes, marks, search, .. } = self;
        codes.clear();
        codes.extend(set.iter().filter_map(|&element| dictionary.code(element)));
        let size = set.len() as u32;
        let unknown = size - codes.len() as u32;
        *search = search.wrapping_add(1);
        if *search == 0 || marks.len() < dictionary.counts().len() {
            marks.clear();
            marks.resize(dictionary.counts().len(), 0);
            *search = 1;
        }
        codes.iter().for_each(|&code| marks[code as usize] = *search);
        for generation in generations {
            generation.candidates(codes, unknown, threshold, |candidate| {
                if !among.contains(&candidate.at.segment) {
                    return;
                }
                let mut common = 0;
                segments[&candidate.at.segment]
                    .for_each(candidate.at.slot, |code| common += u32::from(marks[code as usize] == *search));
                if threshold.reaches(common, size, candidate.size) {
                    found.push(Found { at: candidate.at, common });
                }
            });
        }
    }
}
