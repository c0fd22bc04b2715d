//! The steps of preparing a collection: drop sets without a partner, index the others, or code them as records.

use std::sync::Arc;

use super::joinable::Prepared;
use crate::join::error::JoinError;
use crate::join::forecast::Sifted;
use crate::join::frame::Frame;
use crate::join::sources::DenseSource;
use crate::join::sources::SparseSource;
use crate::join::sparse::Index;
use crate::progress::Stage;
use crate::sets::{CounterBudget, SetStore, SetsError};
use crate::storage::Storage;

/// A collection in preparation.
pub(super) struct Preparation<'a> {
    pub(super) frame: Arc<Frame>,
    pub(super) store: Arc<SetStore>,
    pub(super) counter_bytes: usize,
    pub(super) storage: Arc<dyn Storage>,
    pub(super) stage: &'a Stage<'a>,
}

impl Preparation<'_> {
    /// Drops the documents that cannot have a partner.
    pub(super) fn sift(&self, documents: Vec<u32>) -> Result<Sifted, JoinError> {
        let room = CounterBudget { storage: &*self.storage, bytes: self.counter_bytes };
        let sifted = Sifted::within(&self.store, documents, &self.frame.threshold, room)?;
        self.stage.check()?;
        Ok(sifted)
    }

    /// Indexes the remaining documents.
    pub(super) fn index(&self, sifted: Sifted) -> Result<Prepared, JoinError> {
        let Frame { threshold, keep, .. } = &*self.frame;
        let index = Index::new(&self.store, sifted, keep, *threshold, &self.storage)?;
        self.stage.check()?;
        Ok(Prepared::Sparse(Box::new(SparseSource { frame: self.frame.clone(), index })))
    }

    /// Codes documents as records.
    pub(super) fn code(&self, documents: &[u32]) -> Result<DenseSource, SetsError> {
        let records = self.frame.references.code(&self.store, documents)?;
        Ok(DenseSource::new(self.frame.clone(), records))
    }
}
