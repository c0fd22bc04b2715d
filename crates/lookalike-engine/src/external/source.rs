//! A source of pairs whose sets are in files, divided into parts.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lookalike::Threshold;
use lookalike::engine::{
    Algorithm, Compared, Counts, Emit, Fate, JoinError, KeepOrder, PairSource, Progress, SetPair, Side, Stage, Twin,
    components, survivors,
};
use lookalike_io::Source;

use super::budget::{Budget, Shares};
use super::counting::Counting;
use super::divide::Divide;
use super::part::Part;
use super::select::Select;
use super::set_file::{SetFile, in_join};
use super::tiles::Tiles;
use super::whole::Whole;
use crate::error::Error;
use crate::read::{Collection, Collector, Keep};
use crate::report::MemoryReport;

/// Sets that are not kept in memory, and the inputs to read them from again.
pub(crate) struct External<'a> {
    collector: &'a Collector,
    sources: &'a [Source],
    inputs: usize,
    shares: Shares,
    counting: Option<Counting>,
}

impl<'a> External<'a> {
    /// Plans a run whose sets do not fit in memory. `None` if they do. `groups_equal` is whether equal sets are compared only once.
    pub(crate) fn plan(
        collector: &'a Collector,
        sources: &'a [Source],
        inputs: usize,
        groups_equal: bool,
    ) -> Result<Option<External<'a>>, Error> {
        // Signatures and texts are kept in memory.
        if collector.signing.is_some() || collector.keep_texts {
            return Ok(None);
        }
        let Some(budget) = Budget::of(collector, sources)? else { return Ok(None) };
        let shares = budget.shares()?;
        let counting = Counting::new(shares.sieve, groups_equal).map_err(JoinError::from)?;
        Ok(Some(External { collector, sources, inputs, shares, counting: Some(counting) }))
    }

    /// Reads the inputs. If the sets do not fit in memory, they are counted and not kept.
    pub(crate) fn collect(
        external: Option<&External>,
        collector: &Collector,
        (sources, inputs): (&[Source], usize),
        keep: &Keep,
        progress: &dyn Progress,
    ) -> Result<Collection, Error> {
        let Some(External { counting: Some(counting), .. }) = external else {
            return collector.collect(sources, inputs, keep, progress);
        };
        let count = |fingerprint: u128, set: &[u64]| counting.add(fingerprint, set);
        collector.collect_or_count(sources, inputs, keep, Some(&count), progress)
    }

    /// Reads the inputs again for the sets that may have a partner, and divides them.
    pub(crate) fn source(
        &self,
        whole: Whole,
        collection: &Collection,
        progress: &dyn Progress,
    ) -> Result<PartsSource, Error> {
        let file = self.select(&whole, collection, progress)?;
        self.divide(whole, file, progress)
    }

    /// The same, if the inputs need not be read once more. Frees what only reading needs before dividing.
    pub(crate) fn into_source(
        mut self,
        whole: Whole,
        collection: &mut Collection,
        progress: &dyn Progress,
    ) -> Result<PartsSource, Error> {
        let file = self.select(&whole, collection, progress)?;
        self.counting = None;
        collection.fingerprints = Vec::new();
        collection.sizes = Vec::new();
        collection.starts = Vec::new();
        self.divide(whole, file, progress)
    }

    fn select(&self, whole: &Whole, collection: &Collection, progress: &dyn Progress) -> Result<SetFile, Error> {
        let External { collector, sources, inputs, counting, .. } = self;
        let select = Select {
            collector,
            sources,
            inputs: *inputs,
            starts: &collection.starts,
            fingerprints: &collection.fingerprints,
            whole,
            sieve: counting.as_ref().map(|counting| &counting.sieve),
        };
        select.run(progress)
    }

    fn divide(&self, whole: Whole, file: SetFile, progress: &dyn Progress) -> Result<PartsSource, Error> {
        let stored = (file.sets, file.elements);
        let divide = Divide { whole: &whole, space: &self.collector.space, shares: &self.shares, progress };
        let parts = divide.run(file)?;
        Ok(PartsSource { whole, parts: Mutex::new(parts), shares: self.shares, stored })
    }
}

/// All documents, and the files of those that may have a partner.
pub(crate) struct PartsSource {
    whole: Whole,
    parts: Mutex<Vec<Part>>,
    shares: Shares,
    /// The sets that were stored, and their elements.
    stored: (u64, u64),
}

impl PartsSource {
    #[cfg(test)]
    pub(super) fn of_parts(whole: Whole, parts: Vec<Part>, shares: Shares) -> PartsSource {
        PartsSource { whole, parts: Mutex::new(parts), shares, stored: (0, 0) }
    }

    pub(crate) fn threshold(&self) -> &Threshold {
        &self.whole.threshold
    }

    pub(crate) fn size(&self, document: u32) -> u32 {
        self.whole.sizes[document as usize]
    }

    pub(crate) fn sizes(self) -> Vec<u32> {
        self.whole.sizes
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        self.whole.algorithm
    }

    /// How the memory of a run of this collector is used.
    pub(crate) fn report(&self, collector: &Collector) -> MemoryReport {
        let parts = self.parts().len();
        let plan = if parts > 1 { "sets on disk" } else { "sieve and read again" };
        MemoryReport { plan, passes: 2, parts, sets: Some(self.stored.0), ..in_memory(collector) }
    }

    /// The plan, in a few words.
    pub(crate) fn plan(&self) -> String {
        let (sets, elements) = self.stored;
        let of = format!("{sets} sets with {elements} elements may have a partner");
        match self.parts().len() {
            ..=1 => format!("sieve and read again: {of}"),
            parts => format!("sieve and read again, sets on disk: {of}, in {parts} parts"),
        }
    }

    fn parts(&self) -> MutexGuard<'_, Vec<Part>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fates of all documents: of survivors, or of components.
    pub(crate) fn fates(&self, is_by_component: bool, stage: &Stage) -> Result<Vec<Fate>, Error> {
        let mut compared = Vec::new();
        self.for_each_part(|documents, source| {
            stage.check()?;
            let quiet = stage.quiet();
            let fates = if is_by_component { components(source, &quiet) } else { survivors(source, &quiet) }?;
            for (fate, &document) in fates.into_iter().zip(documents) {
                if let Fate::Removed { twin, similarity, identical } = fate {
                    compared.push((document, Fate::Removed { twin: documents[twin as usize], similarity, identical }));
                }
            }
            stage.add(documents.len());
            Ok(())
        })?;
        Ok(self.whole.extend(compared.into_iter()))
    }

    /// Calls `each` with the documents of every part and a source of their pairs, in which they are numbered by their index.
    fn for_each_part(
        &self,
        mut each: impl FnMut(&[u32], &mut dyn PairSource) -> Result<(), JoinError>,
    ) -> Result<(), Error> {
        let PartsSource { whole, shares, .. } = self;
        for part in self.parts().iter_mut() {
            if 8 * part.file.elements <= shares.part {
                let (documents, mut joinable) = part.prepare(whole)?;
                each(&documents, &mut joinable)?;
            } else {
                let mut tiles = Tiles::new(whole, part, shares.part)?;
                let documents = tiles.documents().to_vec();
                each(&documents, &mut tiles)?;
            }
        }
        Ok(())
    }
}

/// How the memory of a run of this collector is used if all sets are in memory.
pub(crate) fn in_memory(collector: &Collector) -> MemoryReport {
    MemoryReport {
        plan: "all in memory",
        budget_bytes: collector.memory,
        peak_bytes: 0,
        temporary_bytes: 0,
        passes: 1,
        parts: 1,
        sets: None,
    }
}

/// Calls `emit` with pairs of these documents, which are numbered by their index in the pairs.
fn emit_of<'a>(documents: &'a [u32], emit: Emit<'a>) -> impl Fn(&[SetPair]) + Sync + 'a {
    move |some| {
        let renumber = |pair: &SetPair| {
            let (a, b) = (documents[pair.a as usize], documents[pair.b as usize]);
            SetPair { a: a.min(b), b: a.max(b), common: pair.common }
        };
        emit(&some.iter().map(renumber).collect::<Vec<SetPair>>());
    }
}

impl PairSource for PartsSource {
    fn keep_order(&self) -> &KeepOrder {
        &self.whole.keep
    }

    fn compared(&self) -> Compared {
        let KeepOrder { order, pinned, groups } = &self.whole.keep;
        let is_first = |document: &&u32| groups.is_first(**document) && self.size(**document) > 0;
        let mut documents: Vec<u32> = order[..*pinned].iter().filter(is_first).copied().collect();
        let pinned_firsts = documents.len();
        documents.extend(order[*pinned..].iter().filter(is_first));
        Compared { documents, pinned: pinned_firsts }
    }

    fn work(&self) -> usize {
        self.parts().iter().map(|part| part.file.sets as usize).sum()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let mut counts = Counts::default();
        let each = |documents: &[u32], source: &mut dyn PairSource| {
            stage.check()?;
            counts.add(&source.pairs(&stage.quiet(), &emit_of(documents, emit))?);
            stage.add(documents.len());
            Ok(())
        };
        self.for_each_part(each).map_err(in_join)?;
        Ok(counts)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        let sides: HashMap<u32, Side> = among.iter().copied().collect();
        let each = |documents: &[u32], source: &mut dyn PairSource| {
            stage.check()?;
            let side = |(index, document): (u32, &u32)| Some((index, *sides.get(document)?));
            let own: Vec<(u32, Side)> = (0..).zip(documents).filter_map(side).collect();
            source.pairs_among(&own, &stage.quiet(), &emit_of(documents, emit))
        };
        self.for_each_part(each).map_err(in_join)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        let of = |twin: Twin| (twin.common, self.size(twin.document));
        self.whole.threshold.compare(self.size(document), of(one), of(two))
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.whole.keep.groups.first(a), self.whole.keep.groups.first(b));
        if a == b {
            return self.size(a);
        }
        let mut found = 0;
        let each = |documents: &[u32], source: &mut dyn PairSource| {
            if let (Ok(a), Ok(b)) = (documents.binary_search(&a), documents.binary_search(&b)) {
                found = source.common(a as u32, b as u32);
            }
            Ok(())
        };
        // A file that cannot be read has failed before: all pairs come from it.
        let _ = self.for_each_part(each);
        found
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.whole.threshold.similarity(common, self.size(a), self.size(b))
    }
}
