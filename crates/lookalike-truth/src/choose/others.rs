//! How many pairs of two groups are known to be different?
//!
//! They are what a choice is judged by beside the pairs within groups. If groups are split into halves, some of these pairs have a document in
//! each half. They tell what is wrong too, so they count when a setting is chosen on a half, scaled to the pairs within it.

/// Pairs of two groups that are known to be different.
#[derive(Clone, Debug)]
pub enum Others {
    /// All of them, because labels are complete. By group, its documents in each of two collections. Pairs are between the collections if the
    /// second has any.
    All(Vec<[f64; 2]>),
    /// Those with a label. By pair, its groups.
    Labelled(Vec<[u32; 2]>),
}

impl Others {
    /// The share of the pairs within a half among those that have at least one document there. `half` says of each group whether it is there.
    pub(super) fn share_within(&self, half: &[bool]) -> f64 {
        let (within, across) = match self {
            Others::All(documents) => of_documents(documents, half),
            Others::Labelled(pairs) => of_pairs(pairs, half),
        };
        if within + across > 0.0 { within / (within + across) } else { 1.0 }
    }
}

fn of_documents(documents: &[[f64; 2]], half: &[bool]) -> (f64, f64) {
    let (mut inside, mut outside, mut of_groups) = ([0.0; 2], [0.0; 2], 0.0);
    let is_linked = documents.iter().any(|of| of[1] > 0.0);
    for (of, &is_in) in documents.iter().zip(half) {
        let sums = if is_in { &mut inside } else { &mut outside };
        sums.iter_mut().zip(of).for_each(|(sum, count)| *sum += count);
        if is_in {
            of_groups += if is_linked { of[0] * of[1] } else { of[0] * (of[0] - 1.0) / 2.0 };
        }
    }
    let (within, across) = if is_linked {
        (inside[0] * inside[1], inside[0] * outside[1] + outside[0] * inside[1])
    } else {
        (inside[0] * (inside[0] - 1.0) / 2.0, inside[0] * outside[0])
    };
    ((within - of_groups).max(0.0), across)
}

fn of_pairs(pairs: &[[u32; 2]], half: &[bool]) -> (f64, f64) {
    let ends = pairs.iter().map(|pair| pair.iter().filter(|&&unit| half[unit as usize]).count());
    ends.fold((0.0, 0.0), |(within, across), ends| match ends {
        2 => (within + 1.0, across),
        1 => (within, across + 1.0),
        _ => (within, across),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// As counted document by document, and the same if each of these pairs has a label.
        #[test]
        fn the_share_of_pairs_within_a_half(
            documents in proptest::collection::vec((0_usize..8, 0_u8..2), 0..30),
            half in proptest::collection::vec(any::<bool>(), 8),
            linked in any::<bool>(),
        ) {
            let documents: Vec<(usize, usize)> =
                documents.into_iter().map(|(unit, side)| (unit, if linked { usize::from(side) } else { 0 })).collect();
            let linked = documents.iter().any(|(_, side)| *side == 1);
            let mut by_unit = vec![[0.0; 2]; 8];
            documents.iter().for_each(|&(unit, side)| by_unit[unit][side] += 1.0);
            let (mut within, mut across, mut labelled) = (0, 0, Vec::new());
            for (at, a) in documents.iter().enumerate() {
                for b in documents[..at].iter().filter(|b| a.0 != b.0 && (!linked || a.1 != b.1)) {
                    within += u32::from(half[a.0] && half[b.0]);
                    across += u32::from(half[a.0] != half[b.0]);
                    labelled.push([a.0 as u32, b.0 as u32]);
                }
            }
            let expected = if within + across > 0 { f64::from(within) / f64::from(within + across) } else { 1.0 };
            for others in [Others::All(by_unit), Others::Labelled(labelled)] {
                prop_assert!((others.share_within(&half) - expected).abs() < 1e-12);
            }
        }
    }
}
