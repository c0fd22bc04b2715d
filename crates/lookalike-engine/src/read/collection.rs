//! Reads files into a collection on all cores. Blocks are put back in order at the end, so the result does not depend on the threads.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lookalike::engine::{Progress, SetArena, SetBlock, SetStore, SetsError, Texts};
use lookalike_io::{Format, Seen, Source};

use super::block::{Count, Digests, ReadBlock, Worker};
use super::collector::{Collector, IDS};
use super::documents::Documents;
use super::in_order::InOrder;
use super::keep::{Keep, Key};
use super::sample::Sample;
use super::signing::Signing;
use super::tally::Tally;
use crate::error::Error;

/// All documents of the sources.
pub(crate) struct Collection {
    pub(crate) store: SetStore,
    /// Fingerprints of all sets, the documents' signatures, the sizes and a sample of the sets, if they are kept instead of the sets.
    pub(crate) fingerprints: Vec<u128>,
    pub(crate) signatures: Vec<u64>,
    pub(crate) sizes: Vec<u32>,
    /// Hashes of the sites, if the method compares them; 0 for a document without a site.
    pub(crate) sites: Vec<u64>,
    pub(crate) sample: Sample,
    /// The numbers of the blocks and their first documents.
    pub(crate) starts: Vec<(usize, u32)>,
    /// The hashes of the blocks, if their sets are not kept.
    pub(crate) hashes: Vec<u64>,
    /// The digests of the sets, by block, if they are kept instead of the sets.
    pub(crate) digests: Vec<Digests>,
    pub(crate) documents: Documents,
    pub(crate) keys: Vec<Key>,
    /// Hashes of the values that must be equal for documents to be compared, if there are any.
    pub(crate) within: Vec<u64>,
    /// The texts, if they are kept instead of their sets.
    pub(crate) texts: Texts,
    /// A hash of every text, if requested; 0 for a document without a text.
    pub(crate) text_hashes: Vec<u64>,
    pub(crate) tally: Tally,
    pub(crate) unreadable: Vec<(usize, u64)>,
}

impl Collection {
    /// These documents, and nothing else of them.
    pub(crate) fn new(documents: Documents) -> Collection {
        Collection {
            store: SetStore::default(),
            fingerprints: Vec::new(),
            signatures: Vec::new(),
            sizes: Vec::new(),
            sites: Vec::new(),
            sample: Sample::default(),
            starts: Vec::new(),
            hashes: Vec::new(),
            digests: Vec::new(),
            documents,
            keys: Vec::new(),
            within: Vec::new(),
            texts: Texts::new(),
            text_hashes: Vec::new(),
            tally: Tally::default(),
            unreadable: Vec::new(),
        }
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
        self.collect_or_count(sources, inputs, keep, None, progress)
    }

    /// Reads `sources`. If there is `count`, it gets the sets, and only their fingerprints and sizes are kept.
    pub(crate) fn collect_or_count(
        &self,
        sources: &[Source],
        inputs: usize,
        keep: &Keep,
        count: Option<Count>,
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
        let assembly = InOrder::new(Assembly::new(self.documents(sources, count.is_some()), inputs), WAITING);
        let workers = self.work_through(
            sources,
            inputs,
            progress,
            |number| Worker::new(self, keep, sources, count, lexicon.as_ref(), number),
            Worker::read,
            |read: ReadBlock, stop: &AtomicBool| assembly.put(read.number, read, stop, Assembly::add),
        )?;
        let (mut arenas, mut sample) = (Vec::new(), Sample::default());
        for worker in workers {
            arenas.push(worker.arena);
            sample.merge(worker.sample);
        }
        let (collection, others) = assembly.into_sink().finish(arenas)?;
        self.fields.check_seen(&collection.tally.seen, "the inputs", true)?;
        self.fields.check_seen(&others, "the other collection", false)?;
        Ok(Collection { sample, ..collection })
    }
}

/// Blocks that may wait for an earlier one.
const WAITING: usize = 256;

/// A collection that is put together block by block, in order.
struct Assembly {
    collection: Collection,
    sets: Vec<SetBlock>,
    inputs: usize,
    /// The fields seen in sources that are not inputs.
    others: Seen,
}

impl Assembly {
    fn new(documents: Documents, inputs: usize) -> Assembly {
        let collection = Collection::new(documents);
        Assembly { collection, sets: Vec::new(), inputs, others: Seen::default() }
    }

    /// Appends a block.
    fn add(&mut self, block: ReadBlock) -> Result<(), Error> {
        let all = &mut self.collection;
        if u32::try_from(all.documents.len() + block.rows.len()).is_err() {
            return Err(SetsError::ManyDocuments.into());
        }
        all.starts.push((block.number, all.documents.len() as u32));
        all.hashes.extend(block.hash);
        all.digests.push(block.digests);
        all.documents.push(block.source, &block.rows, &block.ids, &block.id_ends)?;
        all.fingerprints.extend_from_slice(&block.fingerprints);
        all.signatures.extend_from_slice(&block.signatures);
        all.sizes.extend_from_slice(&block.sizes);
        all.sites.extend_from_slice(&block.sites);
        all.keys.extend(block.keys);
        all.within.extend(block.within);
        all.texts.append(&block.texts);
        all.text_hashes.extend(block.text_hashes);
        all.unreadable.extend(block.unreadable.iter().map(|&row| (block.source, row)));
        let mut tally = block.tally;
        if block.source >= self.inputs {
            // Empty documents of a reference collection are not reported.
            tally.empty = 0;
            self.others.add(std::mem::take(&mut tally.seen));
        }
        all.tally.add(tally);
        self.sets.push(block.sets);
        Ok(())
    }

    /// The collection, and the fields seen in sources that are not inputs.
    fn finish(self, arenas: Vec<SetArena>) -> Result<(Collection, Seen), Error> {
        let Assembly { mut collection, sets, inputs, others } = self;
        collection.store = SetStore::new(arenas, sets)?;
        collection.documents.set_inputs(inputs);
        Ok((collection, others))
    }
}
