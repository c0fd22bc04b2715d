//! How are many sets looked up at once?
//!
//! A search spends most of its time waiting for words of filters and for postings, which lie anywhere in memory. The elements
//! of many sets, put in order first, find theirs next to each other: a group of elements is looked up in one part after the other while
//! it is in the fastest memory, and each thread reads, and verifies, its own stretch of every part.

use std::ops::Range;

use rayon::prelude::*;

use super::error::PartError;
use super::find::{FindScratch, Found};
use super::parts::Parts;
use crate::sets::{SetStore, mix};

/// How many elements are looked up together, about.
const TOGETHER: usize = 1 << 21;
/// In so many parts at a time, so that there is a bound on the hits that wait.
const PARTS: usize = 8;
/// Elements are ordered by this many of their first bits.
const BITS: u32 = 10;
/// Groups of elements that a thread takes at a time.
const SOME: u64 = 16;

/// An element, mixed, and the number of its set.
type Key = (u64, u32);

/// The elements of some sets, in groups by their first bits.
#[derive(Default)]
struct Share {
    keys: Vec<Key>,
    /// Where each group ends.
    ends: Vec<usize>,
}

/// A set, and a run of postings of one of its elements.
struct Hit {
    set: u32,
    part: u32,
    run: Range<u32>,
}

/// Returns every document of the index that one of these sets resembles, and the number of its part, in no order and perhaps several times.
/// Leaves out serial numbers of `below` or more. Works on all threads of the current pool.
pub(super) fn ask<B: AsRef<[u8]> + Sync>(
    parts: &Parts<B>,
    sets: &SetStore,
    documents: &[u32],
    below: u64,
) -> Result<Vec<(usize, Found)>, PartError> {
    let mut found = Vec::new();
    let mut shares: Vec<Share> = (0..rayon::current_num_threads()).map(|_| Share::default()).collect();
    for together in chunks(sets, documents, TOGETHER) {
        let elements: usize = together.iter().map(|&document| sets.size(document) as usize).sum();
        let own = chunks(sets, together, elements.div_ceil(rayon::current_num_threads()));
        // A share or two more than threads, if sets do not divide evenly.
        shares.resize_with(shares.len().max(own.len()), Share::default);
        shares.par_iter_mut().enumerate().for_each(|(at, share)| share.order(sets, own.get(at).unwrap_or(&&[][..])));
        for first in (0..parts.parts().len()).step_by(PARTS) {
            let range = first..parts.parts().len().min(first + PARTS);
            found.append(&mut resembling(parts, sets, hits(parts, range, &shares)?, below)?);
        }
    }
    Ok(found)
}

/// Consecutive documents with so many elements together, or a document with more.
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
    fn order(&mut self, sets: &SetStore, documents: &[u32]) {
        let group = |key: u64| (key >> (64 - BITS)) as usize;
        self.ends.clear();
        self.ends.resize(1 << BITS, 0);
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

/// The runs of postings of all keys in some of the parts.
fn hits<B: AsRef<[u8]> + Sync>(parts: &Parts<B>, range: Range<usize>, shares: &[Share]) -> Result<Vec<Hit>, PartError> {
    let jobs: Vec<u64> = (0..1 << BITS).step_by(SOME as usize).collect();
    let found: Result<Vec<Vec<Hit>>, PartError> = jobs
        .into_par_iter()
        .map_init(Vec::new, |passed: &mut Vec<Key>, first| {
            let mut hits = Vec::new();
            for group in first..first + SOME {
                let bounds = (group << (64 - BITS), ((group + 1) << (64 - BITS)).wrapping_sub(1));
                for number in range.clone() {
                    let part = &parts.parts()[number];
                    for share in shares {
                        let add = |key: Key, run| hits.push(Hit { set: key.1, part: number as u32, run });
                        part.pass_filter(share.group(group), bounds, passed, |key| key.0)
                            .and_then(|()| part.for_each_run(passed, |key| key.0, add))
                            .map_err(|error| error.in_part(number))?;
                    }
                }
            }
            Ok(hits)
        })
        .collect();
    Ok(found?.into_iter().flatten().collect())
}

/// The documents that the sets of these hits resemble.
fn resembling<B: AsRef<[u8]> + Sync>(
    parts: &Parts<B>,
    sets: &SetStore,
    mut hits: Vec<Hit>,
    below: u64,
) -> Result<Vec<(usize, Found)>, PartError> {
    hits.par_sort_unstable_by_key(|hit| (hit.set, hit.part, hit.run.start));
    let questions: Vec<&[Hit]> = hits.chunk_by(|one, two| (one.set, one.part) == (two.set, two.part)).collect();
    let look = |(runs, scratch): &mut (Vec<Range<u32>>, FindScratch), some: &&[Hit]| {
        let (set, number) = (sets.set(some[0].set), some[0].part as usize);
        runs.clear();
        runs.extend(some.iter().map(|hit| hit.run.clone()));
        let mut found = Vec::new();
        let threshold = parts.threshold();
        parts
            .find_in(&parts.parts()[number], set, runs, threshold, below, scratch, |one| found.push((number, one)))
            .map_err(|error: PartError| error.in_part(number))?;
        Ok(found)
    };
    let found: Result<Vec<Vec<(usize, Found)>>, PartError> =
        questions.par_iter().with_min_len(16).map_init(Default::default, look).collect();
    Ok(found?.concat())
}
