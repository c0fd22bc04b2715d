//! Reads documents one after another: their ids, one more field, and their texts.

use lookalike::engine::Progress;
use lookalike_io::extract::{Extractor, site_of};
use lookalike_io::{Blocks, Fields, RowReader, Source};

use super::rows::split_written;
use crate::error::Error;
use crate::read::{Collector, WatchedBlocks, place_of};

/// A document.
pub(crate) struct Visited<'a> {
    /// The number of its file.
    pub(crate) source: usize,
    pub(crate) id: &'a str,
    /// The value of the requested field, if the document has it.
    pub(crate) value: Option<&'a str>,
    /// The site of the document's page, if it has one.
    pub(crate) site: Option<&'a str>,
}

/// Calls `wants` with every document of these files, in order, and `take` with the text of those that it wants.
pub(crate) fn visit(
    sources: &[Source],
    collector: &Collector,
    field: Option<&str>,
    progress: &dyn Progress,
    mut wants: impl FnMut(&Visited) -> bool,
    mut take: impl FnMut(&Visited, &str),
) -> Result<(), Error> {
    let fields =
        Fields { within: field.map(String::from).into_iter().collect(), key: None, ..collector.fields.clone() };
    let mut reader = RowReader::new(&fields, collector.max_document);
    let mut extractor = Extractor::new(collector.extraction());
    let blocks = Blocks::new(sources, &fields, Default::default()).for_texts(collector.max_document);
    let mut blocks = WatchedBlocks::new(blocks, sources, progress);
    while let Some(block) = blocks.next_block()? {
        let source = &sources[block.source];
        let path = source.path().display().to_string();
        reader.for_each(&block, |row, _| -> Result<(), Error> {
            let id = match row.id.filter(|id| !id.is_empty()) {
                Some(id) => id.into(),
                None => place_of(&path, source.format(), row.number),
            };
            let site = site_of(&collector.site, &row);
            let value = split_written(row.within).into_iter().next().flatten();
            let visited = Visited { source: block.source, id: &id, value, site: site.as_deref() };
            if !wants(&visited) {
                return Ok(());
            }
            if let Some(Some(document)) = extractor.extract(&row).document() {
                take(&visited, document.text);
            }
            Ok(())
        })?;
    }
    Ok(fields.check_seen(&reader.take_seen(), "the inputs", true)?)
}
