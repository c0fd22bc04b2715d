//! Which documents came since a number.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::counters::{Counters, DuplicateSummary};

/// The documents that came since a number.
#[derive(Clone, Debug, Serialize)]
pub struct News {
    /// The number of the first of them.
    pub since: u64,
    /// The number to ask for next time.
    pub next: u64,
    /// How many of them are duplicates.
    pub duplicates: usize,
    /// How many duplicates are missing in `latest`.
    pub left_off: usize,
    /// The latest duplicates, in order of arrival.
    pub latest: Vec<DuplicateSummary>,
}

impl News {
    /// `next` is the number of the next document; `duplicates` has the ids of the stored duplicates by number.
    pub(crate) fn new(counters: &Counters, duplicates: &BTreeMap<u64, Arc<str>>, next: u64, since: u64) -> News {
        // A number that is not assigned yet comes from an earlier store, whose data is gone.
        let since = if since > next { 0 } else { since };
        let is_stored = |summary: &&DuplicateSummary| duplicates.contains_key(&summary.number);
        let latest: Vec<DuplicateSummary> = counters.latest(since).filter(is_stored).cloned().collect();
        let duplicates = duplicates.range(since..).count();
        News { since, next, duplicates, left_off: duplicates - latest.len(), latest }
    }
}
