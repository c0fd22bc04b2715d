//! By which few grams is every similar text found?

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::characters::{Text, of_characters};
use super::hash::hash_grams;

/// How often each gram occurs, in a table by hash. A gram may seem more frequent than it is, but never rarer.
pub(super) struct Frequencies {
    q: usize,
    counts: Vec<AtomicU32>,
}

/// Characters per slot. Most grams are frequent, and a table that fits in the cache is better than one without
/// collisions.
const CHARACTERS_PER_SLOT: usize = 64;

/// Counts stop here. It also keeps threads from contending for the slots of the most frequent grams.
const OFTEN: u32 = 1 << 20;

impl Frequencies {
    /// Counts the grams of the texts, each given with the seed of its hashes. `characters` is their total length.
    pub(super) fn count<'a>(
        texts: impl ParallelIterator<Item = (Text<'a>, u64)>,
        characters: usize,
        q: usize,
    ) -> Frequencies {
        let mut counts = Vec::new();
        let slots = (characters / CHARACTERS_PER_SLOT).next_power_of_two();
        counts.resize_with(slots.clamp(1 << 10, 1 << 26), AtomicU32::default);
        let frequencies = Frequencies { q, counts };
        texts.for_each(|(text, seed)| {
            of_characters!(text, characters => hash_grams(characters, q, seed, |key| {
                let slot = frequencies.slot(key);
                if slot.load(Relaxed) < OFTEN {
                    slot.fetch_add(1, Relaxed);
                }
            }))
        });
        frequencies
    }

    #[inline]
    fn slot(&self, key: u64) -> &AtomicU32 {
        &self.counts[key as usize & (self.counts.len() - 1)]
    }

    /// Appends to `prefix` the rarest grams of a text: the fewest that `distance` edits cannot all change.
    ///
    /// The text must have at least q · (distance + 1) characters. Grams that occur once are omitted, because no other
    /// text has them.
    pub(super) fn prefix(&self, text: Text, seed: u64, distance: u32, ranks: &mut Ranks, prefix: &mut Vec<Gram>) {
        let Ranks { ranked, positions } = ranks;
        ranked.clear();
        let mut position = 0;
        of_characters!(text, characters => hash_grams(characters, self.q, seed, |key| {
            ranked.push(Ranked { count: self.slot(key).load(Relaxed).min(OFTEN), gram: Gram { key, position } });
            position += 1;
        }));
        // One edit changes at most q grams.
        let enough = self.q * distance as usize + 1;
        if enough < ranked.len() {
            ranked.select_nth_unstable(enough);
            ranked.truncate(enough);
        }
        ranked.sort_unstable();
        let (mut too_few, mut enough) = (distance as usize, ranked.len());
        while enough - too_few > 1 {
            let some = (too_few + enough) / 2;
            positions.clear();
            positions.extend(ranked[..some].iter().map(|ranked| ranked.gram.position));
            if edits_to_change(positions, self.q) > distance { enough = some } else { too_few = some }
        }
        prefix.extend(ranked[..enough].iter().filter(|ranked| ranked.count > 1).map(|ranked| ranked.gram));
    }
}

/// A gram of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gram {
    pub(super) key: u64,
    pub(super) position: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    count: u32,
    gram: Gram,
}

/// Scratch memory to find a prefix.
#[derive(Default)]
pub(super) struct Ranks {
    ranked: Vec<Ranked>,
    positions: Vec<u32>,
}

/// Returns the least number of edits that change every gram at these positions.
///
/// Some edit must change the leftmost gram, and one at its last character changes the most others with it.
fn edits_to_change(positions: &mut [u32], q: usize) -> u32 {
    positions.sort_unstable();
    let (mut edits, mut unchanged) = (0, 0);
    for &position in &*positions {
        if position as usize >= unchanged {
            edits += 1;
            unchanged = position as usize + q;
        }
    }
    edits
}
