//! Counts the elements of all sets while the inputs are read for the first time.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use lookalike::engine::{DigestSieve, Memory, Sieve, StorageError};

use super::budget::TraceShare;

/// Counts elements in a sieve. Any thread may add sets.
pub(crate) struct Counting {
    pub(super) sieve: Sieve,
    seen: Option<Seen>,
}

/// Counts a share of the elements, and keeps the traces of sets. Any thread may add sets.
pub(crate) struct TraceCounting {
    pub(super) sieve: DigestSieve,
    seen: Option<Seen>,
    /// Elements of traces so far, and at most.
    kept: AtomicU64,
    most: u64,
    /// Bytes of the sieve.
    bytes: u64,
    share: f64,
}

/// The sets seen so far, in shards, by hash. A set that is seen again is not counted again, so that copies do not look like partners.
struct Seen(Vec<Mutex<HashSet<u64, BuildHasherDefault<Itself>>>>);

/// Shards, so that threads rarely wait for each other.
const SHARDS: usize = 64;

/// Hashes a hash to itself.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Seen {
    fn new() -> Seen {
        Seen((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    /// Whether no set with this hash was seen before.
    fn is_new(&self, set_hash: u128) -> bool {
        let (shard, rest) = (set_hash as usize % SHARDS, (set_hash >> 64) as u64);
        self.0[shard].lock().unwrap_or_else(PoisonError::into_inner).insert(rest)
    }
}

impl Counting {
    /// A sieve of this many bytes. `groups_equal` is whether equal sets are compared only once.
    pub(crate) fn new(bytes: u64, groups_equal: bool) -> Result<Counting, StorageError> {
        Ok(Counting { sieve: Sieve::new(&Memory, bytes as usize)?, seen: groups_equal.then(Seen::new) })
    }

    /// Counts the elements of a set, unless an equal one was counted.
    pub(crate) fn add(&self, set_hash: u128, set: &[u64]) {
        if self.seen.as_ref().is_none_or(|seen| seen.is_new(set_hash)) {
            self.sieve.add(set);
        }
    }
}

impl TraceCounting {
    /// Keeps traces of the elements of this share. `groups_equal` is as above.
    pub(crate) fn new(share: &TraceShare, groups_equal: bool) -> Result<TraceCounting, StorageError> {
        let sieve = DigestSieve::new(&Memory, share.sieve as usize, share.parts)?;
        let seen = groups_equal.then(Seen::new);
        Ok(TraceCounting {
            sieve,
            seen,
            kept: AtomicU64::new(0),
            most: share.most,
            bytes: share.sieve,
            share: f64::from(share.parts) / 1024.0,
        })
    }

    /// The share of the elements of a set that its trace has.
    pub(super) fn share(&self) -> f64 {
        self.share
    }

    /// The bytes of the sieve, and of all traces at most.
    pub(super) fn held(&self) -> u64 {
        self.bytes + size_of::<u32>() as u64 * self.most
    }

    /// Appends the trace of a set, and counts it, unless an equal set was counted. If there is no room for it, it is empty: then the set may
    /// have a partner.
    pub(crate) fn add(&self, set_hash: u128, set: &[u64], traces: &mut Vec<u32>) {
        let start = traces.len();
        self.sieve.digest(set, traces);
        let trace = &traces[start..];
        if self.seen.as_ref().is_none_or(|seen| seen.is_new(set_hash)) {
            self.sieve.add(trace);
        }
        let len = trace.len() as u64;
        if self.kept.fetch_add(len, Relaxed) + len > self.most {
            traces.truncate(start);
        }
    }
}
