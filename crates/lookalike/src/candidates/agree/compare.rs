//! How are fingerprints that agree in a piece compared with each other?
//!
//! ```text
//! sort by side: the first side, then both, then the second
//! copy all to tiles
//! for every x, every later y that is on another side, or on both:
//!     skip y if it differs from x in more than d bits
//!     skip y if it agrees with x in an earlier piece, where the pair was found
//!     (x, y) is a pair
//! ```

use std::ops::Range;

use rayon::prelude::*;

use super::pair::AgreePair;
use crate::arch::{LANES, Part, Tile, scan_far};
use crate::candidates::{Outgoing, Side};

/// The number of fingerprints from which all cores share the comparison.
const MANY: usize = if cfg!(test) { 20 } else { 1 << 12 };
/// How many of them a thread takes at a time, and how many tiles stay in its cache.
const ROWS: usize = if cfg!(test) { 3 } else { 64 };
const COLUMNS: usize = if cfg!(test) { 2 } else { 128 };

/// The definition of a pair.
pub(super) struct Comparer<'a, const W: usize, S, E> {
    pub(super) all: &'a [[u64; W]],
    pub(super) differ: u32,
    pub(super) pieces: Vec<Part>,
    /// `None` if all are on both sides.
    pub(super) side: Option<S>,
    pub(super) emit: &'a E,
}

impl<const W: usize, S, E> Comparer<'_, W, S, E>
where
    S: Fn(u32) -> Side + Sync,
    E: Fn(&[AgreePair]) + Sync,
{
    /// Makes a buffer for pairs.
    pub(super) fn outgoing(&self) -> Outgoing<'_, AgreePair, E> {
        Outgoing::new(self.emit)
    }

    /// Compares the fingerprints of a run, which all agree in a piece.
    pub(super) fn compare(
        &self,
        piece: usize,
        run: &mut [u32],
        tiles: &mut Vec<Tile<W>>,
        outgoing: &mut Outgoing<AgreePair, E>,
    ) {
        let partners = Partners::arrange(run, self.side.as_ref());
        if partners.is_empty() {
            return;
        }
        self.lay_out(run, tiles);
        let rows = 0..partners.seekers;
        let earlier = &self.pieces[..piece];
        if run.len() < MANY {
            for row in rows {
                self.scan(earlier, run, &partners, row, tiles, 0, outgoing);
            }
            return;
        }
        rows.step_by(ROWS).collect::<Vec<_>>().into_par_iter().for_each(|first| {
            let mut outgoing = self.outgoing();
            let rows = first..(first + ROWS).min(partners.seekers);
            for start in (partners.of(first).start / LANES..tiles.len()).step_by(COLUMNS) {
                let columns = &tiles[start..(start + COLUMNS).min(tiles.len())];
                for row in rows.clone() {
                    self.scan(earlier, run, &partners, row, columns, start, &mut outgoing);
                }
            }
        });
    }

    /// Finds the partners of one fingerprint in these tiles, the first of which has number `first`.
    #[expect(clippy::too_many_arguments, reason = "the innermost loop, in two places")]
    #[inline]
    fn scan(
        &self,
        earlier: &[Part],
        run: &[u32],
        partners: &Partners,
        row: usize,
        tiles: &[Tile<W>],
        first: usize,
        outgoing: &mut Outgoing<AgreePair, E>,
    ) {
        let partners = partners.of(row);
        let skipped = (partners.start / LANES).saturating_sub(first).min(tiles.len());
        let (first, document) = ((first + skipped) * LANES, run[row]);
        let x = &self.all[document as usize];
        scan_far(&tiles[skipped..], x, self.differ, earlier, &mut |place, differ| {
            if partners.contains(&(first + place)) {
                let other = run[first + place];
                let agree = W as u32 * 64 - differ;
                outgoing.push(AgreePair { a: document.min(other), b: document.max(other), agree });
            }
        });
    }

    /// The last tile is padded with the last fingerprint.
    fn lay_out(&self, run: &[u32], tiles: &mut Vec<Tile<W>>) {
        tiles.clear();
        tiles.resize(run.len().div_ceil(LANES), [[0; LANES]; W]);
        for (tile, eight) in tiles.iter_mut().zip(run.chunks(LANES)) {
            for lane in 0..LANES {
                let fingerprint = &self.all[eight[lane.min(eight.len() - 1)] as usize];
                for (row, &word) in tile.iter_mut().zip(fingerprint) {
                    row[lane] = word;
                }
            }
        }
    }
}

/// Which fingerprints of a run are compared, once they are sorted by side.
struct Partners {
    /// The number on the first side only.
    first: usize,
    /// The number that look for later partners: all but those on the second side only.
    seekers: usize,
    all: usize,
}

impl Partners {
    fn arrange<S: Fn(u32) -> Side>(run: &mut [u32], side: Option<S>) -> Partners {
        let all = run.len();
        let Some(side) = side else { return Partners { first: 0, seekers: all, all } };
        let rank = |document: u32| match side(document) {
            Side::First => 0,
            Side::Both => 1,
            Side::Second => 2,
        };
        run.sort_unstable_by_key(|&document| (rank(document), document));
        let first = run.partition_point(|&document| rank(document) < 1);
        let seekers = run.partition_point(|&document| rank(document) < 2);
        Partners { first, seekers, all }
    }

    /// Whether there is nothing to compare.
    fn is_empty(&self) -> bool {
        self.seekers == 0 || self.first == self.all
    }

    fn of(&self, place: usize) -> Range<usize> {
        self.first.max(place + 1)..self.all
    }
}
