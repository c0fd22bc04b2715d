//! One front for all joins: equal sets are grouped, a method is chosen, and the pairs come out the same whatever it is.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::dense::{Dense, DensePlan};
use super::density::Density;
use super::index::Scope;
use super::outgoing::Outgoing;
use super::paper::{self, Counts};
use super::{Index, IndexOptions, Method, Pair, Records, Side, brute};
use crate::measure::Threshold;
use crate::sets::{Groups, SetStore};

/// A join to be done.
///
/// ```
/// use lookalike::{Measure, SetStore, Threshold};
/// use lookalike::join::Join;
///
/// let store: SetStore = [vec![1, 2, 3, 4], vec![2, 3, 4], vec![7, 8, 9]].into_iter().collect();
/// let threshold = Threshold::new(Measure::Jaccard, "0.75")?;
/// let pairs = Join::new(threshold).pairs(store);
/// assert_eq!((pairs[0].a, pairs[0].b, pairs[0].common), (0, 1, 3));
/// assert_eq!(threshold.similarity(3, 4, 3), 0.75);
/// # Ok::<(), lookalike::ThresholdError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Join {
    threshold: Threshold,
    method: Method,
    /// Where the second of two collections begins.
    split: Option<u32>,
    order: Option<Vec<u32>>,
    pinned: usize,
}

impl Join {
    /// Pairs of one collection that reach this threshold.
    pub fn new(threshold: Threshold) -> Join {
        Join { threshold, method: Method::Auto, split: None, order: None, pinned: 0 }
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

    /// Pairs between two collections only: the documents from number `split` on are the second.
    pub fn across(self, split: u32) -> Join {
        Join { split: Some(split), ..self }
    }

    /// Every pair of a collection, in order; of equal sets, all.
    pub fn pairs(self, store: SetStore) -> Vec<Pair> {
        let fingerprints = Groups::fingerprints(&store);
        let documents = store.len() as u32;
        let mut joinable = self.prepare(store, &fingerprints);
        let all = Mutex::new(Vec::new());
        joinable.run(|_| {}, |some| all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some));
        let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        joinable.expand(documents, &found)
    }

    /// Makes a collection ready. `fingerprints` are those of [`hash_set`](crate::sets::hash_set).
    pub fn prepare(self, store: SetStore, fingerprints: &[u128]) -> Joinable {
        let Join { threshold, method, split, mut order, mut pinned } = self;
        let documents = store.len() as u32;
        if let Some(split) = split {
            order = Some((split.min(documents)..documents).chain(0..split.min(documents)).collect());
            pinned = documents.saturating_sub(split) as usize;
        }
        let order = order.unwrap_or_else(|| (0..documents).collect());
        let sizes: Vec<u32> = (0..store.len() as u32).map(|document| store.size(document)).collect();
        let groups = group(&store, fingerprints, &order, &threshold);
        let firsts: Vec<u32> =
            (0..store.len() as u32).filter(|&document| groups.is_first(document) && store.size(document) > 0).collect();
        let mut plan = Plan { method, reasons: Vec::new() };
        if method == Method::Auto {
            plan.choose(&Density::of(&store, &firsts));
        }
        let references = References::new(&groups, &order, pinned, split.is_some());
        let ready = match plan.method {
            Method::Sparse => {
                let options = IndexOptions::default();
                Ready::Sparse(Box::new(Index::of_groups(store, groups.clone(), &order, pinned, threshold, options)))
            }
            Method::Brute => Ready::Brute(store, firsts),
            _ => Ready::Coded(references.code(&store, &firsts)),
        };
        let mut joinable = Joinable { threshold, order, pinned, references, plan, groups, sizes, ready };
        joinable.plan_lists();
        joinable
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

impl Plan {
    fn choose(&mut self, density: &Density) {
        let Density { sets, per_element, per_occurrence } = density;
        self.reasons.push(format!(
            "{sets} different sets; an element occurs in {per_element:.1} of them; any of a set's elements, in {per_occurrence:.1}"
        ));
        if density.is_dense() {
            // Short or long lists: known when the records are coded.
            self.method = Method::Light;
            self.reasons.push("few elements in many sets: dense".to_string());
        } else {
            self.method = Method::Sparse;
            let why = if *per_element < 8.0 { "most elements are rare" } else { "most sets are nearly the same" };
            self.reasons.push(format!("{why}: sparse"));
        }
    }
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
    order: Vec<u32>,
    pinned: usize,
    references: References,
    plan: Plan,
    groups: Groups,
    sizes: Vec<u32>,
    ready: Ready,
}

/// Which documents belong to the reference collection, or to the second of two.
struct References {
    /// By document.
    are: Vec<bool>,
    /// By document: whether it is one and stands for others that are not.
    mixed: Vec<bool>,
    /// Whether only pairs with them are wanted.
    across: bool,
}

enum Ready {
    Sparse(Box<Index>),
    /// For the dense engine and the paper's algorithms.
    Coded(Records),
    Brute(SetStore, Vec<u32>),
}

impl References {
    fn new(groups: &Groups, order: &[u32], pinned: usize, across: bool) -> References {
        let mut are = vec![false; order.len()];
        order[..pinned].iter().for_each(|&document| are[document as usize] = true);
        References { are, mixed: groups.mixed(order, pinned), across }
    }

    /// Whether a pair of these two documents is wanted.
    fn want(&self, a: u32, b: u32) -> bool {
        match (self.are[a as usize], self.are[b as usize]) {
            (true, true) => false,
            (false, false) => !self.across,
            _ => true,
        }
    }

    /// On which side a document is that stands for its group.
    fn side(&self, first: u32) -> Side {
        match self.are[first as usize] {
            true if self.mixed[first as usize] => Side::Both,
            true => Side::Second,
            false if self.across => Side::First,
            false => Side::Both,
        }
    }

    fn code(&self, store: &SetStore, firsts: &[u32]) -> Records {
        let records = Records::code(store, firsts);
        if self.are.contains(&true) || self.across { records.on_sides(|first| self.side(first)) } else { records }
    }

    /// Whether any documents of these two groups may be a wanted pair.
    fn want_groups(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.side(a), self.side(b));
        a == Side::Both || a != b
    }
}

impl Joinable {
    /// Of the dense engine's plans, chooses one, unless it was asked for.
    fn plan_lists(&mut self) {
        let Ready::Coded(records) = &self.ready else { return };
        if self.plan.reasons.is_empty() {
            return;
        }
        let dense = Dense::new(records, self.threshold);
        let (length, entries) = (dense.list_length(), dense.entries());
        let (method, why) = match dense.plan() {
            DensePlan::Light => (Method::Light, "short enough for a record at a time"),
            DensePlan::Heavy => (Method::Heavy, "long enough for a block of records at a time"),
        };
        let reason = format!("{entries} entries in lists of {length:.1} on average: {why}");
        let bits = format!("signatures of {} bits", dense.signature_bits());
        self.plan.method = method;
        self.plan.reasons.extend([reason, bits]);
    }

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
        let references = &self.references;
        let wanted = |a: u32, b: u32| references.want_groups(a, b);
        match &mut self.ready {
            Ready::Sparse(index) => {
                let scope = if references.across { Scope::Across } else { Scope::All };
                index.for_each_pair(scope, progress, emit);
                Counts::default()
            }
            Ready::Brute(store, documents) => {
                brute::join(store, documents, &self.threshold, wanted, progress, emit);
                Counts::default()
            }
            Ready::Coded(records) => {
                let records = &*records;
                match self.plan.method {
                    Method::Paper(algorithm) => {
                        let mut outgoing = Outgoing::new(&emit);
                        let counts = paper::join(records, &self.threshold, algorithm, &mut |pair| outgoing.push(pair));
                        progress(records.len());
                        counts
                    }
                    method => {
                        let plan = if method == Method::Heavy { DensePlan::Heavy } else { DensePlan::Light };
                        Dense::new(records, self.threshold).run(plan, progress, emit)
                    }
                }
            }
        }
    }
}
