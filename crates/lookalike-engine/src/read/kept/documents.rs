//! Where every document comes from, and its id.

use std::borrow::Cow;

use lookalike_io::spill::{Space, SpilledText};
use lookalike_io::{Format, Source};

use crate::error::Error;

/// The source, row and id of every document. Documents are numbered from 0: those of the inputs in input order, then those of the
/// reference collection.
pub(crate) struct Documents {
    sources: Vec<(String, Format)>,
    /// One past the last document of each source so far.
    ends: Vec<u32>,
    rows: Vec<u64>,
    ids: SpilledText,
    id_ends: Vec<usize>,
    /// The number of documents of the inputs.
    inputs: u32,
}

impl Documents {
    /// No documents yet. Ids of more than `most` bytes in all are in a file of `space`.
    pub(crate) fn new(sources: &[Source], space: &Space, most: usize) -> Documents {
        Documents {
            sources: sources.iter().map(|source| (source.path().display().to_string(), source.format())).collect(),
            ends: Vec::with_capacity(sources.len()),
            rows: Vec::new(),
            ids: SpilledText::new(space, most),
            id_ends: Vec::new(),
            inputs: 0,
        }
    }

    /// The documents as they were: what was pushed, from what [`Documents::parts`] returned.
    pub(crate) fn with_parts(self, ends: Vec<u32>, rows: Vec<u64>, id_ends: Vec<usize>, inputs: u32) -> Documents {
        Documents { ends, rows, id_ends, inputs, ..self }
    }

    /// Everything about the documents except their sources and ids: ends of the sources, rows, ends of the ids, and the number of
    /// documents of the inputs.
    pub(crate) fn parts(&self) -> (&[u32], &[u64], &[usize], u32) {
        (&self.ends, &self.rows, &self.id_ends, self.inputs)
    }

    /// The ids, one after another.
    pub(crate) fn ids(&self) -> &SpilledText {
        &self.ids
    }

    /// The ids, to be loaded again.
    pub(crate) fn ids_mut(&mut self) -> &mut SpilledText {
        &mut self.ids
    }

    /// Appends documents of a source. Sources must come in order. An empty id means no id.
    pub(crate) fn push(&mut self, source: usize, rows: &[u64], ids: &[u8], id_ends: &[usize]) -> Result<(), Error> {
        let before = self.ids.len();
        // Until a document has an id, no ends are stored.
        if before + ids.len() > 0 {
            self.id_ends.resize(self.rows.len(), before);
            self.ids.push(&String::from_utf8_lossy(ids))?;
            self.id_ends.extend(id_ends.iter().map(|end| before + end));
        }
        // Skipped sources have no documents.
        self.ends.resize(source + 1, self.rows.len() as u32);
        self.rows.extend_from_slice(rows);
        self.ends[source] = self.rows.len() as u32;
        Ok(())
    }

    /// Appends documents that come from no source, after those of the inputs.
    pub(crate) fn push_references(&mut self, ids: &[String]) -> Result<(), Error> {
        for id in ids {
            self.id_ends.resize(self.rows.len(), self.ids.len());
            self.ids.push(id)?;
            self.rows.push(0);
            self.id_ends.push(self.ids.len());
        }
        Ok(())
    }

    /// Call it after the last document. The first `sources` sources are the inputs.
    pub(crate) fn set_inputs(&mut self, sources: usize) {
        self.ends.resize(self.sources.len(), self.rows.len() as u32);
        self.inputs = if sources == 0 { 0 } else { self.ends[sources - 1] };
    }

    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of documents of the inputs.
    pub(crate) fn inputs(&self) -> u32 {
        self.inputs
    }

    /// The documents of a source.
    pub(crate) fn of_source(&self, source: usize) -> std::ops::Range<u32> {
        let start = if source == 0 { 0 } else { self.ends[source - 1] };
        start..self.ends[source]
    }

    /// The source of a document.
    pub(crate) fn source_of(&self, document: u32) -> usize {
        self.ends.partition_point(|&end| end <= document)
    }

    /// The row of a document in its file.
    pub(crate) fn row(&self, document: u32) -> u64 {
        self.rows[document as usize]
    }

    /// The user's id of a document, if it has one.
    pub(crate) fn own_id(&self, document: u32) -> Result<Option<Cow<'_, str>>, Error> {
        let document = document as usize;
        let Some(&end) = self.id_ends.get(document) else { return Ok(None) };
        let start = if document == 0 { 0 } else { self.id_ends[document - 1] };
        if start == end { Ok(None) } else { Ok(Some(self.ids.get(start..end)?)) }
    }

    /// The user's id of a document, or else its file and row, or only its file if the whole file is the document.
    pub(crate) fn id(&self, document: u32) -> Result<Cow<'_, str>, Error> {
        if let Some(id) = self.own_id(document)? {
            return Ok(id);
        }
        let (path, format) = &self.sources[self.source_of(document)];
        Ok(place_of(path, *format, self.row(document)))
    }
}

/// The id of a document without an id field: its file and row, or only its file if the whole file is the document.
pub(crate) fn place_of(path: &str, format: Format, row: u64) -> Cow<'_, str> {
    if format.is_whole() { Cow::Borrowed(path) } else { Cow::Owned(format!("{path}:{row}")) }
}
