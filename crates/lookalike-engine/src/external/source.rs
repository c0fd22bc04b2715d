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
use super::run::Run;
use super::select::Select;
use super::set_file::{SetFile, SetFileWriter, in_join};
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
    /// The sieve, unless it is in the folder of the run.
    counting: Option<Counting>,
    run: Option<&'a Run>,
}

impl<'a> External<'a> {
    /// Plans a run whose sets do not fit in memory. `None` if they do. `groups_equal` is whether equal sets are compared only once.
    pub(crate) fn plan(
        collector: &'a Collector,
        sources: &'a [Source],
        inputs: usize,
        groups_equal: bool,
        run: Option<&'a Run>,
    ) -> Result<Option<External<'a>>, Error> {
        // Signatures and texts are kept in memory.
        if collector.signing.is_some() || collector.keep_texts {
            return match run {
                Some(_) => {
                    Err(Error::Usage("--run goes with sets only, not with --method or edit distance".to_string()))
                }
                None => Ok(None),
            };
        }
        let budget = match run {
            Some(_) => Some(Budget::always(collector, sources)?),
            None => Budget::of(collector, sources)?,
        };
        let Some(budget) = budget else { return Ok(None) };
        let shares = budget.shares()?;
        let counting = match run.is_some_and(Run::has_documents) {
            true => None,
            false => Some(Counting::new(shares.sieve, groups_equal).map_err(JoinError::from)?),
        };
        Ok(Some(External { collector, sources, inputs, shares, counting, run }))
    }

    /// Reads the inputs. If the sets do not fit in memory, they are counted and not kept.
    pub(crate) fn collect(
        external: Option<&mut External>,
        collector: &Collector,
        (sources, inputs): (&[Source], usize),
        keep: &Keep,
        progress: &dyn Progress,
    ) -> Result<Collection, Error> {
        let Some(External { counting, run, .. }) = external else {
            return collector.collect(sources, inputs, keep, progress);
        };
        if let Some(run) = run
            && let Some(collection) = run.documents(sources)?
        {
            return Ok(collection);
        }
        let count = |fingerprint: u128, set: &[u64]| {
            if let Some(counting) = &*counting {
                counting.add(fingerprint, set);
            }
        };
        let collection = collector.collect_or_count(sources, inputs, keep, Some(&count), progress)?;
        if let (Some(run), Some(counting)) = (run, counting) {
            run.save_documents(&collection, &mut counting.sieve)?;
        }
        Ok(collection)
    }

    /// Reads the inputs again for the sets that may have a partner, and divides them.
    pub(crate) fn source(
        &self,
        whole: Whole,
        collection: &Collection,
        progress: &dyn Progress,
    ) -> Result<PartsSource<'a>, Error> {
        let file = self.select(&whole, collection, progress)?;
        self.divide(whole, file, progress)
    }

    /// The same, if the inputs need not be read once more. Frees what only reading needs before dividing.
    pub(crate) fn into_source(
        mut self,
        whole: Whole,
        collection: &mut Collection,
        progress: &dyn Progress,
    ) -> Result<PartsSource<'a>, Error> {
        if let Some(run) = self.run
            && let Some(parts) = run.parts()?
        {
            return Ok(self.of_parts(whole, parts, (0, 0)));
        }
        let file = self.select(&whole, collection, progress)?;
        self.counting = None;
        collection.fingerprints = Vec::new();
        collection.sizes = Vec::new();
        collection.starts = Vec::new();
        self.divide(whole, file, progress)
    }

    fn select(&self, whole: &Whole, collection: &Collection, progress: &dyn Progress) -> Result<SetFile, Error> {
        let External { collector, sources, inputs, counting, run, .. } = self;
        if let Some(run) = run
            && let Some(file) = run.selected()?
        {
            return Ok(file);
        }
        let loaded = match (run, counting) {
            (Some(run), None) => Some(run.sieve()?),
            _ => None,
        };
        let select = Select {
            collector,
            sources,
            inputs: *inputs,
            starts: &collection.starts,
            hashes: &collection.hashes,
            fingerprints: &collection.fingerprints,
            whole,
            sieve: loaded.as_ref().or(counting.as_ref().map(|counting| &counting.sieve)),
        };
        let writer = match run {
            Some(run) => run.sets_writer()?,
            None => SetFileWriter::new(&collector.space),
        };
        let file = select.run(writer, progress)?;
        run.map_or(Ok(()), |run| run.save_selected(&file))?;
        Ok(file)
    }

    fn divide(&self, whole: Whole, file: SetFile, progress: &dyn Progress) -> Result<PartsSource<'a>, Error> {
        let stored = (file.sets, file.elements);
        let External { collector, shares, run, .. } = self;
        let parts = Divide { whole: &whole, space: &collector.space, shares, run: *run, progress }.run(file)?;
        Ok(self.of_parts(whole, parts, stored))
    }

    fn of_parts(&self, whole: Whole, parts: Vec<SetFile>, stored: (u64, u64)) -> PartsSource<'a> {
        let parts = parts.into_iter().map(|file| Part { file }).collect();
        PartsSource { whole, parts: Mutex::new(parts), shares: self.shares, stored, run: self.run }
    }
}

/// All documents, and the files of those that may have a partner.
pub(crate) struct PartsSource<'a> {
    whole: Whole,
    parts: Mutex<Vec<Part>>,
    shares: Shares,
    /// The sets that were stored, and their elements.
    stored: (u64, u64),
    run: Option<&'a Run>,
}

impl PartsSource<'_> {
    #[cfg(test)]
    pub(super) fn of_parts(whole: Whole, parts: Vec<SetFile>, shares: Shares) -> PartsSource<'static> {
        let parts = parts.into_iter().map(|file| Part { file }).collect();
        PartsSource { whole, parts: Mutex::new(parts), shares, stored: (0, 0), run: None }
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
            let mut tiles = Tiles::new(whole, part, shares.part)?;
            let documents = tiles.documents().to_vec();
            each(&documents, &mut tiles)?;
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
