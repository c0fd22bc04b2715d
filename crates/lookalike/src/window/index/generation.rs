//! Which documents were entered under one order of elements?
//!
//! Elements are ordered by how many documents had them when the generation began, ties by latest code first: elements
//! that came later are the rarest. The position of an element is fixed while any document has it, because codes do not
//! change and the counts are frozen.
//!
//! Of a set of n elements, the first n − α + ℓ in the order are entered, where α is the least number that it shares
//! with any partner. Two partners share at least the α of each. Take the set whose entered elements end first in the
//! order. All but α − ℓ of its elements are entered, so at least ℓ of the shared ones are, and the other set has
//! entered these too.
//!
//! Documents are numbered in bands, by size. Some bands have no partner of a set. A partner in a band of larger sizes
//! shares more than α elements, so fewer elements are looked up there: the most frequent, which have the longest lists,
//! are skipped.

use std::io::{self, Read, Write};

use super::band::{Band, Entered};
use super::lists::{BANDS, Lists, NUMBERS};
use crate::measure::Threshold;
use crate::window::numbers::{put, take, take_one};
use crate::window::verdict::DocumentRef;

#[derive(Default)]
pub(super) struct Generation {
    /// By code, how many documents had it.
    frozen: Vec<u32>,
    /// By code, the numbers of the documents that entered it.
    lists: Lists,
    /// By size, ascending; the first band has the smallest sizes.
    bands: Vec<Band>,
}

/// Scratch memory that all generations share.
pub(super) struct Scratch {
    /// By document, the number of entered elements it shares with the searched set, capped at [`MANY`]; all 0 between
    /// searches. It covers every 16-bit number, so no access is out of range.
    hits: Box<[u8; 1 << 16]>,
    /// Elements in the order of a generation, as far as needed: the first ones come before all others.
    keys: Vec<Key>,
    selected: usize,
    looks: Vec<Look>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { hits: Box::new([0; 1 << 16]), keys: Vec::new(), selected: 0, looks: Vec::new() }
    }
}

/// How to search a band.
#[derive(Clone, Copy)]
struct Look {
    band: usize,
    own: Division,
    /// How many elements are looked up.
    places: usize,
    /// A document with fewer hits is not a partner.
    fewest: u8,
}

/// An element: its position in the order of a generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

impl Key {
    fn new(count: u32, code: u32) -> Key {
        Key(u64::from(count) << 32 | u64::from(!code))
    }

    #[inline]
    fn code(self) -> usize {
        !(self.0 as u32) as usize
    }
}

/// How many elements of a set of some size are entered.
#[derive(Clone, Copy)]
struct Division {
    /// ℓ, the number of entered elements it shares with any partner.
    shared: u32,
    /// How many of its elements are not entered.
    rest: u32,
}

impl Division {
    fn of(size: u32, threshold: &Threshold) -> Division {
        let least = size + 1 - threshold.long_prefix(size).clamp(1, size);
        // With fewer, documents with little in common become candidates; with more, lists are read in vain.
        let shared = (4 + size / 100).min(MOST_SHARED).min(least);
        Division { shared, rest: least - shared }
    }

    /// The same, for partners with which it shares at least this many.
    fn sharing(self, least: u32) -> Division {
        Division { rest: self.rest.max(least.saturating_sub(self.shared)), ..self }
    }
}

/// How many hits are counted exactly.
const MANY: u8 = 128;
/// How many elements are looked up before hits are capped to [`MANY`]: a byte can hold this many more.
const ROUND: usize = (u8::MAX - MANY) as usize;
/// At most as many as are counted exactly.
const MOST_SHARED: u32 = 100;
/// The minimum documents for a band; few in tests, whose streams are short.
const OF_A_BAND: usize = if cfg!(test) { 3 } else { 512 };
/// How many lists ahead to prefetch.
const AHEAD: usize = 6;

impl Generation {
    /// Starts a generation with these counts of elements and sizes of documents.
    pub(super) fn new(counts: Vec<u32>, mut sizes: Vec<u32>) -> Generation {
        sizes.sort_unstable();
        let bands = (sizes.len() / OF_A_BAND).clamp(1, BANDS);
        let mut starts: Vec<u32> = (1..bands).map(|band| sizes[sizes.len() * band / bands]).collect();
        starts.insert(0, 0);
        starts.dedup();
        Generation { frozen: counts, lists: Lists::default(), bands: starts.into_iter().map(Band::new).collect() }
    }

    /// The number of its documents in the window.
    pub(super) fn live(&self) -> usize {
        self.bands.iter().map(Band::live).sum()
    }

    /// Their sizes.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u32> {
        self.bands.iter().flat_map(Band::sizes)
    }

    /// The number of documents that a band can hold.
    fn width(&self) -> usize {
        NUMBERS / self.bands.len()
    }

    /// Whether a band is full.
    pub(super) fn is_full(&self) -> bool {
        self.bands.iter().any(|band| band.len() == self.width())
    }

    /// Enters a document with the elements that were ordered last, unless the band is full.
    pub(super) fn insert(&mut self, at: DocumentRef, threshold: &Threshold, scratch: &mut Scratch) {
        let Scratch { keys, selected, .. } = scratch;
        let size = keys.len() as u32;
        let places = size - Division::of(size, threshold).rest;
        // At least as many as were looked up.
        select(&mut keys[*selected..], places as usize - *selected);
        let band = self.bands.partition_point(|band| band.from <= size) - 1;
        let number = (band * self.width() + self.bands[band].len()) as u16;
        for at in 0..places as usize {
            self.prefetch_ahead(keys, at, |code| self.lists.prefetch_list(code, band..BANDS));
            self.lists.insert(keys[at].code(), band, number);
        }
        self.bands[band].push(Entered { at, size });
    }

    /// Removes the documents for which `is_gone` returns true.
    pub(super) fn forget(&mut self, is_gone: impl Fn(DocumentRef) -> bool) {
        self.bands.iter_mut().for_each(|band| band.forget(&is_gone));
        let (gone, live) = (self.bands.iter().map(Band::gone).sum::<usize>(), self.live());
        // The first documents leave first. Lists are cleaned when that pays.
        if gone > live / 4 && live > 0 {
            let width = self.width();
            let mut firsts = [0; BANDS];
            for (number, band) in self.bands.iter_mut().enumerate() {
                firsts[number] = (number * width) as u16 + band.mark();
            }
            self.lists.drop_below(firsts);
        }
    }

    /// Calls `each` with every document that may share enough with a set of these elements and `unknown` more that no
    /// document of the window has.
    pub(super) fn candidates(
        &self,
        codes: &[u32],
        unknown: u32,
        threshold: &Threshold,
        scratch: &mut Scratch,
        mut each: impl FnMut(Entered),
    ) {
        let size = codes.len() as u32 + unknown;
        let (least, greatest) = threshold.partners(size);
        self.plan(size, unknown, threshold, &mut scratch.looks);
        self.order(codes, scratch);
        self.count_hits(scratch);
        for &Look { band, own, fewest, .. } in &scratch.looks {
            let hits = &mut scratch.hits[band * self.width()..][..self.bands[band].len()];
            self.bands[band].take_hits(hits, fewest, |other, hits| {
                if (least..=greatest).contains(&other.size) {
                    let rest = own.rest.max(Division::of(other.size, threshold).rest);
                    let enough = threshold.needed(size, other.size).saturating_sub(rest).min(MANY.into());
                    if u32::from(hits) >= enough {
                        each(other);
                    }
                }
            });
        }
    }

    /// Fills `looks` for all bands that may have partners of a set of some size.
    fn plan(&self, size: u32, unknown: u32, threshold: &Threshold, looks: &mut Vec<Look>) {
        let (least, greatest) = threshold.partners(size);
        looks.clear();
        for (band, Band { from, .. }) in self.bands.iter().enumerate() {
            let is_below = self.bands.get(band + 1).is_some_and(|next| next.from <= least);
            if is_below || *from > greatest {
                continue;
            }
            // Larger partners share more, so the bound for the smallest of a band holds for all of it.
            let smallest = least.max(*from).max(1);
            let own = Division::of(size, threshold).sharing(threshold.needed(size, smallest).min(size));
            // Elements that no document has are the rarest.
            let places = (size - own.rest).saturating_sub(unknown) as usize;
            // This holds for any size of the other set, because ℓ grows with it.
            let fewest = own.shared.min(Division::of(smallest, threshold).shared).max(1) as u8;
            looks.push(Look { band, own, places, fewest });
        }
    }

    /// Counts, for each document, how many of the elements in `keys` it has entered.
    fn count_hits(&self, scratch: &mut Scratch) {
        let Scratch { hits, keys, selected, looks } = scratch;
        let Some(&Look { band: lowest, places: most, .. }) = looks.first() else { return };
        // Later bands look up fewer elements, so those that all bands look up come first.
        let mut left = keys.len();
        for look in &*looks {
            select(&mut keys[..left], look.places);
            left = left.min(look.places);
        }
        *selected = most.min(keys.len());
        let (mut begin, mut round) = (0, 0);
        for look in looks.iter().rev() {
            let bands = lowest..look.band + 1;
            let end = look.places.min(keys.len());
            for at in begin..end {
                self.prefetch_ahead(keys, at, |code| self.lists.prefetch_list(code, bands.clone()));
                for &number in self.lists.of(keys[at].code(), bands.clone()) {
                    let hits = &mut hits[usize::from(number)];
                    *hits = hits.wrapping_add(1);
                }
                round += 1;
                if round == ROUND {
                    hits.iter_mut().for_each(|hits| *hits = MANY.min(*hits));
                    round = 0;
                }
            }
            begin = end;
        }
    }

    /// Prefetches a list. The entry that locates it must be loaded before the list itself can be prefetched.
    #[inline]
    fn prefetch_ahead(&self, keys: &[Key], at: usize, prefetch_list: impl Fn(usize)) {
        if let Some(key) = keys.get(at + 2 * AHEAD) {
            self.lists.prefetch_head(key.code());
        }
        if let Some(key) = keys.get(at + AHEAD) {
            prefetch_list(key.code());
        }
    }

    /// Computes the positions of these elements in the order.
    pub(super) fn order(&self, codes: &[u32], scratch: &mut Scratch) {
        let frozen = |code: u32| self.frozen.get(code as usize).copied().unwrap_or(0);
        let Scratch { keys, selected, .. } = scratch;
        *selected = 0;
        keys.clear();
        keys.extend(codes.iter().map(|&code| Key::new(frozen(code), code)));
    }

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, self.frozen.iter().copied())?;
        put(out, [self.bands.len() as u64].into_iter())?;
        self.bands.iter().try_for_each(|band| band.save(out))?;
        self.lists.save(out)
    }

    pub(super) fn load(from: &mut impl Read) -> io::Result<Generation> {
        let (frozen, bands): (_, u64) = (take(from)?, take_one(from)?);
        let bands = (0..bands).map(|_| Band::load(from)).collect::<io::Result<_>>()?;
        Ok(Generation { frozen, bands, lists: Lists::load(from)? })
    }
}

/// Moves the first `places` elements of the order to the front, in any order.
fn select(keys: &mut [Key], places: usize) {
    if places < keys.len() {
        keys.select_nth_unstable(places);
    }
}
