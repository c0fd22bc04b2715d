//! One front for all joins: equal sets are grouped, a method is chosen, and the pairs come out the same whatever it is.

use std::fmt;

use super::index::Scope;
use super::paper::{self, Counts};
use super::{Index, IndexOptions, Method, Pair, Records, brute};
use crate::measure::Threshold;
use crate::sets::{Groups, SetStore};

/// A join to be done.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    threshold: Threshold,
    method: Method,
    split: Option<u32>,
}

impl Join {
    /// Pairs of one collection that reach this threshold.
    pub fn new(threshold: Threshold) -> Join {
        Join { threshold, method: Method::Auto, split: None }
    }

    /// Pairs between two collections: the documents from number `split` on are the second.
    pub fn across(self, split: u32) -> Join {
        Join { split: Some(split), ..self }
    }

    /// Found in this way.
    pub fn method(self, method: Method) -> Join {
        Join { method, ..self }
    }

    /// Makes a collection ready. `fingerprints` are those of [`hash_set`](crate::sets::hash_set).
    pub fn prepare(self, store: SetStore, fingerprints: &[u128]) -> Joinable {
        let Join { threshold, split, method } = self;
        let order: Vec<u32> = match split {
            Some(split) => (split..store.len() as u32).chain(0..split).collect(),
            None => (0..store.len() as u32).collect(),
        };
        let groups = group(&store, fingerprints, &order, &threshold);
        let firsts: Vec<u32> =
            (0..store.len() as u32).filter(|&document| groups.is_first(document) && store.size(document) > 0).collect();
        let sizes: Vec<u32> = (0..store.len() as u32).map(|document| store.size(document)).collect();
        // TODO-FRONT: dense is chosen here.
        let ready = match method {
            Method::Auto | Method::Sparse | Method::Dense => {
                let pinned = split.map_or(0, |split| store.len() - split as usize);
                let options = IndexOptions::default();
                Ready::Sparse(Box::new(Index::build(store, fingerprints, &order, pinned, threshold, options)))
            }
            Method::Paper(algorithm) => Ready::Paper(Records::code(&store, &firsts, split), algorithm),
            Method::Brute => Ready::Brute(store, firsts),
        };
        Joinable { threshold, split, plan: Plan { method, reasons: Vec::new() }, groups, sizes, ready }
    }
}

/// Groups equal sets if they always are a pair; else every document is for itself.
pub(super) fn group(store: &SetStore, fingerprints: &[u128], order: &[u32], threshold: &Threshold) -> Groups {
    if threshold.groups_equal_sets() {
        Groups::of_equal_sets(store, fingerprints, order)
    } else {
        Groups::single(store.len())
    }
}

/// What was chosen, and why.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was chosen.
    pub method: Method,
    /// Why: a sentence each.
    pub reasons: Vec<String>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.method)?;
        self.reasons.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}

/// A collection made ready to be joined.
pub struct Joinable {
    threshold: Threshold,
    split: Option<u32>,
    plan: Plan,
    groups: Groups,
    sizes: Vec<u32>,
    ready: Ready,
}

enum Ready {
    Sparse(Box<Index>),
    Paper(Records, paper::Algorithm),
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
            Ready::Sparse(index) => index.may_pair(),
            Ready::Paper(records, _) => records.len(),
            Ready::Brute(_, documents) => documents.len(),
        }
    }

    /// Every pair, some at a time, in no particular order, from any thread; `a` is less than `b`, and of two collections `a` is of the
    /// first. Of equal sets only the one that stands for them is paired: [`Joinable::groups`] knows the others.
    ///
    /// `progress` is told how much more is done.
    pub fn run(&mut self, progress: impl Fn(usize) + Sync, emit: impl Fn(&[Pair]) + Sync) -> Counts {
        let Joinable { threshold, split, ready, .. } = self;
        match ready {
            Ready::Sparse(index) => {
                let scope = if split.is_some() { Scope::Across } else { Scope::All };
                index.for_each_pair(scope, progress, emit);
                Counts::default()
            }
            Ready::Paper(records, algorithm) => {
                let mut outgoing = super::outgoing::Outgoing::new(&emit);
                let counts = paper::join(records, threshold, *algorithm, &mut |pair| outgoing.push(pair));
                progress(records.len());
                counts
            }
            Ready::Brute(store, documents) => {
                brute::join(store, documents, *split, threshold, progress, emit);
                Counts::default()
            }
        }
    }
}
