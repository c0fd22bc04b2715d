//! Reads files into a collection on all cores. Blocks are put back in order at the end, so the result does not depend on the threads.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use lookalike::engine::{Progress, SetArena, SetStore, SetsError, Texts};
use lookalike_io::{Format, Seen, Source};

use super::block::{ReadBlock, Worker};
use super::collector::Collector;
use super::documents::Documents;
use super::keep::{Keep, Key};
use super::sample::Sample;
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

impl Collector {
    /// Reads `sources`. The first `inputs` of them are the inputs.
    pub(crate) fn collect(
        &self,
        sources: &[Source],
        inputs: usize,
        keep: &Keep,
        progress: &dyn Progress,
    ) -> Result<Collection, Error> {
        if let Some(source) = sources.iter().find(|source| !source.format().has_fields())
            && let Some(field) = self.fields.within.first()
        {
            let path = source.path().display();
            let kind = if source.format() == Format::Html { "a page" } else { "plain text" };
            return Err(Error::Usage(format!("{path} is {kind} and has no field '{field}' (--within)")));
        }
        let done = Mutex::new(Vec::new());
        let workers = self.work_through(
            sources,
            inputs,
            progress,
            |number| Worker::new(self, keep, sources, number),
            Worker::read,
            |read, _: &AtomicBool| {
                done.lock().unwrap_or_else(PoisonError::into_inner).push(read);
                Ok(())
            },
        )?;
        let mut read: Vec<ReadBlock> = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        read.sort_unstable_by_key(|block| block.number);
        let (mut arenas, mut sample) = (Vec::new(), Sample::default());
        for worker in workers {
            arenas.push(worker.arena);
            sample.merge(worker.sample);
        }
        let (collection, others) = assemble(read, arenas, sources, inputs)?;
        self.fields.check_seen(&collection.tally.seen, "the inputs", true)?;
        self.fields.check_seen(&others, "the other collection", false)?;
        Ok(Collection { sample, ..collection })
    }
}

/// All blocks as one collection, with the fields seen in the inputs, and separately the fields seen in the other sources.
fn assemble(
    blocks: Vec<ReadBlock>,
    arenas: Vec<SetArena>,
    sources: &[Source],
    inputs: usize,
) -> Result<(Collection, Seen), Error> {
    let mut sets = Vec::with_capacity(blocks.len());
    let mut others = Seen::default();
    let mut all = Collection {
        store: SetStore::default(),
        fingerprints: Vec::new(),
        signatures: Vec::new(),
        sizes: Vec::new(),
        sites: Vec::new(),
        sample: Sample::default(),
        starts: Vec::new(),
        documents: Documents::new(sources),
        keys: Vec::new(),
        within: Vec::new(),
        texts: Texts::new(),
        text_hashes: Vec::new(),
        tally: Tally::default(),
        unreadable: Vec::new(),
    };
    let documents: usize = blocks.iter().map(|block| block.rows.len()).sum();
    if u32::try_from(documents).is_err() {
        return Err(SetsError::ManyDocuments.into());
    }
    all.documents.reserve(documents);
    for block in blocks {
        all.starts.push((block.number, all.documents.len() as u32));
        all.documents.push(block.source, &block.rows, &block.ids, &block.id_ends);
        sets.push(block.sets);
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
        if block.source >= inputs {
            // Empty documents of a reference collection are not reported.
            tally.empty = 0;
            others.add(std::mem::take(&mut tally.seen));
        }
        all.tally.add(tally);
    }
    all.store = SetStore::new(arenas, sets)?;
    all.documents.set_inputs(inputs);
    Ok((all, others))
}
