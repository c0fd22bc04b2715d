//! Documents that were entered under one order of elements.
//!
//! Elements are ordered by how many documents had them when the generation began, and by code: those that came later are the rarest. The
//! order of an element never changes as long as a document has it: codes do not change so long, and counts are frozen.
//!
//! Of a set of n elements, those at the first n − α + ℓ places of the order are entered, where α is the least that a partner can share.
//! Two sets that share α or more elements share at least ℓ of these, for at most n − (n − α + ℓ) of the shared ones lie behind the places of
//! the set whose places end first.

use hashbrown::HashMap;

use super::DocumentRef;
use crate::measure::Threshold;

#[derive(Default)]
pub(super) struct Generation {
    /// By code.
    frozen: Vec<u32>,
    postings: HashMap<u32, Vec<u32>>,
    documents: Vec<Entered>,
    live: usize,
    /// By document, entered elements that it shares with the one that is looked for; all 0 in between.
    hits: Vec<u32>,
    touched: Vec<u32>,
    keys: Vec<u64>,
}

/// A document of the generation.
#[derive(Clone, Copy)]
struct Entered {
    at: DocumentRef,
    /// How many elements it has; none if it is gone.
    size: u32,
    /// How many of them are not entered.
    rest: u32,
}

/// A document that shares entered elements with another.
pub(super) struct Candidate {
    pub(super) at: DocumentRef,
    pub(super) size: u32,
}

/// ℓ − 1: places more than it takes to share one element.
fn more_places(size: u32) -> u32 {
    4 + size / 16
}

/// How many elements of a set are entered, and looked up.
fn places(threshold: &Threshold, size: u32) -> u32 {
    threshold.long_prefix(size).saturating_add(more_places(size)).min(size)
}

impl Generation {
    /// A generation that begins when elements have these counts.
    pub(super) fn new(counts: &[u32]) -> Generation {
        Generation { frozen: counts.to_vec(), ..Generation::default() }
    }

    /// How many of its documents are in the window.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// Enters a document with these elements.
    pub(super) fn insert(&mut self, at: DocumentRef, codes: &[u32], threshold: &Threshold) {
        let size = codes.len() as u32;
        let places = places(threshold, size);
        let number = self.documents.len() as u32;
        self.select(codes, places as usize);
        for &key in &self.keys {
            self.postings.entry(key as u32).or_default().push(number);
        }
        self.documents.push(Entered { at, size, rest: size - places });
        self.hits.push(0);
        self.live += 1;
    }

    /// Forgets those of its documents that this is said of.
    pub(super) fn forget(&mut self, is_gone: impl Fn(DocumentRef) -> bool) {
        for document in self.documents.iter_mut().filter(|document| document.size > 0 && is_gone(document.at)) {
            document.size = 0;
            self.live -= 1;
        }
    }

    /// Calls `each` with every document that may share enough with a set of these elements, and as many `unknown` ones that no document of
    /// the window has.
    pub(super) fn candidates(
        &mut self,
        codes: &[u32],
        unknown: u32,
        threshold: &Threshold,
        mut each: impl FnMut(Candidate),
    ) {
        let size = codes.len() as u32 + unknown;
        let places = places(threshold, size);
        // Elements that nobody has are the rarest of all.
        self.select(codes, places.saturating_sub(unknown) as usize);
        for &key in &self.keys {
            for &document in self.postings.get(&(key as u32)).map_or(&[][..], Vec::as_slice) {
                let hits = &mut self.hits[document as usize];
                if *hits == 0 {
                    self.touched.push(document);
                }
                *hits += 1;
            }
        }
        let (least, greatest) = threshold.partners(size);
        for document in self.touched.drain(..) {
            let hits = std::mem::take(&mut self.hits[document as usize]);
            let other = self.documents[document as usize];
            if other.size < least || other.size > greatest || other.size == 0 {
                continue;
            }
            let behind = (size - places).max(other.rest);
            if hits >= threshold.needed(size, other.size).saturating_sub(behind).max(1) {
                each(Candidate { at: other.at, size: other.size });
            }
        }
    }

    /// Makes `keys` those of the first so many elements in the generation's order, in any order.
    fn select(&mut self, codes: &[u32], places: usize) {
        let frozen = |code: u32| self.frozen.get(code as usize).copied().unwrap_or(0);
        self.keys.clear();
        self.keys.extend(codes.iter().map(|&code| u64::from(frozen(code)) << 32 | u64::from(code)));
        if places < self.keys.len() {
            self.keys.select_nth_unstable(places);
            self.keys.truncate(places);
        }
    }
}
