//! Stands in for `parquet.rs` in builds without Parquet: every attempt to open a file fails.

use std::convert::Infallible;
use std::io;

use super::fields::Values;
use crate::error::{Error, missing_feature};
use crate::source::Source;

fn refuse<T>(source: &Source) -> Result<T, Error> {
    Err(Error::read(source.path(), missing_feature("Parquet", "parquet")))
}

pub(super) fn names(source: &Source) -> Result<Vec<String>, Error> {
    refuse(source)
}

/// Fails: this build cannot read Parquet.
pub fn schema_difference(one: &Source, _two: &Source) -> Result<Option<String>, Error> {
    refuse(one)
}

pub(super) struct ColumnBlocks(Infallible);

pub(super) struct Columns(Infallible);

impl ColumnBlocks {
    pub(super) fn open(source: &Source, _: &[String], _: &[Option<usize>]) -> Result<ColumnBlocks, Error> {
        refuse(source)
    }

    pub(super) fn next(&mut self, _bytes: usize) -> io::Result<Option<Columns>> {
        match self.0 {}
    }
}

impl Columns {
    pub(super) fn share(&self, _bytes: u64) -> u64 {
        match self.0 {}
    }

    pub(super) fn for_each<E>(&self, _each: impl FnMut(u64, usize) -> Result<(), E>) -> Result<(), E> {
        match self.0 {}
    }

    pub(super) fn add_to(&self, _hash: &mut xxhash_rust::xxh3::Xxh3) {
        match self.0 {}
    }

    pub(super) fn read(&self, _at: usize, _values: &mut Values) {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use crate::read::{Blocks, Fields};
    use crate::source::resolve;

    #[test]
    fn a_parquet_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.parquet");
        std::fs::write(&path, "PAR1").unwrap();
        let sources = resolve(&[path.display().to_string()], None).unwrap();
        let error = Blocks::new(&sources, &Fields::default(), Default::default()).next_block().err().unwrap();
        let reason = "this build has no Parquet support; use one with the Cargo feature 'parquet'";
        assert_eq!(error.to_string(), format!("cannot read {}: {reason}", path.display()));
        let output = folder.path().join("out.parquet");
        let error = crate::write::Table::check(&output).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write {}: {reason}", output.display()));
    }
}
