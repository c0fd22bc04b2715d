//! Fates to files: tables of what was found, and the rows of the inputs.

use std::path::Path;

use lookalike::Fate;
use lookalike_io::Source;
use lookalike_io::write::{Annotation, Cell, Finished, Kind, Table, make_folder_of};

use crate::clusters::Clusters;
use crate::documents::Documents;
use crate::error::Error;
use crate::outputs::{KeptTarget, Outputs};
use crate::pair_table::UNVERIFIED;
use crate::rows::Rows;
use crate::watch::{Unit, Watch};

/// Everything that is known when writing begins.
pub(crate) struct Findings<'a> {
    pub(crate) inputs: &'a [Source],
    pub(crate) documents: &'a Documents,
    pub(crate) fates: &'a [Fate],
    /// Whether similarities are those of sets, and not what signatures make of them.
    pub(crate) verified: bool,
    pub(crate) clusters: &'a Clusters,
    pub(crate) unreadable: &'a [(usize, u64)],
}

impl Findings<'_> {
    /// Writes all outputs but the pairs; nothing has a name yet.
    pub(crate) fn write(&self, outputs: &Outputs, watch: &dyn Watch) -> Result<Vec<Finished>, Error> {
        let mut finished = Vec::new();
        if let Some(KeptTarget::Folder(folder)) = &outputs.kept {
            make_folder_of(&folder.join("a file in it"))?;
        }
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
        let similarity = if self.verified { "similarity" } else { UNVERIFIED };
        let columns = [("id", Kind::Text), ("twin", Kind::Text), (similarity, Kind::Float)];
        let mut table = Table::create(path, &columns)?;
        for document in 0..self.documents.inputs() {
            if let Fate::Removed { twin, similarity, .. } = self.fates[document as usize] {
                let (id, twin) = (self.documents.id(document), self.documents.id(twin));
                table.put(&[Cell::Text(id), Cell::Text(twin), Cell::Float(similarity)])?;
            }
        }
        Ok(table.finish()?)
    }

    fn write_clusters(&self, path: &Path) -> Result<Finished, Error> {
        let mut columns = vec![("cluster", Kind::Int), ("id", Kind::Text), ("kept", Kind::Bool)];
        columns.extend((!self.verified).then_some(("verified", Kind::Bool)));
        let mut table = Table::create(path, &columns)?;
        for document in self.clusters.members() {
            let number = self.clusters.number(document).map_or(Cell::Null, Cell::Int);
            let kept = self.fates[document as usize].is_kept();
            let mut cells = vec![number, Cell::Text(self.documents.id(document)), Cell::Bool(kept)];
            cells.extend((!self.verified).then_some(Cell::Bool(false)));
            table.put(&cells)?;
        }
        Ok(table.finish()?)
    }

    /// What became of a document, given room for its twin's id.
    pub(crate) fn annotation<'a>(&self, document: u32, twin_id: &'a mut String) -> Annotation<'a> {
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
