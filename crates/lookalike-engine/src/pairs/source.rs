//! Where pairs come from: sets, texts or signatures.

use std::num::NonZeroU32;
use std::sync::Arc;

use lookalike::Threshold;
use lookalike::engine::{
    Algorithm, EditJoin, EditSource, Groups, Join, Joinable, PairSource, PaperAlgorithm, Progress, SetStore, Stage,
};

use super::values::PairValues;
use crate::error::Error;
use crate::external::{External, PartsSource, SIGNATURES_ON_DISK, TEXTS_ON_DISK, Whole, in_memory};
use crate::on_disk::{TextFileWriter, TextTiles, TextsOnDisk, Tiled};
use crate::read::{Collection, Collector};
use crate::report::{MemoryReport, SignedReport};
use crate::sign::SignedSource;

/// A source of pairs, with the other data that a job needs.
pub(crate) enum JobSource<'a> {
    Sets {
        joinable: Box<Joinable>,
        /// Groups of equal sets, if the join does not group them. Under overlap, equal sets may be too small to be a pair.
        equal: Option<Groups>,
        /// By document, a key that must be equal in a pair. Used only with distances, where small sets are close even if their keys differ.
        within: Vec<u64>,
    },
    /// Sets that do not fit in memory.
    Parts {
        parts: Box<PartsSource<'a>>,
        /// As above.
        equal: Option<Groups>,
        within: Vec<u64>,
    },
    Texts(EditSource),
    /// Texts that do not fit in memory.
    TextsOnDisk(Box<TextTiles>),
    Signatures(Box<SignedSource>),
}

/// In which order documents are compared.
pub(crate) enum Order {
    /// A keep order, of which the first documents are references.
    Keep(Vec<u32>, usize),
    /// As in the input.
    Source,
    /// Between the documents before this one and the others.
    Across(u32),
}

impl Order {
    /// The document order, the number of references, and the split.
    fn of(self, documents: u32) -> ((Vec<u32>, usize), Option<u32>) {
        match self {
            Order::Keep(order, pinned) => ((order, pinned), None),
            Order::Source => (((0..documents).collect(), 0), None),
            Order::Across(split) => {
                let order = (split.min(documents)..documents).chain(0..split.min(documents)).collect();
                ((order, documents.saturating_sub(split) as usize), Some(split))
            }
        }
    }
}

/// Describes how pairs were found.
pub(crate) struct Described {
    /// `exact`, `spotsigs`, or the method of the signatures.
    pub(crate) method: &'static str,
    /// The algorithm of an exact join.
    pub(crate) algorithm: Option<String>,
    /// The plan, and why it was chosen.
    pub(crate) plan: String,
}

impl<'a> JobSource<'a> {
    /// Prepares sets for a join.
    pub(crate) fn of_sets(
        store: Arc<SetStore>,
        join: Join,
        within: &[u64],
        progress: &dyn Progress,
    ) -> Result<JobSource<'a>, Error> {
        let stage = Stage::begin(progress, "indexing", 0);
        let threshold = *join.threshold();
        let equal = (!threshold.groups_equal_sets()).then(|| {
            let order: Vec<u32> = (0..store.len() as u32).collect();
            Groups::of_equal_sets(&store, &order)
        });
        let joinable = Box::new(join.prepare(store, &stage)?);
        // Sets with different keys share nothing. But under a distance, small sets are close anyway.
        let within = if threshold.is_distance() { within.to_vec() } else { Vec::new() };
        Ok(JobSource::Sets { joinable, equal, within })
    }

    /// Reads sets again that do not fit in memory. `is_last` is whether they need not be read once more.
    pub(crate) fn of_parts(
        external: &mut External<'a>,
        collection: &mut Collection,
        join: (Threshold, Algorithm),
        order: Order,
        is_last: bool,
        progress: &dyn Progress,
    ) -> Result<JobSource<'a>, Error> {
        let (whole, equal, within) = without_sets(collection, join, order);
        let parts = Box::new(external.source(whole, collection, is_last, progress)?);
        Ok(JobSource::Parts { parts, equal, within })
    }

    /// A join of sets. With `split`, between the documents before it and the others.
    pub(crate) fn join(threshold: Threshold, algorithm: Algorithm, split: Option<u32>) -> Join {
        let join = Join::new(threshold).algorithm(algorithm);
        split.map_or(join.clone(), |split| join.across(split))
    }

    /// Prepares the texts of a collection for a join within a distance, by an algorithm of the paper if they are in memory.
    pub(crate) fn of_texts(
        (distance, grams, paper): (u32, Option<NonZeroU32>, Option<PaperAlgorithm>),
        external: Option<External>,
        collection: &mut Collection,
        order: Order,
        progress: &dyn Progress,
    ) -> Result<JobSource<'a>, Error> {
        let _stage = Stage::begin(progress, "indexing", 0);
        if let Some(file) = external.and_then(External::into_texts) {
            let texts = JobSource::texts_on_disk(file, collection, order)?;
            return Ok(JobSource::TextsOnDisk(Box::new(texts.source(distance, grams, paper))));
        }
        let join = EditJoin::new(distance).grams(grams).paper(paper).within(std::mem::take(&mut collection.within));
        let join = match order {
            Order::Keep(order, pinned) => join.keep_order(order, pinned),
            Order::Source => join,
            Order::Across(split) => join.across(split),
        };
        Ok(JobSource::Texts(join.prepare(Arc::new(std::mem::take(&mut collection.texts)))))
    }

    /// The texts of a collection in a file, compared in this many bytes of memory.
    pub(super) fn texts_on_disk(
        (file, bytes): (TextFileWriter, u64),
        collection: &mut Collection,
        order: Order,
    ) -> Result<TextsOnDisk, Error> {
        let (order, split) = order.of(collection.documents.len() as u32);
        Ok(TextsOnDisk::new(file.finish()?, order, split.is_some(), std::mem::take(&mut collection.within), bytes))
    }

    pub(crate) fn as_pairs_mut(&mut self) -> &mut dyn PairSource {
        match self {
            JobSource::Sets { joinable, .. } => &mut **joinable,
            JobSource::Parts { parts, .. } => &mut **parts,
            JobSource::Texts(source) => source,
            JobSource::TextsOnDisk(source) => &mut **source,
            JobSource::Signatures(source) => &mut **source,
        }
    }

    pub(crate) fn as_pairs(&self) -> &dyn PairSource {
        match self {
            JobSource::Sets { joinable, .. } => &**joinable,
            JobSource::Parts { parts, .. } => &**parts,
            JobSource::Texts(source) => source,
            JobSource::TextsOnDisk(source) => &**source,
            JobSource::Signatures(source) => &**source,
        }
    }

    /// Groups of documents with the same set or the same text.
    pub(crate) fn equal(&self) -> &Groups {
        match self {
            JobSource::Sets { joinable, equal, .. } => equal.as_ref().unwrap_or(&joinable.keep_order().groups),
            JobSource::Parts { parts, equal, .. } => equal.as_ref().unwrap_or(&parts.keep_order().groups),
            JobSource::Texts(source) => &source.keep_order().groups,
            JobSource::TextsOnDisk(source) => &source.keep_order().groups,
            JobSource::Signatures(source) => &source.equal,
        }
    }

    /// Whether a document has anything to compare.
    pub(crate) fn is_comparable(&self, document: u32) -> bool {
        match self {
            JobSource::Sets { joinable, .. } => joinable.size(document) > 0,
            JobSource::Parts { parts, .. } => parts.size(document) > 0,
            JobSource::Texts(source) => source.texts().length(document) > 0,
            JobSource::TextsOnDisk(source) => source.tiled.key(document) > 0,
            JobSource::Signatures(source) => source.sizes[document as usize] > 0,
        }
    }

    pub(crate) fn describe(&self) -> Described {
        match self {
            JobSource::Sets { joinable, .. } => Described {
                method: method_of(joinable.plan().algorithm),
                algorithm: Some(joinable.plan().algorithm.to_string()),
                plan: joinable.plan().to_string(),
            },
            JobSource::Parts { parts, .. } => Described {
                method: method_of(parts.algorithm()),
                algorithm: Some(parts.algorithm().to_string()),
                plan: parts.plan(),
            },
            JobSource::Texts(source) => {
                let algorithm = source.algorithm().to_string();
                Described { method: "exact", algorithm: Some(algorithm.clone()), plan: algorithm }
            }
            JobSource::TextsOnDisk(source) => {
                let algorithm = source.tiled.algorithm();
                let plan = format!("{algorithm}, {TEXTS_ON_DISK}");
                Described { method: "exact", algorithm: Some(algorithm.to_string()), plan }
            }
            JobSource::Signatures(source) => {
                let (method, plan) = source.describe();
                Described { method, algorithm: None, plan }
            }
        }
    }

    /// How the memory of a run of this collector is used.
    pub(crate) fn memory(&self, collector: &Collector) -> MemoryReport {
        match self {
            JobSource::Parts { parts, .. } => parts.report(collector),
            JobSource::TextsOnDisk(_) => MemoryReport { plan: TEXTS_ON_DISK, ..in_memory(collector) },
            JobSource::Signatures(source) if source.sets_on_disk().is_some() => MemoryReport {
                plan: SIGNATURES_ON_DISK,
                passes: 2,
                sets: source.sets_on_disk(),
                ..in_memory(collector)
            },
            JobSource::Sets { .. } | JobSource::Texts(_) | JobSource::Signatures(_) => in_memory(collector),
        }
    }

    /// The report of the signatures, if pairs come from them.
    pub(crate) fn report(&self) -> Option<SignedReport> {
        match self {
            JobSource::Sets { .. } | JobSource::Parts { .. } | JobSource::Texts(_) | JobSource::TextsOnDisk(_) => None,
            JobSource::Signatures(source) => Some(source.report()),
        }
    }

    /// How to read the numbers of the pairs. Frees the memory that only the search needs.
    pub(crate) fn into_values(self) -> PairValues {
        match self {
            JobSource::Sets { joinable, .. } => {
                let documents = joinable.keep_order().documents() as u32;
                let sizes = (0..documents).map(|document| joinable.size(document)).collect();
                PairValues::Sets { threshold: *joinable.threshold(), sizes }
            }
            JobSource::Parts { parts, .. } => PairValues::Sets { threshold: *parts.threshold(), sizes: parts.sizes() },
            JobSource::Texts(source) => PairValues::Texts { distance: source.distance() },
            JobSource::TextsOnDisk(source) => PairValues::Texts { distance: source.tiled.distance() },
            JobSource::Signatures(source) => PairValues::Signatures(Box::new(source.without_sets())),
        }
    }
}

/// The method behind an exact join: SpotSigs has an algorithm of its own.
fn method_of(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Paper(PaperAlgorithm::SpotSigs) => "spotsigs",
        _ => "exact",
    }
}

/// What is known of a collection without its sets: its documents in order, groups of equal sets if the join does not group them, and the
/// keys under a distance.
fn without_sets(
    collection: &Collection,
    (threshold, algorithm): (Threshold, Algorithm),
    order: Order,
) -> (Whole, Option<Groups>, Vec<u64>) {
    let documents = collection.documents.len() as u32;
    let (in_order, split) = order.of(documents);
    let (set_hashes, sizes) = (&collection.set_hashes, &collection.sizes);
    let equal = (!threshold.groups_equal_sets())
        .then(|| Groups::of_equal_keys(set_hashes, (0..documents).filter(|&document| sizes[document as usize] > 0)));
    let whole = Whole::new(threshold, algorithm, in_order, set_hashes, sizes.clone()).across(split);
    let within = if threshold.is_distance() { collection.within.clone() } else { Vec::new() };
    (whole, equal, within)
}
