//! How many pairs there will be, if they are enormously many.

use lookalike::engine::{Counted, Progress};

use super::source::Source;

/// Documents that are looked at to estimate the number of pairs.
const SAMPLE: u32 = 512;
/// Pairs that a user wants to know of before the search begins: a hundred gigabytes of output.
const ENORMOUS: u64 = 1_000_000_000;

/// Warns if enormously many pairs are ahead.
pub(crate) fn announce(source: &mut Source, counted: Counted, progress: &dyn Progress) {
    let Source::Sets { joinable, .. } = source else { return };
    if !joinable.may_reach(ENORMOUS, counted) {
        return;
    }
    if let Some(pairs) = joinable.estimate(SAMPLE, counted).filter(|&pairs| pairs >= ENORMOUS) {
        progress.warn(&format!("about {:.1} billion pairs are ahead", pairs as f64 / 1e9));
    }
}
