//! Documents that were entered under one order of elements.
//!
//! Elements are ordered by how many documents had them when the generation began, those that came last first among equals: what came
//! later than that is the rarest. The place of an element never changes as long as a document has it: codes do not change so long, and
//! counts are frozen.
//!
//! Of a set of n elements, those at the first n − α + ℓ places of the order are entered, where α is the least that it shares with any
//! partner. Two partners share at least α elements, of each its own. Take the set whose entered elements end first in the order: all but
//! α − ℓ of its elements are entered, so ℓ or more of the shared ones are, and the other set has entered these too.
//!
//! Documents are numbered in bands, by their sizes. Some bands have no partner of a set. Those of the larger sizes share more with it than
//! α, and so fewer of its elements are looked for there: the most frequent, which are entered for most documents, are left out.

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
    /// By code, the numbers of the documents that it is entered for.
    lists: Lists,
    /// By size, ascending; the first has the smallest of all.
    bands: Vec<Band>,
}

/// What all generations share, one after another.
pub(super) struct Scratch {
    /// By document, entered elements that it shares with the one that is looked for, of many at least [`MANY`]; all 0 in between. For all
    /// that two bytes can number, so that none lies outside.
    hits: Box<[u8; 1 << 16]>,
    /// Elements in the order of a generation, as far as was needed: the first so many come before all others.
    keys: Vec<Key>,
    selected: usize,
    looks: Vec<Look>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { hits: Box::new([0; 1 << 16]), keys: Vec::new(), selected: 0, looks: Vec::new() }
    }
}

/// How a band is looked at.
#[derive(Clone, Copy)]
struct Look {
    band: usize,
    own: Division,
    /// How many elements are looked for.
    places: usize,
    /// Who has fewer hits is no partner.
    fewest: u8,
}

/// An element: its place in the order of a generation.
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

    /// The same for partners with which it shares at least so much.
    fn sharing(self, least: u32) -> Division {
        Division { rest: self.rest.max(least.saturating_sub(self.shared)), ..self }
    }
}

/// How many hits need to be told apart.
const MANY: u8 = 128;
/// How many elements are looked for before hits are cut down to [`MANY`]: with so many more a byte still holds them.
const ROUND: usize = (u8::MAX - MANY) as usize;
/// Not more than can be told apart.
const MOST_SHARED: u32 = 100;
/// Documents for which there is a band; few in tests, whose streams are short.
const OF_A_BAND: usize = if cfg!(test) { 3 } else { 512 };
/// How many lists ahead memory is asked for one.
const AHEAD: usize = 6;

impl Generation {
    /// A generation that begins when elements have these counts, and documents these sizes.
    pub(super) fn new(counts: Vec<u32>, mut sizes: Vec<u32>) -> Generation {
        sizes.sort_unstable();
        let bands = (sizes.len() / OF_A_BAND).clamp(1, BANDS);
        let mut starts: Vec<u32> = (1..bands).map(|band| sizes[sizes.len() * band / bands]).collect();
        starts.insert(0, 0);
        starts.dedup();
        Generation { frozen: counts, lists: Lists::default(), bands: starts.into_iter().map(Band::new).collect() }
    }

    /// How many of its documents are in the window.
    pub(super) fn live(&self) -> usize {
        self.bands.iter().map(Band::live).sum()
    }

    /// The sizes of these.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u32> {
        self.bands.iter().flat_map(Band::sizes)
    }

    /// How many documents of a band can be numbered.
    fn width(&self) -> usize {
        NUMBERS / self.bands.len()
    }

    /// Whether a band has as many documents as can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.bands.iter().any(|band| band.len() == self.width())
    }

    /// Enters a document with the elements that were ordered last; not if it is full.
    pub(super) fn insert(&mut self, at: DocumentRef, threshold: &Threshold, scratch: &mut Scratch) {
        let Scratch { keys, selected, .. } = scratch;
        let size = keys.len() as u32;
        let places = size - Division::of(size, threshold).rest;
        // Not fewer than were looked for.
        select(&mut keys[*selected..], places as usize - *selected);
        let band = self.bands.partition_point(|band| band.from <= size) - 1;
        let number = (band * self.width() + self.bands[band].len()) as u16;
        for at in 0..places as usize {
            self.ask_ahead(keys, at, |code| self.lists.ask_for(code, band..BANDS));
            self.lists.insert(keys[at].code(), band, number);
        }
        self.bands[band].push(Entered { at, size });
    }

    /// Forgets those of its documents that this is said of.
    pub(super) fn forget(&mut self, is_gone: impl Fn(DocumentRef) -> bool) {
        self.bands.iter_mut().for_each(|band| band.forget(&is_gone));
        let (gone, live) = (self.bands.iter().map(Band::gone).sum::<usize>(), self.live());
        // Those who came first leave first. Lists are gone through when that pays.
        if gone > live / 4 && live > 0 {
            let width = self.width();
            let mut firsts = [0; BANDS];
            for (number, band) in self.bands.iter_mut().enumerate() {
                firsts[number] = (number * width) as u16 + band.mark();
            }
            self.lists.drop_below(firsts);
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

    /// Makes `looks` those at all bands that may have partners of a set of some size.
    fn plan(&self, size: u32, unknown: u32, threshold: &Threshold, looks: &mut Vec<Look>) {
        let (least, greatest) = threshold.partners(size);
        looks.clear();
        for (band, Band { from, .. }) in self.bands.iter().enumerate() {
            let is_below = self.bands.get(band + 1).is_some_and(|next| next.from <= least);
            if is_below || *from > greatest {
                continue;
            }
            // With larger partners more is shared: what is enough for the smallest of a band is for all.
            let smallest = least.max(*from).max(1);
            let own = Division::of(size, threshold).sharing(threshold.needed(size, smallest).min(size));
            // Elements that nobody has are the rarest of all.
            let places = (size - own.rest).saturating_sub(unknown) as usize;
            // Whatever the size of the other: ℓ grows with that.
            let fewest = own.shared.min(Division::of(smallest, threshold).shared).max(1) as u8;
            looks.push(Look { band, own, places, fewest });
        }
    }

    /// How many of the elements in `keys` are entered for each document, by what is to be looked at.
    fn count_hits(&self, scratch: &mut Scratch) {
        let Scratch { hits, keys, selected, looks } = scratch;
        let Some(&Look { band: lowest, places: most, .. }) = looks.first() else { return };
        // From band to band fewer: those that are looked for in all bands come to lie first.
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
                self.ask_ahead(keys, at, |code| self.lists.ask_for(code, bands.clone()));
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

    /// Asks for memory that will soon be needed: where a list is must have come before the list itself can be asked for.
    #[inline]
    fn ask_ahead(&self, keys: &[Key], at: usize, ask: impl Fn(usize)) {
        if let Some(key) = keys.get(at + 2 * AHEAD) {
            self.lists.ask_where(key.code());
        }
        if let Some(key) = keys.get(at + AHEAD) {
            ask(key.code());
        }
    }

    /// Gives these elements their places in the order.
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

/// Brings the first so many in their order to the beginning, in any order.
fn select(keys: &mut [Key], places: usize) {
    if places < keys.len() {
        keys.select_nth_unstable(places);
    }
}
