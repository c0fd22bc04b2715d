//! Counts the elements of all sets while the inputs are read for the first time.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use lookalike::engine::{Memory, Sieve, StorageError};

/// Counts elements in a sieve. Any thread may add sets.
pub(crate) struct Counting {
    pub(super) sieve: Sieve,
    /// The sets seen so far, in shards, by hash. A set that is seen again is not counted again, so that copies do not look like partners.
    seen: Option<Vec<Mutex<Seen>>>,
}

type Seen = HashSet<u64, BuildHasherDefault<Itself>>;

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

impl Counting {
    /// A sieve of this many bytes. `groups_equal` is whether equal sets are compared only once.
    pub(crate) fn new(bytes: u64, groups_equal: bool) -> Result<Counting, StorageError> {
        let shards = || (0..SHARDS).map(|_| Mutex::default()).collect();
        Ok(Counting { sieve: Sieve::new(&Memory, bytes as usize)?, seen: groups_equal.then(shards) })
    }

    /// Counts the elements of a set, unless an equal one was counted.
    pub(crate) fn add(&self, fingerprint: u128, set: &[u64]) {
        let is_new = self.seen.as_ref().is_none_or(|shards| {
            let (shard, rest) = (fingerprint as usize % SHARDS, (fingerprint >> 64) as u64);
            shards[shard].lock().unwrap_or_else(PoisonError::into_inner).insert(rest)
        });
        if is_new {
            self.sieve.add(set);
        }
    }
}
