//! Reads files into a collection on all cores. Blocks are put back in order at the end, so the result does not depend on the threads.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lookalike::engine::Progress;
use lookalike_io::{Format, Source};

use super::block::{Look, ReadBlock, Take, Worker};
use super::collector::{Collector, IDS};
use super::form::{Arena, KeepSets};
use super::in_order::InOrder;
use super::keep::Keep;
use super::kept::{Assembly, Collection, Documents};
use super::sample::Sample;
use super::signing::Signing;
use crate::error::Error;

/// What is kept of what is read.
pub(crate) struct KeptOf<'a> {
    pub(crate) sets: KeepSets<'a>,
    /// Takes from each block what is not kept.
    pub(crate) take: Option<&'a Take<'a>>,
    pub(crate) look: Option<&'a Look<'a>>,
}

impl<'a> KeptOf<'a> {
    /// This of the sets, and everything else.
    pub(crate) fn sets(sets: KeepSets<'a>) -> KeptOf<'a> {
        KeptOf { sets, take: None, look: None }
    }

    /// With something that looks at every block.
    pub(crate) fn look(self, look: Option<&'a Look<'a>>) -> KeptOf<'a> {
        KeptOf { look, ..self }
    }
}

impl Collector {
    /// No documents of these sources yet. Their ids may go to a file if sets are not kept either.
    pub(crate) fn documents(&self, sources: &[Source], may_spill: bool) -> Documents {
        Documents::new(sources, &self.space, self.most_ids(may_spill))
    }

    /// Bytes of ids that stay in memory.
    pub(crate) fn most_ids(&self, may_spill: bool) -> usize {
        self.memory.filter(|_| may_spill).map_or(usize::MAX, |memory| (memory / IDS) as usize)
    }

    /// Reads `sources`. The first `inputs` of them are the inputs.
    pub(crate) fn collect(
        &self,
        sources: &[Source],
        inputs: usize,
        keep: &Keep,
        progress: &dyn Progress,
    ) -> Result<Collection, Error> {
        self.collect_some(sources, inputs, keep, KeptOf::sets(KeepSets::Whole), progress)
    }

    /// Reads `sources`, and keeps this of the sets.
    pub(crate) fn collect_some(
        &self,
        sources: &[Source],
        inputs: usize,
        keep: &Keep,
        KeptOf { sets, take, look }: KeptOf,
        progress: &dyn Progress,
    ) -> Result<Collection, Error> {
        if let Some(source) = sources.iter().find(|source| !source.format().has_fields())
            && let Some(field) = self.fields.within.first()
        {
            let path = source.path().display();
            let kind = if source.format() == Format::Html { "a page" } else { "plain text" };
            return Err(Error::Usage(format!("{path} is {kind} and has no field '{field}' (--within)")));
        }
        let lexicon = match &self.signing {
            Some(Signing::IMatch(settings)) => Some(Arc::new(self.count_terms(sources, inputs, *settings, progress)?)),
            _ => None,
        };
        let may_spill = sets.are_counted() || take.is_some();
        // Blocks that are taken away are large.
        let waiting = if take.is_some() { self.threads + 1 } else { WAITING };
        let assembly = InOrder::new(Assembly::new(self.documents(sources, may_spill), inputs, take), waiting);
        let workers = self.work_through(
            sources,
            inputs,
            progress,
            |number| Worker::new(self, keep, sources, sets, lexicon.as_ref(), number),
            |worker, block| {
                let read = worker.read(block)?;
                look.map_or(Ok(()), |look| look(&read))?;
                Ok(read)
            },
            |read: ReadBlock, stop: &AtomicBool| assembly.put(read.number, read, stop, Assembly::add),
        )?;
        let (mut arenas, mut digests, mut sample) = (Vec::new(), Vec::new(), Sample::default());
        for worker in workers {
            match worker.arena {
                Arena::Whole(_, arena) => arenas.push(arena),
                Arena::Digests(_, arena) => digests.push(arena),
            }
            sample.merge(worker.sample);
        }
        let (collection, others) = assembly.into_sink().finish(arenas, digests)?;
        self.fields.check_seen(&collection.tally.seen, "the inputs", true)?;
        self.fields.check_text_seen(&collection.tally.seen, "the inputs")?;
        self.fields.check_seen(&others, "the other collection", false)?;
        self.fields.check_text_seen(&others, "the other collection")?;
        Ok(Collection { sample, ..collection })
    }
}

/// Blocks that may wait for an earlier one.
const WAITING: usize = 256;
