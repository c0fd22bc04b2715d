//! How does a batch of new documents become a part?
//!
//! 1. [`find_references`]: every distinct set of the batch asks the index. The documents found are put before the batch, as a reference
//!    collection that is always kept.
//! 2. A join decides which documents of the batch survive, as it does without an index.
//! 3. [`share_fates`]: a copy of a document that was removed earlier gets that document's twin, also if a more similar document was kept
//!    since. One run over everything decides the same, because equal documents share the fate of the first.
//! 4. [`Growth`]: the survivors get serial numbers and become a part, together with what must be remembered of the removed.

use rayon::prelude::*;

use super::ask::ask;
use super::build::Remembered;
use super::error::PartError;
use super::parts::{Parts, Place};
use super::sealed::PartBytes;
use crate::cluster::Fate;
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::{Groups, SetStore};
use crate::verify::common;

/// A document of the index that a document of a batch resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexReference {
    /// Its serial number.
    pub serial: u64,
    /// Where it is.
    pub place: Place,
}

/// Returns all documents of the index that a document of the batch resembles, ascending by serial number. Leaves out serial numbers of
/// `below` or more. Works on all threads of the current pool.
pub fn find_references<B: PartBytes + Sync>(
    parts: &Parts<B>,
    batch: &SetStore,
    below: u64,
    stage: &Stage,
) -> Result<Vec<IndexReference>, PartError> {
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let order: Vec<u32> = (0..batch.len() as u32).collect();
    let groups = Groups::of_equal_sets(batch, &order);
    let distinct: Vec<u32> =
        order.into_iter().filter(|&document| groups.is_first(document) && batch.size(document) > 0).collect();
    let mut found = Vec::new();
    for place in ask(parts, batch, &distinct, below, stage)? {
        let serial = parts.parts()[place.part].serial(place.document);
        found.push(IndexReference { serial: serial.map_err(|error| error.in_part(place.part))?, place });
        parts.relieve();
    }
    found.sort_unstable_by_key(|one| one.serial);
    found.dedup_by_key(|one| one.serial);
    Ok(found)
}

impl<B: PartBytes> Parts<B> {
    /// Returns the sets of references.
    pub fn sets_of(&self, references: &[IndexReference]) -> Result<SetStore, PartError> {
        let mut failed = None;
        let sets = references.iter().map_while(|IndexReference { place, .. }| {
            let mut set = Vec::new();
            match self.parts()[place.part].set(place.document) {
                Ok(found) => found.copy_to(&mut set),
                Err(error) => {
                    failed = Some(error.in_part(place.part));
                    return None;
                }
            }
            self.relieve();
            Some(set)
        });
        let sets = SetStore::of_sets(sets);
        match failed {
            Some(error) => Err(error),
            None => Ok(sets?),
        }
    }

    /// Returns the number of elements of all references.
    pub fn elements_of(&self, references: &[IndexReference]) -> Result<u64, PartError> {
        let size = |IndexReference { place, .. }: &IndexReference| {
            let size = self.parts()[place.part].size(place.document);
            self.relieve();
            size.map(u64::from).map_err(|error| error.in_part(place.part))
        };
        references.iter().map(size).sum()
    }
}

/// Gives copies of documents that were removed earlier the fate of those. The sets are those of the batch, `inputs` of them, and then those
/// of the references.
pub fn share_fates<B: PartBytes + Sync>(
    parts: &Parts<B>,
    sets: &SetStore,
    inputs: u32,
    references: &[IndexReference],
    fates: &mut [Fate],
) -> Result<(), PartError> {
    let threshold = parts.threshold();
    if !threshold.groups_equal_sets() {
        return Ok(());
    }
    let share = |(document, fate): (usize, &mut Fate)| {
        if fate.is_kept() {
            return Ok(());
        }
        let document = document as u32;
        parts.relieve();
        if let Some(Remembered { twin, common, size, .. }) = parts.remembered(sets.set_hash(document))?
            && let Ok(at) = references.binary_search_by_key(&twin, |one| one.serial)
        {
            let twin = inputs + at as u32;
            *fate = Fate::Removed {
                twin,
                similarity: threshold.similarity(common, size, sets.size(twin)),
                identical: true,
            };
        }
        Ok(())
    };
    fates[..inputs as usize].par_iter_mut().enumerate().with_min_len(64).try_for_each(share)
}

/// What a batch adds to an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    /// The surviving documents of the batch, in order. The first gets the next serial number.
    pub kept: Vec<u32>,
    /// What must be remembered of removed documents.
    pub removed: Vec<Remembered>,
}

impl Growth {
    /// Returns what to add after these fates. The sets are those of the batch, `inputs` of them, and then those of the references. `next` is
    /// the next serial number.
    pub fn new(
        threshold: &Threshold,
        sets: &SetStore,
        inputs: u32,
        references: &[IndexReference],
        fates: &[Fate],
        next: u64,
    ) -> Growth {
        let kept: Vec<u32> = (0..inputs).filter(|&document| fates[document as usize].is_kept()).collect();
        let serial = |twin: u32| match twin.checked_sub(inputs) {
            Some(reference) => references[reference as usize].serial,
            None => next + kept.partition_point(|&document| document < twin) as u64,
        };
        let remember = |document: u32| match fates[document as usize] {
            // Copies of it find the same.
            Fate::Removed { twin, identical: false, .. } => Some(Remembered {
                hash: sets.set_hash(document),
                twin: serial(twin),
                common: common(sets.set(document), sets.set(twin)),
                size: sets.size(document),
            }),
            _ => None,
        };
        // If equal sets need not be a pair, a copy is a document like any other.
        let removed = match threshold.groups_equal_sets() {
            true => (0..inputs).into_par_iter().with_min_len(64).filter_map(remember).collect(),
            false => Vec::new(),
        };
        Growth { kept, removed }
    }
}
