//! Writes all outputs of `dedup` except the pairs.

use std::path::Path;

use lookalike::engine::{Fate, Progress, Unit};
use lookalike_io::Source;
use lookalike_io::write::{Cell, Finished, Kind, Table, make_folder_of};

use super::findings::Findings;
use super::input_rows::InputRows;
use super::outputs::{KeptTarget, Outputs};
use crate::error::{Error, check_cancelled};
use crate::pairs::UNVERIFIED;

impl Findings<'_> {
    /// Writes all outputs except the pairs, under temporary names.
    pub(crate) fn write(&self, outputs: &Outputs, progress: &dyn Progress) -> Result<Vec<Finished>, Error> {
        let mut finished = Vec::new();
        if let Some(KeptTarget::Folder(folder)) = &outputs.kept {
            make_folder_of(&folder.join("a file in it"))?;
        }
        if let Some(path) = &outputs.removed {
            finished.push(self.write_removed(path, progress)?);
        }
        if let Some(path) = &outputs.clusters {
            finished.push(self.write_clusters(path, progress)?);
        }
        if outputs.needs_rows() {
            progress.begin("writing", self.inputs.iter().map(Source::size).sum(), Unit::Bytes);
            let mut rows = InputRows::new(self, outputs)?;
            rows.copy_all(progress)?;
            rows.finish(&mut finished)?;
            progress.end();
        }
        Ok(finished)
    }

    fn write_removed(&self, path: &Path, progress: &dyn Progress) -> Result<Finished, Error> {
        let similarity = if self.verified { "similarity" } else { UNVERIFIED };
        let columns = [("id", Kind::Text), ("twin", Kind::Text), (similarity, Kind::Float)];
        let mut table = Table::create(path, &columns)?;
        for document in 0..self.documents.inputs() {
            check_cancelled(progress)?;
            if let Fate::Removed { twin, similarity, .. } = self.fates[document as usize] {
                let (id, twin) = (self.documents.id(document)?, self.documents.id(twin)?);
                table.put(&[Cell::Text(id), Cell::Text(twin), Cell::Float(similarity)])?;
            }
        }
        Ok(table.finish()?)
    }

    fn write_clusters(&self, path: &Path, progress: &dyn Progress) -> Result<Finished, Error> {
        let mut columns = vec![("cluster", Kind::Int), ("id", Kind::Text), ("kept", Kind::Bool)];
        columns.extend((!self.verified).then_some(("verified", Kind::Bool)));
        let mut table = Table::create(path, &columns)?;
        for document in self.clusters.members() {
            check_cancelled(progress)?;
            let number = self.clusters.number(document).map_or(Cell::Null, Cell::Int);
            let kept = self.fates[document as usize].is_kept();
            let mut cells = vec![number, Cell::Text(self.documents.id(document)?), Cell::Bool(kept)];
            cells.extend((!self.verified).then_some(Cell::Bool(false)));
            table.put(&cells)?;
        }
        Ok(table.finish()?)
    }
}
