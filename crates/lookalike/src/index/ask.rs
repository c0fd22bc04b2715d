//! How are many sets looked up at once?
//!
//! A search spends most of its time waiting for words of filters and for postings, which lie anywhere in memory. The elements
//! of many sets, put in order first, find theirs next to each other: a group of elements is looked up in one part after the other while
//! it is in the fastest memory, and each thread reads, and verifies, its own stretch of every part.
//!
//! [`IndexLimits`] bound what waits. If there are more hits than it allows, the search is repeated in fewer parts at a time.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::error::PartError;
use super::find::{FindScratch, Found};
use super::limits::IndexLimits;
use super::part::Run;
use super::parts::{Parts, Place};
use super::sealed::PartBytes;
use crate::progress::Stage;
use crate::sets::{SetStore, mix};

/// An element, mixed, and the number of its set.
type Key = (u64, u32);

/// The elements of some sets, in groups by their first bits.
#[derive(Default)]
struct Share {
    keys: Vec<Key>,
    bits: u32,
    /// Where each group ends.
    ends: Vec<usize>,
}

/// A set, and a run of postings of one of its elements.
#[derive(Clone, Copy, Default)]
struct Hit {
    set: u32,
    part: u32,
    run: Run,
}

/// The documents that were found: a bit for each document of each part.
struct Seen(Vec<Vec<AtomicU64>>);

impl Seen {
    fn new<B: PartBytes>(parts: &Parts<B>) -> Seen {
        let words = |documents: u32| (0..documents.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Seen(parts.parts().iter().map(|part| words(part.len())).collect())
    }

    fn has(&self, part: usize, document: u32) -> bool {
        self.0[part][document as usize / 64].load(Relaxed) >> (document % 64) & 1 == 1
    }

    fn add(&self, part: usize, document: u32) {
        self.0[part][document as usize / 64].fetch_or(1 << (document % 64), Relaxed);
    }

    /// The places of all documents, in order.
    fn into_places(self) -> Vec<Place> {
        let mut places = Vec::new();
        for (part, words) in self.0.into_iter().enumerate() {
            for (at, word) in (0..).step_by(64).zip(words) {
                let mut rest = word.into_inner();
                while rest != 0 {
                    places.push(Place { part, document: at + rest.trailing_zeros() });
                    rest &= rest - 1;
                }
            }
        }
        places
    }
}

/// Returns the place of every document of the index that one of these sets resembles, in order. Leaves out serial numbers of `below` or
/// more. Works on all threads of the current pool.
pub(super) fn ask<B: PartBytes + Sync>(
    parts: &Parts<B>,
    sets: &SetStore,
    documents: &[u32],
    below: u64,
    stage: &Stage,
) -> Result<Vec<Place>, PartError> {
    let (limits, seen) = (parts.limits(), Seen::new(parts));
    let mut shares: Vec<Share> = (0..rayon::current_num_threads()).map(|_| Share::default()).collect();
    for together in chunks(sets, documents, limits.elements) {
        let elements: usize = together.iter().map(|&document| sets.size(document) as usize).sum();
        let own = chunks(sets, together, elements.div_ceil(rayon::current_num_threads()));
        // A share or two more than threads, if sets do not divide evenly.
        shares.resize_with(shares.len().max(own.len()), Share::default);
        let order = |(at, share): (usize, &mut Share)| {
            share.order(sets, own.get(at).unwrap_or(&&[][..]), limits.bits);
        };
        shares.par_iter_mut().enumerate().for_each(order);
        let (mut first, mut count) = (0, limits.parts.max(1));
        while first < parts.parts().len() {
            let range = first..parts.parts().len().min(first + count);
            // In one part, every element has one hit at most.
            let most = if range.len() == 1 { usize::MAX } else { limits.hits };
            let Some(hits) = hits(parts, range.clone(), (together, &shares), most, stage)? else {
                count = range.len() / 2;
                continue;
            };
            resembling(parts, sets, hits, below, &seen, stage)?;
            first = range.end;
        }
        stage.add(together.len());
    }
    Ok(seen.into_places())
}

/// Runs of consecutive documents with at most `elements` elements, or of one document with more.
fn chunks<'a>(sets: &SetStore, documents: &'a [u32], elements: usize) -> Vec<&'a [u32]> {
    let (mut chunks, mut rest) = (Vec::new(), documents);
    while !rest.is_empty() {
        let mut sum = 0;
        let mut is_in = |document: &u32| {
            sum += sets.size(*document) as usize;
            sum <= elements
        };
        let (chunk, later) = rest.split_at(rest.iter().take_while(|one| is_in(one)).count().max(1));
        chunks.push(chunk);
        rest = later;
    }
    chunks
}

impl Share {
    fn order(&mut self, sets: &SetStore, documents: &[u32], bits: u32) {
        let group = |key: u64| (key >> (64 - bits)) as usize;
        self.bits = bits;
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        for &document in documents {
            sets.set(document).iter().for_each(|&element| self.ends[group(mix(element))] += 1);
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += std::mem::replace(end, sum);
        }
        self.keys.resize(sum, (0, 0));
        for &document in documents {
            for &element in sets.set(document) {
                let key = mix(element);
                let place = &mut self.ends[group(key)];
                self.keys[*place] = (key, document);
                *place += 1;
            }
        }
    }

    fn group(&self, group: u64) -> &[Key] {
        let group = group as usize;
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.keys[start..self.ends[group]]
    }
}

/// The runs of postings of all keys in some of the parts. `None` if there are more than `most`.
fn hits<B: PartBytes + Sync>(
    parts: &Parts<B>,
    range: Range<usize>,
    (documents, shares): (&[u32], &[Share]),
    most: usize,
    stage: &Stage,
) -> Result<Option<Vec<Hit>>, PartError> {
    let IndexLimits { bits, groups, .. } = *parts.limits();
    let (all, waiting) = (1_u64 << bits, AtomicUsize::new(0));
    let jobs: Vec<u64> = (0..all).step_by(groups.clamp(1, all) as usize).collect();
    let found: Result<Vec<Vec<Hit>>, PartError> = jobs
        .into_par_iter()
        .with_max_len(1)
        .map_init(Vec::new, |passed: &mut Vec<Key>, first| {
            stage.check()?;
            let mut hits = Vec::new();
            for group in first..all.min(first + groups.max(1)) {
                let bounds = (group << (64 - bits), ((group + 1) << (64 - bits)).wrapping_sub(1));
                let before = hits.len();
                for number in range.clone() {
                    if waiting.load(Relaxed) + hits.len() - before > most {
                        break;
                    }
                    let part = &parts.parts()[number];
                    for share in shares {
                        let add = |key: Key, run| hits.push(Hit { set: key.1, part: number as u32, run });
                        part.pass_filter(share.group(group), bounds, passed, |key| key.0)
                            .and_then(|()| part.for_each_run(passed, |key| key.0, add))
                            .map_err(|error| error.in_part(number))?;
                    }
                    parts.relieve();
                }
                if waiting.fetch_add(hits.len() - before, Relaxed) + hits.len() - before > most {
                    return Ok(Vec::new());
                }
            }
            Ok(hits)
        })
        .collect();
    let found = found?;
    if waiting.into_inner() > most {
        return Ok(None);
    }
    Ok(Some(by_set(found, documents)))
}

/// Puts the hits of every set next to each other. `documents`, ascending, are the sets.
fn by_set(found: Vec<Vec<Hit>>, documents: &[u32]) -> Vec<Hit> {
    let (Some(&first), Some(&last)) = (documents.first(), documents.last()) else { return Vec::new() };
    let mut places = vec![0_usize; (last - first) as usize + 1];
    found.iter().flatten().for_each(|hit| places[(hit.set - first) as usize] += 1);
    let mut sum = 0;
    for place in &mut places {
        sum += std::mem::replace(place, sum);
    }
    let mut hits = vec![Hit::default(); sum];
    for hit in found.into_iter().flatten() {
        let place = &mut places[(hit.set - first) as usize];
        hits[*place] = hit;
        *place += 1;
    }
    hits
}

/// Adds the documents that the sets of these hits resemble.
fn resembling<B: PartBytes + Sync>(
    parts: &Parts<B>,
    sets: &SetStore,
    mut hits: Vec<Hit>,
    below: u64,
    seen: &Seen,
    stage: &Stage,
) -> Result<(), PartError> {
    let look = |(runs, scratch): &mut (Vec<Run>, FindScratch), own: &mut [Hit]| {
        stage.check()?;
        own.sort_unstable_by_key(|hit| (hit.part, hit.run));
        own.chunk_by(|one, two| one.part == two.part).try_for_each(|some| {
            let (set, number) = (sets.set(some[0].set), some[0].part as usize);
            runs.clear();
            runs.extend(some.iter().map(|hit| hit.run));
            let wanted = |document, serial| serial < below && !parts.is_gone(serial) && !seen.has(number, document);
            let found = |one: Found| seen.add(number, one.document);
            parts
                .find_in(number, set, runs, parts.threshold(), wanted, scratch, found)
                .map_err(|error| error.in_part(number))
        })
    };
    hits.par_chunk_by_mut(|one, two| one.set == two.set).try_for_each_init(Default::default, look)
}
