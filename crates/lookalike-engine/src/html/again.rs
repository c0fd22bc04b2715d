//! Reads the inputs again, for the texts of a sample and the values of a field.

use std::collections::{BTreeSet, HashMap};

use lookalike::engine::Progress;
use lookalike_io::extract::Extractor;
use lookalike_io::{Blocks, Content, Fields, RowReader, Source};

use crate::error::Error;
use crate::read::{Collector, WatchedBlocks};

/// The most bytes of a text that are kept.
const LONGEST: usize = 40_000;

/// The beginning of a text: at most this many bytes.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

/// Calls `each` with the number of every document, the value of the field if it has one, and its text if it is in the sample. Documents are
/// numbered as they were when the inputs were read first.
fn read_again(
    sources: &[Source],
    collector: &Collector,
    field: Option<&str>,
    sample: &BTreeSet<u32>,
    progress: &dyn Progress,
    mut each: impl FnMut(u32, Option<&str>, Option<&str>),
) -> Result<(), Error> {
    let fields = Fields { key: field.map(String::from), ..collector.fields.clone() };
    let mut reader = RowReader::new(&fields, collector.max_document);
    let mut extractor = Extractor::new(collector.extraction());
    let blocks = Blocks::new(sources, &fields, Default::default()).for_texts(collector.max_document);
    let mut blocks = WatchedBlocks::new(blocks, sources, progress);
    let mut document = 0;
    while let Some(block) = blocks.next_block()? {
        reader.for_each(&block, |row, _| -> Result<(), Error> {
            if matches!(row.content, Content::Unreadable(_)) {
                return Ok(());
            }
            let value = row.key.written();
            let mut text = None;
            if sample.contains(&document)
                && let Some(Some(found)) = extractor.extract(&row).document()
            {
                text = Some(cut(found.text, LONGEST));
            }
            each(document, value.as_deref(), text);
            document += 1;
            Ok(())
        })?;
        if field.is_none() && sample.last().is_none_or(|&last| last < document) {
            return Ok(());
        }
    }
    Ok(fields.check_seen(&reader.take_seen(), "the inputs", field.is_some())?)
}

/// The texts of these documents, as far as they have one.
pub(crate) fn texts_of(
    sources: &[Source],
    collector: &Collector,
    sample: &BTreeSet<u32>,
    progress: &dyn Progress,
) -> Result<HashMap<u32, String>, Error> {
    let mut texts = HashMap::new();
    if !sample.is_empty() {
        read_again(sources, collector, None, sample, progress, |document, _, text| {
            texts.extend(text.map(|text| (document, text.to_string())));
        })?;
    }
    Ok(texts)
}

/// The values of a field.
pub(crate) struct FieldValues {
    /// The distinct values.
    pub(crate) names: Vec<String>,
    /// By document, the number of its value; 0 is a missing one.
    pub(crate) of: Vec<u32>,
}

/// The values of a field of all documents.
pub(crate) fn values_of(
    sources: &[Source],
    collector: &Collector,
    field: &str,
    progress: &dyn Progress,
) -> Result<FieldValues, Error> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut values = FieldValues { names: vec!["(none)".to_string()], of: Vec::new() };
    read_again(sources, collector, Some(field), &BTreeSet::new(), progress, |_, value, _| {
        let Some(value) = value.filter(|value| !value.is_empty()) else { return values.of.push(0) };
        let number = match numbers.get(value) {
            Some(number) => *number,
            None => {
                values.names.push(value.to_string());
                numbers.insert(value.to_string(), values.names.len() as u32 - 1);
                values.names.len() as u32 - 1
            }
        };
        values.of.push(number);
    })?;
    Ok(values)
}
