//! Turns a block of rows into sets, signatures or clean texts.

use std::sync::Arc;

use lookalike::Case;
use lookalike::engine::{
    SetBlock, SetMaker, SetsError, SiteRule, Texts, hash_set, hash_token, normalise, squeeze_spaces,
};
use lookalike::sketch::Lexicon;
use lookalike_io::extract::{Extractor, Signer, site_of};
use lookalike_io::{Block, Row, RowReader, Source};

use super::collector::Collector;
use super::form::{Arena, KeepSets, Traces};
use super::keep::{Keep, Key};
use super::sample::Sample;
use super::signing::Signing;
use super::tally::Tally;
use crate::error::Error;

/// The documents of a block.
#[derive(Default)]
pub(crate) struct ReadBlock {
    pub(crate) number: usize,
    pub(crate) source: usize,
    pub(crate) sets: SetBlock,
    /// The texts, if they are kept instead of their sets.
    pub(crate) texts: Texts,
    /// Hashes and sizes of the sets, and the documents' signatures, if they are kept instead of the sets. Signatures that are sets
    /// are in `sets`.
    pub(crate) set_hashes: Vec<u128>,
    pub(crate) signatures: Vec<u64>,
    pub(crate) sizes: Vec<u32>,
    /// Hashes of the sites, if the method compares them.
    pub(crate) sites: Vec<u64>,
    pub(crate) rows: Vec<u64>,
    /// Where the rows begin in their file, if they may be read again one by one.
    pub(crate) positions: Vec<u64>,
    pub(crate) ids: Vec<u8>,
    pub(crate) id_ends: Vec<usize>,
    pub(crate) keys: Vec<Key>,
    pub(crate) within: Vec<u64>,
    pub(crate) text_hashes: Vec<u64>,
    pub(crate) unreadable: Vec<u64>,
    pub(crate) tally: Tally,
    /// The hash of the block, if its sets are not kept.
    pub(crate) hash: Option<u64>,
    pub(crate) traces: Traces,
    /// The elements of the sets, whether they are kept or not.
    pub(crate) elements: u64,
}

/// Looks at every block that was read, from any thread. If it fails, reading stops.
pub(crate) type Look<'a> = dyn Fn(&ReadBlock) -> Result<(), Error> + Sync + 'a;

/// Takes from a block what does not stay in memory. It is called with every block, in order.
pub(crate) type Take<'a> = dyn Fn(&mut ReadBlock) -> Result<(), Error> + Sync + 'a;

/// The state of a thread that reads blocks.
pub(crate) struct Worker<'a> {
    keep: &'a Keep,
    sources: &'a [Source],
    strict: bool,
    hash_texts: bool,
    has_within: bool,
    reader: RowReader,
    extractor: Extractor,
    cleaner: Option<Cleaner>,
    signer: Option<Signer>,
    /// Makes the sets that are kept as signatures.
    light: Option<SetMaker>,
    site: Option<SiteRule>,
    samples: bool,
    pub(crate) sample: Sample,
    kept: KeepSets<'a>,
    pub(crate) arena: Arena,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        collector: &Collector,
        keep: &'a Keep,
        sources: &'a [Source],
        kept: KeepSets<'a>,
        lexicon: Option<&Arc<Lexicon>>,
        number: usize,
    ) -> Worker<'a> {
        Worker {
            keep,
            sources,
            strict: collector.strict,
            hash_texts: collector.hash_texts,
            has_within: !collector.fields.within.is_empty(),
            reader: RowReader::new(&collector.fields, collector.max_document),
            extractor: Extractor::new(collector.extraction()),
            cleaner: collector.edit.map(|_| Cleaner::new(collector.recipe.case)),
            signer: collector.signing.as_ref().and_then(|signing| signing.signer(collector.recipe, lexicon)),
            light: collector.signing.as_ref().and_then(|signing| signing.light(collector.recipe)),
            site: matches!(collector.signing, Some(Signing::Web(..))).then(|| collector.site.clone()),
            samples: collector.samples,
            sample: Sample::default(),
            kept,
            arena: Arena::new(matches!(kept, KeepSets::Digests), number),
        }
    }

    pub(crate) fn read(&mut self, block: &Block) -> Result<ReadBlock, Error> {
        let Worker {
            keep,
            sources,
            strict,
            hash_texts,
            has_within,
            reader,
            extractor,
            cleaner,
            signer,
            light,
            site,
            samples,
            sample,
            kept,
            arena,
        } = self;
        let mut read = ReadBlock { number: block.number, source: block.source, ..ReadBlock::default() };
        let path = sources[block.source].path();
        arena.clear();
        reader.for_each(block, |row, raw| -> Result<(), Error> {
            let Some(document) = read.tally.extract(&row, extractor, path, *strict)? else {
                read.unreadable.push(row.number);
                return Ok(());
            };
            let within = if *has_within { hash_token(row.within.as_bytes()) } else { 0 };
            let (text, mut document) = (document.as_ref().map(|document| document.text), document);
            let mut set = &[][..];
            let mut is_empty = true;
            if let Some(cleaner) = cleaner {
                let clean = text.map_or("", |text| cleaner.clean(text));
                is_empty = clean.is_empty();
                read.texts.push(clean);
            } else if let Some(document) = &mut document {
                set = document.set_within(within);
                is_empty = set.is_empty();
            }
            read.elements += set.len() as u64;
            read.tally.empty += u64::from(is_empty && text.is_some());
            if *hash_texts {
                read.text_hashes.push(text.map_or(0, |text| hash_token(text.as_bytes())));
            }
            if *has_within {
                read.within.push(within);
            }
            if signer.is_some() || light.is_some() {
                let set_hash = hash_set(set);
                read.set_hashes.push(set_hash);
                if let Some(signer) = signer {
                    signer.sign(text.unwrap_or_default(), set, &mut read.signatures);
                }
                read.sizes.push(u32::try_from(set.len()).map_err(|_| SetsError::LargeSet(set.len()))?);
                if *samples {
                    sample.offer(set_hash, set);
                }
                // The signature takes the place of the set, so an empty one is stored. A method with a light check stores the set of that check.
                set = light.as_mut().map_or(&[], |light| light.set(text.unwrap_or_default()));
            }
            if kept.are_counted() {
                let set_hash = hash_set(set);
                read.set_hashes.push(set_hash);
                read.sizes.push(u32::try_from(set.len()).map_err(|_| SetsError::LargeSet(set.len()))?);
                match kept {
                    KeepSets::Traces(add) => {
                        add(set_hash, set, &mut read.traces.elements);
                        read.traces.end()?;
                    }
                    KeepSets::Counted(add) => add(set_hash, set),
                    KeepSets::Whole | KeepSets::Digests => {}
                }
            } else {
                arena.push(set)?;
            }
            if let Some(rule) = site {
                read.sites.push(site_of(rule, &row).map_or(0, |site| hash_token(site.as_bytes())));
            }
            if let KeepSets::Digests = kept {
                read.positions.extend(raw.and_then(|raw| block.position_of(raw)));
            }
            read.push(&row, keep.key(text, row.key));
            Ok(())
        })?;
        read.hash = kept.are_counted().then(|| block.hash());
        read.traces.elements.shrink_to_fit();
        read.tally.seen = reader.take_seen();
        read.sets = arena.put()?;
        Ok(read)
    }
}

impl ReadBlock {
    fn push(&mut self, row: &Row, key: Option<Key>) {
        self.rows.push(row.number);
        self.ids.extend_from_slice(row.id.unwrap_or_default().as_bytes());
        self.id_ends.push(self.ids.len());
        self.keys.extend(key);
    }
}

/// Prepares texts for comparison character by character.
struct Cleaner {
    case: Case,
    normal: String,
    clean: String,
}

impl Cleaner {
    fn new(case: Case) -> Cleaner {
        Cleaner { case, normal: String::new(), clean: String::new() }
    }

    /// The text in normal form, with every run of white space as one space.
    fn clean(&mut self, text: &str) -> &str {
        self.normal.clear();
        normalise(text, self.case, &mut self.normal);
        self.clean.clear();
        squeeze_spaces(&self.normal, &mut self.clean);
        &self.clean
    }
}
