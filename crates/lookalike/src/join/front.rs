//! One front for all joins: equal sets are grouped, a method is chosen, and the pairs come out the same whatever it is.

use std::sync::{Arc, Mutex, PoisonError};

use super::dense::{Dense, DensePlan};
use super::error::{JoinError, check_order};
use super::forecast::{Forecast, Wanted};
use super::paper::{self, Counts};
use super::references::References;
use super::sparse::{Index, Sifted};
use super::{Method, Pair, Plan, Records, brute};
use crate::candidates::Outgoing;
use crate::measure::Threshold;
use crate::sets::{Groups, SetStore};

/// Bytes for counters of elements, unless otherwise asked for.
const COUNTER_BYTES: usize = 1 << 30;

/// A join to be done.
///
/// ```
/// use lookalike::{Measure, SetStore, Threshold};
/// use lookalike::join::Join;
///
/// let store = SetStore::of_sets([vec![1, 2, 3, 4], vec![2, 3, 4], vec![7, 8, 9]])?;
/// let threshold = Threshold::new(Measure::Jaccard, "0.75")?;
/// let pairs = Join::new(threshold).pairs(store)?;
/// assert_eq!((pairs[0].a, pairs[0].b, pairs[0].common), (0, 1, 3));
/// assert_eq!(threshold.similarity(3, 4, 3), 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Join {
    threshold: Threshold,
    method: Method,
    /// Where the second of two collections begins.
    split: Option<u32>,
    order: Option<Vec<u32>>,
    pinned: usize,
    counter_bytes: usize,
}

impl Join {
    /// Pairs of one collection that reach this threshold.
    pub fn new(threshold: Threshold) -> Join {
        Join { threshold, method: Method::Auto, split: None, order: None, pinned: 0, counter_bytes: COUNTER_BYTES }
    }

    /// What makes a pair.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Found in this way.
    pub fn method(self, method: Method) -> Join {
        Join { method, ..self }
    }

    /// In this keep order, which names every document once. The first `pinned` of it are a reference collection, within which no pairs
    /// are wanted.
    pub fn keep_order(self, order: Vec<u32>, pinned: usize) -> Join {
        Join { order: Some(order), pinned, ..self }
    }

    /// With at most so many bytes for counters of elements; fewer make more work and the same answer.
    pub fn counter_bytes(self, counter_bytes: usize) -> Join {
        Join { counter_bytes, ..self }
    }

    /// Pairs between two collections only: the documents from number `split` on are the second.
    pub fn across(self, split: u32) -> Join {
        Join { split: Some(split), ..self }
    }

    /// Every pair of a collection, in order; of equal sets, all.
    pub fn pairs(self, store: SetStore) -> Result<Vec<Pair>, JoinError> {
        let fingerprints = Groups::fingerprints(&store);
        let documents = store.len() as u32;
        let mut joinable = self.prepare(store, fingerprints)?;
        let all = Mutex::new(Vec::new());
        joinable.run(|_| {}, |some| all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some));
        let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(joinable.expand(documents, &found))
    }

    /// Makes a collection ready. `fingerprints` are those of [`hash_set`](crate::sets::hash_set).
    ///
    /// Fails if a set is not ascending and distinct, if the keep order does not name every document once, or if there is not enough
    /// memory for the counters of elements.
    pub fn prepare(self, store: SetStore, fingerprints: Vec<u128>) -> Result<Joinable, JoinError> {
        store.check_sets()?;
        if fingerprints.len() != store.len() {
            return Err(JoinError::Fingerprints { fingerprints: fingerprints.len(), documents: store.len() });
        }
        let Join { threshold, method, split, mut order, mut pinned, counter_bytes } = self;
        let documents = store.len() as u32;
        // A keep order is what survivors are settled in.
        let wanted = if order.is_some() { Wanted::Survivors } else { Wanted::Pairs };
        if let Some(split) = split {
            order = Some((split.min(documents)..documents).chain(0..split.min(documents)).collect());
            pinned = documents.saturating_sub(split) as usize;
        }
        let order = order.unwrap_or_else(|| (0..documents).collect());
        check_order(&order, pinned, store.len())?;
        let sizes: Vec<u32> = (0..store.len() as u32).map(|document| store.size(document)).collect();
        let groups = group(&store, &fingerprints, &order, &threshold);
        drop(fingerprints);
        let firsts: Vec<u32> =
            (0..store.len() as u32).filter(|&document| groups.is_first(document) && store.size(document) > 0).collect();
        let references = References::new(&groups, &order, pinned, split.is_some());
        let mut joinable = Joinable {
            threshold,
            order,
            pinned,
            references,
            plan: Plan { method, reasons: Vec::new() },
            groups,
            sizes,
            ready: Ready::Brute(SetStore::default(), Vec::new()),
            forecast: None,
            dense: None,
        };
        match method {
            Method::Auto => joinable.choose(store, firsts, wanted, counter_bytes)?,
            Method::Sparse => joinable.index(Sifted::new(store, firsts, &threshold, counter_bytes)?)?,
            Method::Brute => joinable.ready = Ready::Brute(store, firsts),
            Method::Light | Method::Heavy | Method::Paper(_) => joinable.code(&store, &firsts)?,
        }
        Ok(joinable)
    }
}

/// Groups equal sets if they always are a pair; else every document is for itself.
fn group(store: &SetStore, fingerprints: &[u128], order: &[u32], threshold: &Threshold) -> Groups {
    if threshold.groups_equal_sets() {
        Groups::of_equal_sets(store, fingerprints, order)
    } else {
        Groups::single(store.len())
    }
}

/// A collection made ready to be joined.
pub struct Joinable {
    pub(super) threshold: Threshold,
    order: Vec<u32>,
    pinned: usize,
    pub(super) references: References,
    pub(super) plan: Plan,
    pub(super) groups: Groups,
    pub(super) sizes: Vec<u32>,
    pub(super) ready: Ready,
    /// What was foreseen, if the plan may still change.
    pub(super) forecast: Option<Forecast>,
    /// If that is how.
    pub(super) dense: Option<Dense>,
}

/// What can settle who survives.
pub(crate) enum Engine<'a> {
    Sparse(&'a mut Index),
    Dense {
        records: &'a Records,
        threshold: &'a Threshold,
        /// The documents of the records, in keep order, of which the first `pinned` are references.
        firsts: Vec<u32>,
        pinned: usize,
    },
}

pub(super) enum Ready {
    Sparse(Box<Index>),
    /// For the dense engine and the paper's algorithms.
    Coded(Arc<Records>),
    Brute(SetStore, Vec<u32>),
}

impl Joinable {
    /// What was chosen, and why.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Who stands for whom.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The keep order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// How many of the keep order, at its start, are the reference collection.
    pub fn pinned(&self) -> usize {
        self.pinned
    }

    /// What can settle who survives.
    pub(crate) fn engine(&mut self) -> Engine<'_> {
        if let Ready::Brute(store, firsts) = &self.ready {
            // Whoever compares every set with every other has no such number of elements.
            let records = self.references.code(store, firsts).unwrap_or_else(|error| panic!("{error}"));
            self.ready = Ready::Coded(Arc::new(records));
        }
        match &mut self.ready {
            Ready::Sparse(index) => Engine::Sparse(index),
            Ready::Coded(records) => {
                let mut is_record = vec![false; self.sizes.len()];
                (0..records.len() as u32).for_each(|record| is_record[records.document(record) as usize] = true);
                let stands = |document: &&u32| is_record[**document as usize];
                Engine::Dense {
                    records,
                    threshold: &self.threshold,
                    firsts: self.order.iter().filter(stands).copied().collect(),
                    pinned: self.order[..self.pinned].iter().filter(stands).count(),
                }
            }
            Ready::Brute(..) => unreachable!("coded above"),
        }
    }

    /// How many elements two documents share, which are equal or each have a partner.
    pub fn common(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.groups.first(a), self.groups.first(b));
        if a == b {
            return self.size(a);
        }
        match &self.ready {
            Ready::Sparse(index) => index.common(a, b),
            Ready::Coded(records) => {
                let record = |document: u32| records.find(document, self.size(document));
                let (Some(a), Some(b)) = (record(a), record(b)) else { return 0 };
                crate::verify::common_numbers(records.set(a), records.set(b), 0).unwrap_or(0)
            }
            Ready::Brute(store, _) => crate::verify::common(store.set(a), store.set(b)),
        }
    }

    /// The threshold.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// How many elements a document's set has.
    pub fn size(&self, document: u32) -> u32 {
        self.sizes[document as usize]
    }

    /// The similarity of two documents that share so many elements.
    pub fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.threshold.similarity(common, self.size(a), self.size(b))
    }

    /// How much `progress` will be told of in all.
    pub fn work(&self) -> usize {
        match &self.ready {
            Ready::Sparse(index) => index.places() as usize,
            Ready::Coded(records) => records.len(),
            Ready::Brute(_, documents) => documents.len(),
        }
    }

    /// All pairs of documents, in order, from those of the documents that stand for their groups.
    fn expand(&self, documents: u32, found: &[Pair]) -> Vec<Pair> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); documents as usize];
        for document in (0..documents).filter(|&document| self.size(document) > 0) {
            members[self.groups.first(document) as usize].push(document);
        }
        let mut pairs = Vec::new();
        let mut push = |x: u32, y: u32, common: u32| {
            if self.references.want(x, y) {
                pairs.push(Pair { a: x.min(y), b: x.max(y), common });
            }
        };
        for pair in found {
            for &x in &members[pair.a as usize] {
                members[pair.b as usize].iter().for_each(|&y| push(x, y, pair.common));
            }
        }
        for group in &members {
            for (at, &x) in group.iter().enumerate() {
                group[at + 1..].iter().for_each(|&y| push(x, y, self.size(x)));
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Every pair, some at a time, in no particular order, from any thread; `a` is less than `b`. Of equal sets only the one that stands
    /// for them is paired: [`Joinable::groups`] knows the others.
    ///
    /// `progress` is told how much more is done.
    pub fn run(&mut self, progress: impl Fn(usize) + Sync, emit: impl Fn(&[Pair]) + Sync) -> Counts {
        self.try_index();
        let references = &self.references;
        let wanted = |a: u32, b: u32| references.want_groups(a, b);
        match &mut self.ready {
            Ready::Sparse(index) => index.for_each_pair(references, progress, emit),
            Ready::Brute(store, documents) => brute::join(store, documents, &self.threshold, wanted, progress, emit),
            Ready::Coded(records) => {
                let records = &*records;
                match self.plan.method {
                    Method::Paper(algorithm) => {
                        let mut outgoing = Outgoing::new(&emit);
                        paper::join(records, &self.threshold, algorithm, progress, &mut |pair| outgoing.push(pair))
                    }
                    method => {
                        let plan = if method == Method::Heavy { DensePlan::Heavy } else { DensePlan::Light };
                        let dense = self.dense.get_or_insert_with(|| Dense::new(records.clone(), self.threshold));
                        dense.run(plan, progress, emit)
                    }
                }
            }
        }
    }
}
