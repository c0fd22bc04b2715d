//! Expands pairs of representatives to pairs of documents, in memory. (Jobs that write files sort them in bounded
//! memory instead.)

use super::Pair;
use super::keep_order::KeepOrder;
use super::sort::sort_in;
use crate::progress::{Cancelled, Stage};

/// Returns all wanted pairs of documents, in order. `own` is how many elements a document shares with its equals.
pub(super) fn expand(
    keep: &KeepOrder,
    can_be: impl Fn(u32) -> bool,
    want: impl Fn(u32, u32) -> bool,
    own: impl Fn(u32) -> u32,
    found: &[Pair],
    stage: &Stage,
) -> Result<Vec<Pair>, Cancelled> {
    let documents = keep.documents();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); documents];
    for document in (0..documents as u32).filter(|&document| can_be(document)) {
        members[keep.groups.first(document) as usize].push(document);
    }
    let mut pairs = Vec::new();
    let mut push = |x: u32, y: u32, common: u32| {
        if want(x, y) {
            pairs.push(Pair { a: x.min(y), b: x.max(y), common });
        }
    };
    for (at, pair) in found.iter().enumerate() {
        if at.is_multiple_of(4096) {
            stage.check()?;
        }
        for &x in &members[pair.a as usize] {
            members[pair.b as usize].iter().for_each(|&y| push(x, y, pair.common));
        }
    }
    for group in &members {
        for (at, &x) in group.iter().enumerate() {
            if at.is_multiple_of(4096) {
                stage.check()?;
            }
            group[at + 1..].iter().for_each(|&y| push(x, y, own(x)));
        }
    }
    sort_in(stage, pairs, Pair::cmp)
}
