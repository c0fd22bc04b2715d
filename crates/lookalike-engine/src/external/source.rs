//! A source of pairs whose sets are in files, divided into parts.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lookalike::Threshold;
use lookalike::engine::{
    Algorithm, Compared, Counts, Emit, Fate, JoinError, KeepOrder, PairSource, SetPair, Side, Stage, Twin, components,
    survivors,
};

use super::budget::Shares;
use super::parts::{Part, SetTiles};
use super::resume::Run;
use super::whole::Whole;
use crate::error::Error;
use crate::on_disk::{SetFile, in_join};
use crate::read::Collector;
use crate::report::{ALL_IN_MEMORY, MemoryReport};

/// All documents, and the files of those that may have a partner.
pub(crate) struct PartsSource<'a> {
    whole: Whole,
    parts: Mutex<Vec<Part>>,
    shares: Shares,
    /// The sets that were stored, and their elements.
    stored: (u64, u64),
    /// The share of the elements that were kept as traces while the inputs were read.
    traced: f64,
    run: Option<&'a Run>,
}

impl<'a> PartsSource<'a> {
    /// The source of these parts. `stored` is how many sets may have a partner, and how many elements they have.
    pub(super) fn new(
        whole: Whole,
        parts: Vec<SetFile>,
        shares: Shares,
        stored: (u64, u64),
        run: Option<&'a Run>,
    ) -> PartsSource<'a> {
        let parts = Mutex::new(parts.into_iter().map(|file| Part { file }).collect());
        PartsSource { whole, parts, shares, stored, traced: 0.0, run }
    }

    /// Of sets of which this share was kept as traces.
    pub(super) fn traced(self, traced: f64) -> PartsSource<'a> {
        PartsSource { traced, ..self }
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
        let is_large = |part: &Part| 8 * part.file.elements > self.shares.part;
        let plan = if parts > 1 || self.parts().iter().any(is_large) { "sets on disk" } else { "sieve and read again" };
        let (sets, traced) = (Some(self.stored.0), Some(self.traced));
        MemoryReport { plan, passes: 2, parts, sets, traced, ..in_memory(collector) }
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
        let mut removed = Vec::new();
        for (number, part) in self.parts().iter_mut().enumerate() {
            stage.check().map_err(JoinError::from)?;
            let known = self.run.map_or(Ok(None), |run| run.fates(number))?;
            let fates = match known {
                Some(fates) => fates,
                None => {
                    let fates = self.fates_of(part, is_by_component, stage)?;
                    self.run.map_or(Ok(()), |run| run.save_fates(number, &fates))?;
                    fates
                }
            };
            removed.extend(fates);
            stage.add(part.file.sets as usize);
        }
        Ok(self.whole.extend(removed.into_iter()))
    }

    /// The fates of a part's removed documents.
    fn fates_of(&self, part: &mut Part, is_by_component: bool, stage: &Stage) -> Result<Vec<(u32, Fate)>, Error> {
        let mut removed = Vec::new();
        self.compare(part, |documents, source| {
            let quiet = stage.quiet();
            let fates = if is_by_component { components(source, &quiet) } else { survivors(source, &quiet) }?;
            for (fate, &document) in fates.into_iter().zip(documents) {
                if let Fate::Removed { twin, similarity, identical } = fate {
                    removed.push((document, Fate::Removed { twin: documents[twin as usize], similarity, identical }));
                }
            }
            Ok(())
        })?;
        Ok(removed)
    }

    /// Emits the pairs of a part from the folder of the run, where they are put first if they are not there.
    fn kept_pairs(
        &self,
        run: &Run,
        (number, part): (usize, &mut Part),
        stage: &Stage,
        emit: Emit,
    ) -> Result<(), Error> {
        if !run.has_pairs(number) {
            let spool = Mutex::new((run.pairs_writer(number)?, Ok(())));
            let put = |some: &[SetPair]| {
                let bytes = |pair: &SetPair| [pair.a, pair.b, pair.common].map(u32::to_le_bytes).concat();
                let bytes: Vec<u8> = some.iter().flat_map(bytes).collect();
                let (spool, result) = &mut *spool.lock().unwrap_or_else(PoisonError::into_inner);
                if result.is_ok() {
                    *result = spool.append(&bytes);
                }
            };
            self.compare(part, |documents, source| {
                source.pairs(&stage.quiet(), &emit_of(documents, &put)).map(|_| ())
            })?;
            let (spool, result) = spool.into_inner().unwrap_or_else(PoisonError::into_inner);
            result?;
            spool.finish()?;
        }
        run.for_each_pairs(number, |bytes| {
            let pair = |bytes: &[u8; 12]| {
                let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                SetPair { a: number(0), b: number(4), common: number(8) }
            };
            emit(&bytes.as_chunks::<12>().0.iter().map(pair).collect::<Vec<SetPair>>());
        })
    }

    /// Calls `each` with the documents of every part and a source of their pairs, in which they are numbered by their index.
    fn for_each_part(
        &self,
        mut each: impl FnMut(&[u32], &mut dyn PairSource) -> Result<(), JoinError>,
    ) -> Result<(), Error> {
        self.parts().iter_mut().try_for_each(|part| self.compare(part, &mut each))
    }

    /// Calls `each` with the documents of a part and a source of their pairs, in which they are numbered by their index.
    fn compare(
        &self,
        part: &mut Part,
        mut each: impl FnMut(&[u32], &mut dyn PairSource) -> Result<(), JoinError>,
    ) -> Result<(), Error> {
        let PartsSource { whole, shares, .. } = self;
        if 8 * part.file.elements <= shares.part {
            let (documents, mut joinable) = part.prepare(whole)?;
            each(&documents, &mut joinable)?;
        } else {
            let mut tiles = SetTiles::source(whole, part, shares.part)?;
            let documents = tiles.tiled.documents().to_vec();
            each(&documents, &mut tiles)?;
        }
        Ok(())
    }
}

/// How the memory of a run of this collector is used if all sets are in memory.
pub(crate) fn in_memory(collector: &Collector) -> MemoryReport {
    MemoryReport {
        plan: ALL_IN_MEMORY,
        budget_bytes: collector.memory,
        peak_bytes: 0,
        temporary_bytes: 0,
        passes: 1,
        parts: 1,
        planned_bytes: None,
        planned_temporary_bytes: None,
        restarts: 0,
        sets: None,
        traced: None,
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

impl PairSource for PartsSource<'_> {
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
        for (number, part) in self.parts().iter_mut().enumerate() {
            stage.check()?;
            if let Some(run) = self.run {
                self.kept_pairs(run, (number, part), stage, emit).map_err(in_join)?;
            } else {
                let each = |documents: &[u32], source: &mut dyn PairSource| {
                    counts.add(&source.pairs(&stage.quiet(), &emit_of(documents, emit))?);
                    Ok(())
                };
                self.compare(part, each).map_err(in_join)?;
            }
            stage.add(part.file.sets as usize);
        }
        Ok(counts)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        let sides: HashMap<u32, Side> = among.iter().copied().collect();
        let each = |documents: &[u32], source: &mut dyn PairSource| {
            stage.check()?;
            // Those that the part has dropped have no partner.
            let side = |index: u32| Some((index, *sides.get(&documents[index as usize])?));
            let own: Vec<(u32, Side)> = source.compared().documents.into_iter().filter_map(side).collect();
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
