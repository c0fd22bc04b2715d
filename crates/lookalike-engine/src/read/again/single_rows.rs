//! Reads single rows again, for sets that were not kept.

use lookalike::engine::{JoinError, Progress, SetArena, SetBatch, SetBlock, SetStore, Stage, hash_set, hash_token};
use lookalike_io::extract::Extractor;
use lookalike_io::{Error as IoError, RowReader, SingleLines, Source};
use rayon::prelude::*;

use crate::error::Error;
use crate::read::Collection;
use crate::read::collector::Collector;

/// Documents that a thread reads between two steps of the progress.
const SOME: usize = 128;

impl Collector {
    /// Makes the sets of some documents again, which are numbered by their index. The collection has their positions and hashes.
    pub(crate) fn sets_of(
        &self,
        sources: &[Source],
        collection: &Collection,
        documents: &[u32],
        progress: &dyn Progress,
    ) -> Result<SetStore, Error> {
        let stage = Stage::begin(progress, "reading again", documents.len());
        let read = |(number, some): (usize, &[u32])| {
            stage.check().map_err(JoinError::from)?;
            let read = Rows::new(self, sources, collection).read(number, some)?;
            stage.add(some.len());
            Ok(read)
        };
        let read: Vec<(SetArena, SetBlock)> =
            documents.par_chunks(SOME).enumerate().map(read).collect::<Result<_, Error>>()?;
        let (arenas, blocks): (Vec<SetArena>, Vec<SetBlock>) = read.into_iter().unzip();
        Ok(SetStore::new(arenas, blocks)?)
    }
}

/// Reads rows of a collection.
struct Rows<'a> {
    sources: &'a [Source],
    collection: &'a Collection,
    reader: RowReader,
    extractor: Extractor,
    has_within: bool,
}

impl<'a> Rows<'a> {
    fn new(collector: &Collector, sources: &'a [Source], collection: &'a Collection) -> Rows<'a> {
        Rows {
            sources,
            collection,
            reader: RowReader::new(&collector.fields, collector.max_document),
            extractor: Extractor::new(collector.extraction()),
            has_within: !collector.fields.within.is_empty(),
        }
    }

    fn read(&mut self, number: usize, documents: &[u32]) -> Result<(SetArena, SetBlock), Error> {
        let Rows { sources, collection, reader, extractor, has_within } = self;
        let (mut batch, mut arena) = (SetBatch::default(), SetArena::new(number).first_slab(1));
        let mut open: Option<SingleLines> = None;
        for &document in documents {
            let source = collection.documents.source_of(document);
            let changed = || Error::from(IoError::Changed(sources[source].path().to_path_buf()));
            let mut lines = match open.take().filter(|lines| lines.index() == source) {
                Some(lines) => lines,
                None => SingleLines::open(&sources[source], source)?,
            };
            let block = lines.line(collection.documents.row(document), collection.positions[document as usize])?;
            let mut is_found = false;
            reader.for_each(&block, |row, _| -> Result<(), Error> {
                let Some(Some(mut again)) = extractor.extract(&row).document() else { return Err(changed()) };
                let within = if *has_within { hash_token(row.within.as_bytes()) } else { 0 };
                let set = again.set_within(within);
                is_found = hash_set(set) == collection.set_hashes[document as usize];
                Ok(batch.push(set)?)
            })?;
            if !is_found {
                return Err(changed());
            }
            lines.reuse(block);
            open = Some(lines);
        }
        let block = arena.put(&batch)?;
        Ok((arena, block))
    }
}
