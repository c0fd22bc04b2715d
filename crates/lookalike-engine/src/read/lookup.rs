//! Finds single documents in files by id.

use lookalike::engine::{Progress, SetMaker};
use lookalike_io::extract::{Extracted, Extractor, site_of};
use lookalike_io::{Blocks, RowReader, Source};

use super::collector::Collector;
use super::kept::place_of;
use super::workers::WatchedBlocks;
use crate::error::Error;

/// A single document.
pub(crate) struct Picked {
    pub(crate) id: String,
    pub(crate) text: String,
    /// Its site, if it is a page with a URL.
    pub(crate) site: Option<String>,
}

impl Picked {
    /// Its tokens.
    pub(crate) fn words(&self, maker: &mut SetMaker) -> Vec<String> {
        maker.explain(&self.text).tokens
    }
}

/// Calls `take` with every document whose id `wants` accepts. Such a document must have a text.
fn pick(
    sources: &[Source],
    collector: &Collector,
    progress: &dyn Progress,
    mut wants: impl FnMut(&str) -> bool,
    mut take: impl FnMut(Picked) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut reader = RowReader::new(&collector.fields, collector.max_document);
    let mut extractor = Extractor::new(collector.extraction());
    let blocks = Blocks::new(sources, &collector.fields, Default::default()).for_texts(collector.max_document);
    let mut blocks = WatchedBlocks::new(blocks, sources, progress);
    while let Some(block) = blocks.next_block()? {
        let source = &sources[block.source];
        let path = source.path().display().to_string();
        reader.for_each(&block, |row, _| {
            let id = match row.id.filter(|id| !id.is_empty()) {
                Some(id) => id.to_string(),
                None => place_of(&path, source.format(), row.number).into_owned(),
            };
            if !wants(&id) {
                return Ok(());
            }
            let site = site_of(&collector.site, &row).map(|site| site.into_owned());
            let text = match extractor.extract(&row) {
                Extracted::Document(document) => document.text.to_string(),
                Extracted::Unusable(reason) | Extracted::Unreadable(reason) => {
                    return Err(Error::Usage(format!("{path}, row {}: {reason}", row.number)));
                }
            };
            take(Picked { id, text, site })
        })?;
    }
    Ok(collector.fields.check_seen(&reader.take_seen(), "the inputs", true)?)
}

/// The only document of an argument.
pub(crate) fn pick_only(
    name: &str,
    sources: &[Source],
    collector: &Collector,
    progress: &dyn Progress,
) -> Result<Picked, Error> {
    let mut only = None;
    pick(
        sources,
        collector,
        progress,
        |_| true,
        |picked| match only.replace(picked) {
            None => Ok(()),
            Some(_) => Err(Error::Usage(format!(
                "{name} has more than one document. To compare two of them, give their ids and --in {name}"
            ))),
        },
    )?;
    only.ok_or_else(|| Error::Usage(format!("{name} has no documents")))
}

/// Two documents of a collection by id: the user's, or file and row.
pub(crate) fn pick_two(
    ids: [&str; 2],
    sources: &[Source],
    collector: &Collector,
    progress: &dyn Progress,
) -> Result<[Picked; 2], Error> {
    let mut found: [Option<Picked>; 2] = [None, None];
    pick(
        sources,
        collector,
        progress,
        |id| ids.contains(&id),
        |picked| {
            for (place, id) in found.iter_mut().zip(ids) {
                if picked.id != id {
                    continue;
                }
                let copy = Picked { id: picked.id.clone(), text: picked.text.clone(), site: picked.site.clone() };
                if place.replace(copy).is_some() {
                    return Err(Error::Usage(format!("more than one document has the id {id}")));
                }
            }
            Ok(())
        },
    )?;
    let missing = |id: &str| Error::Usage(format!("no document has the id {id}"));
    let [a, b] = found;
    Ok([a.ok_or_else(|| missing(ids[0]))?, b.ok_or_else(|| missing(ids[1]))?])
}
