//! Which code does an element have, and how many documents have it?

use std::io::{self, Read, Write};

use crate::arch::prefetch;
use crate::window::numbers::{put, take};

/// Codes the elements of the documents in the window as small numbers, and counts the documents that have each.
///
/// It is a hash table with linear probing. Elements are hashes already, so the top bits give the slot. The ascending
/// elements of a set have ascending slots, which is good for the cache and easy to prefetch.
pub(super) struct Dictionary {
    /// A power of two, at most three quarters full.
    slots: Vec<Slot>,
    used: usize,
    /// By code.
    elements: Vec<u64>,
    /// Codes that are free again.
    free: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    element: u64,
    code: u32,
    /// The number of documents with the element; 0 if the slot is free.
    count: u32,
}

/// Slots in an empty dictionary.
const FEWEST: usize = 16;
/// How many elements ahead to prefetch.
const AHEAD: usize = 16;

impl Default for Dictionary {
    fn default() -> Dictionary {
        Dictionary { slots: vec![Slot::default(); FEWEST], used: 0, elements: Vec::new(), free: Vec::new() }
    }
}

impl Dictionary {
    /// Appends the codes of the elements of a set that some document has.
    pub(super) fn look_up(&self, set: &[u64], codes: &mut Vec<u32>) {
        for (at, &element) in set.iter().enumerate() {
            self.prefetch_ahead(set, at);
            let slot = self.slots[self.find(element)];
            if slot.count > 0 {
                codes.push(slot.code);
            }
        }
    }

    /// Adds a document with this set, and appends the codes of its elements.
    pub(super) fn take(&mut self, set: &[u64], codes: &mut Vec<u32>) {
        while (self.used + set.len()) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        for (at, &element) in set.iter().enumerate() {
            self.prefetch_ahead(set, at);
            let found = self.find(element);
            if self.slots[found].count == 0 {
                let code = self.new_code(element);
                self.slots[found] = Slot { element, code, count: 0 };
                self.used += 1;
            }
            self.slots[found].count += 1;
            codes.push(self.slots[found].code);
        }
    }

    /// Removes a document with these codes.
    pub(super) fn release(&mut self, codes: &[u32]) {
        for (at, &code) in codes.iter().enumerate() {
            if let Some(&later) = codes.get(at + 2 * AHEAD) {
                prefetch(&self.elements, later as usize);
            }
            if let Some(&later) = codes.get(at + AHEAD) {
                prefetch(&self.slots, self.home(self.elements[later as usize]));
            }
            self.release_one(code);
        }
    }

    fn release_one(&mut self, code: u32) {
        let found = self.find(self.elements[code as usize]);
        self.slots[found].count -= 1;
        if self.slots[found].count == 0 {
            self.free.push(code);
            self.used -= 1;
            self.close_gap(found);
        }
    }

    /// The maximum number of codes used at a time. All codes are below this.
    pub(super) fn codes(&self) -> usize {
        self.elements.len()
    }

    /// By code, how many documents have it.
    pub(super) fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.elements.len()];
        self.slots.iter().filter(|slot| slot.count > 0).for_each(|slot| counts[slot.code as usize] = slot.count);
        counts
    }

    fn new_code(&mut self, element: u64) -> u32 {
        match self.free.pop() {
            Some(code) => {
                self.elements[code as usize] = element;
                code
            }
            None => {
                self.elements.push(element);
                u32::try_from(self.elements.len() - 1).expect("a window of at most 2^32 different elements")
            }
        }
    }

    /// Returns the slot of an element, or the slot where it belongs.
    fn find(&self, element: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut at = self.home(element);
        while self.slots[at].count > 0 && self.slots[at].element != element {
            at = (at + 1) & last;
        }
        at
    }

    fn home(&self, element: u64) -> usize {
        (element >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn prefetch_ahead(&self, set: &[u64], at: usize) {
        if let Some(&later) = set.get(at + AHEAD) {
            prefetch(&self.slots, self.home(later));
        }
    }

    /// Moves entries back that would not be found after an empty slot.
    fn close_gap(&mut self, mut gap: usize) {
        let last = self.slots.len() - 1;
        let mut at = (gap + 1) & last;
        while self.slots[at].count > 0 {
            let home = self.home(self.slots[at].element);
            if (at.wrapping_sub(home) & last) >= (at.wrapping_sub(gap) & last) {
                self.slots.swap(gap, at);
                gap = at;
            }
            at = (at + 1) & last;
        }
    }

    fn grow(&mut self) {
        let twice = vec![Slot::default(); self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, twice).into_iter().filter(|slot| slot.count > 0) {
            let found = self.find(slot.element);
            self.slots[found] = slot;
        }
    }

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, self.elements.iter().copied())?;
        put(out, self.counts().into_iter())?;
        put(out, self.free.iter().copied())
    }

    pub(super) fn load(from: &mut impl Read) -> io::Result<Dictionary> {
        let (elements, counts, free): (Vec<u64>, Vec<u32>, _) = (take(from)?, take(from)?, take(from)?);
        let used = counts.iter().filter(|&&count| count > 0).count();
        let slots = (used * 4 / 3 + 1).next_power_of_two().max(FEWEST);
        let mut dictionary = Dictionary { slots: vec![Slot::default(); slots], used, elements: Vec::new(), free };
        for ((code, &element), &count) in (0..).zip(&elements).zip(&counts).filter(|(_, count)| **count > 0) {
            let found = dictionary.find(element);
            dictionary.slots[found] = Slot { element, code, count };
        }
        Ok(Dictionary { elements, ..dictionary })
    }
}
