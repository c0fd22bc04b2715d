//! Which documents cannot have a partner?

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
    /// Drops the documents that cannot have a partner. Each of them represents its equals. The counters are stored in
    /// `room`.
    pub(crate) fn new(
        store: &SetStore,
        mut documents: Vec<u32>,
        threshold: &Threshold,
        room: CounterRoom,
    ) -> Result<Sifted, SetsError> {
        documents.retain(|&document| threshold.long_prefix(store.size(document)) > 0);
        // A set whose whole prefix is unique has no partner. Most sets end here; counting again drops a few more.
        let enough = |document: u32| singles_that_suffice(threshold, store.size(document));
        sieve(store, &mut documents, enough, room)?;
        let counters = Counters::count(store, &mut documents, enough, room)?;
        Ok(Sifted { documents, counters })
    }
}

/// How many unique elements rule out a partner for a set of this size. (If it can be a pair without common elements, it
/// may have a partner anyway.)
pub(crate) fn singles_that_suffice(threshold: &Threshold, size: u32) -> u32 {
    if may_need_nothing(threshold, size) { u32::MAX } else { threshold.long_prefix(size) }
}
