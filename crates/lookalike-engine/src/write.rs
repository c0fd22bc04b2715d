//! Fates to files: the inputs are read again, and every row goes where it belongs.

use std::path::Path;

use lookalike::{Fate, Index, Pair};
use lookalike_io::write::{AnnotatedRows, Annotation, Cell, Finished, Kind, Output, RowWriter, Table};
use lookalike_io::{Blocks, Error as IoError, Fields, Format, Source, read};

use crate::clusters::Clusters;
use crate::documents::Documents;
use crate::error::Error;
use crate::outputs::{KeptTarget, Outputs, annotates_rows, places_in};
use crate::pairs::for_each_pair;
use crate::watch::{Unit, Watch};

/// Everything that is known when writing begins.
pub(crate) struct Findings<'a> {
    pub(crate) inputs: &'a [Source],
    pub(crate) documents: &'a Documents,
    pub(crate) fates: &'a [Fate],
    pub(crate) clusters: &'a Clusters,
    pub(crate) unreadable: &'a [(usize, u64)],
}

impl Findings<'_> {
    /// Writes all outputs but the pairs; nothing has a name yet.
    pub(crate) fn write(&self, outputs: &Outputs, watch: &dyn Watch) -> Result<Vec<Finished>, Error> {
        let mut finished = Vec::new();
        if let Some(path) = &outputs.removed {
            finished.push(self.write_removed(path)?);
        }
        if let Some(path) = &outputs.clusters {
            finished.push(self.write_clusters(path)?);
        }
        if outputs.needs_rows() {
            watch.begin("writing", self.inputs.iter().map(Source::size).sum(), Unit::Bytes);
            let mut rows = Rows::new(self, outputs)?;
            rows.copy_all(watch)?;
            rows.finish(&mut finished)?;
            watch.end();
        }
        Ok(finished)
    }

    fn write_removed(&self, path: &Path) -> Result<Finished, Error> {
        const COLUMNS: [(&str, Kind); 3] = [("id", Kind::Text), ("twin", Kind::Text), ("similarity", Kind::Float)];
        let mut table = Table::create(path, &COLUMNS)?;
        for document in 0..self.documents.inputs() {
            if let Fate::Removed { twin, similarity, .. } = self.fates[document as usize] {
                let (id, twin) = (self.documents.id(document), self.documents.id(twin));
                table.put(&[Cell::Text(&id), Cell::Text(&twin), Cell::Float(similarity)])?;
            }
        }
        Ok(table.finish()?)
    }

    fn write_clusters(&self, path: &Path) -> Result<Finished, Error> {
        const COLUMNS: [(&str, Kind); 3] = [("cluster", Kind::Int), ("id", Kind::Text), ("kept", Kind::Bool)];
        let mut table = Table::create(path, &COLUMNS)?;
        for document in self.clusters.members() {
            let number = self.clusters.number(document).map_or(Cell::Null, Cell::Int);
            let kept = self.fates[document as usize].is_kept();
            table.put(&[number, Cell::Text(&self.documents.id(document)), Cell::Bool(kept)])?;
        }
        Ok(table.finish()?)
    }

    /// What became of a document, given room for its twin's id.
    fn annotation<'a>(&self, document: u32, twin_id: &'a mut String) -> Annotation<'a> {
        let fate = self.fates[document as usize];
        let (twin, similarity) = match fate {
            Fate::Removed { twin, similarity, .. } => {
                *twin_id = self.documents.id(twin).into_owned();
                (Some(twin_id.as_str()), Some(similarity))
            }
            Fate::Kept => (None, None),
        };
        Annotation { cluster: self.clusters.number(document), kept: fate.is_kept(), twin, similarity }
    }
}

/// Writes every pair, and returns how many there are.
pub(crate) fn write_pairs(
    path: &Path,
    documents: &Documents,
    index: &Index,
    pairs: &[Pair],
    mut seen: impl FnMut(f64),
) -> Result<(Finished, u64), Error> {
    const COLUMNS: [(&str, Kind); 3] = [("a", Kind::Text), ("b", Kind::Text), ("similarity", Kind::Float)];
    let mut table = Table::create(path, &COLUMNS)?;
    let mut count = 0;
    for_each_pair(index, pairs, documents.len() as u32, documents.inputs(), |a, b, common| {
        let similarity = index.similarity(a, b, common);
        seen(similarity);
        count += 1;
        table.put(&[Cell::Text(&documents.id(a)), Cell::Text(&documents.id(b)), Cell::Float(similarity)])
    })?;
    Ok((table.finish()?, count))
}

/// The outputs that are made of the inputs' rows.
struct Rows<'a> {
    findings: &'a Findings<'a>,
    kept: Kept,
    annotated: Annotated,
    bad: Option<RowWriter>,
    finished: Vec<Finished>,
}

enum Kept {
    None,
    File(RowWriter),
    Folder(Vec<std::path::PathBuf>, Option<RowWriter>),
}

enum Annotated {
    None,
    Rows(AnnotatedRows),
    Ids(Table),
}

/// The columns of an annotated file that does not have the rows' own format.
const ANNOTATED: [(&str, Kind); 5] = {
    let [cluster, kept, twin, similarity] = Annotation::COLUMNS;
    [("id", Kind::Text), cluster, kept, twin, similarity]
};

impl<'a> Rows<'a> {
    fn new(findings: &'a Findings, outputs: &Outputs) -> Result<Rows<'a>, Error> {
        let kept = match &outputs.kept {
            None => Kept::None,
            Some(KeptTarget::File(path)) => Kept::File(RowWriter::new(Output::create(path)?)),
            Some(KeptTarget::Folder(folder)) => Kept::Folder(places_in(folder, findings.inputs)?, None),
        };
        let annotated = match &outputs.annotate {
            None => Annotated::None,
            Some(path) => match annotates_rows(path, findings.inputs) {
                Some(format) => Annotated::Rows(AnnotatedRows::create(path, format)?),
                None => Annotated::Ids(Table::create(path, &ANNOTATED)?),
            },
        };
        let bad = outputs.bad.as_deref().map(Output::create).transpose()?.map(RowWriter::new);
        Ok(Rows { findings, kept, annotated, bad, finished: Vec::new() })
    }

    fn copy_all(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        let mut done = 0;
        let mut header_written = false;
        for (number, source) in self.findings.inputs.iter().enumerate() {
            self.copy_source(number, source, &mut header_written)?;
            done += source.size();
            watch.reach(done);
        }
        Ok(())
    }

    fn copy_source(&mut self, number: usize, source: &Source, header_written: &mut bool) -> Result<(), Error> {
        self.begin_source(number, source, header_written)?;
        let mut documents = self.findings.documents.of_source(number);
        let sources = std::slice::from_ref(source);
        let mut blocks = Blocks::new(sources, &Fields::default(), Default::default());
        while let Some(block) = blocks.next()? {
            block.for_each_raw(|row, raw, missing| {
                let document = documents.clone().next().filter(|&document| self.findings.documents.row(document) == row);
                match document {
                    Some(document) => {
                        documents.next();
                        self.put(document, raw, missing, source.format())
                    }
                    None if self.findings.unreadable.binary_search(&(number, row)).is_ok() => self.put_bad(raw, source),
                    None => Err(IoError::Changed(source.path().to_path_buf()).into()),
                }
            })?;
        }
        if !documents.is_empty() {
            return Err(IoError::Changed(source.path().to_path_buf()).into());
        }
        if let Kept::Folder(_, writer @ Some(_)) = &mut self.kept {
            self.finished.extend(writer.take().map(RowWriter::finish).transpose()?);
        }
        Ok(())
    }

    /// What comes before the rows of a file: its own output in a folder, its header.
    fn begin_source(&mut self, number: usize, source: &Source, header_written: &mut bool) -> Result<(), Error> {
        let header = match source.format() {
            Format::Csv | Format::Tsv => read::header(source)?.map(|header| header.raw),
            _ => None,
        };
        if let Kept::Folder(places, writer) = &mut self.kept {
            // Of files that are documents, only the kept ones are copied.
            let documents = self.findings.documents.of_source(number);
            let wanted = source.format() != Format::Text || documents.clone().any(|document| self.findings.fates[document as usize].is_kept());
            if wanted {
                let place = &places[number];
                let folder = place.parent().unwrap_or(Path::new("."));
                std::fs::create_dir_all(folder).map_err(|source| IoError::Write { path: folder.to_path_buf(), source })?;
                *writer = Some(RowWriter::new(Output::create(place)?));
            }
        }
        let Some(header) = header else { return Ok(()) };
        match &mut self.kept {
            Kept::File(writer) if !*header_written => writer.put(&header)?,
            Kept::Folder(_, Some(writer)) => writer.put(&header)?,
            _ => {}
        }
        if let Annotated::Rows(rows) = &mut self.annotated
            && !*header_written
        {
            rows.put_header(&header)?;
        }
        *header_written = true;
        Ok(())
    }

    fn put(&mut self, document: u32, raw: &[u8], missing: usize, format: Format) -> Result<(), Error> {
        if self.findings.fates[document as usize].is_kept() {
            match &mut self.kept {
                Kept::File(writer) | Kept::Folder(_, Some(writer)) if format == Format::Text => writer.put_whole(raw)?,
                Kept::File(writer) | Kept::Folder(_, Some(writer)) => writer.put(raw)?,
                Kept::None | Kept::Folder(_, None) => {}
            }
        }
        let mut twin_id = String::new();
        match &mut self.annotated {
            Annotated::None => {}
            Annotated::Rows(rows) => rows.put(raw, missing, &self.findings.annotation(document, &mut twin_id))?,
            Annotated::Ids(table) => {
                let annotation = self.findings.annotation(document, &mut twin_id);
                let [cluster, kept, twin, similarity] = annotation.cells();
                table.put(&[Cell::Text(&self.findings.documents.id(document)), cluster, kept, twin, similarity])?;
            }
        }
        Ok(())
    }

    fn put_bad(&mut self, raw: &[u8], source: &Source) -> Result<(), Error> {
        match &mut self.bad {
            // A file that is a document is named rather than copied into the others.
            Some(writer) if source.format() == Format::Text => writer.put(source.path().display().to_string().as_bytes())?,
            Some(writer) => writer.put(raw)?,
            None => {}
        }
        Ok(())
    }

    fn finish(self, finished: &mut Vec<Finished>) -> Result<(), Error> {
        finished.extend(self.finished);
        if let Kept::File(writer) = self.kept {
            finished.push(writer.finish()?);
        }
        match self.annotated {
            Annotated::None => {}
            Annotated::Rows(rows) => finished.push(rows.finish()?),
            Annotated::Ids(table) => finished.push(table.finish()?),
        }
        finished.extend(self.bad.map(RowWriter::finish).transpose()?);
        Ok(())
    }
}
