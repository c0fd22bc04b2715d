//! How are fingerprints that agree in a piece brought together?
//!
//! It runs on all cores, without a lock, and takes eight bytes per fingerprint plus the parts being sorted. First each
//! stretch of fingerprints is partitioned by the first bits of the piece. Then each part, which has the same first bits
//! and is spread over all stretches, is sorted by the rest.

use std::ops::Range;

use rayon::prelude::*;

use super::piece::{LONGEST, Piece};
use crate::arch::prefetch;
use crate::sets::Sorter;

/// The target size of a part, so that it stays in the cache of a core; and the maximum number of parts, in bits.
const PART: usize = if cfg!(test) { 4 } else { 1 << 10 };
const MOST_PARTS: u32 = 11;
/// Fingerprints in a stretch, and the maximum number of stretches.
const STRETCH: usize = if cfg!(test) { 16 } else { 1 << 15 };
const MOST_STRETCHES: usize = 256;
/// How many fingerprints to prefetch. Each is a cache miss, so many must be in flight at once.
const AHEAD: usize = 64;

/// All fingerprints, partitioned by the first bits of a piece.
pub(super) struct Spread<'a, const W: usize> {
    all: &'a [[u64; W]],
    entries: &'a [u64],
    stretch: usize,
    /// By stretch, where each part ends in it.
    ends: Vec<Vec<u32>>,
    /// The number of bits that a part has in common.
    bits: u32,
}

impl<'a, const W: usize> Spread<'a, W> {
    /// Partitions these members of `all`. `entries` is scratch memory of the same length.
    pub(super) fn new(all: &'a [[u64; W]], members: &[u32], piece: &Piece, entries: &'a mut [u64]) -> Spread<'a, W> {
        let bits = (members.len() / PART).max(1).ilog2().min(MOST_PARTS).min(piece.bits());
        let stretch = members.len().div_ceil(MOST_STRETCHES).max(STRETCH);
        let part = |entry: u64| entry.unbounded_shr(2 * LONGEST - bits) as usize;
        let spread = |fresh: &mut Vec<u64>, (members, entries): (&[u32], &mut [u64])| {
            let mut ends = vec![0_u32; 1 << bits];
            fresh.clear();
            fresh.extend(members.iter().map(|&member| {
                let entry = u64::from(piece.key(&all[member as usize])) << LONGEST | u64::from(member);
                ends[part(entry)] += 1;
                entry
            }));
            let mut start = 0;
            for end in &mut ends {
                start += std::mem::replace(end, start);
            }
            for &entry in fresh.iter() {
                let end = &mut ends[part(entry)];
                entries[*end as usize] = entry;
                *end += 1;
            }
            ends
        };
        let stretches = members.par_chunks(stretch).zip(entries.par_chunks_mut(stretch));
        let ends = stretches.map_init(Vec::new, spread).collect();
        Spread { all, entries, stretch, ends, bits }
    }

    /// Returns the number of parts.
    pub(super) fn parts(&self) -> usize {
        1 << self.bits
    }

    /// Calls `each` with every run of two or more members of a part that agree in the piece. Returns the number of
    /// members of the part.
    pub(super) fn for_each_run(&self, part: usize, room: &mut Scratch, mut each: impl FnMut(&mut [u32])) -> usize {
        let Scratch { sorter, entries, run } = room;
        entries.clear();
        for (at, ends) in self.ends.iter().enumerate() {
            let start = if part == 0 { 0 } else { ends[part - 1] };
            let range = at * self.stretch + start as usize..at * self.stretch + ends[part] as usize;
            // Move the common bits to the end, because the sort uses the first bits.
            entries.extend(self.entries[range].iter().map(|entry| entry.rotate_left(self.bits)));
        }
        sorter.sort(entries);
        let key = |at: usize| entries[at].unbounded_shr(LONGEST + self.bits);
        let member = |at: usize| (entries[at] >> self.bits) as u32;
        let next = |start: usize| run_behind(start, entries.len(), key);
        let (mut found, mut asked) = (next(0), next(0));
        while !found.is_empty() {
            while !asked.is_empty() && asked.start < found.start + AHEAD {
                for at in asked.clone().take(AHEAD) {
                    prefetch_fingerprint(self.all, member(at));
                }
                asked = next(asked.end);
            }
            run.clear();
            run.extend(found.clone().map(member));
            each(run);
            found = next(found.end);
        }
        entries.len()
    }
}

/// Scratch memory of a thread.
#[derive(Default)]
pub(super) struct Scratch {
    sorter: Sorter,
    entries: Vec<u64>,
    run: Vec<u32>,
}

/// Returns the first run of two or more equal keys from `start` on, or an empty one.
#[inline]
fn run_behind(start: usize, end: usize, key: impl Fn(usize) -> u64) -> Range<usize> {
    let Some(start) = (start + 1..end).find(|&at| key(at - 1) == key(at)) else { return end..end };
    let run = (start + 1..end).find(|&at| key(at) != key(start)).unwrap_or(end);
    start - 1..run
}

/// Prefetches a fingerprint, which is in one or two cache lines.
#[inline]
fn prefetch_fingerprint<const W: usize>(all: &[[u64; W]], member: u32) {
    let words = all.as_flattened();
    prefetch(words, member as usize * W);
    prefetch(words, member as usize * W + W - 1);
}
