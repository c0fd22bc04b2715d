//! How is a long sort cancelled?
//!
//! The sort of the standard library cannot be stopped. So runs are sorted on all threads, then merged two by two, and
//! cancellation is checked in between.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::progress::{Cancelled, Stage};

/// Elements of a run.
const RUN: usize = 1 << 18;

/// Sorts by an order in which no two elements are equal.
pub(crate) fn sort_in<T: Copy + Send + Sync>(
    stage: &Stage,
    mut items: Vec<T>,
    by: impl Fn(&T, &T) -> Ordering + Sync,
) -> Result<Vec<T>, Cancelled> {
    items.par_chunks_mut(RUN).try_for_each(|run| {
        stage.check()?;
        run.sort_unstable_by(&by);
        Ok(())
    })?;
    let (mut width, mut merged) = (RUN, Vec::new());
    while width < items.len() {
        merged.clear();
        merged.reserve_exact(items.len());
        for two in items.chunks(2 * width) {
            let (mut one, mut two) = two.split_at(width.min(two.len()));
            while let (Some(x), Some(y)) = (one.first(), two.first()) {
                if merged.len().is_multiple_of(RUN) {
                    stage.check()?;
                }
                if by(y, x).is_lt() {
                    merged.push(*y);
                    two = &two[1..];
                } else {
                    merged.push(*x);
                    one = &one[1..];
                }
            }
            merged.extend_from_slice(one);
            merged.extend_from_slice(two);
        }
        std::mem::swap(&mut items, &mut merged);
        width *= 2;
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_sorts() {
        for count in [0, 1, RUN - 1, RUN, RUN + 1, 5 * RUN + 3] {
            let items: Vec<u64> = (0..count as u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            assert_eq!(sort_in(&Stage::silent(), items, u64::cmp), Ok(expected));
        }
    }
}
