//! Expands pairs of representatives to pairs of documents, in memory. (Jobs that write files sort them in bounded
//! memory instead.)

use super::keep_order::KeepOrder;
use super::sort::sort_in;
use super::{JoinError, Pair};
use crate::progress::Stage;

/// Returns all wanted pairs of documents, in order. `found` becomes the result, so that no pair is held twice. `own` is how many elements
/// a document shares with its equals. Fails if there are more than `most`.
pub(super) fn expand_groups(
    keep: &KeepOrder,
    can_be: impl Fn(u32) -> bool,
    want: impl Fn(&Pair) -> bool,
    own: impl Fn(u32) -> u32,
    found: Vec<Pair>,
    most: usize,
    stage: &Stage,
) -> Result<Vec<Pair>, JoinError> {
    let members = members(keep, &can_be);
    let (found, mut pairs) = (found.len(), found);
    let in_order = |x: u32, y: u32, common: u32| Pair { a: x.min(y), b: x.max(y), common };
    // The pair of the representatives `first` is there already.
    let add = |pairs: &mut Vec<Pair>, x: u32, others: &[u32], common: u32, first: (u32, u32)| {
        stage.check()?;
        let others = others.iter().filter(|&&y| (x, y) != first);
        pairs.extend(others.map(|&y| in_order(x, y, common)).filter(&want));
        if pairs.len() > most { Err(JoinError::TooManyPairs { most }) } else { Ok(()) }
    };
    for at in 0..found {
        if at.is_multiple_of(4096) {
            stage.check()?;
        }
        let Pair { a, b, common } = pairs[at];
        pairs[at] = in_order(a, b, common);
        let (one, two) = (&members[a as usize], &members[b as usize]);
        if one.len() > 1 || two.len() > 1 {
            one.iter().try_for_each(|&x| add(&mut pairs, x, two, common, (a, b)))?;
        }
    }
    for group in &members {
        for (at, &x) in group.iter().enumerate().take(group.len().saturating_sub(1)) {
            add(&mut pairs, x, &group[at + 1..], own(x), (x, x))?;
        }
    }
    pairs.retain(|pair| can_be(pair.a) && can_be(pair.b) && want(pair));
    Ok(sort_in(stage, pairs, Pair::cmp)?)
}

/// Calls `put` with wanted pairs of documents, by the members of each group: of each pair of representatives, and of each group, the first `most` in order. Those are
/// enough for the `most` best pairs, because all pairs of two groups are equally similar.
pub(super) fn expand_first(
    members: &[Vec<u32>],
    want: impl Fn(&Pair) -> bool,
    own: impl Fn(u32) -> u32,
    found: &[Pair],
    most: usize,
    mut put: impl FnMut(Pair),
    stage: &Stage,
) -> Result<(), JoinError> {
    let mut both = Vec::new();
    for &Pair { a, b, common } in found {
        stage.check()?;
        let (one, two) = (&members[a as usize], &members[b as usize]);
        both.clear();
        both.extend(one.iter().map(|&x| (x, two)).chain(two.iter().map(|&x| (x, one))));
        both.sort_unstable_by_key(|&(x, _)| x);
        let pairs = both.iter().flat_map(|&(x, others)| later(x, others).map(move |&y| Pair { a: x, b: y, common }));
        pairs.filter(&want).take(most).for_each(&mut put);
    }
    for group in members.iter().filter(|group| group.len() > 1) {
        stage.check()?;
        let pairs = group.iter().flat_map(|&x| later(x, group).map(move |&y| (x, y)));
        let pairs = pairs.map(|(x, y)| Pair { a: x, b: y, common: own(x) });
        pairs.filter(&want).take(most).for_each(&mut put);
    }
    Ok(())
}

/// The documents after `x`.
fn later(x: u32, documents: &[u32]) -> impl Iterator<Item = &u32> {
    documents[documents.partition_point(|&y| y <= x)..].iter()
}

/// By representative, the documents of its group that can be in a pair, in order.
pub(super) fn members(keep: &KeepOrder, can_be: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let documents = keep.documents();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); documents];
    for document in (0..documents as u32).filter(|&document| can_be(document)) {
        members[keep.groups.first(document) as usize].push(document);
    }
    members
}
