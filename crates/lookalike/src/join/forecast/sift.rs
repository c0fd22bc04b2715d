//! Which documents cannot have a partner?

use crate::join::records::disjoint::may_need_nothing;
use crate::measure::Threshold;
use crate::sets::{CounterBudget, Counters, Element, SetStore, SetsError, sieve};
use crate::storage::Memory;

/// The documents that may have a partner, and how often their elements occur.
pub struct Sifted {
    /// In input order.
    pub(crate) documents: Vec<u32>,
    pub(crate) counters: Counters,
    /// The elements of all documents, including those that were dropped.
    pub(crate) elements: usize,
}

/// Default bytes for the counters of elements.
pub(crate) const COUNTER_BYTES: usize = 1 << 30;

impl Sifted {
    /// Drops the documents that cannot have a partner. Each of them represents its equals.
    pub fn new<T: Element>(
        store: &SetStore<T>,
        documents: Vec<u32>,
        threshold: &Threshold,
    ) -> Result<Sifted, SetsError> {
        Sifted::within(store, documents, threshold, CounterBudget { storage: &Memory, bytes: COUNTER_BYTES })
    }

    /// Takes the documents out, and numbers them from 0.
    pub fn renumber(&mut self) -> Vec<u32> {
        let all = 0..self.documents.len() as u32;
        std::mem::replace(&mut self.documents, all.collect())
    }

    /// The counters are stored in `room`.
    pub(crate) fn within<T: Element>(
        store: &SetStore<T>,
        mut documents: Vec<u32>,
        threshold: &Threshold,
        room: CounterBudget,
    ) -> Result<Sifted, SetsError> {
        let elements = documents.iter().map(|&document| store.size(document) as usize).sum();
        documents.retain(|&document| threshold.long_prefix(store.size(document)) > 0);
        // A set whose whole prefix is unique has no partner. Most sets end here; counting again drops a few more.
        let enough = |document: u32| singles_that_suffice(threshold, store.size(document));
        sieve(store, &mut documents, enough, room)?;
        let counters = Counters::count(store, &mut documents, enough, room)?;
        Ok(Sifted { documents, counters, elements })
    }
}

/// How many unique elements rule out a partner for a set of this size. (If it can be a pair without common elements, it
/// may have a partner anyway.)
pub(crate) fn singles_that_suffice(threshold: &Threshold, size: u32) -> u32 {
    if may_need_nothing(threshold, size) { u32::MAX } else { threshold.long_prefix(size) }
}
