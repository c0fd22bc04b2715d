//! Which documents have an id?

use lookalike::engine::hash_token;

use crate::error::Error;
use crate::read::Documents;

/// Finds documents by a key of which only a hash is kept: the keys themselves may be on disk.
pub(super) struct ByKey {
    /// Hashes and documents, ascending.
    entries: Vec<(u64, u32)>,
}

impl ByKey {
    pub(super) fn new(entries: impl Iterator<Item = Result<(u64, u32), Error>>) -> Result<ByKey, Error> {
        let mut entries = entries.collect::<Result<Vec<_>, Error>>()?;
        entries.sort_unstable();
        Ok(ByKey { entries })
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The places of the entries with this hash.
    pub(super) fn places(&self, hash: u64) -> std::ops::Range<usize> {
        let start = self.entries.partition_point(|(other, _)| *other < hash);
        let equal = self.entries[start..].partition_point(|(other, _)| *other == hash);
        start..start + equal
    }

    /// The document of an entry.
    pub(super) fn document(&self, place: usize) -> u32 {
        self.entries[place].1
    }
}

/// Documents by their ids.
pub(super) struct Ids<'a> {
    documents: &'a Documents,
    by_id: ByKey,
}

impl<'a> Ids<'a> {
    /// The first `count` documents.
    pub(super) fn new(documents: &'a Documents, count: u32) -> Result<Ids<'a>, Error> {
        let entry = |document| Ok((hash_token(documents.id(document)?.as_bytes()), document));
        Ok(Ids { documents, by_id: ByKey::new((0..count).map(entry))? })
    }

    /// The documents with this id, ascending.
    pub(super) fn called(&self, id: &str) -> Result<Vec<u32>, Error> {
        let mut called = Vec::new();
        for place in self.by_id.places(hash_token(id.as_bytes())) {
            let document = self.by_id.document(place);
            if self.documents.id(document)? == id {
                called.push(document);
            }
        }
        Ok(called)
    }
}
