//! Stands in for `parquet.rs` in builds without Parquet: every attempt to create a file fails.

use std::convert::Infallible;
use std::path::Path;

use super::output::{Finished, Output};
use crate::cell::{Cell, Kind};
use crate::error::{Error, missing_feature};
use crate::source::Source;

fn refuse<T>(path: &Path) -> Result<T, Error> {
    Err(Error::write(path, missing_feature("Parquet", "parquet")))
}

pub(super) fn check(path: &Path) -> Result<(), Error> {
    refuse(path)
}

pub(super) struct ParquetTable(Infallible);

impl ParquetTable {
    pub(super) fn create(output: Output, _columns: &[(&'static str, Kind)]) -> Result<ParquetTable, Error> {
        refuse(output.path())
    }

    pub(super) fn put(&mut self, _cells: &[Cell]) -> Result<(), Error> {
        match self.0 {}
    }

    pub(super) fn finish(self) -> Result<Finished, Error> {
        match self.0 {}
    }
}

/// Copies rows of Parquet files; not available in this build.
pub struct ColumnWriter(Infallible);

impl ColumnWriter {
    /// Fails: this build cannot write Parquet.
    pub fn create(path: &Path, _extra: &[(&str, Kind)]) -> Result<ColumnWriter, Error> {
        refuse(path)
    }

    /// Copies the chosen rows of a file.
    pub fn copy<'a>(
        self,
        _source: &Source,
        _keep: impl FnMut(u64) -> bool,
        _extra: impl FnMut(u64, usize) -> Cell<'a>,
    ) -> Result<ColumnWriter, Error> {
        match self.0 {}
    }

    /// Ends the file.
    pub fn finish(self) -> Result<Finished, Error> {
        match self.0 {}
    }
}
