//! How does the default index find documents by their rarest elements?
//!
//! ```text
//! to find the documents that document d resembles:
//!     for every generation: count, for each document entered in it, the entered elements that it shares with d's rarest
//!     compare all elements with each document that shares enough of these and has a fitting size and time
//! ```

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::ops::RangeInclusive;

use super::codes::Codes;
use super::dictionary::Dictionary;
use super::generation::{Generation, Scratch};
use crate::measure::Threshold;
use crate::sets::sort_by_digits;
use crate::window::candidate::Candidate;
use crate::window::numbers::{put, take, take_by_segment, take_one};
use crate::window::verdict::DocumentRef;

/// The minimum number of documents to order elements by; few in tests, whose streams are short.
const FEWEST: usize = if cfg!(test) { 8 } else { 512 };
/// A generation ends when the window has this many times the documents that it had when it began.
const GROWTH: usize = 8;

#[derive(Default)]
pub(in crate::window) struct Prefix {
    dictionary: Dictionary,
    segments: BTreeMap<i64, Codes>,
    generations: Vec<Generation>,
    /// Documents in the window, now and when the last generation began.
    live: usize,
    live_then: usize,
    /// The segment in which it began.
    began: i64,
    /// The maximum number of segments of a generation.
    lasts: i64,
    /// The elements to look up, and how many more no document has.
    codes: Vec<u32>,
    unknown: u32,
    scratch: Scratch,
    /// Whether the last generation has ordered these elements.
    is_ordered: bool,
    /// Scratch memory for sorting.
    spare: Vec<u32>,
    /// By code, the last search that looked it up.
    marks: Vec<u32>,
    search: u32,
}

impl Prefix {
    /// Makes an empty index of a window of `segments` segments.
    pub(in crate::window) fn new(segments: i64) -> Prefix {
        // After a whole window, the documents behind the order are gone.
        Prefix { lasts: segments.max(1), ..Prefix::default() }
    }

    /// Looks up the elements of a set, and counts them for one more document. Then find others by them, and enter or
    /// release them.
    pub(in crate::window) fn take(&mut self, set: &[u64]) {
        self.codes.clear();
        self.dictionary.take(set, &mut self.codes);
        self.unknown = 0;
        self.is_ordered = false;
    }

    /// Looks up the elements of a set, to find others by them.
    pub(in crate::window) fn look_up(&mut self, set: &[u64]) {
        self.codes.clear();
        self.dictionary.look_up(set, &mut self.codes);
        self.unknown = (set.len() - self.codes.len()) as u32;
    }

    /// Enters a document with the taken elements.
    pub(in crate::window) fn enter(&mut self, at: DocumentRef, threshold: &Threshold) {
        sort_by_digits::<256, _>(&mut self.codes, &mut self.spare, self.dictionary.codes() as u32, |code| code);
        self.segments.entry(at.segment).or_default().push(&self.codes);
        self.live += 1;
        self.renew(at.segment);
        if let Some(last) = self.generations.last_mut() {
            if !self.is_ordered {
                last.order(&self.codes, &mut self.scratch);
            }
            last.insert(at, threshold, &mut self.scratch);
        }
    }

    /// Releases the taken elements.
    pub(in crate::window) fn release(&mut self) {
        self.dictionary.release(&self.codes);
        self.codes.clear();
    }

    /// Starts a new generation if the last one is outdated.
    fn renew(&mut self, segment: i64) {
        let has_grown = self.live >= FEWEST.max(GROWTH * self.live_then);
        let is_old = segment.saturating_sub(self.began) >= self.lasts;
        if self.generations.last().is_none_or(Generation::is_full) || has_grown || is_old {
            self.generations.retain(|generation| generation.live() > 0);
            let sizes = self.generations.iter().flat_map(Generation::sizes).collect();
            self.generations.push(Generation::new(self.dictionary.counts(), sizes));
            (self.live_then, self.began) = (self.live, segment);
            self.is_ordered = false;
        }
    }

    pub(in crate::window) fn remove(&mut self, at: DocumentRef) {
        let Prefix { dictionary, segments, generations, live, codes: taken, .. } = self;
        if let Some(codes) = segments.get(&at.segment) {
            taken.clear();
            codes.for_each(at.slot, |code| taken.push(code));
            dictionary.release(taken);
            generations.iter_mut().for_each(|generation| generation.forget(|other| other == at));
            *live -= 1;
        }
    }

    /// Drops a segment. `is_there` returns whether a slot still has a document.
    pub(in crate::window) fn expire(&mut self, segment: i64, is_there: impl Fn(u32) -> bool) {
        let Some(codes) = self.segments.remove(&segment) else { return };
        for slot in (0..codes.len()).filter(|&slot| is_there(slot)) {
            self.codes.clear();
            codes.for_each(slot, |code| self.codes.push(code));
            self.dictionary.release(&self.codes);
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

    /// Bytes of a segment's elements, including spare capacity.
    pub(in crate::window) fn bytes(&self, segment: i64) -> usize {
        self.segments.get(&segment).map_or(0, Codes::bytes)
    }

    /// Finds the documents that a set resembles whose elements were looked up or taken.
    pub(in crate::window) fn find(
        &mut self,
        among: RangeInclusive<i64>,
        threshold: &Threshold,
        found: &mut Vec<Candidate>,
    ) {
        let Prefix { dictionary, segments, generations, codes, unknown, scratch, is_ordered, marks, search, .. } = self;
        let size = codes.len() as u32 + *unknown;
        *search = search.wrapping_add(1);
        if *search == 0 {
            marks.fill(0);
            *search = 1;
        }
        marks.resize(dictionary.codes(), 0);
        codes.iter().for_each(|&code| marks[code as usize] = *search);
        for generation in generations {
            generation.candidates(codes, *unknown, threshold, scratch, |candidate| {
                if !among.contains(&candidate.at.segment) {
                    return;
                }
                let mut common = 0;
                segments[&candidate.at.segment]
                    .for_each(candidate.at.slot, |code| common += u32::from(marks[code as usize] == *search));
                if threshold.reaches(common, size, candidate.size) {
                    found.push(Candidate { at: candidate.at, common });
                }
            });
        }
        *is_ordered = *unknown == 0;
    }

    pub(in crate::window) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, [self.live as u64, self.live_then as u64, self.generations.len() as u64].into_iter())?;
        put(out, [self.began].into_iter())?;
        self.dictionary.save(out)?;
        put(out, self.segments.keys().copied())?;
        self.segments.values().try_for_each(|codes| codes.save(out))?;
        self.generations.iter().try_for_each(|generation| generation.save(out))
    }

    pub(in crate::window) fn load(&mut self, from: &mut impl Read) -> io::Result<()> {
        let [live, live_then, generations] = take::<u64>(from)?.try_into().map_err(|_| ErrorKind::InvalidData)?;
        (self.live, self.live_then) = (live as usize, live_then as usize);
        self.began = take_one(from)?;
        self.dictionary = Dictionary::load(from)?;
        self.segments = take_by_segment(from, Codes::load)?;
        self.generations = (0..generations).map(|_| Generation::load(from)).collect::<io::Result<_>>()?;
        Ok(())
    }
}
