//! Where the sets live. Callers name a set by its document's number and get a slice; how the slices are kept is nobody else's business.

use rayon::prelude::*;

/// Sets made together, of consecutive documents, on their way into the store.
#[derive(Default)]
pub struct SetBlock {
    elements: Vec<u64>,
    sizes: Vec<u32>,
}

impl SetBlock {
    /// Adds the set of the next document; an empty one is a document that resembles nothing.
    ///
    /// # Panics
    ///
    /// If the set has 2³² elements or more: 32 GB in one document.
    pub fn push(&mut self, set: &[u64]) {
        self.elements.extend_from_slice(set);
        self.sizes.push(u32::try_from(set.len()).expect("a set of fewer than 2^32 elements"));
    }

    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.elements.clear();
        self.sizes.clear();
    }

    /// A copy without a byte to spare, to be stored, so that this one's memory serves for the next block.
    pub fn copy_exactly(&self) -> SetBlock {
        SetBlock { elements: self.elements.as_slice().to_vec(), sizes: self.sizes.as_slice().to_vec() }
    }
}

/// The sets of all documents, numbered from 0 in input order.
#[derive(Default)]
pub struct SetStore {
    blocks: Vec<Box<[u64]>>,
    /// The first document of each block.
    firsts: Vec<u32>,
    spans: Vec<Span>,
}

#[derive(Clone, Copy)]
struct Span {
    block: u32,
    len: u32,
    start: usize,
}

impl SetStore {
    /// Appends a block's documents.
    ///
    /// # Panics
    ///
    /// If there would be 2³² documents or more.
    pub fn push(&mut self, block: SetBlock) {
        let number = u32::try_from(self.blocks.len()).expect("fewer than 2^32 blocks");
        self.firsts.push(self.spans.len() as u32);
        let mut start = 0;
        for len in block.sizes {
            self.spans.push(Span { block: number, len, start });
            start += len as usize;
        }
        assert!(u32::try_from(self.spans.len()).is_ok(), "fewer than 2^32 documents");
        self.blocks.push(block.elements.into_boxed_slice());
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// How many elements a document's set has.
    #[inline]
    pub fn size(&self, document: u32) -> u32 {
        self.spans[document as usize].len
    }

    /// A document's set.
    #[inline]
    pub fn set(&self, document: u32) -> &[u64] {
        let span = self.spans[document as usize];
        &self.blocks[span.block as usize][span.start..span.start + span.len as usize]
    }

    /// Calls `each` with every document and its set to rearrange, in parallel, and returns what it made, in order of the documents.
    /// `scratch` makes what a thread keeps between calls.
    pub(crate) fn rearrange<S, T: Send>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, u32, &mut [u64]) -> Option<T> + Sync,
    ) -> Vec<T> {
        let (spans, firsts) = (&self.spans, &self.firsts);
        let made: Vec<Vec<T>> = self
            .blocks
            .par_iter_mut()
            .enumerate()
            .map_init(&scratch, |scratch, (number, block)| {
                let first = firsts[number] as usize;
                let last = firsts.get(number + 1).map_or(spans.len(), |&next| next as usize);
                (first..last)
                    .filter_map(|document| {
                        let span = spans[document];
                        each(scratch, document as u32, &mut block[span.start..span.start + span.len as usize])
                    })
                    .collect()
            })
            .collect();
        made.into_iter().flatten().collect()
    }
}

/// Sets by hand: one block.
impl<S: AsRef<[u64]>> FromIterator<S> for SetStore {
    fn from_iter<I: IntoIterator<Item = S>>(sets: I) -> SetStore {
        let mut block = SetBlock::default();
        sets.into_iter().for_each(|set| block.push(set.as_ref()));
        let mut store = SetStore::default();
        store.push(block);
        store
    }
}
