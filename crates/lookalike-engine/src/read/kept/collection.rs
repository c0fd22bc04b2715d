//! All documents of the sources, and what is kept of each.

use lookalike::engine::{SetStore, Texts};

use super::documents::Documents;
use crate::read::form::Traces;
use crate::read::keep::Key;
use crate::read::sample::Sample;
use crate::read::tally::Tally;

/// All documents of the sources.
pub(crate) struct Collection {
    pub(crate) store: SetStore,
    /// The first 32 bits of every element of the sets, if they are kept instead.
    pub(crate) digests: SetStore<u32>,
    /// Hashes of all sets, the documents' signatures, the sizes and a sample of the sets, if they are kept instead of the sets.
    pub(crate) set_hashes: Vec<u128>,
    pub(crate) signatures: Vec<u64>,
    pub(crate) sizes: Vec<u32>,
    /// Hashes of the sites, if the method compares them; 0 for a document without a site.
    pub(crate) sites: Vec<u64>,
    pub(crate) sample: Sample,
    /// The numbers of the blocks and their first documents.
    pub(crate) starts: Vec<(usize, u32)>,
    /// The hashes of the blocks, if their sets are not kept.
    pub(crate) hashes: Vec<u64>,
    /// By document, where its row begins in its file, if rows may be read again one by one.
    pub(crate) positions: Vec<u64>,
    /// The traces of the sets, by block, if they are kept instead of the sets.
    pub(crate) traces: Vec<Traces>,
    pub(crate) documents: Documents,
    pub(crate) keys: Vec<Key>,
    /// Hashes of the values that must be equal for documents to be compared, if there are any.
    pub(crate) within: Vec<u64>,
    /// The texts, if they are kept instead of their sets.
    pub(crate) texts: Texts,
    /// A hash of every text, if requested; 0 for a document without a text.
    pub(crate) text_hashes: Vec<u64>,
    pub(crate) tally: Tally,
    pub(crate) unreadable: Vec<(usize, u64)>,
}

impl Collection {
    /// These documents, and nothing else of them.
    pub(crate) fn new(documents: Documents) -> Collection {
        Collection {
            store: SetStore::default(),
            digests: SetStore::default(),
            set_hashes: Vec::new(),
            signatures: Vec::new(),
            sizes: Vec::new(),
            sites: Vec::new(),
            sample: Sample::default(),
            starts: Vec::new(),
            hashes: Vec::new(),
            positions: Vec::new(),
            traces: Vec::new(),
            documents,
            keys: Vec::new(),
            within: Vec::new(),
            texts: Texts::new(),
            text_hashes: Vec::new(),
            tally: Tally::default(),
            unreadable: Vec::new(),
        }
    }
}
