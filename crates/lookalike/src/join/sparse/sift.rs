use crate::join::records::disjoint::may_need_nothing;
use crate::measure::Threshold;
use crate::sets::{CounterRoom, Counters, SetStore, SetsError, sieve};

/// The documents that may have a partner, and how often their elements occur.
pub(crate) struct Sifted {
    /// In input order.
    pub(crate) documents: Vec<u32>,
    pub(crate) counters: Counters,
}

impl Sifted {
    /// Drops those of these documents, each of which stands for its equals, that surely have no partner. The tables of counters lie
    /// in `room`.
    pub(crate) fn new(
        store: &SetStore,
        mut documents: Vec<u32>,
        threshold: &Threshold,
        room: CounterRoom,
    ) -> Result<Sifted, SetsError> {
        documents.retain(|&document| threshold.long_prefix(store.size(document)) > 0);
        // A set whose whole prefix occurs nowhere else has no partner: most end here, some more among those that are left.
        let enough = |document: u32| singles_that_suffice(threshold, store.size(document));
        sieve(store, &mut documents, enough, room)?;
        let counters = Counters::count(store, &mut documents, enough, room)?;
        Ok(Sifted { documents, counters })
    }
}

/// How many elements that no other set has keep a set of this size from having any partner. (One that may need nothing in common can
/// have a partner all the same.)
pub(crate) fn singles_that_suffice(threshold: &Threshold, size: u32) -> u32 {
    if may_need_nothing(threshold, size) { u32::MAX } else { threshold.long_prefix(size) }
}
