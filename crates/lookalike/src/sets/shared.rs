//! How often does an element occur, if threads count at the same time, and the sets themselves are not stored?
//!
//! Elements that share a slot are counted together, so a count may be too high, which costs work but never a pair. It
//! is never too low.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::arch::prefetch;
use crate::storage::{Room, Storage, StorageError};

/// How many elements ahead to prefetch slots.
const AHEAD: usize = 16;

/// A table of bytes that threads write at the same time, over a range of elements.
struct Slots {
    room: Room,
    slots: u64,
    /// The elements that are counted.
    first: u64,
    /// The number of elements in the range.
    span: u128,
}

impl Slots {
    fn new(storage: &dyn Storage, bytes: usize, per_byte: u64, range: Range<u128>) -> Result<Slots, StorageError> {
        let room = storage.room(bytes.max(1), "the counters of elements")?;
        let slots = bytes.max(1) as u64 * per_byte;
        Ok(Slots { room, slots, first: range.start as u64, span: range.end - range.start })
    }

    #[inline]
    fn bytes(&self) -> &[AtomicU8] {
        let bytes = self.room.bytes();
        // SAFETY: an atomic byte is a byte, and all access to the room is through atomics.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
    }

    #[inline]
    fn slot(&self, element: u64) -> u64 {
        let offset = u128::from(element - self.first);
        match self.span == 1 << 64 {
            true => ((offset * u128::from(self.slots)) >> 64) as u64,
            false => (offset * u128::from(self.slots) / self.span) as u64,
        }
    }

    /// The part of a set that is in the range.
    #[inline]
    fn part<'a>(&self, set: &'a [u64]) -> &'a [u64] {
        if self.span == 1 << 64 {
            return set;
        }
        let (first, end) = (u128::from(self.first), u128::from(self.first) + self.span);
        let from = set.partition_point(|&element| u128::from(element) < first);
        let to = set.partition_point(|&element| u128::from(element) < end);
        &set[from..to]
    }

    /// Calls `each` with the slot of every element of a set that is in the range.
    #[inline]
    fn for_each(&self, set: &[u64], per_byte: u64, mut each: impl FnMut(&[AtomicU8], u64)) {
        let (bytes, part) = (self.bytes(), self.part(set));
        for &element in part.iter().take(AHEAD) {
            prefetch(bytes, (self.slot(element) / per_byte) as usize);
        }
        for (at, &element) in part.iter().enumerate() {
            if let Some(&later) = part.get(at + AHEAD) {
                prefetch(bytes, (self.slot(later) / per_byte) as usize);
            }
            each(bytes, self.slot(element));
        }
    }
}

/// Counts elements as none, one, or more, in two bits per slot. Any thread may add sets.
pub struct Sieve(Slots);

/// Slots of a byte.
const PER_BYTE: u64 = 4;

impl Sieve {
    /// Makes a sieve of about this many bytes.
    pub fn new(storage: &dyn Storage, bytes: usize) -> Result<Sieve, StorageError> {
        Sieve::of_range(storage, bytes, 0, 1)
    }

    /// Makes a sieve that counts only the elements of range `number` of `ranges` equal ranges.
    pub fn of_range(storage: &dyn Storage, bytes: usize, number: u32, ranges: u32) -> Result<Sieve, StorageError> {
        let bound = |number: u32| (1u128 << 64) * u128::from(number) / u128::from(ranges.max(1));
        Ok(Sieve(Slots::new(storage, bytes, PER_BYTE, bound(number)..bound(number + 1))?))
    }

    /// Returns the table, to save it.
    pub fn table(&mut self) -> &mut [u8] {
        let len = (self.0.slots / PER_BYTE) as usize;
        &mut self.0.room.bytes_mut()[..len]
    }

    /// Counts the elements of a set, which is ascending.
    pub fn add(&self, set: &[u64]) {
        self.0.for_each(set, PER_BYTE, |bytes, slot| {
            let (byte, shift) = (&bytes[(slot / PER_BYTE) as usize], slot % PER_BYTE * 2);
            let (once, twice) = (1 << shift, 2 << shift);
            let before = byte.load(Relaxed);
            // If two threads count the same slot at the same time, one of them sees the bit of the other.
            if before & twice == 0 && (before & once != 0 || byte.fetch_or(once, Relaxed) & once != 0) {
                byte.fetch_or(twice, Relaxed);
            }
        });
    }

    /// Returns how many elements of a set, of those in the range, no other set has. It may be too low.
    pub fn singles(&self, set: &[u64]) -> u32 {
        let mut singles = 0;
        self.0.for_each(set, PER_BYTE, |bytes, slot| {
            let byte = bytes[(slot / PER_BYTE) as usize].load(Relaxed);
            singles += u32::from(byte >> (slot % PER_BYTE * 2) & 2 == 0);
        });
        singles
    }
}

/// Counts elements up to about two hundred, in a byte per slot. Any thread may add sets.
pub struct Frequencies {
    slots: Slots,
    /// Counts stop here: so many threads cannot make a byte overflow.
    most: u8,
}

impl Frequencies {
    /// Makes a table of about this many bytes.
    pub fn new(storage: &dyn Storage, bytes: usize, threads: usize) -> Result<Frequencies, StorageError> {
        let most = u8::MAX - threads.min(250) as u8;
        Ok(Frequencies { slots: Slots::new(storage, bytes, 1, 0..1 << 64)?, most })
    }

    /// Counts the elements of a set, which is ascending.
    pub fn add(&self, set: &[u64]) {
        self.slots.for_each(set, 1, |bytes, slot| {
            let byte = &bytes[slot as usize];
            if byte.load(Relaxed) < self.most {
                byte.fetch_add(1, Relaxed);
            }
        });
    }

    /// Appends the count of every element of a set.
    pub fn get(&self, set: &[u64], counts: &mut Vec<u8>) {
        self.slots.for_each(set, 1, |bytes, slot| counts.push(bytes[slot as usize].load(Relaxed).min(self.most)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::hash_token;
    use crate::storage::Memory;
    use proptest::prelude::*;
    use std::collections::{BTreeSet, HashMap};

    proptest! {
        /// For any table, counts are never too low; in a large one they are right. Ranges add up to the whole.
        #[test]
        fn counts_are_never_too_low(
            sets in proptest::collection::vec(proptest::collection::btree_set(0..60u64, 0..20), 0..30),
            bytes in prop_oneof![1..40usize, Just(1 << 20)],
            ranges in 1..5u32,
            threads in 1..300usize,
        ) {
            let hashed = |set: &BTreeSet<u64>| -> Vec<u64> {
                let set: BTreeSet<u64> = set.iter().map(|element| hash_token(&element.to_le_bytes())).collect();
                set.into_iter().collect()
            };
            let sets: Vec<Vec<u64>> = sets.iter().map(hashed).collect();
            let sieve = Sieve::new(&Memory, bytes).unwrap();
            let parts: Vec<Sieve> =
                (0..ranges).map(|number| Sieve::of_range(&Memory, bytes, number, ranges).unwrap()).collect();
            let frequencies = Frequencies::new(&Memory, bytes, threads).unwrap();
            std::thread::scope(|scope| {
                for some in sets.chunks(sets.len().div_ceil(3).max(1)) {
                    let (sieve, parts, frequencies) = (&sieve, &parts, &frequencies);
                    scope.spawn(move || some.iter().for_each(|set| {
                        sieve.add(set);
                        parts.iter().for_each(|part| part.add(set));
                        frequencies.add(set);
                    }));
                }
            });
            let mut exact: HashMap<u64, usize> = HashMap::new();
            sets.iter().flatten().for_each(|&element| *exact.entry(element).or_default() += 1);
            for set in &sets {
                let singles = set.iter().filter(|element| exact[element] == 1).count() as u32;
                let of_parts: u32 = parts.iter().map(|part| part.singles(set)).sum();
                let mut counts = Vec::new();
                frequencies.get(set, &mut counts);
                prop_assert!(sieve.singles(set) <= singles && of_parts <= singles);
                for (element, &count) in set.iter().zip(&counts) {
                    prop_assert!(usize::from(count) >= exact[element].min(usize::from(frequencies.most)));
                }
                if bytes == 1 << 20 {
                    prop_assert_eq!((sieve.singles(set), of_parts), (singles, singles));
                }
            }
        }
    }
}
