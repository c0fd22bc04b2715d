//! Takes clusters of others apart into what the threshold supports.

use std::collections::HashMap;
use std::sync::Arc;

use lookalike::Threshold;
use lookalike::engine::{Fate, Join, SetStore, Stage, common, survivors};

use crate::error::Error;

/// A member of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) document: u32,
    /// The part of the cluster that it belongs to, counting from 0.
    pub(super) part: u32,
    /// The document of its part that stays, and the similarity to it; `None` if it stays itself.
    pub(super) twin: Option<(u32, f64)>,
    /// Whether it is as similar as the threshold says to the first document of the whole cluster.
    pub(super) reaches_first: bool,
}

/// From this size on, a cluster is joined and not compared pair by pair.
const LARGE: usize = 64;

/// Compares two documents of a store. A document without elements resembles nothing.
pub(super) fn compare(store: &SetStore, threshold: &Threshold, a: u32, b: u32) -> (f64, bool) {
    let (one, two) = (store.set(a), store.set(b));
    let (size_a, size_b) = (one.len() as u32, two.len() as u32);
    let shared = common(one, two);
    if (size_a == 0 || size_b == 0) && !threshold.is_distance() {
        return (0.0, false);
    }
    let reaches = size_a > 0 && size_b > 0 && threshold.reaches(shared, size_a, size_b);
    (threshold.similarity(shared, size_a, size_b), reaches)
}

/// Takes a cluster apart. `members` are in input order: in that order, a document stays unless it resembles one that stays, as in `dedup`.
pub(super) fn take_apart(store: &SetStore, threshold: &Threshold, members: &[u32]) -> Result<Vec<Member>, Error> {
    let fates = if members.len() < LARGE {
        pair_by_pair(store, threshold, members)
    } else {
        joined(store, threshold, members)?
    };
    let mut parts = 0;
    let mut part_of = vec![0; members.len()];
    let mut apart = Vec::with_capacity(members.len());
    for (at, fate) in fates.iter().enumerate() {
        part_of[at] = match fate {
            None => {
                parts += 1;
                parts - 1
            }
            Some((twin, _)) => part_of[*twin],
        };
        apart.push(Member {
            document: members[at],
            part: part_of[at],
            twin: fate.map(|(twin, similarity)| (members[twin], similarity)),
            reaches_first: at == 0 || compare(store, threshold, members[0], members[at]).1,
        });
    }
    Ok(apart)
}

/// By member, the place of its twin and their similarity; `None` if it stays.
type Twins = Vec<Option<(usize, f64)>>;

fn pair_by_pair(store: &SetStore, threshold: &Threshold, members: &[u32]) -> Twins {
    let mut kept: Vec<usize> = Vec::new();
    let mut twins: Twins = Vec::new();
    // As in `dedup`, a copy shares the fate of the first of its kind.
    let mut firsts: HashMap<&[u64], usize> = HashMap::new();
    for at in 0..members.len() {
        let set = store.set(members[at]);
        if threshold.groups_equal_sets() && !set.is_empty() {
            let first = *firsts.entry(set).or_insert(at);
            if first < at {
                let itself = || Some((first, compare(store, threshold, members[first], members[at]).0));
                twins.push(twins[first].or_else(itself));
                continue;
            }
        }
        let mut best: Option<(usize, f64)> = None;
        for &other in &kept {
            let (similarity, reaches) = compare(store, threshold, members[other], members[at]);
            let is_better = |known: f64| if threshold.is_distance() { similarity < known } else { similarity > known };
            if reaches && best.is_none_or(|(_, known)| is_better(known)) {
                best = Some((other, similarity));
            }
        }
        if best.is_none() {
            kept.push(at);
        }
        twins.push(best);
    }
    twins
}

fn joined(store: &SetStore, threshold: &Threshold, members: &[u32]) -> Result<Twins, Error> {
    let own = SetStore::of_sets(members.iter().map(|&member| store.set(member)))?;
    let mut source = Join::new(*threshold).prepare(Arc::new(own), &Stage::silent())?;
    let fates = survivors(&mut source, &Stage::silent())?;
    let twin = |fate: &Fate| match fate {
        Fate::Removed { twin, similarity, .. } => Some((*twin as usize, *similarity)),
        _ => None,
    };
    Ok(fates.iter().map(twin).collect())
}

#[cfg(test)]
mod tests {
    use lookalike::Measure;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both ways give the same parts, and each part is what the threshold supports.
        #[test]
        fn parts_are_supported(
            sets in proptest::collection::vec(proptest::collection::btree_set(0_u64..12, 0..8), 1..40),
            measure in proptest::sample::select(Measure::ALL.to_vec()),
            hundredths in 1_u32..=100,
        ) {
            let is_count = matches!(measure, Measure::Overlap | Measure::Hamming);
            let value = if is_count { (1 + hundredths % 9).to_string() } else { format!("{hundredths}/100") };
            let threshold = Threshold::new(measure, &value).unwrap();
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let store = SetStore::of_sets(&sets).unwrap();
            let members: Vec<u32> = (0..sets.len() as u32).collect();
            let one = pair_by_pair(&store, &threshold, &members);
            prop_assert_eq!(&one, &joined(&store, &threshold, &members).unwrap());
            let apart = take_apart(&store, &threshold, &members).unwrap();
            for member in &apart {
                match member.twin {
                    Some((twin, _)) => {
                        prop_assert!(compare(&store, &threshold, twin, member.document).1);
                        prop_assert_eq!(apart[twin as usize].part, member.part);
                        prop_assert!(apart[twin as usize].twin.is_none());
                    }
                    None => prop_assert!(apart[..member.document as usize].iter().filter(|other| other.twin.is_none())
                        .all(|other| !compare(&store, &threshold, other.document, member.document).1)),
                }
            }
        }
    }
}
