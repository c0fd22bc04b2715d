//! How often does an element occur, if threads count at the same time, and the sets themselves are not stored?
//!
//! Elements that share a slot are counted together, so a count may be too high, which costs work but never a pair. It
//! is never too low.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::arch::prefetch;
use crate::storage::{Region, Storage, StorageError};

/// How many elements ahead to prefetch slots.
const AHEAD: usize = 16;

/// A table of bytes that threads write at the same time, over a range of elements.
struct Slots {
    room: Region,
    slots: u64,
    /// The elements that are counted.
    first: u64,
    /// The number of elements in the range.
    span: u128,
}

impl Slots {
    fn new(storage: &dyn Storage, bytes: usize, per_byte: u64, range: Range<u128>) -> Result<Slots, StorageError> {
        let room = storage.allocate(bytes.max(1), "the counters of elements")?;
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
    fn for_each(&self, set: &[u64], per_byte: u64, each: impl FnMut(&[AtomicU8], u64)) {
        for_each_slot(self.bytes(), self.part(set), per_byte, |element| self.slot(element), each);
    }
}

/// Calls `each` with the slot of every element, and prefetches slots.
#[inline]
fn for_each_slot<T: Copy>(
    bytes: &[AtomicU8],
    elements: &[T],
    per_byte: u64,
    slot: impl Fn(T) -> u64,
    mut each: impl FnMut(&[AtomicU8], u64),
) {
    for &element in elements.iter().take(AHEAD) {
        prefetch(bytes, (slot(element) / per_byte) as usize);
    }
    for (at, &element) in elements.iter().enumerate() {
        if let Some(&later) = elements.get(at + AHEAD) {
            prefetch(bytes, (slot(later) / per_byte) as usize);
        }
        each(bytes, slot(element));
    }
}

/// Counts one more element in a slot of two bits.
#[inline]
fn count(bytes: &[AtomicU8], slot: u64) {
    let (byte, shift) = (&bytes[(slot / PER_BYTE) as usize], slot % PER_BYTE * 2);
    let (once, twice) = (1 << shift, 2 << shift);
    let before = byte.load(Relaxed);
    // If two threads count the same slot at the same time, one of them sees the bit of the other.
    if before & twice == 0 && (before & once != 0 || byte.fetch_or(once, Relaxed) & once != 0) {
        byte.fetch_or(twice, Relaxed);
    }
}

/// Whether at most one element was counted in a slot of two bits.
#[inline]
fn is_single(bytes: &[AtomicU8], slot: u64) -> bool {
    bytes[(slot / PER_BYTE) as usize].load(Relaxed) >> (slot % PER_BYTE * 2) & 2 == 0
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
        self.0.for_each(set, PER_BYTE, count);
    }

    /// Returns how many elements of a set, of those in the range, no other set has. It may be too low.
    pub fn singles(&self, set: &[u64]) -> u32 {
        let mut singles = 0;
        self.0.for_each(set, PER_BYTE, |bytes, slot| singles += u32::from(is_single(bytes, slot)));
        singles
    }
}

/// Counts a share of all elements by their first 32 bits: as none, one, or more. Any thread may add digests.
///
/// The *digest* of a set is the first 32 bits of those of its elements that are counted. It takes far less memory than
/// the set, and tells later whether the set may have a partner.
pub struct DigestSieve {
    slots: Slots,
    /// One past the largest element that is counted.
    end: u64,
    /// Slots for each of the first 32 bits of an element, times 2³².
    scale: u64,
}

/// The parts of the share of elements that a [`DigestSieve`] counts.
const PARTS: u64 = 1 << 10;

impl DigestSieve {
    /// Makes a sieve of about this many bytes that counts `parts` in 1,024 of all elements.
    pub fn new(storage: &dyn Storage, bytes: usize, parts: u32) -> Result<DigestSieve, StorageError> {
        let end = (u64::from(parts).clamp(1, PARTS) << 32) / PARTS;
        // Slots are found by 32 bits, so there is no use for more.
        let slots = Slots::new(storage, bytes.min(1 << 29), PER_BYTE, 0..1 << 64)?;
        let scale = ((u128::from(slots.slots) << 32) / u128::from(end)) as u64;
        Ok(DigestSieve { slots, end, scale })
    }

    /// Appends the digest of a set, which is ascending.
    pub fn digest(&self, set: &[u64], digest: &mut Vec<u32>) {
        let counted = set.partition_point(|element| element >> 32 < self.end);
        digest.extend(set[..counted].iter().map(|element| (element >> 32) as u32));
    }

    #[inline]
    fn slot(&self, short: u32) -> u64 {
        ((u128::from(short) * u128::from(self.scale)) >> 32) as u64
    }

    /// Counts the elements of a digest.
    pub fn add(&self, digest: &[u32]) {
        for_each_slot(self.slots.bytes(), digest, PER_BYTE, |short| self.slot(short), count);
    }

    /// Returns how many elements of a digest are in no other set. It may be too low.
    pub fn singles(&self, digest: &[u32]) -> u32 {
        let mut singles = 0;
        let each = |bytes: &[AtomicU8], slot: u64| singles += u32::from(is_single(bytes, slot));
        for_each_slot(self.slots.bytes(), digest, PER_BYTE, |short| self.slot(short), each);
        singles
    }
}

/// Counts elements up to about two hundred, in a byte per slot. Any thread may add sets.
pub struct Frequencies {
    slots: Slots,
    /// Counts stop here, so that all threads together cannot make a byte overflow.
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
            share in 1..1025u32,
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
            let digests = DigestSieve::new(&Memory, bytes, share).unwrap();
            let digest = |set: &[u64]| {
                let mut digest = Vec::new();
                digests.digest(set, &mut digest);
                digest
            };
            std::thread::scope(|scope| {
                for some in sets.chunks(sets.len().div_ceil(3).max(1)) {
                    let (sieve, parts, frequencies, digests, digest) = (&sieve, &parts, &frequencies, &digests, &digest);
                    scope.spawn(move || some.iter().for_each(|set| {
                        sieve.add(set);
                        parts.iter().for_each(|part| part.add(set));
                        frequencies.add(set);
                        digests.add(&digest(set));
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
                let is_counted = |element: &&u64| u128::from(**element) < (u128::from(share) << 54);
                let counted = set.iter().filter(is_counted).filter(|element| exact[element] == 1).count() as u32;
                prop_assert!(digests.singles(&digest(set)) <= counted);
                for (element, &count) in set.iter().zip(&counts) {
                    prop_assert!(usize::from(count) >= exact[element].min(usize::from(frequencies.most)));
                }
                if bytes == 1 << 20 {
                    prop_assert_eq!((sieve.singles(set), of_parts), (singles, singles));
                    prop_assert_eq!(digests.singles(&digest(set)), counted);
                }
            }
        }
    }
}
