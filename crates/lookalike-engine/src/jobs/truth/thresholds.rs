//! Which pairs reach a threshold, and which thresholds does a pair reach?

use std::sync::{Arc, Mutex, PoisonError};

use lookalike::engine::{Counted, Join, PairSource, SetPair, SetStore, Stage};
use lookalike::{Measure, Threshold};
use lookalike_truth::choose::LADDER;

use crate::error::Error;

/// The most pairs that a join may find, and the documents of the sample that estimates them.
pub(super) const MOST: u64 = 8_000_000;
const SAMPLE: u32 = 512;

/// The thresholds of a measure.
pub(super) fn ladder(measure: Measure) -> Result<Vec<Threshold>, Error> {
    LADDER.iter().map(|value| Threshold::new(measure, value).map_err(Error::usage)).collect()
}

/// The place of the highest threshold that a pair reaches, exactly.
pub(super) fn rung(ladder: &[Threshold], common: u32, (a, b): (u32, u32)) -> Option<u8> {
    ladder.partition_point(|threshold| threshold.reaches(common, a, b)).checked_sub(1).map(|rung| rung as u8)
}

/// Every pair that reaches a threshold; `None` if there are too many.
pub(super) fn join(
    store: &Arc<SetStore>,
    threshold: &Threshold,
    split: Option<u32>,
    stage: &Stage,
) -> Result<Option<Vec<SetPair>>, Error> {
    let join = Join::new(*threshold);
    let join = split.map_or(join.clone(), |split| join.across(split));
    let mut joinable = join.prepare(store.clone(), stage)?;
    if joinable.may_reach(MOST, Counted::Documents)
        && joinable.estimate(SAMPLE, Counted::Documents).is_none_or(|pairs| pairs > MOST)
    {
        return Ok(None);
    }
    let all = Mutex::new(Vec::new());
    joinable.pairs(stage, &|some: &[SetPair]| {
        all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
    })?;
    let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Some(joinable.expand_groups(found, stage)?))
}
