//! Documents that were entered under one order of elements.
//!
//! Elements are ordered by how many documents had them when the generation began, those that came last first among equals: what came
//! later than that is the rarest. The place of an element never changes as long as a document has it: codes do not change so long, and
//! counts are frozen.
//!
//! Of a set of n elements, those at the first n − α + ℓ places of the order are entered, where α is the least that it shares with any
//! partner. Two partners share at least α elements, of each its own. Take the set whose entered elements end first in the order: all but
//! α − ℓ of its elements are entered, so ℓ or more of the shared ones are, and the other set has entered these too.

use super::DocumentRef;
use super::lists::{Lists, NUMBERS};
use crate::measure::Threshold;

#[derive(Default)]
pub(super) struct Generation {
    /// By code, how many documents had it.
    frozen: Vec<u32>,
    /// By code, the numbers of the documents that it is entered for.
    lists: Lists,
    /// By number.
    documents: Vec<Entered>,
    /// The number of the first that is not gone, if there is one.
    first: u16,
    live: usize,
}

/// What all generations share, one after another.
pub(super) struct Scratch {
    /// By document, entered elements that it shares with the one that is looked for, up to what a byte holds; all 0 in between. For all
    /// that two bytes can number, so that none lies outside.
    hits: Box<[u8; 1 << 16]>,
    /// Elements in the order of a generation.
    keys: Vec<u64>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { hits: Box::new([0; 1 << 16]), keys: Vec::new() }
    }
}

/// A document of the generation.
#[derive(Clone, Copy)]
struct Entered {
    at: DocumentRef,
    /// How many elements it has; none if it is gone.
    size: u32,
}

/// A document that shares enough entered elements with another.
pub(super) struct Candidate {
    pub(super) at: DocumentRef,
    pub(super) size: u32,
}

/// How the elements of a set of some size are divided.
#[derive(Clone, Copy)]
struct Division {
    /// ℓ, how many entered elements it shares with any partner.
    shared: u32,
    /// How many of its elements are not entered.
    rest: u32,
}

impl Division {
    fn of(size: u32, threshold: &Threshold) -> Division {
        let least = size + 1 - threshold.long_prefix(size).clamp(1, size);
        // With fewer, documents that have little in common would be candidates; with more, more is looked at for nothing.
        let shared = (4 + size / 100).min(MOST_SHARED).min(least);
        Division { shared, rest: least - shared }
    }
}

/// Well below what a byte can count.
const MOST_SHARED: u32 = 200;
/// Documents whose hits are looked at together.
const TOGETHER: usize = 64;
/// How many lists ahead memory is asked for one.
const AHEAD: usize = 6;

impl Generation {
    /// A generation that begins when elements have these counts.
    pub(super) fn new(counts: Vec<u32>) -> Generation {
        Generation { frozen: counts, ..Generation::default() }
    }

    /// How many of its documents are in the window.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// Whether it has as many documents as can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.documents.len() == NUMBERS
    }

    /// Enters a document with these elements; not if it is full.
    pub(super) fn insert(&mut self, at: DocumentRef, codes: &[u32], threshold: &Threshold, scratch: &mut Scratch) {
        let size = codes.len() as u32;
        let number = self.documents.len() as u16;
        self.select(codes, size - Division::of(size, threshold).rest, &mut scratch.keys);
        let keys = &scratch.keys;
        for (at, &key) in keys.iter().enumerate() {
            self.ask_ahead(keys, at, Lists::ask_for_end);
            self.lists.push(code_of(key), number);
        }
        self.documents.push(Entered { at, size });
        self.live += 1;
    }

    /// Forgets those of its documents that this is said of.
    pub(super) fn forget(&mut self, is_gone: impl Fn(DocumentRef) -> bool) {
        for document in self.documents.iter_mut().filter(|document| document.size > 0 && is_gone(document.at)) {
            document.size = 0;
            self.live -= 1;
        }
        let first = self.documents.iter().take_while(|document| document.size == 0).count();
        // Those who came first leave first. Lists are gone through when that pays.
        if first - usize::from(self.first) > self.live / 16 && self.live > 0 {
            self.first = first as u16;
            self.lists.drop_below(self.first);
        }
    }

    /// Calls `each` with every document that may share enough with a set of these elements, and as many `unknown` ones that no document of
    /// the window has.
    pub(super) fn candidates(
        &self,
        codes: &[u32],
        unknown: u32,
        threshold: &Threshold,
        scratch: &mut Scratch,
        mut each: impl FnMut(Candidate),
    ) {
        let size = codes.len() as u32 + unknown;
        let own = Division::of(size, threshold);
        // Elements that nobody has are the rarest of all.
        self.select(codes, (size - own.rest).saturating_sub(unknown), &mut scratch.keys);
        self.count_hits(scratch);
        let (least, greatest) = threshold.partners(size);
        // Who shares fewer is no partner, whatever its size: ℓ grows with that.
        let fewest = own.shared.min(Division::of(least.max(1), threshold).shared).max(1) as u8;
        let documents = self.documents.chunks(TOGETHER);
        for (documents, hits) in documents.zip(scratch.hits.chunks_mut(TOGETHER)) {
            if hits.iter().fold(0, |most, &hits| most.max(hits)) >= fewest {
                for (&Entered { at, size: other }, &hits) in documents.iter().zip(&*hits) {
                    if hits < fewest || other == 0 || other < least || other > greatest {
                        continue;
                    }
                    let rest = own.rest.max(Division::of(other, threshold).rest);
                    let enough = threshold.needed(size, other).saturating_sub(rest).min(u8::MAX.into());
                    if u32::from(hits) >= enough {
                        each(Candidate { at, size: other });
                    }
                }
            }
            hits.fill(0);
        }
    }

    /// How many of the elements in `keys` are entered for each document.
    fn count_hits(&self, scratch: &mut Scratch) {
        let Scratch { hits, keys } = scratch;
        for (at, &key) in keys.iter().enumerate() {
            self.ask_ahead(keys, at, Lists::ask_for);
            for &number in self.lists.of(code_of(key)) {
                let hits = &mut hits[usize::from(number)];
                *hits = hits.saturating_add(1);
            }
        }
    }

    /// Asks for memory that will soon be needed: where a list is must have come before the list itself can be asked for.
    #[inline]
    fn ask_ahead(&self, keys: &[u64], at: usize, ask: impl Fn(&Lists, usize)) {
        if let Some(&key) = keys.get(at + 2 * AHEAD) {
            self.lists.ask_where(code_of(key));
        }
        if let Some(&key) = keys.get(at + AHEAD) {
            ask(&self.lists, code_of(key));
        }
    }

    /// Makes `keys` those of the first so many elements in the generation's order, in any order.
    fn select(&self, codes: &[u32], places: u32, keys: &mut Vec<u64>) {
        let frozen = |code: u32| self.frozen.get(code as usize).copied().unwrap_or(0);
        keys.clear();
        keys.extend(codes.iter().map(|&code| u64::from(frozen(code)) << 32 | u64::from(!code)));
        if (places as usize) < keys.len() {
            keys.select_nth_unstable(places as usize);
            keys.truncate(places as usize);
        }
    }
}

fn code_of(key: u64) -> usize {
    !(key as u32) as usize
}
