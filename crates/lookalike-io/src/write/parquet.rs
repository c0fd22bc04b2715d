//! Writes Parquet files: new tables, and copies of rows.

use std::io;
use std::path::{Path, PathBuf};

use super::output::{Finished, Output};
use crate::cell::{Cell, Kind};
use crate::error::Error;
use crate::parquet::{self, Column, Copier, ParquetError, TableWriter};
use crate::source::Source;

/// Fails in a build that cannot write Parquet.
pub(super) fn check(_path: &Path) -> Result<(), Error> {
    Ok(())
}

/// A Parquet table being written.
pub(super) struct ParquetTable {
    path: PathBuf,
    writer: Box<TableWriter<Output>>,
}

impl ParquetTable {
    pub(super) fn create(output: Output, columns: &[(&'static str, Kind)]) -> Result<ParquetTable, Error> {
        let path = output.path().to_path_buf();
        let columns: Vec<Column> = columns.iter().map(|(name, kind)| Column::new(name, *kind)).collect();
        let writer = TableWriter::create(output, &columns).map_err(|error| writer_error(&path, error))?;
        Ok(ParquetTable { path, writer: Box::new(writer) })
    }

    pub(super) fn put(&mut self, cells: &[Cell]) -> Result<(), Error> {
        self.writer.row(cells).map_err(|error| writer_error(&self.path, error))
    }

    pub(super) fn finish(self) -> Result<Finished, Error> {
        self.writer.finish().map_err(|error| writer_error(&self.path, error))?.finish()
    }
}

/// Copies rows of Parquet files with all their columns, optionally with extra columns appended.
pub struct ColumnWriter {
    path: PathBuf,
    extra: Vec<Column>,
    state: State,
}

enum State {
    /// Waits for the first file, which determines the schema.
    Waiting(Output),
    Copying(Box<Copier<Output>>),
}

impl ColumnWriter {
    /// Creates a file with `extra` columns.
    pub fn create(path: &Path, extra: &[(&str, Kind)]) -> Result<ColumnWriter, Error> {
        let extra = extra.iter().map(|(name, kind)| Column::new(name, *kind)).collect();
        Ok(ColumnWriter { path: path.to_path_buf(), extra, state: State::Waiting(Output::create(path)?) })
    }

    /// Copies the rows of a file for which `keep` returns true. Calls `keep` once for each row, counting from 1. `extra(row, column)` returns
    /// the cells of the extra columns.
    pub fn copy<'a>(
        mut self,
        source: &Source,
        mut keep: impl FnMut(u64) -> bool,
        mut extra: impl FnMut(u64, usize) -> Cell<'a>,
    ) -> Result<ColumnWriter, Error> {
        let damaged = |error: parquet::ParquetError| Error::damaged(source.path(), error.to_string());
        let file = parquet::open(source.open()?).map_err(damaged)?;
        let mut copier = match self.state {
            State::Copying(copier) => copier,
            State::Waiting(output) => {
                let metadata = parquet::FileReader::metadata(&file);
                let copier = Copier::create(metadata, output, &self.extra);
                Box::new(copier.map_err(|error| writer_error(&self.path, error))?)
            }
        };
        copier
            .copy_with(&file, &mut |row| keep(row + 1), &mut |row, column| extra(row + 1, column))
            .map_err(|error| writer_error(&self.path, error))?;
        source.check_unchanged()?;
        self.state = State::Copying(copier);
        Ok(self)
    }

    /// Ends the file.
    pub fn finish(self) -> Result<Finished, Error> {
        match self.state {
            State::Waiting(output) => output.finish(),
            State::Copying(copier) => copier.finish().map_err(|error| writer_error(&self.path, error))?.finish(),
        }
    }
}

/// A failure while writing Parquet: of the disk, or of the content.
fn writer_error(path: &Path, error: ParquetError) -> Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => Error::write(path, *source),
            Err(source) => Error::output(path, source.to_string()),
        },
        other => Error::output(path, other.to_string()),
    }
}
