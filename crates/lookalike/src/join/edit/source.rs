//! Texts within an edit distance, as a source of pairs.

use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::distinct::{Distinct, equal_texts};
use super::index::Index;
use super::paper::join_by_grams;
use super::search::{Scratches, earlier_matches};
use super::texts::Texts;
use crate::candidates::Outgoing;
use crate::join::expand_groups::expand_groups;
use crate::join::keep_order::{Compared, KeepOrder, Twin};
use crate::join::pair::Emit;
use crate::join::paper::PaperAlgorithm;
use crate::join::references::References;
use crate::join::source::PairSource;
use crate::join::{Counts, JoinError, Pair, Side};
use crate::progress::Stage;

/// The settings of a join of texts within an edit distance.
///
/// ```
/// use lookalike::engine::{EditJoin, SetPair};
///
/// let texts = ["Zürich", "Zurich", "Munich", "Zürich", ""].iter().collect();
/// let pairs = EditJoin::new(1).pairs(texts)?;
/// // The last number is the distance.
/// let found: Vec<_> = pairs.iter().map(|pair| (pair.a, pair.b, pair.common)).collect();
/// assert_eq!(found, [(0, 1, 1), (0, 3, 0), (1, 3, 1)]);
/// # Ok::<(), lookalike::engine::JoinError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditJoin {
    distance: u32,
    grams: Option<NonZeroU32>,
    paper: Option<PaperAlgorithm>,
    split: Option<u32>,
    keep_order: Option<(Vec<u32>, usize)>,
    within: Vec<u64>,
}

impl EditJoin {
    /// Makes a join that finds texts within this distance.
    pub fn new(distance: u32) -> EditJoin {
        EditJoin { distance, grams: None, paper: None, split: None, keep_order: None, within: Vec::new() }
    }

    /// Sets the number of characters in a gram. The default suits the texts. It changes the speed, never the result.
    pub fn grams(self, characters: Option<NonZeroU32>) -> EditJoin {
        EditJoin { grams: characters, ..self }
    }

    /// Uses an algorithm of the PPJoin paper, on one thread. `None` chooses this library's own algorithm. It changes the speed, never the result.
    /// [`PaperAlgorithm::SpotSigs`] is not for texts; PPJoin is used instead.
    pub fn paper(self, algorithm: Option<PaperAlgorithm>) -> EditJoin {
        EditJoin { paper: algorithm, ..self }
    }

    /// Finds only pairs between two collections. The second starts at document `split`.
    pub fn across(self, split: u32) -> EditJoin {
        EditJoin { split: Some(split), ..self }
    }

    /// Keeps documents in this order, which names every document once. The first `pinned` are references: they are always kept,
    /// and are not compared with each other.
    pub fn keep_order(self, order: Vec<u32>, pinned: usize) -> EditJoin {
        EditJoin { keep_order: Some((order, pinned)), ..self }
    }

    /// Compares only documents with equal keys. Give one key per document, or none at all.
    pub fn within(self, keys: Vec<u64>) -> EditJoin {
        EditJoin { within: keys, ..self }
    }

    /// Returns every pair, in order, including pairs of equal texts. [`Pair::common`] is the distance.
    pub fn pairs(self, texts: Texts) -> Result<Vec<Pair>, JoinError> {
        let mut source = self.prepare(Arc::new(texts));
        let all = Mutex::new(Vec::new());
        let emit = |some: &[Pair]| all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
        source.pairs(&Stage::silent(), &emit)?;
        let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_there = |document: u32| source.texts.length(document) > 0;
        let want = |pair: &Pair| source.references.want(pair.a, pair.b);
        expand_groups(&source.keep, is_there, want, |_| 0, found, usize::MAX, &Stage::silent())
    }

    /// Prepares texts. An empty text is in no pair.
    pub fn prepare(mut self, texts: Arc<Texts>) -> EditSource {
        let documents = texts.len() as u32;
        let (order, pinned) = self.keep_order.take().unwrap_or_else(|| {
            let split = self.split.unwrap_or(documents).min(documents);
            ((split..documents).chain(0..split).collect(), (documents - split) as usize)
        });
        let groups = equal_texts(&texts, &self.within, &order);
        let keep = KeepOrder { order, pinned, groups };
        let references = References::new(&keep, self.split.is_some());
        EditSource { join: self, texts, keep, references }
    }
}

/// Texts that are ready to be compared.
pub struct EditSource {
    join: EditJoin,
    texts: Arc<Texts>,
    keep: KeepOrder,
    references: References,
}

impl EditSource {
    /// Returns the maximum distance of a pair.
    pub fn distance(&self) -> u32 {
        self.join.distance
    }

    /// Returns the name of the algorithm.
    pub fn algorithm(&self) -> &'static str {
        self.join.paper.map_or("edit", PaperAlgorithm::name)
    }

    /// Returns the texts.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The documents that represent their equals.
    fn firsts(&self) -> impl Iterator<Item = u32> {
        let stands = |document: &u32| self.keep.groups.is_first(*document) && self.texts.length(*document) > 0;
        (0..self.texts.len() as u32).filter(stands)
    }

    fn join(&self, among: Vec<(u32, Side)>, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let EditJoin { distance, grams, within, paper, .. } = &self.join;
        let distinct = Distinct::new(&self.texts, within, among);
        if let Some(algorithm) = paper {
            let emit = |some: &[Pair]| emit(some);
            let mut outgoing = Outgoing::new(&emit);
            let q = grams.map(|q| q.get() as usize);
            return join_by_grams(&distinct, *distance, q, *algorithm, stage, &mut |x, y, common| {
                let (x, y) = (distinct.document(x), distinct.document(y));
                outgoing.push(Pair { a: x.min(y), b: x.max(y), common });
            });
        }
        // Distinct texts are at least one edit apart.
        let index = (*distance > 0).then(|| Index::new(*distance, *grams, &distinct));
        let (scratches, emit) = (Scratches::new(distinct.places()), |some: &[Pair]| emit(some));
        let found = (0..distinct.places()).into_par_iter().with_min_len(16).map_init(
            || Outgoing::new(&emit),
            |outgoing, place| {
                if stage.is_cancelled() {
                    return 0;
                }
                let matches = index.as_ref().map(|index| earlier_matches(index, &scratches, place)).unwrap_or_default();
                stage.add(1);
                outgoing.extend(matches.iter().map(|found| {
                    let (x, y) = (distinct.document(place), distinct.document(found.place));
                    Pair { a: x.min(y), b: x.max(y), common: found.distance }
                }))
            },
        );
        let results = found.sum();
        stage.check()?;
        Ok(Counts { results, ..Counts::default() })
    }
}

impl PairSource for EditSource {
    fn keep_order(&self) -> &KeepOrder {
        &self.keep
    }

    fn compared(&self) -> Compared {
        let mut is_compared = vec![false; self.texts.len()];
        self.firsts().for_each(|document| is_compared[document as usize] = true);
        let documents: Vec<u32> =
            self.keep.order.iter().copied().filter(|&document| is_compared[document as usize]).collect();
        let is_reference = |document: &&u32| self.references.is_one(**document);
        let pinned = documents.iter().take_while(is_reference).count();
        Compared { documents, pinned }
    }

    fn work(&self) -> usize {
        self.firsts().count()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let all = self.firsts().map(|document| (document, self.references.side(document))).collect();
        self.join(all, stage, emit)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        self.join(among.to_vec(), stage, emit).map(|_| ())
    }

    /// The closer one is more similar.
    fn compare(&self, _: u32, one: Twin, two: Twin) -> Ordering {
        two.common.cmp(&one.common)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.keep.groups.first(a), self.keep.groups.first(b));
        if a == b { 0 } else { self.texts.distance(a, b, u32::MAX).unwrap_or(u32::MAX) }
    }

    fn similarity(&self, _: u32, _: u32, common: u32) -> f64 {
        common.into()
    }
}
