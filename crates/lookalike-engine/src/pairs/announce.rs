//! Warns before a search that will find a huge number of pairs.

use lookalike::engine::{Counted, Progress};

use super::source::JobSource;

/// Documents in the sample that estimates the number of pairs.
const SAMPLE: u32 = 512;
/// The number of pairs that is worth a warning: about a hundred gigabytes of output.
const ENORMOUS: u64 = 1_000_000_000;

/// Warns if the search will find a huge number of pairs.
pub(crate) fn announce(source: &mut JobSource, counted: Counted, progress: &dyn Progress) {
    let JobSource::Sets { joinable, .. } = source else { return };
    if !joinable.may_reach(ENORMOUS, counted) {
        return;
    }
    if let Some(pairs) = joinable.estimate(SAMPLE, counted).filter(|&pairs| pairs >= ENORMOUS) {
        progress.warn(&format!("expecting about {:.1} billion pairs", pairs as f64 / 1e9));
    }
}
