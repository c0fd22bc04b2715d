//! What are the settings of a join, and how is a collection prepared for it?

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::joinable::{Joinable, Prepared};
use super::preparation::Preparation;
use crate::join::dense::DensePlan;
use crate::join::error::{JoinError, check_order};
use crate::join::forecast::Wanted;
use crate::join::forecast::{COUNTER_BYTES, Sifted};
use crate::join::frame::Frame;
use crate::join::keep_order::KeepOrder;
use crate::join::references::References;
use crate::join::source::PairSource;
use crate::join::sources::Brute;
use crate::join::sources::PaperSource;
use crate::join::{Algorithm, Pair, Plan};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::{Groups, SetStore};
use crate::storage::{Memory, Storage};

/// The settings of a join of sets.
///
/// ```
/// use lookalike::engine::{Join, SetStore};
/// use lookalike::{Measure, Threshold};
///
/// let store = SetStore::of_sets([vec![1, 2, 3, 4], vec![2, 3, 4], vec![7, 8, 9]])?;
/// let threshold = Threshold::new(Measure::Jaccard, "0.75")?;
/// let pairs = Join::new(threshold).pairs(store)?;
/// assert_eq!((pairs[0].a, pairs[0].b, pairs[0].common), (0, 1, 3));
/// assert_eq!(threshold.similarity(3, 4, 3), 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Join {
    threshold: Threshold,
    algorithm: Algorithm,
    /// The first document of the second collection, if there are two.
    split: Option<u32>,
    order: Option<Vec<u32>>,
    pinned: usize,
    counter_bytes: usize,
    block: Option<u32>,
    storage: Arc<dyn Storage>,
}

impl fmt::Debug for Join {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Join { threshold, algorithm, split, .. } = self;
        write!(f, "Join {{ {} {}, {algorithm}, split {split:?} }}", threshold.measure(), threshold.value())
    }
}

impl Join {
    /// Makes a join that finds the pairs that reach this threshold.
    pub fn new(threshold: Threshold) -> Join {
        Join {
            threshold,
            algorithm: Algorithm::Auto,
            split: None,
            order: None,
            pinned: 0,
            counter_bytes: COUNTER_BYTES,
            block: None,
            storage: Memory::shared(),
        }
    }

    /// Returns the threshold.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Sets the algorithm. All algorithms find the same pairs.
    pub fn algorithm(self, algorithm: Algorithm) -> Join {
        Join { algorithm, ..self }
    }

    /// Sets the keep order, which names every document once. The first `pinned` documents are a reference collection,
    /// and are not compared with each other.
    pub fn keep_order(self, order: Vec<u32>, pinned: usize) -> Join {
        Join { order: Some(order), pinned, ..self }
    }

    /// Limits the bytes for counters of elements. Fewer bytes cause more work, with the same result.
    pub fn counter_bytes(self, counter_bytes: usize) -> Join {
        Join { counter_bytes, ..self }
    }

    /// Sets how many documents are taken together: when deciding which to keep, and when records are joined. By default
    /// the join chooses. It changes the speed, never the result.
    pub fn block(self, documents: u32) -> Join {
        Join { block: Some(documents.max(1)), ..self }
    }

    /// Stores counters, ordered sets and postings in this storage.
    pub fn storage(self, storage: Arc<dyn Storage>) -> Join {
        Join { storage, ..self }
    }

    /// Finds only pairs between two collections. The second starts at document `split`.
    pub fn across(self, split: u32) -> Join {
        Join { split: Some(split), ..self }
    }

    /// Returns every pair of a collection, in order, including all pairs of equal sets.
    pub fn pairs(self, store: SetStore) -> Result<Vec<Pair>, JoinError> {
        let mut joinable = self.prepare(Arc::new(store), &Stage::silent())?;
        let all = Mutex::new(Vec::new());
        let emit = |some: &[Pair]| all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
        joinable.pairs(&Stage::silent(), &emit)?;
        let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        joinable.expand_groups(found, &Stage::silent())
    }

    /// Prepares a collection. The sets are read, not changed. If you hold no other reference to them, they are freed as
    /// soon as they are not needed.
    ///
    /// Fails if a set is not ascending and distinct, if the keep order does not name every document once, if there is
    /// no room, or if the stage is cancelled.
    pub fn prepare(self, store: Arc<SetStore>, stage: &Stage) -> Result<Joinable, JoinError> {
        self.prepare_with(store, None, stage)
    }

    /// Like [`Join::prepare`], for sets that have been sifted: none is dropped, and their elements are counted.
    pub fn prepare_sifted(self, store: Arc<SetStore>, sifted: Sifted, stage: &Stage) -> Result<Joinable, JoinError> {
        self.prepare_with(store, Some(sifted), stage)
    }

    fn prepare_with(self, store: Arc<SetStore>, sifted: Option<Sifted>, stage: &Stage) -> Result<Joinable, JoinError> {
        store.check_sets()?;
        let Join { threshold, algorithm, split, mut order, mut pinned, counter_bytes, block, storage } = self;
        let documents = store.len() as u32;
        // A keep order means that the join decides which documents survive.
        let wanted = if order.is_some() { Wanted::Survivors } else { Wanted::Pairs };
        if let Some(split) = split {
            order = Some((split.min(documents)..documents).chain(0..split.min(documents)).collect());
            pinned = documents.saturating_sub(split) as usize;
        }
        let order = order.unwrap_or_else(|| (0..documents).collect());
        check_order(&order, pinned, store.len())?;
        let groups = group(&store, &order, &threshold);
        let keep = KeepOrder { order, pinned, groups };
        let references = References::new(&keep, split.is_some());
        let sizes = (0..documents).map(|document| store.size(document)).collect();
        let frame = Arc::new(Frame { threshold, keep, references, sizes, block });
        stage.check()?;
        let preparation = Preparation { frame, store, counter_bytes, storage, stage };
        match (algorithm, sifted) {
            (Algorithm::Auto, Some(sifted)) => {
                let documents = preparation.frame.firsts();
                let plan = Plan { algorithm: Algorithm::Sparse, reasons: Vec::new() };
                preparation.choose_index(plan, Sifted { documents, ..sifted }, wanted)
            }
            _ => prepare_for(algorithm, preparation, wanted),
        }
    }
}

/// Groups equal sets if they are always a pair. Otherwise every document represents itself.
fn group(store: &SetStore, order: &[u32], threshold: &Threshold) -> Groups {
    if threshold.groups_equal_sets() { Groups::of_equal_sets(store, order) } else { Groups::single(store.len()) }
}

/// Prepares for this algorithm, or for the one that suits the data.
fn prepare_for(algorithm: Algorithm, preparation: Preparation, wanted: Wanted) -> Result<Joinable, JoinError> {
    let plan = Plan { algorithm, reasons: Vec::new() };
    let documents = preparation.frame.firsts();
    let prepared = match algorithm {
        Algorithm::Auto => return preparation.choose(documents, wanted),
        Algorithm::Sparse => {
            let sifted = preparation.sift(documents)?;
            preparation.index(sifted)?
        }
        Algorithm::Brute => Prepared::Brute(Brute { frame: preparation.frame, store: preparation.store, documents }),
        Algorithm::Light | Algorithm::Heavy => {
            let mut dense = preparation.code(&documents)?;
            dense.plan = if algorithm == Algorithm::Heavy { DensePlan::Heavy } else { DensePlan::Light };
            Prepared::Dense(Box::new(dense))
        }
        Algorithm::Paper(algorithm) => {
            let records = preparation.frame.references.code(&preparation.store, &documents)?;
            Prepared::Paper(PaperSource { frame: preparation.frame, records, algorithm })
        }
    };
    Ok(Joinable::new(prepared, plan))
}
