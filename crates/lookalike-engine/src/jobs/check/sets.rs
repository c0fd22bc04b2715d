//! The sets of the documents that are checked: in memory, or on disk if they do not fit.

use std::sync::Arc;

use lookalike::Threshold;
use lookalike::engine::{Algorithm, Join, Progress, SetStore, common};

use crate::error::Error;
use crate::external::{Divider, External, SetLookup, Whole};
use crate::on_disk::SetFile;
use crate::pairs::JobSource;
use crate::read::Collection;

/// The sets of some documents, to compare a document with its stated twin.
pub(super) enum SetsOfTwins<'a> {
    InMemory(&'a SetStore),
    OnDisk { sizes: &'a [u32], whole: Box<Whole>, sets: SetLookup },
}

impl<'a> SetsOfTwins<'a> {
    /// Reads the sets of the wanted documents again.
    pub(super) fn on_disk(
        collection: &'a Collection,
        external: &External,
        threshold: Threshold,
        is_wanted: &[bool],
        progress: &dyn Progress,
    ) -> Result<SetsOfTwins<'a>, Error> {
        let order = (0..is_wanted.len() as u32).collect();
        let whole = whole_of(collection, threshold, (order, 0), |document| is_wanted[document as usize]);
        let sets = external.look_up(&whole, collection, progress)?;
        Ok(SetsOfTwins::OnDisk { sizes: &collection.sizes, whole: Box::new(whole), sets })
    }

    /// The size of a set.
    pub(super) fn size(&self, document: u32) -> u32 {
        match self {
            SetsOfTwins::InMemory(store) => store.size(document),
            SetsOfTwins::OnDisk { sizes, .. } => sizes[document as usize],
        }
    }

    /// The number of common elements of two sets.
    pub(super) fn common(&self, a: u32, b: u32) -> Result<u32, Error> {
        match self {
            SetsOfTwins::InMemory(store) => Ok(common(store.set(a), store.set(b))),
            SetsOfTwins::OnDisk { whole, sets, .. } => {
                let (mut one, mut two) = (Vec::new(), Vec::new());
                sets.read(whole.representative(a), &mut one)?;
                sets.read(whole.representative(b), &mut two)?;
                Ok(common(&one, &two))
            }
        }
    }
}

/// Sets that are compared with each other, not yet prepared: if they do not fit in memory, the sieve must go first.
pub(super) enum ToCompare<'a> {
    InMemory(Arc<SetStore>, Join),
    OnDisk(Box<Whole>, SetFile, Divider<'a>),
}

impl<'a> ToCompare<'a> {
    /// The sets of the documents that `is_wanted` accepts. The documents are in `order`, the first `pinned` of them references.
    pub(super) fn read(
        collection: &Collection,
        external: Option<&External<'a>>,
        threshold: Threshold,
        (order, pinned): (Vec<u32>, usize),
        is_wanted: impl Fn(u32) -> bool,
        progress: &dyn Progress,
    ) -> Result<ToCompare<'a>, Error> {
        let Some(external) = external else {
            let set = |document| if is_wanted(document) { collection.store.set(document) } else { &[] };
            let store = SetStore::of_sets((0..order.len() as u32).map(set))?;
            return Ok(ToCompare::InMemory(Arc::new(store), Join::new(threshold).keep_order(order, pinned)));
        };
        let whole = whole_of(collection, threshold, (order, pinned), is_wanted);
        let file = external.select(&whole, collection, progress)?;
        Ok(ToCompare::OnDisk(Box::new(whole), file, external.divider()))
    }

    /// A source of their pairs.
    pub(super) fn source(self, progress: &dyn Progress) -> Result<JobSource<'a>, Error> {
        match self {
            ToCompare::InMemory(store, join) => JobSource::of_sets(store, join, &[], progress),
            ToCompare::OnDisk(whole, file, divider) => {
                let parts = Box::new(divider.divide(*whole, file, progress)?);
                Ok(JobSource::Parts { parts, equal: None, within: Vec::new() })
            }
        }
    }
}

/// The first documents of a collection, of which only the wanted ones are compared.
fn whole_of(
    collection: &Collection,
    threshold: Threshold,
    order: (Vec<u32>, usize),
    is_wanted: impl Fn(u32) -> bool,
) -> Whole {
    let count = order.0.len();
    let size = |(document, &size): (u32, &u32)| if is_wanted(document) { size } else { 0 };
    let sizes = (0..).zip(&collection.sizes[..count]).map(size).collect();
    Whole::new(threshold, Algorithm::Auto, order, &collection.set_hashes[..count], sizes)
}
