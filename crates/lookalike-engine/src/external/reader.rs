//! Reads sets that do not fit in memory: counts them, reads them again, divides them. Texts and signatures that do not fit go to a file.

use std::sync::{Mutex, PoisonError};

use lookalike::Threshold;
use lookalike::engine::{JoinError, Progress};
use lookalike_io::Source;

use super::budget::{Budget, Estimate, Shares, TraceShare};
use super::counting::{Counting, TraceCounting};
use super::parts::Divide;
use super::request::ReadRequest;
use super::resume::{Run, check_unchanged};
use super::select::{Partners, Select};
use super::set_lookup::SetLookup;
use super::source::PartsSource;
use super::watch::Held;
use super::whole::Whole;
use crate::error::Error;
use crate::on_disk::{Numbers, SetFile, SetFileWriter, SignatureFileWriter, TextFileWriter};
use crate::read::{Collection, Collector, Keep, KeepSets, KeptOf, Look, ReadBlock, Signing};

/// Sets that are not kept in memory, and the inputs to read them from again. Or texts or signatures that are not.
pub(crate) struct External<'a> {
    collector: &'a Collector,
    sources: &'a [Source],
    inputs: usize,
    budget: Budget,
    shares: Shares,
    /// The sieve, unless it is in the folder of the run, or there are traces.
    counting: Option<Counting>,
    traces: Option<TraceCounting>,
    /// The file of what is compared instead of sets, and the bytes of memory to compare it in.
    instead: Option<(Instead, u64)>,
    run: Option<&'a Run>,
    /// Whether there is one search, whose steps the folder of the run can keep.
    is_searched_once: bool,
}

/// A file of what is compared instead of sets.
enum Instead {
    Texts(Mutex<TextFileWriter>),
    Signatures(Mutex<SignatureFileWriter>),
}

impl Instead {
    fn of(collector: &Collector) -> Option<Instead> {
        let space = &collector.space;
        let signatures = collector.signing_on_disk().map(|signing| {
            let has_site = matches!(signing, Signing::Web(..));
            Instead::Signatures(Mutex::new(SignatureFileWriter::new(space, signing.numbers(), has_site)))
        });
        signatures.or(collector.edit.map(|_| Instead::Texts(Mutex::new(TextFileWriter::new(space)))))
    }

    /// Takes it from a block.
    fn take(&self, block: &mut ReadBlock) -> Result<(), Error> {
        match self {
            Instead::Texts(file) => {
                let texts = std::mem::take(&mut block.texts);
                file.lock().unwrap_or_else(PoisonError::into_inner).put(&texts, &block.within)
            }
            Instead::Signatures(file) => {
                let (numbers, sites) = (std::mem::take(&mut block.signatures), std::mem::take(&mut block.sites));
                file.lock().unwrap_or_else(PoisonError::into_inner).put(&Numbers { numbers, sites })
            }
        }
    }
}

impl<'a> External<'a> {
    /// Reads what does not fit in memory, within a budget. `None` if it cannot be elsewhere.
    pub(super) fn new(reading: &ReadRequest<'a>, budget: Budget) -> Result<Option<External<'a>>, Error> {
        let ReadRequest { collector, sources, inputs, groups_equal, threshold, run, .. } = *reading;
        let instead = Instead::of(collector);
        if collector.signing.is_some() && instead.is_none() {
            return Ok(None);
        }
        // Texts and signatures are not kept in the folder of a run.
        let run = run.filter(|_| instead.is_none());
        let shares = budget.shares()?;
        let counting = match instead.is_some() || run.is_some_and(Run::has_documents) {
            true => None,
            false => Some(Counting::new(shares.sieve, groups_equal).map_err(JoinError::from)?),
        };
        let instead = instead.map(|instead| (instead, budget.at_a_time(&shares)));
        let traces = None;
        let external = External {
            collector,
            sources,
            inputs,
            budget,
            shares,
            counting,
            traces,
            instead,
            run,
            is_searched_once: true,
        };
        match &threshold {
            Some(threshold) => external.with_traces(threshold).map(Some),
            None => Ok(Some(external)),
        }
    }

    /// What it holds while it reads, besides documents.
    pub(super) fn held(&self) -> Held {
        let traces = self.traces.as_ref().map(TraceCounting::held);
        Held::Besides(traces.or(self.counting.as_ref().map(|_| self.shares.sieve)).unwrap_or(0))
    }

    /// Shares the memory again, now that the inputs are read: a sample tells only about how many documents there are.
    pub(super) fn settle(&mut self, counted: Estimate) {
        let Ok(actual) = self.budget.with(counted).shares() else { return };
        self.shares = Shares { sieve: self.shares.sieve, ..actual };
        if let Some((_, bytes)) = &mut self.instead {
            *bytes = self.budget.at_a_time(&self.shares);
        }
    }

    /// Keeps a trace of every set for a search with this threshold, if there is room: then fewer sets are made again.
    fn with_traces(self, threshold: &Threshold) -> Result<External<'a>, Error> {
        match TraceShare::of(&self.budget, threshold).filter(|_| self.run.is_none() && self.instead.is_none()) {
            Some(share) => {
                let traces = TraceCounting::new(&share, threshold.groups_equal_sets()).map_err(JoinError::from)?;
                Ok(External { counting: None, traces: Some(traces), ..self })
            }
            None => Ok(self),
        }
    }

    /// Prepares for several searches with different thresholds. Of a run, only the documents that were read are kept.
    pub(crate) fn searched_repeatedly(self) -> External<'a> {
        External { is_searched_once: false, ..self }
    }

    /// The folder for what is selected and divided, if there is one.
    fn run_of_search(&self) -> Option<&'a Run> {
        self.run.filter(|_| self.is_searched_once)
    }

    /// Reads the inputs. Sets are counted and not kept. Texts and signatures are written to a file. `look` looks at every block.
    pub(super) fn collect(&mut self, keep: &Keep, look: &Look, progress: &dyn Progress) -> Result<Collection, Error> {
        let External { collector, sources, inputs, counting, traces, instead, run, .. } = self;
        let (inputs, look) = (*inputs, Some(look));
        let collect = |kept: KeptOf| collector.collect_some(sources, inputs, keep, kept.look(look), progress);
        if let Some((instead, _)) = instead {
            let take = |block: &mut ReadBlock| instead.take(block);
            return collect(KeptOf { take: Some(&take), ..KeptOf::sets(KeepSets::Whole) });
        }
        if let Some(traces) = traces {
            let add = |set_hash: u128, set: &[u64], all: &mut Vec<u32>| traces.add(set_hash, set, all);
            return collect(KeptOf::sets(KeepSets::Traces(&add)));
        }
        if let Some(run) = run
            && let Some(collection) = run.documents(collector.documents(sources, true))?
        {
            check_unchanged(collector, (sources, inputs), &collection, progress)?;
            return Ok(collection);
        }
        let count = |set_hash: u128, set: &[u64]| {
            if let Some(counting) = &*counting {
                counting.add(set_hash, set);
            }
        };
        let collection = collect(KeptOf::sets(KeepSets::Counted(&count)))?;
        if let (Some(run), Some(counting)) = (run, counting) {
            run.save_documents(&collection, &mut counting.sieve)?;
        }
        Ok(collection)
    }

    /// The file of the texts, if texts were read, and the bytes of memory to compare them in.
    pub(crate) fn into_texts(self) -> Option<(TextFileWriter, u64)> {
        let (Instead::Texts(file), bytes) = self.instead? else { return None };
        Some((file.into_inner().unwrap_or_else(PoisonError::into_inner), bytes))
    }

    /// The file of the signatures, if they were read, and the bytes of memory to compare them in.
    pub(crate) fn into_signatures(self) -> Option<(SignatureFileWriter, u64)> {
        let (Instead::Signatures(file), bytes) = self.instead? else { return None };
        Some((file.into_inner().unwrap_or_else(PoisonError::into_inner), bytes))
    }

    /// Reads the inputs again for the sets that may have a partner, and divides them. If they need not be read once more, `is_last`, it
    /// frees what only reading needs.
    pub(crate) fn source(
        &mut self,
        whole: Whole,
        collection: &mut Collection,
        is_last: bool,
        progress: &dyn Progress,
    ) -> Result<PartsSource<'a>, Error> {
        let run = self.run_of_search();
        if let Some(parts) = run.map_or(Ok(None), Run::parts)? {
            let stored = (parts.iter().map(|part| part.sets).sum(), parts.iter().map(|part| part.elements).sum());
            return Ok(PartsSource::new(whole, parts, self.shares, stored, run));
        }
        let file = self.select(&whole, collection, progress)?;
        let traced = self.traces.as_ref().map_or(0.0, TraceCounting::share);
        if is_last {
            self.counting = None;
            self.traces = None;
            collection.traces = Vec::new();
            collection.set_hashes = Vec::new();
            collection.sizes = Vec::new();
            collection.starts = Vec::new();
        }
        Ok(self.divider().divide(whole, file, progress)?.traced(traced))
    }

    /// Reads only the first sources from now on.
    pub(crate) fn only_first(&mut self, sources: usize) {
        self.sources = &self.sources[..sources];
    }

    /// What divides the sets of this run, without what reading needs.
    pub(crate) fn divider(&self) -> Divider<'a> {
        Divider { collector: self.collector, shares: self.shares, run: self.run_of_search() }
    }

    /// Reads the inputs again for all sets that `whole` compares, to look them up.
    pub(crate) fn look_up(
        &self,
        whole: &Whole,
        collection: &Collection,
        progress: &dyn Progress,
    ) -> Result<SetLookup, Error> {
        let writer = SetFileWriter::new(&self.collector.space).block(LOOKED_UP);
        SetLookup::of(self.selection(Partners::Unknown, whole, collection).run(writer, progress)?)
    }

    /// Reads the inputs again for the sets that may have a partner.
    pub(crate) fn select(
        &self,
        whole: &Whole,
        collection: &Collection,
        progress: &dyn Progress,
    ) -> Result<SetFile, Error> {
        let run = self.run_of_search();
        if let Some(file) = run.map_or(Ok(None), Run::selected)? {
            return Ok(file);
        }
        let loaded = match (self.run, &self.counting) {
            (Some(run), None) => Some(run.sieve()?),
            _ => None,
        };
        let sieve = loaded.as_ref().or(self.counting.as_ref().map(|counting| &counting.sieve));
        let partners = match &self.traces {
            Some(traces) => Partners::Traces(&traces.sieve),
            None => sieve.map_or(Partners::Unknown, Partners::Sieve),
        };
        let writer = match run {
            Some(run) => run.sets_writer()?,
            None => SetFileWriter::new(&self.collector.space),
        };
        let file = self.selection(partners, whole, collection).run(writer, progress)?;
        run.map_or(Ok(()), |run| run.save_selected(&file))?;
        Ok(file)
    }

    fn selection<'b>(&'b self, partners: Partners<'b>, whole: &'b Whole, collection: &'b Collection) -> Select<'b> {
        let External { collector, sources, inputs, .. } = self;
        Select { collector, sources, inputs: *inputs, collection, whole, partners }
    }
}

/// Bytes of a block of sets that are looked up: a block is read for each.
const LOOKED_UP: usize = 1 << 16;

/// Divides the sets of a run.
#[derive(Clone, Copy)]
pub(crate) struct Divider<'a> {
    collector: &'a Collector,
    shares: Shares,
    run: Option<&'a Run>,
}

impl<'a> Divider<'a> {
    /// Divides sets into parts that fit in memory.
    pub(crate) fn divide(self, whole: Whole, file: SetFile, progress: &dyn Progress) -> Result<PartsSource<'a>, Error> {
        let stored = (file.sets, file.elements);
        let Divider { collector, shares, run } = self;
        let parts = Divide { whole: &whole, space: &collector.space, shares: &shares, run, progress }.run(file)?;
        Ok(PartsSource::new(whole, parts, shares, stored, run))
    }
}
