//! Which documents of a sparse collection survive?
//!
//! To use all cores with a result that does not depend on threads, a block of documents takes three steps:
//!
//! 1. in parallel, each document finds its matches among those kept before the block;
//! 2. documents without a match may be kept, so they are entered for now; in parallel, each document of the block finds
//!    its matches among earlier ones;
//! 3. in keep order, a match counts if it is kept. Documents that are not kept leave the directory.

use std::ops::Range;

use rayon::prelude::*;

use crate::join::{Index, Indexed, JoinError, Match, Scratches};
use crate::progress::Stage;

/// Calls `removed` with every removed place, its twin, and all matches among those kept before it. Returns false if it
/// stopped because the work exceeds the forecast.
pub(super) fn settle_all(
    Indexed { index, forecast, block }: Indexed,
    stage: &Stage,
    mut removed: impl FnMut(&Index, u32, Match, &[Match]),
) -> Result<bool, JoinError> {
    let (places, pinned) = (index.places(), index.pinned_places());
    index.clear();
    index.enter(0..pinned);
    let scratches = index.scratches();
    let mut start = pinned;
    while start < places {
        stage.check()?;
        let end = start.saturating_add(block).min(places);
        let (twins, kept) = settle(index, &scratches, start..end);
        for (place, (twin, kept)) in (start..end).zip(twins.into_iter().zip(kept)) {
            if let Some(twin) = twin {
                removed(index, place, twin, &kept);
            }
        }
        stage.add((end - start) as usize);
        start = end;
        let (done, left) = ((start - pinned) as usize, (places - start) as usize);
        if forecast.is_some_and(|forecast| forecast.is_exceeded(&scratches.work(), done, left)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Settles a block. Returns, for each of its documents, the twin, if any, and all matches among those kept before it.
/// Kept documents stay entered.
fn settle(index: &mut Index, scratches: &Scratches, block: Range<u32>) -> (Vec<Option<Match>>, Vec<Vec<Match>>) {
    let mut matches = find_all(index, scratches, &block, |_| 0..block.start);
    let hopeful: Vec<u32> =
        block.clone().zip(&matches).filter(|(_, found)| found.is_empty()).map(|(place, _)| place).collect();

    index.enter(hopeful.iter().copied());
    let within = find_all(index, scratches, &block, |place| block.start..place);
    index.leave(hopeful.iter().rev().copied());

    let mut twins: Vec<Option<Match>> = Vec::with_capacity(matches.len());
    for (place, (before, within)) in block.clone().zip(matches.iter_mut().zip(within)) {
        let kept = |found: &Match| twins[(found.place - block.start) as usize].is_none();
        before.extend(within.into_iter().filter(kept));
        let twin = most_similar(index, place, before);
        twins.push(twin);
    }
    let kept = block.zip(&twins).filter(|(_, twin)| twin.is_none()).map(|(place, _)| place);
    index.enter(kept);
    (twins, matches)
}

/// Returns the matches of every document of a block, in the block's order.
fn find_all(
    index: &Index,
    scratches: &Scratches,
    block: &Range<u32>,
    among: impl Fn(u32) -> Range<u32> + Sync,
) -> Vec<Vec<Match>> {
    let prober = index.prober();
    let find = |place: u32| {
        let mut matches = Vec::new();
        prober.find(&mut scratches.own(), place, among(place), &mut matches);
        matches
    };
    block.clone().into_par_iter().with_min_len(8).map(find).collect()
}

/// Returns the most similar match; ties go to the earliest.
fn most_similar(index: &Index, place: u32, matches: &[Match]) -> Option<Match> {
    let size = |place: u32| index.size(place);
    matches.iter().copied().max_by(|one, two| {
        let by_similarity =
            index.threshold().compare(size(place), (one.common, size(one.place)), (two.common, size(two.place)));
        by_similarity.then(two.place.cmp(&one.place))
    })
}
