//! Is there room to keep a trace of every set, so that fewer sets must be made again?

use lookalike::Threshold;

use super::shares::Budget;

/// The elements of a trace, at least, for each two elements that rule out a partner if no other set has them. With fewer, chance decides.
const LEAST: u32 = 5;
/// One of this many bytes of the budget stays free: traces lie in pieces of memory, between which some is lost.
const LOST: u64 = 8;

/// The share of the elements of a set that is kept as its trace, and the memory for it.
#[derive(Clone, Copy, Debug)]
pub(in crate::external) struct TraceShare {
    /// In 1,024.
    pub(in crate::external) parts: u32,
    /// Bytes of the sieve.
    pub(in crate::external) sieve: u64,
    /// The most elements of all traces.
    pub(in crate::external) most: u64,
}

impl TraceShare {
    /// `None` if there is no room, or if traces would not tell enough. With all elements they tell most.
    pub(in crate::external) fn of(budget: &Budget, threshold: &Threshold) -> Option<TraceShare> {
        let few = (threshold.long_prefix(1024) * LEAST / 2).clamp(1, 1024);
        let share = |parts: u32| {
            let counted = budget.estimate.elements * u64::from(parts) / 1024;
            let sieve = counted + (1 << 16);
            let most = (budget.memory - budget.memory / LOST).saturating_sub(budget.fixed() + sieve) / 4;
            (counted <= most).then_some(TraceShare { parts, sieve, most })
        };
        (budget.few_partners && budget.estimate.is_sparse()).then(|| [1024, few].into_iter().find_map(share)).flatten()
    }
}
