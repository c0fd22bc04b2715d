//! PPJoin+: the paper's Algorithms 3 to 5, the suffix filter.
//!
//! Two records that share α elements differ in at most |x| + |y| − 2α. When they first meet, at x[i] = y[j], no earlier
//! element is common, which is already i + j − 2 differences (counting from 1). The rest, Hmax, is the most that the
//! suffixes after i and j may differ in. A lower bound of their difference comes from dividing both at one element w
//! and comparing the sizes of the parts, recursively:
//!
//! ```text
//! SuffixFilter(x, y, Hmax, d):
//!     if d > MAXDEPTH or x or y is empty: return ||x| − |y||
//!     w ← y[mid], the middle of y
//!     divide y into the parts before and after w, and x likewise; diff ← 1 if x lacks w, else 0
//!     if the position of w in x costs more than Hmax: return Hmax + 1
//!     if ||xl| − |yl|| + ||xr| − |yr|| + diff > Hmax: return that
//!     Hl ← SuffixFilter(xl, yl, Hmax − ||xr| − |yr|| − diff, d + 1)
//!     if Hl + ||xr| − |yr|| + diff > Hmax: return that
//!     return Hl + SuffixFilter(xr, yr, Hmax − Hl − diff, d + 1) + diff
//! ```
//!
//! Where can w be in x? Let p be its position, or the position where it belongs, and δ = |x| − |y|. If x has w, the
//! parts differ in |p − mid| + |δ − (p − mid)| elements. That is at most Hmax for p − mid from min(δ, 0) − o to max(δ,
//! 0) + o, with o = (Hmax − |δ|) / 2. If x lacks w, the bounds are no wider. So the search covers only this range, and
//! if it hits a bound, the pair is dropped. Unlike in the printed algorithm, the ends of x are not bounds: a position
//! before the first or after the last element is valid.

use std::ops::Range;

use super::ppjoin::{Meeting, accumulate_if};
use super::visit::Visit;

/// The paper's value.
pub(super) const MAX_DEPTH: u32 = 2;

pub(super) fn accumulate(visit: &mut Visit, max_depth: u32) {
    let (records, x) = (visit.records, visit.x);
    let mut dropped = 0;
    accumulate_if(visit, |Meeting { i, posting, needed }| {
        let (y, j) = (records.set(posting.record), posting.position as usize);
        let most = (x.len() + y.len()) as i64 - 2 * i64::from(needed) - (i + j) as i64;
        let passes = least_difference(&x[i + 1..], &y[j + 1..], most, max_depth) <= most;
        dropped += u64::from(!passes);
        passes
    });
    visit.overlaps.dropped_by_suffix(dropped);
}

/// The paper's Algorithm 3: a lower bound of the number of elements that only one of the two has. A result above `most`
/// only means more than `most`. `depth` is how often they may be divided.
fn least_difference(x: &[u32], y: &[u32], most: i64, depth: u32) -> i64 {
    let differ = |x: &[u32], y: &[u32]| (x.len() as i64 - y.len() as i64).abs();
    if depth == 0 || x.is_empty() || y.is_empty() || differ(x, y) > most {
        return differ(x, y);
    }
    let middle = (y.len() - 1) / 2;
    let Some(cut) = divide(x, y[middle], window(middle, x.len(), y.len(), most)) else { return most + 1 };
    let (y_left, y_right) = (&y[..middle], &y[middle + 1..]);
    let (x_left, x_right) = (&x[..cut.at], &x[cut.at + usize::from(cut.found)..]);
    let lacking = i64::from(!cut.found);
    let right = differ(x_right, y_right) + lacking;
    if differ(x_left, y_left) + right > most {
        return differ(x_left, y_left) + right;
    }
    let left = least_difference(x_left, y_left, most - right, depth - 1);
    if left + right > most {
        return left + right;
    }
    left + lacking + least_difference(x_right, y_right, most - left - lacking, depth - 1)
}

/// The positions in x, from 0, where the element at `middle` of y can be or belong if the two differ in at most `most`
/// elements. Some may be outside of x.
fn window(middle: usize, x: usize, y: usize, most: i64) -> Range<i64> {
    let (middle, longer) = (middle as i64, x as i64 - y as i64);
    let slack = (most - longer.abs()) / 2;
    middle + longer.min(0) - slack..middle + longer.max(0) + slack + 1
}

/// The position of an element, or where it belongs.
struct Cut {
    at: usize,
    found: bool,
}

/// The paper's Algorithm 4: finds the position of an element, unless it is outside of the window.
fn divide(x: &[u32], element: u32, window: Range<i64>) -> Option<Cut> {
    let start = window.start.clamp(0, x.len() as i64) as usize;
    let end = window.end.clamp(0, x.len() as i64) as usize;
    let at = start + x[start..end].partition_point(|&other| other < element);
    let found = x.get(at) == Some(&element);
    let before = start > 0 && at == start && x[start - 1] >= element;
    let inside = !before && (at as i64) < window.end;
    inside.then_some(Cut { at, found })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The suffixes of Example 4: D and F are 20 and 30, and the unknown cells are all different.
    const X: [u32; 6] = [1, 20, 21, 22, 30, 31];
    const Y: [u32; 6] = [2, 3, 20, 30, 32, 33];

    fn difference(x: &[u32], y: &[u32]) -> i64 {
        (x.len() + y.len()) as i64 - 2 * x.iter().filter(|element| y.contains(element)).count() as i64
    }

    /// F alone and D alone prove a difference of 2; both together prove 4.
    #[test]
    fn example_4() {
        let sizes = |parts: [&[u32]; 2]| parts.map(|part| part.len() as i64);
        let at = |set: &[u32], element: u32| divide(set, element, 0..7).unwrap().at;
        let apart = |element: u32| {
            let (x, y) = (X.split_at(at(&X, element)), Y.split_at(at(&Y, element)));
            let ([x_left, x_right], [y_left, y_right]) = (sizes([x.0, x.1]), sizes([y.0, y.1]));
            (x_left - y_left).abs() + (x_right - y_right).abs()
        };
        assert_eq!((apart(30), apart(20)), (2, 2));
        let both =
            |set: &[u32]| [at(set, 20), at(set, 30) - at(set, 20), set.len() - at(set, 30)].map(|part| part as i64);
        assert_eq!((both(&X), both(&Y)), ([1, 3, 2], [2, 1, 3]));
        assert_eq!(both(&X).iter().zip(both(&Y)).map(|(x, y)| (x - y).abs()).sum::<i64>(), 4);
        assert!(least_difference(&X, &Y, 2, MAX_DEPTH) > 2);
    }

    /// F, the fourth of y, can only be third to fifth in x.
    #[test]
    fn example_5() {
        assert_eq!(window(3, 6, 6, 2), 2..5);
        assert_eq!(divide(&X, 30, 2..5).map(|cut| (cut.at, cut.found)), Some((4, true)));
    }

    proptest! {
        /// The bound never exceeds the true difference, if that is allowed, and equals it with enough depth.
        #[test]
        fn bounded_from_below(
            x in proptest::collection::btree_set(0..60u32, 0..40),
            y in proptest::collection::btree_set(0..60u32, 0..40),
            most in 0..60i64,
            depth in 0..8u32,
        ) {
            let (x, y): (Vec<u32>, Vec<u32>) = (x.into_iter().collect(), y.into_iter().collect());
            let (difference, bound) = (difference(&x, &y), least_difference(&x, &y, most, depth));
            prop_assert!(difference > most || bound <= difference);
            if depth >= 7 {
                prop_assert_eq!(difference > most, bound > most);
            }
        }
    }
}
