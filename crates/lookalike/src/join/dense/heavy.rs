//! The plan for long lists: takes a block of records at a time, element by element.
//!
//! ```text
//! for every block of records:
//!     sort the elements of all their prefixes, so that lookups of the same element are adjacent
//!     for every element e:
//!         copy the signatures of its list to tiles
//!         for every record x of the block that looks up e, at place i:
//!             y survives, for every entry (y, reach) of the right size for x and i
//!                 whose signature differs from x's in few enough bits, and that reaches |x|
//!     group the survivors by record; drop duplicates
//!     keep those whose exact bound the signatures allow; verify them
//! ```
//!
//! Lists of thousands of entries are walked thousands of times. Their tiles stay in the cache, and an entry costs a few
//! instructions.

use std::ops::Range;

use super::entries::{Entries, Lists, first_not_below};
use super::lookups::{Lookup, sort_by_element};
use super::setup::Dense;
use super::signatures::Signatures;
use super::sizes::Probe;
use super::verify::Verifier;
use crate::arch::{LANES, Tile, keep_near, scan};
use crate::join::Counts;
use crate::join::Pair;
use crate::progress::Stage;

/// Maximum records in a block: their numbers within it take 16 bits.
pub(super) const BLOCK: usize = 1 << 15;
/// Maximum survivors of a block: about 50 MB per thread. If nearly everything is a pair, blocks shrink.
const MOST: usize = if cfg!(test) { 20 } else { 1 << 22 };
/// Lookups between two checks whether the call is cancelled. One walks a list of thousands of entries at most.
const OFTEN: u32 = 256;
/// Lists shorter than this are not worth a layout, nor are lists looked up once.
const SHORT: usize = LANES;

/// Data shared by all threads.
pub(super) struct Heavy<'a, const W: usize> {
    dense: &'a Dense,
    signatures: &'a Signatures<W>,
    lists: Vec<Lists>,
}

impl<'a, const W: usize> Heavy<'a, W> {
    pub(super) fn new(dense: &'a Dense, signatures: &'a Signatures<W>) -> Heavy<'a, W> {
        let lists = (0..dense.sides().count()).map(|kind| Lists::new(dense, kind)).collect();
        Heavy { dense, signatures, lists }
    }
}

/// Data of one thread.
pub(super) struct Worker<'a, const W: usize> {
    heavy: &'a Heavy<'a, W>,
    lookups: Vec<Lookup>,
    spare_lookups: Vec<Lookup>,
    entries: Entries,
    tiles: Vec<Tile<W>>,
    near: Vec<u32>,
    /// Record of the block in the upper half, partner in the lower half.
    survivors: Vec<u64>,
    ends: Vec<u32>,
    partners: Vec<u32>,
    /// By record, the last one that it was a partner of.
    seen: Vec<u32>,
    verifier: Verifier,
    pub(super) counts: Counts,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(super) fn new(heavy: &'a Heavy<W>) -> Worker<'a, W> {
        let records = &heavy.dense.records;
        Worker {
            heavy,
            lookups: Vec::new(),
            spare_lookups: Vec::new(),
            entries: Entries::default(),
            tiles: Vec::new(),
            near: Vec::new(),
            survivors: Vec::new(),
            ends: Vec::new(),
            partners: Vec::new(),
            seen: vec![u32::MAX; records.len()],
            verifier: Verifier::new(records),
            counts: Counts::default(),
        }
    }

    /// Finds the partners, among all earlier records, of a block of records.
    pub(super) fn join(&mut self, block: Range<u32>, stage: &Stage, emit: &mut impl FnMut(Pair)) {
        if stage.is_cancelled() {
            return;
        }
        self.survivors.clear();
        let probes = Probes::of(self.heavy.dense, &block);
        for kind in 0..self.heavy.lists.len() {
            self.collect(kind, &block, &probes);
            if !self.look_up(kind, &block, &probes, stage) {
                let middle = block.start + block.len() as u32 / 2;
                self.join(block.start..middle, stage, emit);
                return self.join(middle..block.end, stage, emit);
            }
        }
        self.settle(&block, &probes, emit);
    }

    /// The elements that the block looks up in lists of one kind, sorted.
    fn collect(&mut self, kind: usize, block: &Range<u32>, probes: &Probes) {
        let (records, sides) = (&self.heavy.dense.records, self.heavy.dense.sides());
        let lists = &self.heavy.lists[kind];
        self.lookups.clear();
        for record in block.clone() {
            if !sides.looked_up(record).any(|looked_up| looked_up == kind) {
                continue;
            }
            let set = records.set(record);
            let probe = probes.of_size(set.len() as u32);
            let shared = self.heavy.dense.first_shared(record);
            for (place, &element) in set[..probe.prefix].iter().enumerate().skip(shared) {
                let list = lists.of(element);
                let hopeless = list.is_empty()
                    || lists.records[list.start] >= record.min(probe.bounds[place])
                    || lists.records[list.end - 1] < probe.least;
                if !hopeless {
                    self.lookups.push(Lookup::new(element, (record - block.start) as usize, place));
                }
            }
        }
        sort_by_element(&mut self.lookups, &mut self.spare_lookups, records.universe());
    }

    /// Finds the survivors. Returns false if there are too many for one block, or if the call is cancelled.
    fn look_up(&mut self, kind: usize, block: &Range<u32>, probes: &Probes, stage: &Stage) -> bool {
        let Dense { records, .. } = self.heavy.dense;
        let lists = &self.heavy.lists[kind];
        let Worker { lookups, entries, tiles, near, survivors, counts, heavy, .. } = self;
        let signatures = heavy.signatures;
        let most = if block.len() > 1 { MOST } else { usize::MAX };
        let mut unchecked = 0;
        for same in lookups.chunk_by(|one, two| one.element() == two.element()) {
            let list = lists.of(same[0].element());
            let record = |lookup: &Lookup| block.start + lookup.number();
            let (smallest, last) = (record(&same[0]), record(&same[same.len() - 1]));
            entries.gather(lists, list, probes.of_size(records.size(smallest)).floor..last, records.size(smallest));
            let Entries { records: entered, reaches } = &*entries;
            let in_tiles = entered.len() >= SHORT && same.len() > 1;
            if in_tiles {
                lay_out(entered, signatures, tiles);
            }
            let mut floor = 0;
            for lookup in same {
                // One element alone can have too many: as many as the square of the records.
                if survivors.len() > most {
                    return false;
                }
                unchecked += 1;
                if unchecked == OFTEN {
                    unchecked = 0;
                    if stage.is_cancelled() {
                        return false;
                    }
                }
                let record = record(lookup);
                let size = records.size(record);
                let probe = probes.of_size(size);
                while floor < entered.len() && entered[floor] < probe.floor {
                    floor += 1;
                }
                let from = match probe.least > probe.floor {
                    true => floor + first_not_below(&entered[floor..], probe.least),
                    false => floor,
                };
                let bound = probe.bounds[lookup.place()].min(record);
                let to = from + first_not_below(&entered[from..], bound);
                if from == to {
                    continue;
                }
                counts.candidates_by_prefix += (to - from) as u64;
                let number = u64::from(lookup.number()) << 32;
                let signature = signatures.of(record);
                near.clear();
                if in_tiles {
                    let first = from / LANES;
                    scan(&tiles[first..to.div_ceil(LANES)], signature, probe.most_spare, near);
                    for &at in near.iter() {
                        let at = at as usize + first * LANES;
                        if (from..to).contains(&at) && reaches[at] >= size {
                            survivors.push(number | u64::from(entered[at]));
                        }
                    }
                } else {
                    near.extend(
                        entered[from..to]
                            .iter()
                            .zip(&reaches[from..to])
                            .filter(|&(_, &reach)| reach >= size)
                            .map(|(&other, _)| other),
                    );
                    let kept = keep_near(signatures.all(), signature, near, |_| probe.most_spare);
                    survivors.extend(near[..kept].iter().map(|&other| number | u64::from(other)));
                }
            }
        }
        true
    }

    /// Verifies the survivors, record by record.
    fn settle(&mut self, block: &Range<u32>, probes: &Probes, emit: &mut impl FnMut(Pair)) {
        let Worker { survivors, ends, partners, seen, counts, verifier, heavy, near: candidates, .. } = self;
        let records = &heavy.dense.records;
        ends.clear();
        ends.resize(block.len() + 1, 0);
        for &survivor in survivors.iter() {
            ends[(survivor >> 32) as usize + 1] += 1;
        }
        for number in 0..block.len() {
            ends[number + 1] += ends[number];
        }
        partners.clear();
        partners.resize(survivors.len(), 0);
        for &survivor in survivors.iter() {
            let at = &mut ends[(survivor >> 32) as usize];
            partners[*at as usize] = survivor as u32;
            *at += 1;
        }
        let mut start = 0;
        for (record, &end) in block.clone().zip(ends.iter()) {
            let found = &partners[start..end as usize];
            start = end as usize;
            if found.is_empty() {
                continue;
            }
            candidates.clear();
            for &other in found {
                if seen[other as usize] != record {
                    seen[other as usize] = record;
                    candidates.push(other);
                }
            }
            let probe = probes.of_size(records.size(record));
            counts.after_positional += candidates.len() as u64;
            let (all, signature) = (heavy.signatures.all(), heavy.signatures.of(record));
            let kept = keep_near(all, signature, candidates, |other| probe.spare(records.size(other)));
            counts.after_signature += kept as u64;
            verifier.verify(records, record, &candidates[..kept], probe, &mut *emit);
        }
    }
}

/// The requirements for partners of the records of a block, by size.
struct Probes {
    first: u32,
    probes: Vec<Probe>,
}

impl Probes {
    fn of(dense: &Dense, block: &Range<u32>) -> Probes {
        let (first, last) = (dense.records.size(block.start), dense.records.size(block.end - 1));
        let mut probes: Vec<Probe> = (first..=last).map(|_| Probe::new(dense.threshold)).collect();
        let mut record = block.start;
        while record < block.end {
            let size = dense.records.size(record);
            probes[(size - first) as usize].set_size(size, &dense.sizes);
            record = dense.sizes.after(size);
        }
        Probes { first, probes }
    }

    #[inline]
    fn of_size(&self, size: u32) -> &Probe {
        &self.probes[(size - self.first) as usize]
    }
}

/// The signatures of entries side by side. The last tile is padded with the last signature.
fn lay_out<const W: usize>(entered: &[u32], signatures: &Signatures<W>, tiles: &mut Vec<Tile<W>>) {
    tiles.clear();
    for eight in entered.chunks(LANES) {
        let mut tile = [[0; LANES]; W];
        for lane in 0..LANES {
            let signature = signatures.of(eight[lane.min(eight.len() - 1)]);
            for (word, row) in tile.iter_mut().enumerate() {
                row[lane] = signature[word];
            }
        }
        tiles.push(tile);
    }
}
