//! Which earlier texts are similar to a text?

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::distance::{Frontier, distance_within};
use super::index::Index;
use super::lists::Entry;
use super::pieces::Cut;

/// A similar text.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub(super) place: u32,
    pub(super) distance: u32,
}

/// Scratch memory of a thread, kept between searches.
struct Scratch {
    /// By place, the last search, counted from 1, that compared it.
    compared: Vec<u32>,
    frontier: Frontier,
}

/// Scratch memory for every thread of the current pool, allocated once because it is as large as the collection.
pub(super) struct Scratches(Vec<Mutex<Scratch>>);

impl Scratches {
    pub(super) fn new(places: u32) -> Scratches {
        let scratch = |_| Mutex::new(Scratch { compared: vec![0; places as usize], frontier: Frontier::default() });
        Scratches((0..rayon::current_num_threads().max(1)).map(scratch).collect())
    }

    fn own(&self) -> MutexGuard<'_, Scratch> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns every earlier place whose text is similar to this one's.
pub(super) fn earlier_matches(index: &Index, scratches: &Scratches, place: u32) -> Vec<Match> {
    let length = index.texts[place as usize].length();
    let mut search = Search { index, place, length, scratch: &mut scratches.own(), matches: Vec::new() };
    search.one_by_one();
    search.by_pieces();
    search.by_grams();
    search.matches
}

/// A search for the partners of one text.
struct Search<'a> {
    index: &'a Index<'a>,
    place: u32,
    length: u32,
    scratch: &'a mut Scratch,
    matches: Vec<Match>,
}

impl Search<'_> {
    /// The least length of a partner.
    fn least(&self) -> u32 {
        self.length.saturating_sub(self.index.distance)
    }

    /// Searches texts so short that a similar one may share nothing with them.
    fn one_by_one(&mut self) {
        for length in self.least()..=self.index.distance.min(self.length) {
            let first = |length: u32| self.index.texts.partition_point(|text| text.length() < length) as u32;
            self.compare_all(length, first(length)..first(length + 1));
        }
    }

    fn by_pieces(&mut self) {
        let index = self.index;
        let (text, seed) = index.text_and_seed(self.place);
        for length in self.least().max(index.distance.saturating_add(1))..=self.length {
            if !index.is_long(length) {
                Cut::new(length, index.distance).keys_in(text, self.length, seed, |key| {
                    self.compare_all(length, places(index.pieces.list(key)));
                });
            }
        }
    }

    fn by_grams(&mut self) {
        if !self.index.is_long(self.length) {
            return;
        }
        for gram in self.index.prefix(self.place) {
            let mut list = self.index.grams.list(gram.key);
            for length in self.least()..=self.length {
                let longer = self.length - length;
                // How far the position may be off, given the edits before it and, from the end, those after it.
                let spare = (self.index.distance - longer) / 2;
                let from = (length, gram.position.saturating_sub(longer + spare));
                let to = (length, gram.position + spare);
                list = &list[list.partition_point(|entry| (entry.length, entry.position) < from)..];
                let near = list.partition_point(|entry| (entry.length, entry.position) <= to);
                self.compare_all(length, places(&list[..near]));
            }
        }
    }

    /// Compares with the texts at these places, all of one length.
    #[inline]
    fn compare_all(&mut self, length: u32, places: impl Iterator<Item = u32>) {
        let signatures = &self.index.signatures;
        let signature = signatures[self.place as usize];
        // An edit changes at most two bits, or one if it adds a character. At least as many add one as this text is
        // longer.
        let most = u64::from(self.index.distance) * 2 - u64::from(self.length - length);
        for place in places {
            // Each pair is found from its later place.
            if place < self.place && u64::from((signature ^ signatures[place as usize]).count_ones()) <= most {
                self.compare(place);
            }
        }
    }

    fn compare(&mut self, place: u32) {
        let compared = &mut self.scratch.compared[place as usize];
        if *compared == self.place + 1 {
            return;
        }
        *compared = self.place + 1;
        if self.index.meet(self.place, place) {
            let text = |place: u32| self.index.texts[place as usize];
            let (x, y) = (text(self.place), text(place));
            let distance = distance_within(x, y, self.index.distance, &mut self.scratch.frontier);
            self.matches.extend(distance.map(|distance| Match { place, distance }));
        }
    }
}

fn places(entries: &[Entry]) -> impl Iterator<Item = u32> {
    entries.iter().map(|entry| entry.place)
}
