//! Which documents of a corpus are kept?

use std::sync::Arc;

use super::corpus::Corpus;
use super::error::Error;
use super::value::ThresholdValue;
use crate::cluster::{Clusters, Fate, components, survivors};
use crate::join::{Join, JoinError};
use crate::measure::{Bin, Histogram, Measure, Threshold};
use crate::progress::Stage;
use crate::sets::SetStore;

/// Which of several similar documents to keep: the first in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// The order in which you gave the documents.
    #[default]
    First,
    /// The reverse of that order.
    Last,
    /// Your own order, which names every document once.
    Order(Vec<usize>),
}

/// Options of [`Corpus::dedup_with`].
///
/// ```
/// use lookalike::{Corpus, DedupOptions, Keep};
///
/// let archive = Corpus::from_texts(["The ferry to the island leaves at nine."])?;
/// let new = Corpus::from_texts(["It rains.", "The ferry to the island leaves at nine!", "It rains."])?;
/// let result = new.dedup_with(0.8, DedupOptions::new().keep(Keep::Last).against(&archive))?;
/// assert_eq!(result.kept().collect::<Vec<_>>(), [2]);
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct DedupOptions {
    keep: Keep,
    against: Option<Corpus>,
    pub(super) components: bool,
}

impl DedupOptions {
    /// Returns the defaults: keep the first of similar documents, and compare with no other corpus.
    pub fn new() -> DedupOptions {
        DedupOptions::default()
    }

    /// Sets which of several similar documents to keep.
    pub fn keep(self, keep: Keep) -> DedupOptions {
        DedupOptions { keep, ..self }
    }

    /// Also removes documents that resemble a document of this corpus. All of its documents are kept.
    pub fn against(self, reference: &Corpus) -> DedupOptions {
        DedupOptions { against: Some(reference.clone()), ..self }
    }

    pub(super) fn reference(&self) -> Option<&Corpus> {
        self.against.as_ref()
    }

    /// Keeps one document of each connected component instead. Components form chains, so a removed document need not
    /// resemble any kept one.
    pub fn components(self) -> DedupOptions {
        DedupOptions { components: true, ..self }
    }
}

/// A document that was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Removed {
    /// Its number.
    pub document: usize,
    /// The number of the kept document that it resembles most, in this corpus or in the one that it was compared
    /// [against](DedupOptions::against).
    pub twin: usize,
    /// Whether the twin belongs to the corpus that this one was compared against.
    pub is_reference: bool,
    /// The exact similarity of the two.
    pub similarity: f64,
    /// Whether an earlier document has the same set.
    pub identical: bool,
}

impl Removed {
    /// States that a document was removed for a twin, to have it [checked](Corpus::check).
    pub fn new(document: usize, twin: usize, is_reference: bool, similarity: f64) -> Removed {
        Removed { document, twin, is_reference, similarity, identical: false }
    }
}

/// A kept document and the documents that were removed because they resemble it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cluster {
    /// The kept document.
    pub kept: usize,
    /// The removed documents, in order.
    pub removed: Vec<usize>,
}

/// Which documents of a corpus are kept and which are removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Deduped {
    threshold: Threshold,
    fates: Vec<Fate>,
}

impl Corpus {
    /// Decides which documents to keep. In order, each document is kept unless an already kept one reaches the
    /// threshold with it.
    pub fn dedup(&self, threshold: impl ThresholdValue) -> Result<Deduped, Error> {
        self.dedup_with(threshold, DedupOptions::new())
    }

    /// Like [`Corpus::dedup`], with options.
    pub fn dedup_with(&self, threshold: impl ThresholdValue, options: DedupOptions) -> Result<Deduped, Error> {
        self.decide(self.threshold(threshold)?, &options)
    }

    /// Decides with a parsed threshold.
    pub(super) fn decide(&self, threshold: Threshold, options: &DedupOptions) -> Result<Deduped, Error> {
        let (sets, order, pinned) = self.in_keep_order(options)?;
        let documents = self.len();
        let mut fates = self.run(|| {
            let mut joinable = self.prepare(Join::new(threshold).keep_order(order, pinned), sets)?;
            let total = documents + pinned;
            let fates = if options.components {
                let stage = Stage::begin(self.progress(), "comparing", 2 * total);
                components(&mut joinable, &stage)?
            } else {
                let stage = Stage::begin(self.progress(), "comparing", total);
                survivors(&mut joinable, &stage)?
            };
            Ok::<Vec<Fate>, JoinError>(fates)
        })?;
        fates.truncate(documents);
        Ok(Deduped { threshold, fates })
    }

    /// Returns the sets to compare, all documents in keep order, and how many of them, at the front, are references.
    pub(super) fn in_keep_order(&self, options: &DedupOptions) -> Result<(Arc<SetStore>, Vec<u32>, usize), Error> {
        if self.keys.is_some() && self.measure == Measure::Hamming {
            return Err(Error::Within { measure: self.measure.name() });
        }
        let documents = self.len() as u32;
        let order = match &options.keep {
            Keep::First => (0..documents).collect(),
            Keep::Last => (0..documents).rev().collect(),
            Keep::Order(order) => self.order(order)?,
        };
        Ok(match &options.against {
            None => (self.sets.clone(), order, 0),
            Some(reference) => {
                let sets = self.with_sets_of(reference)?;
                let references = documents..sets.len() as u32;
                (sets, references.chain(order).collect(), reference.len())
            }
        })
    }

    /// Converts an order to 32-bit numbers, if it names every document once.
    fn order(&self, order: &[usize]) -> Result<Vec<u32>, Error> {
        let documents = self.len();
        let mut named = vec![false; documents];
        let mut is_new =
            |&document: &usize| named.get_mut(document).is_some_and(|named| !std::mem::replace(named, true));
        if order.len() != documents || !order.iter().all(&mut is_new) {
            return Err(Error::KeepOrder { documents });
        }
        Ok(order.iter().map(|&document| document as u32).collect())
    }
}

impl Deduped {
    /// Returns the threshold that decided.
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// Returns the numbers of the kept documents, in order.
    pub fn kept(&self) -> impl Iterator<Item = usize> {
        self.fates.iter().enumerate().filter(|(_, fate)| fate.is_kept()).map(|(document, _)| document)
    }

    /// Returns whether a document is kept.
    ///
    /// # Panics
    ///
    /// If there is no such document.
    pub fn is_kept(&self, document: usize) -> bool {
        self.fates[document].is_kept()
    }

    /// Returns the removed documents, in order, each with its twin.
    pub fn removed(&self) -> impl Iterator<Item = Removed> {
        let documents = self.fates.len();
        self.fates.iter().enumerate().filter_map(move |(document, fate)| match *fate {
            Fate::Kept => None,
            Fate::Removed { twin, similarity, identical } => {
                let (is_reference, twin) = (twin as usize >= documents, twin as usize);
                let twin = if is_reference { twin - documents } else { twin };
                Some(Removed { document, twin, is_reference, similarity, identical })
            }
        })
    }

    /// Returns the kept documents that others were removed for, in order. Documents removed because of a reference
    /// corpus are in no cluster.
    pub fn clusters(&self) -> Vec<Cluster> {
        let mut removed: Vec<Vec<usize>> = vec![Vec::new(); self.fates.len()];
        for found in self.removed().filter(|found| !found.is_reference) {
            removed[found.twin].push(found.document);
        }
        let clusters = removed.into_iter().enumerate().filter(|(_, removed)| !removed.is_empty());
        clusters.map(|(kept, removed)| Cluster { kept, removed }).collect()
    }

    /// Returns every document that is in a cluster, cluster by cluster, each with the number of its cluster. Clusters are
    /// numbered from 1 in the order of their first documents. Numbers from the size of the corpus on are documents of the
    /// one that it was compared [against](DedupOptions::against).
    pub fn cluster_members(&self) -> Vec<(usize, usize)> {
        let twins = self.fates.iter().filter_map(|fate| match fate {
            Fate::Removed { twin, .. } => Some(*twin as usize),
            Fate::Kept => None,
        });
        let documents = twins.max().map_or(0, |twin| twin + 1).max(self.fates.len());
        let mut fates = self.fates.clone();
        fates.resize(documents, Fate::Kept);
        let clusters = Clusters::of(&fates);
        let number = |document: u32| clusters.number(document).unwrap_or_default() as usize;
        clusters.members().into_iter().map(|document| (number(document), document as usize)).collect()
    }

    /// Counts the similarities of removed documents to their twins, by range.
    pub fn histogram(&self) -> Vec<Bin> {
        let mut histogram = Histogram::of(&self.threshold);
        self.removed().for_each(|removed| histogram.add(removed.similarity));
        histogram.bins()
    }

    /// Returns the share of documents that are kept, or 1 if there are no documents.
    pub fn ratio(&self) -> f64 {
        if self.fates.is_empty() { 1.0 } else { self.kept().count() as f64 / self.fates.len() as f64 }
    }
}
