//! Which documents of similar size does a band hold?

use std::io::{self, Read, Write};

use crate::window::numbers::{put, take, take_one};
use crate::window::verdict::DocumentRef;

#[derive(Default)]
pub(super) struct Band {
    /// The least size of a document in it.
    pub(super) from: u32,
    documents: Vec<Entered>,
    /// How many of the first documents are gone.
    gone: u16,
    live: usize,
}

/// A document in a band.
#[derive(Clone, Copy)]
pub(super) struct Entered {
    pub(super) at: DocumentRef,
    /// The size of its set; 0 if it is gone.
    pub(super) size: u32,
}

/// Documents whose hits are checked together.
const TOGETHER: usize = 64;

impl Band {
    /// Makes an empty band.
    pub(super) fn new(from: u32) -> Band {
        Band { from, ..Band::default() }
    }

    /// The number of documents entered, including those that are gone. Numbers are below this.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The number of them in the window.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// Their sizes.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u32> {
        self.documents.iter().map(|document| document.size).filter(|&size| size > 0)
    }

    pub(super) fn push(&mut self, document: Entered) {
        self.documents.push(document);
        self.live += 1;
    }

    /// Removes the documents for which `is_gone` returns true.
    pub(super) fn forget(&mut self, is_gone: impl Fn(DocumentRef) -> bool) {
        for document in self.documents.iter_mut().filter(|document| document.size > 0 && is_gone(document.at)) {
            document.size = 0;
            self.live -= 1;
        }
    }

    /// How many of the first documents are gone since [`Band::mark`].
    pub(super) fn gone(&self) -> usize {
        let since = self.documents[usize::from(self.gone)..].iter();
        since.take_while(|document| document.size == 0).count()
    }

    /// Returns the number of the first document that is not gone.
    pub(super) fn mark(&mut self) -> u16 {
        self.gone += self.gone() as u16;
        self.gone
    }

    /// Calls `each` with every document that has at least `fewest` hits, and resets the hits to 0.
    pub(super) fn take_hits(&self, hits: &mut [u8], fewest: u8, mut each: impl FnMut(Entered, u8)) {
        for (documents, hits) in self.documents.chunks(TOGETHER).zip(hits.chunks_mut(TOGETHER)) {
            if hits.iter().fold(0, |most, &hits| most.max(hits)) >= fewest {
                for (&document, &hits) in documents.iter().zip(&*hits) {
                    if hits >= fewest && document.size > 0 {
                        each(document, hits);
                    }
                }
            }
            hits.fill(0);
        }
    }

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, [self.from].into_iter())?;
        put(out, self.documents.iter().map(|document| document.at.segment))?;
        put(out, self.documents.iter().map(|document| document.at.slot))?;
        put(out, self.documents.iter().map(|document| document.size))?;
        put(out, [self.gone].into_iter())
    }

    pub(super) fn load(from: &mut impl Read) -> io::Result<Band> {
        let least = take_one(from)?;
        let (segments, slots, sizes): (Vec<i64>, Vec<u32>, Vec<u32>) = (take(from)?, take(from)?, take(from)?);
        let document = |((segment, slot), size)| Entered { at: DocumentRef { segment, slot }, size };
        let documents: Vec<Entered> = segments.into_iter().zip(slots).zip(sizes).map(document).collect();
        let live = documents.iter().filter(|document| document.size > 0).count();
        Ok(Band { from: least, documents, gone: take_one(from)?, live })
    }
}
