//! Which texts are distinct? Of equal texts, one is compared for all.

use rayon::prelude::*;

use super::characters::{Text, of_characters};
use super::hash::hash_all;
use super::texts::Texts;
use crate::candidates::Side;
use crate::sets::Groups;

/// Groups documents with equal texts and keys. The first in `order` represents its group. Empty texts equal nothing.
/// `within` holds the documents' keys, or is empty.
pub(super) fn equal_texts(texts: &Texts, within: &[u64], order: &[u32]) -> Groups {
    let key = |document: u32| within.get(document as usize).copied().unwrap_or(0);
    let documents = texts.len() as u32;
    let hashes: Vec<u64> = (0..documents)
        .into_par_iter()
        .map(|document| {
            let seed = key(document);
            of_characters!(texts.text(document), characters => hash_all(characters, seed))
        })
        .collect();
    let equal = |a: u32, b: u32| texts.text(a) == texts.text(b) && key(a) == key(b);
    let nonempty = order.iter().copied().filter(|&document| texts.length(document) > 0);
    Groups::of_equal(documents as usize, nonempty, |document| hashes[document as usize], equal)
}

/// Distinct texts to compare, shortest first. Their numbers in that order are *places*.
pub(super) struct Distinct<'a> {
    texts: &'a Texts,
    /// By document, its key. Only documents with equal keys are compared. Empty if there are no keys.
    within: &'a [u64],
    /// By place, its document and side.
    documents: Vec<(u32, Side)>,
}

impl<'a> Distinct<'a> {
    /// Takes the texts of these documents, which are distinct and not empty.
    pub(super) fn new(texts: &'a Texts, within: &'a [u64], mut documents: Vec<(u32, Side)>) -> Distinct<'a> {
        documents.par_sort_unstable_by_key(|&(document, _)| (texts.length(document), document));
        Distinct { texts, within, documents }
    }

    /// Returns the number of texts.
    pub(super) fn places(&self) -> u32 {
        self.documents.len() as u32
    }

    /// Returns all texts, by place.
    pub(super) fn texts(&self) -> Vec<Text<'a>> {
        self.documents.iter().map(|&(document, _)| self.texts.text(document)).collect()
    }

    /// The document at a place.
    #[inline]
    pub(super) fn document(&self, place: u32) -> u32 {
        self.documents[place as usize].0
    }

    /// The side of the document at a place.
    pub(super) fn side(&self, place: u32) -> Side {
        self.documents[place as usize].1
    }

    /// The key of the document at a place.
    #[inline]
    pub(super) fn key(&self, place: u32) -> u64 {
        self.within.get(self.document(place) as usize).copied().unwrap_or(0)
    }

    /// Whether two texts are to be compared.
    #[inline]
    pub(super) fn meet(&self, x: u32, y: u32) -> bool {
        self.key(x) == self.key(y) && self.side(x).faces(self.side(y))
    }
}
