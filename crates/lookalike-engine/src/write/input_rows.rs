//! Reads the inputs again and writes every row to its output.

use std::path::PathBuf;

use lookalike::engine::Progress;
use lookalike_io::write::{
    AnnotatedRows, Annotation, Cell, ColumnWriter, Finished, Kind, Output, RowWriter, Table, make_folder_of,
};
use lookalike_io::{Blocks, Error as IoError, Fields, Format, Raw, Source, read};

use super::findings::Findings;
use super::outputs::{KeptTarget, Outputs, annotates_rows, places_in};
use crate::error::{Error, check_cancelled};

/// The outputs that consist of rows of the inputs.
pub(crate) struct InputRows<'a> {
    findings: &'a Findings<'a>,
    kept: Kept,
    annotated: Annotated,
    bad: Option<RowWriter>,
    finished: Vec<Finished>,
    /// Whether the common header of the inputs has been written.
    header_written: bool,
}

enum Kept {
    None,
    File(RowWriter),
    Columns(Option<ColumnWriter>),
    /// The path for each input, and the writer of the current one.
    Folder(Vec<PathBuf>, Option<RowWriter>),
}

enum Annotated {
    None,
    Rows(AnnotatedRows),
    Columns(Option<ColumnWriter>),
    /// Ids instead of rows, because the format differs from that of the inputs.
    Ids(Table),
}

impl<'a> InputRows<'a> {
    pub(crate) fn new(findings: &'a Findings, outputs: &Outputs) -> Result<InputRows<'a>, Error> {
        let columns = findings.inputs.first().is_some_and(|input| input.format() == Format::Parquet);
        let kept = match &outputs.kept {
            None => Kept::None,
            Some(KeptTarget::File(path)) if columns => Kept::Columns(Some(ColumnWriter::create(path, &[])?)),
            Some(KeptTarget::File(path)) => Kept::File(RowWriter::new(Output::create(path)?)),
            Some(KeptTarget::Folder(folder)) => Kept::Folder(places_in(folder, findings.inputs)?, None),
        };
        let gained = Annotation::columns(findings.verified);
        let annotated = match &outputs.annotate {
            None => Annotated::None,
            Some(path) => match annotates_rows(path, findings.inputs) {
                Some(Format::Parquet) => Annotated::Columns(Some(ColumnWriter::create(path, &gained)?)),
                Some(format) => Annotated::Rows(AnnotatedRows::create(path, format, findings.verified)?),
                None => {
                    let [cluster, kept, twin, similarity] = gained;
                    Annotated::Ids(Table::create(path, &[("id", Kind::Text), cluster, kept, twin, similarity])?)
                }
            },
        };
        let bad = outputs.bad.as_deref().map(Output::create).transpose()?.map(RowWriter::new);
        Ok(InputRows { findings, kept, annotated, bad, finished: Vec::new(), header_written: false })
    }

    pub(crate) fn copy_all(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        let mut done = 0;
        for (number, source) in self.findings.inputs.iter().enumerate() {
            if source.format() == Format::Parquet {
                self.copy_columns(number, source, progress)?;
            } else {
                self.copy_rows(number, source, done, progress)?;
            }
            done += source.size();
            progress.reach(done);
            check_cancelled(progress)?;
        }
        Ok(())
    }

    /// Copies rows of a file. `done` are the bytes of the files before it.
    fn copy_rows(&mut self, number: usize, source: &Source, done: u64, progress: &dyn Progress) -> Result<(), Error> {
        self.begin_source(number, source)?;
        let mut documents = self.findings.documents.of_source(number);
        let mut blocks = Blocks::new(std::slice::from_ref(source), &Fields::default(), Default::default());
        while let Some(block) = blocks.next_block()? {
            block.for_each_raw(|raw| {
                let row = raw.number;
                let document =
                    documents.clone().next().filter(|&document| self.findings.documents.row(document) == row);
                match document {
                    Some(document) => {
                        documents.next();
                        self.put(document, raw, source.format())
                    }
                    None if raw.is_other => self.put_kept(raw.bytes, source.format()),
                    None if self.findings.unreadable.binary_search(&(number, row)).is_ok() => {
                        self.put_bad(raw.bytes, source)
                    }
                    None => Err(IoError::Changed(source.path().to_path_buf()).into()),
                }
            })?;
            progress.reach(done + blocks.taken());
            check_cancelled(progress)?;
        }
        if !documents.is_empty() {
            return Err(IoError::Changed(source.path().to_path_buf()).into());
        }
        if let Kept::Folder(_, writer @ Some(_)) = &mut self.kept {
            self.finished.extend(writer.take().map(RowWriter::finish).transpose()?);
        }
        Ok(())
    }

    /// Starts the rows of a source: creates its file in a folder, and writes its header.
    fn begin_source(&mut self, number: usize, source: &Source) -> Result<(), Error> {
        if let Kept::Folder(places, writer) = &mut self.kept {
            // If whole files are documents, copy only the kept ones.
            let mut documents = self.findings.documents.of_source(number);
            let wanted = documents.any(|document| self.findings.fates[document as usize].is_kept());
            if wanted || !source.format().is_whole() {
                make_folder_of(&places[number])?;
                *writer = Some(RowWriter::new(Output::create(&places[number])?));
            }
        }
        if !matches!(source.format(), Format::Csv | Format::Tsv) {
            return Ok(());
        }
        let Some(header) = read::header(source)? else { return Ok(()) };
        match &mut self.kept {
            Kept::File(writer) if !self.header_written => writer.put(&header.raw)?,
            Kept::Folder(_, Some(writer)) => writer.put(&header.raw)?,
            _ => {}
        }
        if let Annotated::Rows(rows) = &mut self.annotated
            && !self.header_written
        {
            rows.put_header(&header.raw)?;
        }
        self.header_written = true;
        Ok(())
    }

    fn put(&mut self, document: u32, raw: Raw, format: Format) -> Result<(), Error> {
        if self.findings.fates[document as usize].is_kept() {
            self.put_kept(raw.bytes, format)?;
        }
        let mut twin_id = String::new();
        match &mut self.annotated {
            Annotated::Rows(rows) => {
                rows.put(raw.bytes, raw.missing, &self.findings.annotation(document, &mut twin_id)?)?
            }
            Annotated::Ids(table) => put_id(table, self.findings, document)?,
            Annotated::None | Annotated::Columns(_) => {}
        }
        Ok(())
    }

    fn put_kept(&mut self, raw: &[u8], format: Format) -> Result<(), Error> {
        match &mut self.kept {
            Kept::File(writer) | Kept::Folder(_, Some(writer)) => match format {
                Format::Warc => writer.put_record(raw)?,
                format if format.is_whole() => writer.put_whole(raw)?,
                _ => writer.put(raw)?,
            },
            Kept::None | Kept::Columns(_) | Kept::Folder(_, None) => {}
        }
        Ok(())
    }

    fn put_bad(&mut self, raw: &[u8], source: &Source) -> Result<(), Error> {
        match &mut self.bad {
            // If a whole file is a document, write its name instead of its content.
            Some(writer) if source.format().is_whole() => writer.put(source.path().display().to_string().as_bytes())?,
            Some(writer) if source.format() == Format::Warc => writer.put_whole(raw)?,
            Some(writer) => writer.put(raw)?,
            None => {}
        }
        Ok(())
    }

    /// Copies rows of a Parquet file, in which every row is a document. What is written after a request to stop is discarded.
    fn copy_columns(&mut self, number: usize, source: &Source, progress: &dyn Progress) -> Result<(), Error> {
        let findings = self.findings;
        let documents = findings.documents.of_source(number);
        let document = |row: u64| documents.start + (row - 1) as u32;
        // Row groups of which no row is wanted are not read.
        let goes_on = || !progress.is_cancelled();
        let is_kept =
            |row: u64| goes_on() && findings.fates.get(document(row) as usize).is_some_and(|fate| fate.is_kept());
        let nothing = |_: u64, _: usize| Cell::Null;
        match &mut self.kept {
            Kept::Columns(writer) => {
                *writer = writer.take().map(|writer| writer.copy(source, is_kept, nothing)).transpose()?;
            }
            Kept::Folder(places, _) => {
                make_folder_of(&places[number])?;
                let writer = ColumnWriter::create(&places[number], &[])?;
                self.finished.push(writer.copy(source, is_kept, nothing)?.finish()?);
            }
            Kept::None | Kept::File(_) => {}
        }
        match &mut self.annotated {
            Annotated::Columns(writer) => {
                let mut done = Ok(());
                let extra = |row: u64, column: usize| {
                    let mut twin_id = String::new();
                    let cell = match findings.annotation(document(row), &mut twin_id) {
                        Ok(annotation) => annotation.cells()[column].clone(),
                        Err(error) => {
                            done = Err(error);
                            Cell::Null
                        }
                    };
                    match cell {
                        Cell::Text(_) => Cell::from(twin_id),
                        // Annotations have no byte strings.
                        Cell::Null | Cell::Bytes(_) => Cell::Null,
                        Cell::Int(number) => Cell::Int(number),
                        Cell::Float(number) => Cell::Float(number),
                        Cell::Bool(value) => Cell::Bool(value),
                    }
                };
                *writer = writer.take().map(|writer| writer.copy(source, |_| goes_on(), extra)).transpose()?;
                done?;
            }
            Annotated::Ids(table) => documents.clone().try_for_each(|document| {
                check_cancelled(progress)?;
                put_id(table, findings, document)
            })?,
            Annotated::None | Annotated::Rows(_) => {}
        }
        Ok(())
    }

    pub(crate) fn finish(self, finished: &mut Vec<Finished>) -> Result<(), Error> {
        finished.extend(self.finished);
        match self.kept {
            Kept::File(writer) => finished.push(writer.finish()?),
            Kept::Columns(writer) => finished.extend(writer.map(ColumnWriter::finish).transpose()?),
            Kept::None | Kept::Folder(..) => {}
        }
        match self.annotated {
            Annotated::Rows(rows) => finished.push(rows.finish()?),
            Annotated::Columns(writer) => finished.extend(writer.map(ColumnWriter::finish).transpose()?),
            Annotated::Ids(table) => finished.push(table.finish()?),
            Annotated::None => {}
        }
        finished.extend(self.bad.map(RowWriter::finish).transpose()?);
        Ok(())
    }
}

fn put_id(table: &mut Table, findings: &Findings, document: u32) -> Result<(), Error> {
    let mut twin_id = String::new();
    let annotation = findings.annotation(document, &mut twin_id)?;
    let [cluster, kept, twin, similarity] = annotation.cells();
    Ok(table.put(&[Cell::Text(findings.documents.id(document)?), cluster, kept, twin, similarity])?)
}
