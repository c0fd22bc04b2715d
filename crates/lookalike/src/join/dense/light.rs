//! The plan for short lists: each record looks up the elements of its prefix among earlier records.
//!
//! ```text
//! for every record x, by ascending size:
//!     for every element e of its prefix, at place i:
//!         for every entry (y, reach) in the list of e:
//!             drop the entry for good if |x| is beyond its reach
//!             else y is a candidate, if it is small enough for i, was not seen yet
//!                 and, with short sets, a signature of 64 bits in the entry allows it
//!     keep the candidates whose signatures allow it; verify them
//!     enter x into the lists of its short prefix
//! ```
//!
//! Such joins wait for memory, not for the processor. An entry has eight bytes (sixteen with its signature), lists
//! shrink as records grow, and all lists of a record are prefetched together. Threads take stretches of records. A
//! thread that skips ahead first enters the records that still reach its new stretch.

use std::ops::Range;

use super::setup::Dense;
use super::signatures::Signatures;
use super::sizes::{Probe, Reaches};
use super::verify::Verifier;
use crate::arch::{keep_near, prefetch};
use crate::join::Counts;
use crate::join::Pair;

/// A record in a list. `S` is the signature stored with it, if any.
#[derive(Clone, Copy, Default)]
struct Entry<S> {
    record: u32,
    /// The size of the largest record that it may pair with, judged by this element.
    reach: u32,
    hint: S,
}

/// The signature that an entry stores.
pub(super) trait Hint: Copy + Default + Send {
    /// Makes it from a signature.
    fn of(signature: &[u64]) -> Self;
    /// Whether at most `most` bits differ.
    fn allows(self, other: Self, most: u32) -> bool;
}

/// No signature: for long sets, 64 bits exclude nothing.
impl Hint for () {
    fn of(_: &[u64]) {}

    fn allows(self, (): (), _: u32) -> bool {
        true
    }
}

/// A signature of 64 bits, folded from a wider one.
impl Hint for u64 {
    fn of(signature: &[u64]) -> u64 {
        signature.iter().fold(0, |folded, word| folded ^ word)
    }

    #[inline(always)]
    fn allows(self, other: u64, most: u32) -> bool {
        (self ^ other).count_ones() <= most
    }
}

/// The position of an element's list, and how far it is filled.
#[derive(Clone, Copy)]
struct Head {
    start: u32,
    len: u32,
}

/// The entries of one kind.
struct Lists<S> {
    heads: Vec<Head>,
    entries: Vec<Entry<S>>,
}

impl<S: Hint> Lists<S> {
    fn new(dense: &Dense, kind: usize) -> Lists<S> {
        let (mut start, end) = (0, dense.rooms[kind].iter().sum());
        // A list without room, where no two records meet, starts after all others.
        let heads = dense.rooms[kind].iter().map(|&room| {
            let head = Head { start: if room > 0 { start } else { end }, len: 0 };
            start += room;
            head
        });
        Lists { heads: heads.collect(), entries: vec![Entry::default(); end as usize] }
    }

    fn clear(&mut self) {
        self.heads.iter_mut().for_each(|head| head.len = 0);
    }

    #[inline]
    fn enter(&mut self, element: u32, entry: Entry<S>) {
        let head = &mut self.heads[element as usize];
        if let Some(room) = self.entries.get_mut((head.start + head.len) as usize) {
            *room = entry;
            head.len += 1;
        }
    }

    /// Collects the places and elements of a prefix, from place `first` on, whose lists have entries. It reads all
    /// heads before any list, and without a branch, so that the cache misses overlap.
    #[inline(always)]
    fn filled<'f>(&self, prefix: &[u32], first: usize, filled: &'f mut Vec<(u32, u32)>) -> &'f [(u32, u32)] {
        if filled.len() < prefix.len() {
            filled.resize(prefix.len(), (0, 0));
        }
        let mut count = 0;
        for (place, &element) in prefix.iter().enumerate().skip(first) {
            let head = self.heads[element as usize];
            prefetch(&self.entries, head.start as usize);
            filled[count] = (place as u32, element);
            count += usize::from(head.len > 0);
        }
        &filled[..count]
    }
}

/// A record that walks a list.
struct Visitor<S> {
    record: u32,
    size: u32,
    hint: S,
    /// The first record that is large enough, and how many from there are small enough for the place of the element.
    least: u32,
    fitting: u32,
    /// Maximum bits in which the signatures may differ.
    most: u32,
}

impl<S: Hint> Visitor<S> {
    /// Drops the entries that do not reach this record, and appends candidates to those already found. Returns how many
    /// entries are left, and how many candidates there are now.
    #[inline(always)]
    fn walk(
        &self,
        list: &mut [Entry<S>],
        seen: &mut [u32],
        candidates: &mut [u32],
        mut found: usize,
    ) -> (usize, usize) {
        let mut left = 0;
        for at in 0..list.len() {
            let entry = list[at];
            let reached = entry.reach >= self.size;
            list[left] = entry;
            left += usize::from(reached);
            if size_of::<S>() > 0 && !entry.hint.allows(self.hint, self.most) {
                continue;
            }
            // The first common element decides: if the pair fails there, it fails everywhere.
            let seen = &mut seen[entry.record as usize];
            candidates[found] = entry.record;
            found +=
                usize::from(reached & (entry.record.wrapping_sub(self.least) < self.fitting) & (*seen != self.record));
            *seen = self.record;
        }
        (left, found)
    }
}

/// Data of one thread.
pub(super) struct Walker<'a, const W: usize, S> {
    dense: &'a Dense,
    signatures: &'a Signatures<W>,
    probe: Probe,
    reaches: Reaches,
    lists: Vec<Lists<S>>,
    /// Scratch memory for the places and elements of a prefix.
    filled: Vec<(u32, u32)>,
    /// By record, the last one that it was a candidate of.
    seen: Vec<u32>,
    /// Room for all records.
    candidates: Vec<u32>,
    verifier: Verifier,
    /// All records before this one are entered, if they reach it.
    entered: u32,
    pub(super) counts: Counts,
}

impl<'a, const W: usize, S: Hint> Walker<'a, W, S> {
    pub(super) fn new(dense: &'a Dense, signatures: &'a Signatures<W>) -> Walker<'a, W, S> {
        let records = &dense.records;
        Walker {
            dense,
            signatures,
            probe: Probe::new(dense.threshold),
            reaches: Reaches::new(dense.threshold, dense.records.largest()),
            lists: (0..dense.sides().count()).map(|kind| Lists::new(dense, kind)).collect(),
            filled: Vec::new(),
            seen: vec![u32::MAX; records.len()],
            candidates: vec![0; records.len()],
            verifier: Verifier::new(records),
            entered: 0,
            counts: Counts::default(),
        }
    }

    /// Finds the partners, among all earlier records, of a stretch of records.
    pub(super) fn walk(&mut self, stretch: Range<u32>, emit: impl FnMut(Pair)) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the machine has the instruction.
            return unsafe { self.walk_popcnt(stretch, emit) };
        }
        self.walk_portable(stretch, emit);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn walk_popcnt(&mut self, stretch: Range<u32>, emit: impl FnMut(Pair)) {
        self.walk_portable(stretch, emit);
    }

    #[inline(always)]
    fn walk_portable(&mut self, stretch: Range<u32>, mut emit: impl FnMut(Pair)) {
        if stretch.start != self.entered {
            self.begin(stretch.start);
        }
        self.entered = stretch.end;
        for record in stretch {
            self.find(record, &mut emit);
            self.enter(record, 0);
        }
    }

    /// Enters the records that still reach the first record of a stretch.
    fn begin(&mut self, first: u32) {
        self.lists.iter_mut().for_each(Lists::clear);
        let size = self.dense.records.size(first);
        self.probe.set_size(size, &self.dense.sizes);
        for record in self.probe.floor..first {
            self.enter(record, size);
        }
    }

    /// Enters the elements of a record's short prefix that reach records of this size.
    fn enter(&mut self, record: u32, size: u32) {
        let (records, sides) = (&self.dense.records, self.dense.sides());
        let reaches = self.reaches.of_size(records.size(record));
        let lists = &mut self.lists[sides.entered(record)];
        let (first, hint) = (self.dense.first_shared(record), S::of(self.signatures.of(record)));
        for (&element, &reach) in records.set(record).iter().zip(reaches).skip(first) {
            if reach < size {
                break;
            }
            lists.enter(element, Entry { record, reach, hint });
        }
    }

    #[inline(always)]
    fn find(&mut self, record: u32, emit: &mut impl FnMut(Pair)) {
        let (Dense { records, sizes, .. }, sides) = (self.dense, self.dense.sides());
        let set = records.set(record);
        let size = set.len() as u32;
        self.probe.set_size(size, sizes);
        let Walker { probe, lists, filled, seen, candidates, .. } = self;
        let hint = S::of(self.signatures.of(record));
        let mut visitor = Visitor { record, size, hint, least: probe.least, fitting: 0, most: probe.most_spare };
        let (mut found, mut walked) = (0, 0);
        for kind in sides.looked_up(record) {
            let lists = &mut lists[kind];
            let shared = self.dense.first_shared(record);
            let filled = lists.filled(&set[..probe.prefix], shared, filled);
            for &(place, element) in filled {
                let head = &mut lists.heads[element as usize];
                let list = &mut lists.entries[head.start as usize..(head.start + head.len) as usize];
                walked += list.len();
                visitor.fitting = probe.bounds[place as usize].saturating_sub(probe.least);
                let (left, more) = visitor.walk(list, seen, candidates, found);
                head.len = left as u32;
                found = more;
            }
        }
        self.counts.candidates_by_prefix += walked as u64;
        if found == 0 {
            return;
        }
        self.counts.after_positional += found as u64;
        let (all, signature) = (self.signatures.all(), self.signatures.of(record));
        let kept = keep_near(all, signature, &mut candidates[..found], |other| probe.spare(records.size(other)));
        self.counts.after_signature += kept as u64;
        self.verifier.verify(records, record, &candidates[..kept], probe, emit);
    }
}
