//! What is the edit distance of two texts, if it is small?
//!
//! Of the table of distances between all prefixes of x and all of y, only the furthest cells are kept: for e = 1, 2, …
//! edits, how far x is matched on each diagonal (Ukkonen 1985, Myers 1986). From there, matching characters are free. A
//! diagonal that cannot reach the end with the remaining edits is dropped. Texts that differ are rejected after about
//! δ² short comparisons, however long they are. A pair costs about its length, and at most δ + 1 times that.

use super::characters::{Character, Text, of_characters};

/// How far each diagonal reaches. Each thread reuses this memory.
#[derive(Default)]
pub(super) struct Frontier(Vec<isize>);

/// Returns the edit distance if it is at most `most`.
pub(super) fn distance_within(x: Text, y: Text, most: u32, frontier: &mut Frontier) -> Option<u32> {
    of_characters!(x, x => of_characters!(y, y => {
        if x.len() <= y.len() { trimmed(x, y, most, frontier) } else { trimmed(y, x, most, frontier) }
    }))
}

/// Removes the common prefix and suffix, which do not change the distance. `x` is the shorter text.
fn trimmed<X: Character, Y: Character>(x: &[X], y: &[Y], most: u32, frontier: &mut Frontier) -> Option<u32> {
    if y.len() - x.len() > most as usize {
        return None;
    }
    let start = agreeing(x, y);
    let (x, y) = (&x[start..], &y[start..]);
    let agree = |(x, y): &(&X, &Y)| x.value() == y.value();
    let end = x.iter().rev().zip(y.iter().rev()).take_while(agree).count();
    let (x, y) = (&x[..x.len() - end], &y[..y.len() - end]);
    if x.is_empty() {
        return Some(y.len() as u32);
    }
    by_diagonals(x, y, (most as usize).min(y.len()) as isize, frontier).map(|edits| edits as u32)
}

/// Marks an unreached cell. It stays negative when one is added.
const UNREACHED: isize = isize::MIN / 2;

/// Returns the distance of two texts whose first characters differ, if it is at most `most`.
fn by_diagonals<X: Character, Y: Character>(
    x: &[X],
    y: &[Y],
    most: isize,
    Frontier(reached): &mut Frontier,
) -> Option<isize> {
    // Diagonal d holds the cells (i, i + d); the last cell is on diagonal `last`.
    let last = (y.len() - x.len()) as isize;
    // At most half of the spare edits can lead away from the last diagonal, because as many must lead back.
    let (lowest, highest) = ((last - most) / 2, (last + most) / 2);
    let slot = |diagonal: isize| (diagonal - lowest + 1) as usize;
    reached.clear();
    reached.resize(slot(highest) + 2, UNREACHED);
    reached[slot(0)] = 0;
    for edits in 1..=most {
        let (from, to) = (lowest.max(-edits).max(last - (most - edits)), highest.min(edits).min(last + (most - edits)));
        // The value of the lower neighbour one edit ago, which is overwritten by now.
        let mut below = reached[slot(from) - 1];
        for diagonal in from..=to {
            let here = reached[slot(diagonal)];
            // Insert a character of y, replace one of x, or delete one of x.
            let furthest = below.max(here + 1).max(reached[slot(diagonal) + 1] + 1);
            below = here;
            // There is no cell past an end. The last cell before it is at most one edit from where this came from.
            let i = furthest.min(x.len() as isize).min(y.len() as isize - diagonal);
            let i = i + agreeing(&x[i as usize..], &y[(i + diagonal) as usize..]) as isize;
            reached[slot(diagonal)] = i;
        }
        if reached[slot(last)] == x.len() as isize {
            return Some(edits);
        }
    }
    None
}

/// Returns how many leading characters agree.
#[inline]
fn agreeing<X: Character, Y: Character>(x: &[X], y: &[Y]) -> usize {
    /// As many as a few vector instructions compare.
    const STRIDE: usize = 16;
    let differ = |(x, y): (&X, &Y)| x.value() ^ y.value();
    let one_by_one = |x: &[X], y: &[Y]| x.iter().zip(y).take_while(|&both| differ(both) == 0).count();
    if x.len().min(y.len()) < STRIDE || differ((&x[0], &y[0])) != 0 {
        return one_by_one(x, y);
    }
    let strides = x.chunks_exact(STRIDE).zip(y.chunks_exact(STRIDE));
    let equal = |(x, y): &(&[X], &[Y])| x.iter().zip(*y).fold(0, |all, both| all | differ(both)) == 0;
    let start = STRIDE * strides.take_while(equal).count();
    start + one_by_one(&x[start..], &y[start..])
}
