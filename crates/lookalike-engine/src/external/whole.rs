//! What is known of all documents when their sets are not in memory?

use std::collections::HashMap;

use lookalike::engine::{Algorithm, Fate, Groups, Join, KeepOrder};
use lookalike::{Measure, Threshold};

/// All documents, without their sets.
pub(crate) struct Whole {
    pub(super) threshold: Threshold,
    pub(super) algorithm: Algorithm,
    /// The first document of the second collection, if pairs are between two.
    pub(super) split: Option<u32>,
    pub(super) keep: KeepOrder,
    /// By document, its place in the keep order.
    pub(super) places: Vec<u32>,
    /// By document, the size of its set.
    pub(super) sizes: Vec<u32>,
    /// By document that represents equal ones and is a reference: the first of them that is not a reference.
    seconds: HashMap<u32, u32>,
}

/// Whether most documents of a text have no partner.
pub(crate) fn few_partners(threshold: &Threshold) -> bool {
    let measure = threshold.measure();
    !measure.is_count() && measure != Measure::Containment && threshold.value().to_f64() >= 0.5
}

impl Whole {
    /// Documents in keep order, the first `pinned` of them references. Equal sets have equal hashes.
    pub(crate) fn new(
        threshold: Threshold,
        algorithm: Algorithm,
        (order, pinned): (Vec<u32>, usize),
        set_hashes: &[u128],
        sizes: Vec<u32>,
    ) -> Whole {
        let comparable = order.iter().copied().filter(|&document| sizes[document as usize] > 0);
        let groups = match threshold.groups_equal_sets() {
            true => Groups::of_equal_keys(set_hashes, comparable),
            false => Groups::single(order.len()),
        };
        let mut places = vec![0; order.len()];
        for (place, &document) in order.iter().enumerate() {
            places[document as usize] = place as u32;
        }
        let mut seconds = HashMap::new();
        for &document in &order[pinned..] {
            let first = groups.first(document);
            if (places[first as usize] as usize) < pinned {
                seconds.entry(first).or_insert(document);
            }
        }
        Whole { threshold, algorithm, split: None, keep: KeepOrder { order, pinned, groups }, places, sizes, seconds }
    }

    /// Finds pairs only between the documents before `split` and the others, which are the references.
    pub(crate) fn across(self, split: Option<u32>) -> Whole {
        Whole { split, ..self }
    }

    pub(super) fn documents(&self) -> usize {
        self.places.len()
    }

    /// The first document in keep order with the same set.
    pub(crate) fn representative(&self, document: u32) -> u32 {
        self.keep.groups.first(document)
    }

    /// Whether the set of a document must be compared: it represents its equals, or those of them that are not references.
    pub(super) fn is_compared(&self, document: u32) -> bool {
        let first = self.keep.groups.first(document);
        self.sizes[document as usize] > 0 && (first == document || self.seconds.get(&first) == Some(&document))
    }

    /// How many elements that no other set has rule out a partner.
    pub(super) fn singles_that_suffice(&self, size: u32) -> u32 {
        if self.needs_nothing(size) { u32::MAX } else { self.threshold.long_prefix(size) }
    }

    /// Whether a set of this size may be a pair with one that it shares nothing with.
    pub(super) fn needs_nothing(&self, size: u32) -> bool {
        self.threshold.is_distance() && self.threshold.needed(size, 1) == 0
    }

    /// The join of a part: its documents, in ascending order.
    pub(super) fn join_of(&self, documents: &[u32]) -> Join {
        let join = Join::new(self.threshold).algorithm(self.algorithm);
        match self.split {
            Some(split) => join.across(documents.partition_point(|&document| document < split) as u32),
            None => {
                let (order, pinned) = self.order_of(documents);
                join.keep_order(order, pinned)
            }
        }
    }

    /// Some documents, by their index, in keep order, and how many of them are references.
    pub(super) fn order_of(&self, documents: &[u32]) -> (Vec<u32>, usize) {
        let place = |index: &u32| self.places[documents[*index as usize] as usize];
        let mut order: Vec<u32> = (0..documents.len() as u32).collect();
        order.sort_unstable_by_key(place);
        let pinned = order.partition_point(|index| (place(index) as usize) < self.keep.pinned);
        (order, pinned)
    }

    /// The fates of all documents, given those of the compared ones. A compared document that has no fate here has no partner.
    pub(super) fn extend(&self, compared: impl Iterator<Item = (u32, Fate)>) -> Vec<Fate> {
        let KeepOrder { order, pinned, groups } = &self.keep;
        let mut fates = vec![Fate::Kept; order.len()];
        compared.for_each(|(document, fate)| fates[document as usize] = fate);
        for &document in &order[*pinned..] {
            let first = groups.first(document);
            if first == document {
                continue;
            }
            let model = self.seconds.get(&first).copied().unwrap_or(first);
            let size = self.sizes[document as usize];
            let itself = || (first, self.threshold.similarity(size, size, size));
            let (twin, similarity) = match fates[model as usize] {
                Fate::Removed { twin, similarity, .. } => (twin, similarity),
                Fate::Kept => itself(),
            };
            fates[document as usize] = Fate::Removed { twin, similarity, identical: true };
        }
        fates
    }
}
