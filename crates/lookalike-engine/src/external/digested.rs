//! Decides who stays by the first 32 bits of every element, in half the memory, and checks the answer with whole sets.
//!
//! Two sets share at least as many digests as elements (`lookalike: sets/element.rs`). So by digests, every pair is found, and perhaps others;
//! and a similarity is never too low. The answer by digests is right if each removed document shares as many elements as digests with its
//! twin: then it does resemble the twin, and any other kept document that it might resemble more would have been chosen instead. Documents
//! that are kept resemble no kept one even by digests.
//!
//! So only the sets of removed documents and of their twins are made again, to count what they share. A few may share less. Their twins are found
//! again, by whole sets, among the kept documents that they resemble by digests; who is kept stays as it is. In the rare case that one of them
//! resembles none, all sets that may have a partner are made again, and decide.

use std::sync::Arc;

use lookalike::Threshold;
use lookalike::engine::{
    Algorithm, Fate, JoinError, Joinable, Memory, Progress, SetStore, Sifted, Stage, Twin, common, fates_of, near_twins,
};
use lookalike_io::{SingleLines, Source};
use rayon::prelude::*;

use super::budget::Estimate;
use super::source::in_memory;
use super::whole::{Whole, few_partners};
use crate::error::Error;
use crate::read::{Collection, Collector};
use crate::report::{DIGESTS_IN_MEMORY, MemoryReport};

/// A collection whose documents are compared by digests first.
pub(crate) struct Digested<'a> {
    pub(crate) collector: &'a Collector,
    pub(crate) sources: &'a [Source],
}

/// Bytes of input below which whole sets take little memory. Builds for tests have smaller inputs.
const LEAST: u64 = if cfg!(debug_assertions) { 1 << 20 } else { 64 << 20 };
/// The most documents whose twins are found again one by one.
const FEW: usize = 100;
/// The most files that are opened to see whether they are compressed.
const FILES: usize = 1024;

impl Digested<'_> {
    /// Whether digests save memory and cost no time. Single rows of the files can be read again, and most documents of a text have no partner.
    pub(crate) fn pays(collector: &Collector, sources: &[Source], threshold: &Threshold) -> Result<bool, Error> {
        let is_large = sources.len() <= FILES && sources.iter().map(Source::size).sum::<u64>() >= LEAST;
        let keeps_sets = collector.signing.is_none() && collector.edit.is_none() && !collector.hash_texts;
        let may_pay = is_large && keeps_sets && threshold.groups_equal_sets() && few_partners(threshold);
        Ok(may_pay && sources.iter().all(SingleLines::are_in) && Estimate::glimpse(collector, sources)?.is_sparse())
    }

    /// The fates of all documents, in keep order, the first of them references.
    pub(crate) fn fates(
        &self,
        collection: &mut Collection,
        (threshold, algorithm): (Threshold, Algorithm),
        order: (Vec<u32>, usize),
        progress: &dyn Progress,
    ) -> Result<Vec<Fate>, Error> {
        let digests = std::mem::take(&mut collection.digests);
        let sizes = (0..digests.len() as u32).map(|document| digests.size(document)).collect();
        collection.set_hashes = digests.set_hashes().to_vec();
        let whole = Whole::new(threshold, algorithm, order, &collection.set_hashes, sizes);
        let read = |documents: &[u32]| self.collector.sets_of(self.sources, collection, documents, progress);
        fates(&whole, digests, read, progress)
    }

    /// How the memory of the run was used.
    pub(crate) fn report(&self) -> MemoryReport {
        MemoryReport { plan: DIGESTS_IN_MEMORY, passes: 2, ..in_memory(self.collector) }
    }
}

/// The fates of all documents, by these digests. `read` makes the sets of some documents again.
fn fates(
    whole: &Whole,
    digests: SetStore<u32>,
    read: impl Fn(&[u32]) -> Result<SetStore, Error>,
    progress: &dyn Progress,
) -> Result<Vec<Fate>, Error> {
    let stage = Stage::begin(progress, "comparing", whole.documents());
    let compared = (0..whole.documents() as u32).filter(|&document| whole.is_compared(document)).collect();
    let mut sifted = Sifted::new(&digests, compared, &whole.threshold).map_err(JoinError::from)?;
    let documents = sifted.renumber();
    let digests = Arc::new(digests.widen(&documents, &Memory).map_err(JoinError::from)?);
    let source = whole.join_of(&documents).prepare_sifted(Arc::clone(&digests), sifted, &stage)?;
    let mut by_digests = Removed::of(source, documents, &stage)?;
    drop(stage);
    let wrong = by_digests.wrong(&read)?;
    let is_right = wrong.is_empty() || by_digests.correct(&wrong, whole, &digests, &read)?;
    let found = if is_right { by_digests } else { by_digests.exactly(whole, &read, progress)? };
    Ok(whole.extend(found.fates.into_iter()))
}

/// The documents that were compared, and which of them are removed.
struct Removed {
    documents: Vec<u32>,
    /// Document and twin.
    near: Vec<(u32, Twin)>,
    /// The fates of the removed ones, copies included.
    fates: Vec<(u32, Fate)>,
}

impl Removed {
    /// Decides by a source in which these documents are numbered by their index.
    fn of(mut source: Joinable, documents: Vec<u32>, stage: &Stage) -> Result<Removed, Error> {
        let mut near = near_twins(&mut source, stage)?;
        let own = |index: u32| documents[index as usize];
        let mut fates = Vec::new();
        for (fate, &document) in fates_of(&source, &near).into_iter().zip(&documents) {
            if let Fate::Removed { twin, similarity, identical } = fate {
                fates.push((document, Fate::Removed { twin: own(twin), similarity, identical }));
            }
        }
        for (document, twin) in &mut near {
            (*document, twin.document) = (own(*document), own(twin.document));
        }
        Ok(Removed { documents, near, fates })
    }

    /// The removed documents that share fewer elements than digests with their twins.
    fn wrong(&self, read: impl Fn(&[u32]) -> Result<SetStore, Error>) -> Result<Vec<u32>, Error> {
        let sets = Again::read(self.near.iter().flat_map(|(document, twin)| [*document, twin.document]), read)?;
        let is_wrong = |(document, twin): &&(u32, Twin)| sets.common(*document, twin.document) != twin.common;
        Ok(self.near.par_iter().filter(is_wrong).map(|(document, _)| *document).collect())
    }

    /// Finds the twins of these documents again, by whole sets. `digests` are those of the compared documents. Returns whether each of them has one. If so, who is kept does not change: a document
    /// that is kept resembles no other such document even by digests.
    fn correct(
        &mut self,
        wrong: &[u32],
        whole: &Whole,
        digests: &SetStore,
        read: impl Fn(&[u32]) -> Result<SetStore, Error>,
    ) -> Result<bool, Error> {
        if wrong.len() > FEW {
            return Ok(false);
        }
        let threshold = &whole.threshold;
        let size = |document: u32| whole.sizes[document as usize];
        let place = |document: u32| whole.places[document as usize];
        // Documents and fates are in the order of documents.
        let digest =
            |document: u32| self.documents.binary_search(&document).map_or(&[][..], |at| digests.set(at as u32));
        let is_kept = |document: &u32| self.fates.binary_search_by_key(document, |(removed, _)| *removed).is_err();
        let kept: Vec<u32> = self.documents.iter().copied().filter(is_kept).collect();
        let similar = |document: u32| -> Vec<u32> {
            let ((least, greatest), own) = (threshold.partners(size(document)), digest(document));
            let is_near = |twin: &u32| place(*twin) < place(document) && (least..=greatest).contains(&size(*twin));
            let reaches = |twin: &u32| threshold.reaches(common(own, digest(*twin)), size(document), size(*twin));
            kept.iter().copied().filter(|twin| is_near(twin) && reaches(twin)).collect()
        };
        let similar: Vec<Vec<u32>> = wrong.par_iter().map(|&document| similar(document)).collect();
        let sets = Again::read(wrong.iter().chain(similar.iter().flatten()).copied(), read)?;
        for (&document, similar) in wrong.iter().zip(&similar) {
            let a = size(document);
            let twins = similar.iter().map(|&twin| (twin, (sets.common(document, twin), size(twin))));
            let twins = twins.filter(|&(_, (shared, b))| threshold.reaches(shared, a, b));
            // The most similar one, and of equals the earliest.
            let by = |one: &(u32, (u32, u32)), two: &(u32, (u32, u32))| {
                threshold.compare(a, one.1, two.1).then(place(two.0).cmp(&place(one.0)))
            };
            let Some((twin, (shared, b))) = twins.max_by(by) else { return Ok(false) };
            let similarity = threshold.similarity(shared, a, b);
            if let Ok(at) = self.fates.binary_search_by_key(&document, |(removed, _)| *removed) {
                self.fates[at].1 = Fate::Removed { twin, similarity, identical: false };
            }
        }
        Ok(true)
    }

    /// The same by whole sets.
    fn exactly(
        self,
        whole: &Whole,
        read: impl Fn(&[u32]) -> Result<SetStore, Error>,
        progress: &dyn Progress,
    ) -> Result<Removed, Error> {
        let sets = read(&self.documents)?;
        let stage = Stage::begin(progress, "comparing", self.documents.len());
        let source = whole.join_of(&self.documents).prepare(Arc::new(sets), &stage)?;
        Removed::of(source, self.documents, &stage)
    }
}

/// The sets of some documents, made again.
struct Again {
    documents: Vec<u32>,
    sets: SetStore,
}

impl Again {
    fn read(
        documents: impl Iterator<Item = u32>,
        read: impl Fn(&[u32]) -> Result<SetStore, Error>,
    ) -> Result<Again, Error> {
        let mut documents: Vec<u32> = documents.collect();
        documents.sort_unstable();
        documents.dedup();
        let sets = if documents.is_empty() { SetStore::default() } else { read(&documents)? };
        Ok(Again { documents, sets })
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        let set =
            |document| self.documents.binary_search(&document).map_or(&[][..], |index| self.sets.set(index as u32));
        common(set(a), set(b))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeSet;

    use lookalike::Measure;
    use lookalike::engine::{Join, SetArena, SetBatch, Silent, hash_set, survivors};
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    use super::*;

    /// Sets of elements that often have the same digest.
    fn sets() -> impl Strategy<Value = Vec<Vec<u64>>> {
        let element = (0..12u64, 0..3u64).prop_map(|(first, last)| (first * 0x1234_5678) << 32 | last);
        let set = prop_oneof![
            4 => proptest::collection::btree_set(element, 0..12),
            1 => Just(BTreeSet::from([1, 2, 1 << 40])),
        ];
        proptest::collection::vec(set.prop_map(|set| set.into_iter().collect()), 0..40)
    }

    fn threshold() -> impl Strategy<Value = Threshold> {
        let measures: Vec<Measure> = Measure::ALL.into_iter().filter(|measure| measure.groups_equal_sets()).collect();
        (prop::sample::select(measures), 1..10u32).prop_map(|(measure, value)| {
            let value = if measure.is_count() { value.to_string() } else { format!("{value}/9") };
            Threshold::new(measure, &value).unwrap()
        })
    }

    fn digests_of(sets: &[Vec<u64>]) -> SetStore<u32> {
        let (mut batch, mut arena) = (SetBatch::default(), SetArena::new(0));
        sets.iter().for_each(|set| batch.push(set).unwrap());
        let block = arena.put(&batch).unwrap();
        SetStore::new(vec![arena], [block]).unwrap()
    }

    /// The fates are those of whole sets, whether by digests alone, with other twins, or by whole sets. All three happen.
    #[test]
    fn digests_decide_as_sets_do() {
        let [right, corrected, wrong] = [const { Cell::new(0) }; 3];
        let cases = (sets(), threshold(), 0..10usize, 0..40usize);
        let test = |(sets, threshold, pinned, turn): (Vec<Vec<u64>>, Threshold, usize, usize)| {
            let mut order: Vec<u32> = (0..sets.len() as u32).collect();
            order.rotate_left(turn.min(sets.len()));
            let pinned = pinned.min(sets.len());
            let join = Join::new(threshold).keep_order(order.clone(), pinned);
            let mut joinable = join.prepare(Arc::new(sets.iter().collect()), &Stage::silent()).unwrap();
            let expected = survivors(&mut joinable, &Stage::silent()).unwrap();

            let set_hashes: Vec<u128> = sets.iter().map(|set| hash_set(set)).collect();
            let sizes = sets.iter().map(|set| set.len() as u32).collect();
            let whole = Whole::new(threshold, Algorithm::Auto, (order, pinned), &set_hashes, sizes);
            let reads = Cell::new(0);
            let read = |documents: &[u32]| {
                reads.set(reads.get() + 1);
                Ok(documents.iter().map(|&document| &sets[document as usize]).collect())
            };
            prop_assert_eq!(fates(&whole, digests_of(&sets), read, &Silent).unwrap(), expected);
            // Only then are the sets of all compared documents made again.
            let count = [&right, &right, &corrected, &wrong][reads.get()];
            count.set(count.get() + 1);
            Ok(())
        };
        TestRunner::new(Config::with_cases(2000)).run(&cases, test).unwrap();
        let counts = [right, corrected, wrong].map(Cell::into_inner);
        assert!(counts.iter().all(|&count| count > 50), "{counts:?} right, corrected and wrong");
    }
}
