//! How does one of the paper's algorithms find all pairs?

use super::algorithm::PaperAlgorithm;
use super::bounds::Bounds;
use super::pass::Pass;
use super::{all_pairs, ppjoin, spotsigs, suffix};
use crate::join::records::disjoint::for_each_needless;
use crate::join::{Counts, JoinError, Pair, Records};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::verify::common_numbers;

/// Finds every pair of a collection, or between two collections, with one of the paper's algorithms. It runs on this
/// thread, and emits pairs in no particular order. The stage counts records.
///
/// ```
/// use lookalike::engine::{PaperAlgorithm, Records, SetPair, SetStore, Stage, paper_join};
/// use lookalike::{Measure, Threshold};
///
/// let store: SetStore = [vec![1, 2, 3, 4, 5], vec![2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]].into_iter().collect();
/// let records = Records::code(&store, &[0, 1, 2]);
/// let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
/// let mut pairs = Vec::new();
/// let algorithm = PaperAlgorithm::PpJoin;
/// let counts = paper_join(&records, &threshold, algorithm, &Stage::silent(), &mut |pair| pairs.push(pair))?;
/// assert_eq!(pairs, [SetPair { a: 0, b: 2, common: 5 }, SetPair { a: 1, b: 2, common: 5 }]);
/// assert_eq!(counts.results, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If a set has 2³¹ elements or more.
pub fn join(
    records: &Records,
    threshold: &Threshold,
    algorithm: PaperAlgorithm,
    stage: &Stage,
    emit: &mut dyn FnMut(Pair),
) -> Result<Counts, JoinError> {
    join_by(records, Bounds::Sets(*threshold), algorithm, stage, emit)
}

/// Like [`join`], by any bounds. Emits every two records that share enough elements, or that need none. SpotSigs has no bounds for
/// grams, and is replaced by PPJoin there.
pub(in crate::join) fn join_by(
    records: &Records,
    bounds: Bounds,
    algorithm: PaperAlgorithm,
    stage: &Stage,
    emit: &mut dyn FnMut(Pair),
) -> Result<Counts, JoinError> {
    if let (PaperAlgorithm::SpotSigs, Bounds::Sets(threshold)) = (algorithm, &bounds) {
        return spotsigs::join(records, threshold, stage, emit);
    }
    let indexed = if algorithm == PaperAlgorithm::AllPairs { Bounds::long_prefix } else { Bounds::short_prefix };
    let mut pass = Pass::new(records, bounds, indexed, emit);
    match algorithm {
        PaperAlgorithm::AllPairs => pass.run(all_pairs::accumulate, stage),
        PaperAlgorithm::PpJoin | PaperAlgorithm::SpotSigs => pass.run(ppjoin::accumulate, stage),
        PaperAlgorithm::PpJoinPlus { max_depth } => pass.run(|visit| suffix::accumulate(visit, max_depth), stage),
    }
    stage.check()?;
    for_each_needless(
        records,
        |size| bounds.needless(size),
        |x, y| {
            if !records.sides().are_apart(x, y) {
                return;
            }
            let common = common_numbers(records.set(x), records.set(y), 0).unwrap_or(0);
            pass.emit(x, y, common);
        },
    );
    Ok(pass.counts)
}
