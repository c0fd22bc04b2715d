//! Everything that writing the outputs needs to know. `write_findings.rs` writes it.

use lookalike::engine::{Clusters, Fate};
use lookalike_io::Source;
use lookalike_io::write::Annotation;

use crate::error::Error;
use crate::read::Documents;

/// The documents and the decisions on them.
pub(crate) struct Findings<'a> {
    pub(crate) inputs: &'a [Source],
    pub(crate) documents: &'a Documents,
    pub(crate) fates: &'a [Fate],
    /// Whether similarities come from sets, and are not estimates from signatures.
    pub(crate) verified: bool,
    pub(crate) clusters: &'a Clusters,
    pub(crate) unreadable: &'a [(usize, u64)],
}

impl Findings<'_> {
    /// The decision on a document. `twin_id` is a buffer for the id of its twin.
    pub(crate) fn annotation<'a>(&self, document: u32, twin_id: &'a mut String) -> Result<Annotation<'a>, Error> {
        let fate = self.fates[document as usize];
        let (twin, similarity) = match fate {
            Fate::Removed { twin, similarity, .. } => {
                *twin_id = self.documents.id(twin)?.into_owned();
                (Some(twin_id.as_str()), Some(similarity))
            }
            Fate::Kept => (None, None),
        };
        Ok(Annotation { cluster: self.clusters.number(document), kept: fate.is_kept(), twin, similarity })
    }
}
