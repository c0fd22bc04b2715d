//! Reads sets that do not fit in memory: counts them, reads them again, divides them.

use lookalike::engine::{JoinError, Progress};
use lookalike_io::Source;

use super::budget::{Budget, Shares};
use super::counting::Counting;
use super::divide::Divide;
use super::resume::Run;
use super::select::Select;
use super::set_file::{SetFile, SetFileWriter};
use super::source::PartsSource;
use super::whole::Whole;
use crate::error::Error;
use crate::read::{Collection, Collector, Keep};

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
    /// Plans a run whose sets do not fit in memory. `None` if they do. `groups_equal` is whether equal sets are compared only
    /// once, and `few_partners` whether most documents of a text have no partner.
    pub(crate) fn plan(
        collector: &'a Collector,
        sources: &'a [Source],
        inputs: usize,
        groups_equal: bool,
        few_partners: bool,
        run: Option<&'a Run>,
    ) -> Result<Option<External<'a>>, Error> {
        // Signatures and texts are kept in memory.
        if collector.signing.is_some() || collector.keep_texts {
            if run.is_some() {
                return Err(Error::Usage("--run goes with sets only, not with --method or edit distance".to_string()));
            }
            return Budget::of(collector, sources, few_partners)?.map_or(Ok(None), |budget| Err(budget.too_small()));
        }
        let budget = match run {
            Some(_) => Some(Budget::always(collector, sources)?),
            None => Budget::of(collector, sources, few_partners)?,
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
            && let Some(collection) = run.documents(collector.documents(sources, true))?
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

    /// Reads the inputs again for the sets that may have a partner, and divides them. If they need not be read once more, `is_last`, it
    /// frees what only reading needs.
    pub(crate) fn source(
        &mut self,
        whole: Whole,
        collection: &mut Collection,
        is_last: bool,
        progress: &dyn Progress,
    ) -> Result<PartsSource<'a>, Error> {
        if let Some(run) = self.run
            && let Some(parts) = run.parts()?
        {
            let stored = (parts.iter().map(|part| part.sets).sum(), parts.iter().map(|part| part.elements).sum());
            return Ok(PartsSource::new(whole, parts, self.shares, stored, self.run));
        }
        let file = self.select(&whole, collection, progress)?;
        if is_last {
            self.counting = None;
            collection.fingerprints = Vec::new();
            collection.sizes = Vec::new();
            collection.starts = Vec::new();
        }
        let stored = (file.sets, file.elements);
        let External { collector, shares, run, .. } = self;
        let parts = Divide { whole: &whole, space: &collector.space, shares, run: *run, progress }.run(file)?;
        Ok(PartsSource::new(whole, parts, *shares, stored, *run))
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
}
