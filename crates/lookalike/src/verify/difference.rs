//! Where do two sequences differ, in the fewest tokens? Myers' *An O(ND) Difference Algorithm* (1986), in linear
//! memory.
//!
//! The search for a shortest path runs from both ends at once. The two searches meet in the middle of one, which leaves
//! two tasks of half the edits.

use std::ops::Range;

use hashbrown::HashSet;

/// A difference: a stretch that only the first sequence has, and the stretch that the second has instead. One of them
/// may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The stretch of the first sequence.
    pub a: Range<usize>,
    /// The stretch of the second sequence.
    pub b: Range<usize>,
}

impl Difference {
    /// Returns the number of tokens in both stretches.
    pub fn tokens(&self) -> usize {
        self.a.len() + self.b.len()
    }
}

/// Returns the stretches in which two sequences differ, in order, if they have at most `most` tokens in total. They are
/// minimal: the rest is a longest common subsequence.
///
/// It takes time proportional to the total length if the sequences are similar, and at most `most` times that.
///
/// ```
/// use lookalike::engine::{Difference, differences};
/// assert_eq!(differences(&[1, 2, 3, 4], &[1, 5, 3, 4, 4], 10).unwrap(), [
///     Difference { a: 1..2, b: 1..2 },
///     Difference { a: 4..4, b: 4..5 },
/// ]);
/// assert_eq!(differences(&[1, 2, 3, 4], &[1, 5, 3, 4, 4], 2), None);
/// ```
pub fn differences(a: &[u64], b: &[u64], most: usize) -> Option<Vec<Difference>> {
    // A token that the other sequence does not have is always in the difference. Unrelated texts, for which the search
    // is slowest, mostly consist of such tokens.
    let (kept_a, kept_b) = (known_to(b, a), known_to(a, b));
    let most = most.checked_sub(a.len() - kept_a.len() + b.len() - kept_b.len())?;
    let pick = |all: &[u64], kept: &[usize]| kept.iter().map(|&at| all[at]).collect::<Vec<u64>>();
    let mut search =
        Search { a: pick(a, &kept_a), b: pick(b, &kept_b), common: Vec::new(), ahead: vec![], back: vec![] };
    search.between(0..kept_a.len(), 0..kept_b.len(), most)?;

    let mut found: Vec<Difference> = Vec::new();
    let common = search.common.iter().map(|&(i, j)| (kept_a[i], kept_b[j]));
    let mut behind = (0, 0);
    for (i, j) in common.chain([(a.len(), b.len())]) {
        if (i, j) != behind {
            found.push(Difference { a: behind.0..i, b: behind.1..j });
        }
        behind = (i + 1, j + 1);
    }
    Some(found)
}

/// The positions of the tokens of `all` that the other sequence has too.
fn known_to(other: &[u64], all: &[u64]) -> Vec<usize> {
    let known: HashSet<u64> = other.iter().copied().collect();
    (0..all.len()).filter(|&at| known.contains(&all[at])).collect()
}

struct Search {
    a: Vec<u64>,
    b: Vec<u64>,
    /// The positions of common tokens, in order.
    common: Vec<(usize, usize)>,
    /// How far `a` is matched on each diagonal, from the beginning and from the end.
    ahead: Vec<isize>,
    back: Vec<isize>,
}

/// The middle of a shortest path: a run of common tokens.
struct Middle {
    from: (usize, usize),
    to: (usize, usize),
}

impl Search {
    /// Finds the common tokens of two stretches, if at most `most` tokens are not common.
    fn between(&mut self, a: Range<usize>, b: Range<usize>, most: usize) -> Option<()> {
        let (one, two) = (&self.a[a.clone()], &self.b[b.clone()]);
        let start = one.iter().zip(two).take_while(|(x, y)| x == y).count();
        let (one, two) = (&one[start..], &two[start..]);
        let end = one.iter().rev().zip(two.iter().rev()).take_while(|(x, y)| x == y).count();
        let (inner_a, inner_b) = (a.start + start..a.end - end, b.start + start..b.end - end);
        self.common.extend((0..start).map(|at| (a.start + at, b.start + at)));
        if inner_a.is_empty() || inner_b.is_empty() {
            if inner_a.len() + inner_b.len() > most {
                return None;
            }
        } else {
            let middle = self.middle(inner_a.clone(), inner_b.clone(), most)?;
            let ((x, y), (u, v)) = (middle.from, middle.to);
            // They are parts of a path that is short enough.
            self.between(inner_a.start..x, inner_b.start..y, most)?;
            self.common.extend((x..u).zip(y..v));
            self.between(u..inner_a.end, v..inner_b.end, most)?;
        }
        self.common.extend((0..end).map(|at| (inner_a.end + at, inner_b.end + at)));
        Some(())
    }

    fn middle(&mut self, in_a: Range<usize>, in_b: Range<usize>, most: usize) -> Option<Middle> {
        let Search { a, b, ahead, back, .. } = self;
        let (a, b) = (&a[in_a.clone()], &b[in_b.clone()]);
        let (n, m) = (a.len() as isize, b.len() as isize);
        // The path ends on this diagonal, and has an odd number of edits if that is odd.
        let last = n - m;
        let is_odd = last % 2 != 0;
        let rounds = ((n + m) as usize).min(most).div_ceil(2) as isize;
        let slot = |diagonal: isize| (diagonal + rounds + 1) as usize;
        for reached in [&mut *ahead, &mut *back] {
            reached.clear();
            reached.resize(slot(rounds) + 2, 0);
        }
        let place = |x: isize, y: isize| (in_a.start + x as usize, in_b.start + y as usize);
        for edits in 0..=rounds {
            for diagonal in (-edits..=edits).step_by(2) {
                let x = step(ahead, slot(diagonal), diagonal, edits);
                let (start, mut end) = (x, x);
                while end < n && end - diagonal < m && a[end as usize] == b[(end - diagonal) as usize] {
                    end += 1;
                }
                ahead[slot(diagonal)] = end;
                let opposite = last - diagonal;
                if is_odd && opposite.abs() < edits && end + back[slot(opposite)] >= n {
                    let is_within = 2 * edits as usize - 1 <= most;
                    let way = Middle { from: place(start, start - diagonal), to: place(end, end - diagonal) };
                    return is_within.then_some(way);
                }
            }
            for diagonal in (-edits..=edits).step_by(2) {
                let x = step(back, slot(diagonal), diagonal, edits);
                let (start, mut end) = (x, x);
                while end < n && end - diagonal < m && a[(n - 1 - end) as usize] == b[(m - 1 - end + diagonal) as usize]
                {
                    end += 1;
                }
                back[slot(diagonal)] = end;
                let opposite = last - diagonal;
                if !is_odd && opposite.abs() <= edits && end + ahead[slot(opposite)] >= n {
                    let is_within = 2 * edits as usize <= most;
                    let way =
                        Middle { from: place(n - end, m - end + diagonal), to: place(n - start, m - start + diagonal) };
                    return is_within.then_some(way);
                }
            }
        }
        None
    }
}

/// How far a diagonal is matched with one more edit, from its neighbours: skip a token of `b` or one of `a`.
fn step(reached: &[isize], slot: usize, diagonal: isize, edits: isize) -> isize {
    let (below, above) = (reached[slot - 1], reached[slot + 1]);
    if diagonal == -edits || (diagonal != edits && below < above) { above } else { below + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The length of a longest common subsequence, by the textbook.
    fn longest_common(a: &[u64], b: &[u64]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] = if a[i] == b[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    fn check(a: &[u64], b: &[u64]) {
        let fewest = a.len() + b.len() - 2 * longest_common(a, b);
        for most in [fewest, fewest + 1, usize::MAX] {
            let found = differences(a, b, most).unwrap();
            assert_eq!(found.iter().map(Difference::tokens).sum::<usize>(), fewest);
            let rest = |all: &[u64], differs: &dyn Fn(&Difference, usize) -> bool| {
                let kept = (0..all.len()).filter(|&at| !found.iter().any(|difference| differs(difference, at)));
                kept.map(|at| all[at]).collect::<Vec<u64>>()
            };
            assert_eq!(rest(a, &|found, at| found.a.contains(&at)), rest(b, &|found, at| found.b.contains(&at)));
            // There is a common token between two differences.
            assert!(found.windows(2).all(|two| two[0].a.end < two[1].a.start && two[0].b.end < two[1].b.start));
        }
        for most in [0, fewest / 2, fewest.saturating_sub(1)].into_iter().filter(|&most| most < fewest) {
            assert_eq!(differences(a, b, most), None);
        }
    }

    proptest! {
        #[test]
        fn as_few_as_the_textbook_says(
            a in prop::collection::vec(0..4_u64, 0..60),
            b in prop::collection::vec(0..5_u64, 0..60),
        ) {
            check(&a, &b);
        }

        #[test]
        fn of_texts_that_hardly_differ(
            text in prop::collection::vec(0..1000_u64, 0..200),
            changes in prop::collection::vec((any::<proptest::sample::Index>(), 0..1000_u64, 0..3), 0..8),
        ) {
            let mut other = text.clone();
            for (at, word, kind) in changes {
                let at = at.index(other.len() + 1);
                match kind {
                    0 => other.insert(at, word),
                    1 if at < other.len() => other[at] = word,
                    _ => other.truncate(at.max(other.len().saturating_sub(3))),
                }
            }
            check(&text, &other);
        }
    }
}
