//! Every pair of texts within an edit distance, exactly.
//!
//! The distance of two texts is the number of characters (Unicode scalar values) that must be inserted, deleted or replaced to make
//! one the other: Levenshtein's. At most δ edits leave something as it was, and by that a partner is found.
//!
//! ```text
//! group equal texts, and go on with one of each                                       edit/copies
//! for every text of n characters:                                                     edit/index
//!     if n ≥ q(δ+1): post its rarest grams, as few as δ edits cannot change all of    edit/grams
//!     else if n > δ: cut it into δ+1 pieces, and post those                           edit/pieces
//! for every text x, with every text y of the same length or up to δ less:             edit/search
//!     if y has grams: skip it unless x has one of them, not too far off
//!     if y has pieces: skip it unless one of them lies in x, not too far off
//!     skip y unless nearly the same characters occur an odd number of times in it as in x
//!     compute the distance, and give up when it exceeds δ                             edit/distance
//! for every pair of texts: every pair of documents that have them                     edit/copies
//! ```
//!
//! **Grams.** A gram is q characters in a row, and an edit changes at most q of them. All grams have one order: the rarest first, equal
//! ones by position. The *prefix* of a text is the shortest beginning of its grams, in that order, that δ edits cannot change
//! altogether: from δ + 1 to qδ + 1 grams (Xiao, Wang, Lin: Ed-Join, VLDB 2008). Let two texts be a pair. Of the one whose prefix ends
//! first in the order, or with the other's, a gram of the prefix is unchanged in the other text; it comes no later than that
//! end, and so lies in the other prefix too. It is off by no more than the edits before it and, seen from the end, by no more than those behind
//! it; both together are at most δ. (One case more: both prefixes end with equal grams, and the unchanged one lies in the other text
//! behind the end. Then the last gram of that prefix equals it and is less far off.)
//!
//! **Pieces** are for texts that have too few grams for that; `pieces.rs` tells why they suffice. Texts of at most δ characters have not
//! even pieces, and are compared with all that are at most δ longer.

mod alphabet;
mod copies;
mod distance;
mod grams;
mod hash;
mod index;
mod lists;
mod pieces;
mod search;
mod texts;

use std::num::NonZeroU32;

use rayon::prelude::*;

use crate::sets::Groups;
use copies::{Collection, Copies};
use index::Index;
use search::{Match, Scratches, earlier_matches};
pub use texts::Texts;

/// Two documents whose texts lie within the distance. `a` is less than `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EditPair {
    /// The one that comes first in the input.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// How many characters must be inserted, deleted or replaced to make one text the other.
    pub distance: u32,
}

/// Finds every pair of texts within an edit distance.
///
/// ```
/// use std::sync::Mutex;
///
/// use lookalike::{EditJoin, EditPair, Texts};
///
/// let texts: Texts = ["Zürich", "Zurich", "Munich", "Zürich", ""].iter().collect();
/// let pairs = Mutex::new(Vec::new());
/// EditJoin::new(1).pairs(&texts, None, None, |_| (), |block| pairs.lock().unwrap().extend(block));
/// let mut pairs = pairs.into_inner().unwrap();
/// pairs.sort();
/// assert_eq!(
///     pairs,
///     [
///         EditPair { a: 0, b: 1, distance: 1 },
///         EditPair { a: 0, b: 3, distance: 0 },
///         EditPair { a: 1, b: 3, distance: 1 },
///     ]
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditJoin {
    /// The greatest distance of a pair.
    pub distance: u32,
    /// How many characters a gram has; by default as many as suit the texts. It changes the work and never the answer.
    pub q: Option<NonZeroU32>,
}

impl EditJoin {
    /// A join within this distance, with grams that suit the texts.
    pub fn new(distance: u32) -> EditJoin {
        EditJoin { distance, q: None }
    }

    /// Finds every pair.
    ///
    /// With `split`, documents from that number on are a second collection, and pairs have one document in each. With `within`,
    /// which has a number for each document, only documents with equal numbers are compared. An empty text is in no pair.
    ///
    /// Blocks of pairs are given to `emit` in no particular order, by several threads at once. `progress` is told how many more
    /// documents are done.
    pub fn pairs(
        &self,
        texts: &Texts,
        split: Option<u32>,
        within: Option<&[u64]>,
        progress: impl Fn(usize) + Sync,
        emit: impl Fn(Vec<EditPair>) + Sync,
    ) {
        let collection = Collection { texts, split, within };
        let copies = Copies::new(&collection, &collection.equal_texts());
        self.join(collection, &copies, progress, emit, |block, place, matches| {
            copies.equal(place, |pair| block.push(pair));
            for found in matches {
                copies.between(place, found.place, found.distance, |pair| block.push(pair));
            }
        });
    }

    /// Finds every pair of distinct texts, named by the documents that stand for them: the first of each. Tells which those are.
    ///
    /// The arguments are those of [`pairs`](EditJoin::pairs); a collection of many copies has far fewer of these. With `split`, two
    /// texts are a pair if any of their copies are.
    pub fn distinct_pairs(
        &self,
        texts: &Texts,
        split: Option<u32>,
        within: Option<&[u64]>,
        progress: impl Fn(usize) + Sync,
        emit: impl Fn(Vec<EditPair>) + Sync,
    ) -> Groups {
        let collection = Collection { texts, split, within };
        let groups = collection.equal_texts();
        let copies = Copies::new(&collection, &groups);
        self.join(collection, &copies, progress, emit, |block, place, matches| {
            for found in matches {
                let (x, y) = (copies.first(place), copies.first(found.place));
                block.push(EditPair { a: x.min(y), b: x.max(y), distance: found.distance });
            }
        });
        groups
    }

    /// Calls `report` for each place, with the earlier places that it matches.
    fn join<E: Fn(Vec<EditPair>) + Sync>(
        &self,
        collection: Collection,
        copies: &Copies,
        progress: impl Fn(usize) + Sync,
        emit: E,
        report: impl Fn(&mut Block<E>, u32, Vec<Match>) + Sync,
    ) {
        progress(collection.texts.len() - copies.documents());
        // Distinct texts are at least one edit apart.
        let index = (self.distance > 0).then(|| Index::new(self, collection, copies));
        let scratches = Scratches::new(copies.places());
        (0..copies.places())
            .into_par_iter()
            .with_min_len(16)
            .fold(
                || Block { pairs: Vec::new(), emit: &emit },
                |mut block, place| {
                    let matches = index.as_ref().map(|index| earlier_matches(index, &scratches, place));
                    report(&mut block, place, matches.unwrap_or_default());
                    progress(copies.of(place).len());
                    block
                },
            )
            .for_each(|mut block| block.flush());
    }
}

/// Collects pairs, to hand over many at a time.
struct Block<'a, E> {
    pairs: Vec<EditPair>,
    emit: &'a E,
}

impl<E: Fn(Vec<EditPair>)> Block<'_, E> {
    const FULL: usize = 1 << 14;

    #[inline]
    fn push(&mut self, pair: EditPair) {
        self.pairs.push(pair);
        if self.pairs.len() == Self::FULL {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.pairs.is_empty() {
            (self.emit)(std::mem::take(&mut self.pairs));
        }
    }
}
