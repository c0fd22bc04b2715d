//! Where the sets live. Callers name a set by its document's number and get a slice; how the slices are kept is nobody else's business.
//!
//! A thread that reads documents makes their sets in a [`SetBatch`], and puts each batch away in its own [`SetArena`], which gives a
//! [`SetBlock`] for it. When all is read, arenas and blocks, in the order of the documents, become the [`SetStore`].

use rayon::prelude::*;

use super::slab::Slab;

/// Sets of consecutive documents, being made.
#[derive(Default)]
pub struct SetBatch {
    elements: Vec<u64>,
    sizes: Vec<u32>,
}

impl SetBatch {
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
}

/// Memory for sets; one a thread.
pub struct SetArena {
    number: u32,
    slabs: Vec<Slab>,
    /// Elements in the last slab.
    used: usize,
}

/// Elements of the first slab of an arena; each is twice the one before, up to the largest. A batch with more gets one of its own.
const FIRST_SLAB: usize = 32 << 10;
const LARGEST_SLAB: usize = 4 << 20;

impl SetArena {
    /// An arena with a number of its own, counting from 0.
    pub fn new(number: usize) -> SetArena {
        SetArena { number: u32::try_from(number).expect("fewer than 2^32 threads"), slabs: Vec::new(), used: 0 }
    }

    /// Puts a batch away.
    pub fn put(&mut self, batch: &SetBatch) -> SetBlock {
        let len = batch.elements.len();
        let last = self.slabs.last().map_or(0, |slab| slab.words().len());
        if len > last - self.used {
            let size = (last * 2).clamp(FIRST_SLAB, LARGEST_SLAB).max(len);
            self.slabs.push(Slab::new(size * size_of::<u64>()));
            self.used = 0;
        }
        let start = self.used;
        if let Some(slab) = self.slabs.last_mut() {
            slab.words_mut()[start..start + len].copy_from_slice(&batch.elements);
            self.used += len;
        }
        let slab = self.slabs.len().saturating_sub(1) as u32;
        SetBlock { arena: self.number, slab, start, len, sizes: batch.sizes.clone() }
    }
}

/// Where a batch was put; by default, that of no documents.
#[derive(Default)]
pub struct SetBlock {
    arena: u32,
    slab: u32,
    start: usize,
    len: usize,
    sizes: Vec<u32>,
}

/// The sets of all documents, numbered from 0 in input order.
#[derive(Clone, Default)]
pub struct SetStore {
    arenas: Vec<Vec<Slab>>,
    blocks: Vec<Place>,
    spans: Vec<Span>,
}

/// A block of the store.
#[derive(Clone, Copy)]
struct Place {
    arena: u32,
    slab: u32,
    start: usize,
    len: usize,
    /// Its first document, and one past its last.
    first: u32,
    end: u32,
}

#[derive(Clone, Copy)]
struct Span {
    arena: u16,
    slab: u16,
    start: u32,
    len: u32,
}

impl SetStore {
    /// The sets of these blocks, one after another, which lie in these arenas.
    ///
    /// # Panics
    ///
    /// If there are 2³² documents or more.
    pub fn new(mut arenas: Vec<SetArena>, blocks: impl IntoIterator<Item = SetBlock>) -> SetStore {
        arenas.sort_by_key(|arena| arena.number);
        let mut store = SetStore {
            arenas: arenas.into_iter().map(|arena| arena.slabs).collect(),
            blocks: Vec::new(),
            spans: Vec::new(),
        };
        for block in blocks {
            let first = store.spans.len() as u32;
            let mut start = block.start;
            for &len in &block.sizes {
                let (arena, slab) = (block.arena as u16, block.slab as u16);
                store.spans.push(Span { arena, slab, start: start as u32, len });
                start += len as usize;
            }
            let end = u32::try_from(store.spans.len()).expect("fewer than 2^32 documents");
            let SetBlock { arena, slab, start, len, .. } = block;
            store.blocks.push(Place { arena, slab, start, len, first, end });
        }
        store
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
        if span.len == 0 {
            return &[];
        }
        let slab = &self.arenas[span.arena as usize][span.slab as usize];
        &slab.words()[span.start as usize..span.start as usize + span.len as usize]
    }

    /// Calls `each` with every document and its set to rearrange, in parallel, and returns what it made, in order of the documents.
    /// `scratch` makes what a thread keeps between calls.
    pub(crate) fn rearrange<S, T: Send>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, u32, &mut [u64]) -> Option<T> + Sync,
    ) -> Vec<T> {
        let spans = &self.spans;
        let mut blocks = blocks_mut(&mut self.arenas, &self.blocks);
        let made: Vec<Vec<T>> = blocks
            .par_iter_mut()
            .map_init(&scratch, |scratch, (place, elements)| {
                let mut rest = &mut **elements;
                let mut made = Vec::new();
                for document in place.first..place.end {
                    let (set, behind) = rest.split_at_mut(spans[document as usize].len as usize);
                    made.extend(each(scratch, document, set));
                    rest = behind;
                }
                made
            })
            .collect();
        made.into_iter().flatten().collect()
    }
}

/// The elements of every block, in the order of the blocks.
fn blocks_mut<'a>(arenas: &'a mut [Vec<Slab>], places: &[Place]) -> Vec<(Place, &'a mut [u64])> {
    // A block without elements lies nowhere.
    let mut in_memory: Vec<usize> = (0..places.len()).filter(|&block| places[block].len > 0).collect();
    in_memory.sort_by_key(|&block| (places[block].arena, places[block].slab, places[block].start));
    let mut blocks: Vec<(Place, &mut [u64])> = places.iter().map(|&place| (place, &mut [][..])).collect();
    let mut next = in_memory.into_iter().peekable();
    for (arena, slabs) in arenas.iter_mut().enumerate() {
        for (slab, memory) in slabs.iter_mut().enumerate() {
            let mut rest = memory.words_mut();
            let lies_here =
                |block: &usize| (places[*block].arena as usize, places[*block].slab as usize) == (arena, slab);
            while let Some(block) = next.next_if(lies_here) {
                let (elements, behind) = rest.split_at_mut(places[block].len);
                blocks[block].1 = elements;
                rest = behind;
            }
        }
    }
    blocks
}

/// Sets by hand.
impl<S: AsRef<[u64]>> FromIterator<S> for SetStore {
    fn from_iter<I: IntoIterator<Item = S>>(sets: I) -> SetStore {
        let mut batch = SetBatch::default();
        sets.into_iter().for_each(|set| batch.push(set.as_ref()));
        let mut arena = SetArena::new(0);
        let block = arena.put(&batch);
        SetStore::new(vec![arena], [block])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of several threads, out of order, some without an element, one larger than a slab.
    #[test]
    fn every_set_is_found_and_can_be_rearranged() {
        let large: Vec<u64> = (0..FIRST_SLAB as u64 + 5).collect();
        let batches: Vec<Vec<Vec<u64>>> = vec![
            vec![vec![], vec![]],
            vec![vec![1, 2], vec![], vec![3]],
            vec![vec![]],
            vec![large.clone()],
            vec![vec![4, 5]],
        ];
        for arenas_used in [[0, 1, 0, 1, 1], [1, 0, 0, 0, 1], [2, 0, 2, 1, 0]] {
            let mut arenas: Vec<SetArena> = (0..3).map(SetArena::new).collect();
            let blocks: Vec<SetBlock> = batches
                .iter()
                .zip(arenas_used)
                .map(|(sets, arena)| {
                    let mut batch = SetBatch::default();
                    sets.iter().for_each(|set| batch.push(set));
                    arenas[arena].put(&batch)
                })
                .collect();
            let mut store = SetStore::new(arenas, blocks);
            let expected: Vec<&[u64]> = batches.iter().flatten().map(Vec::as_slice).collect();
            assert_eq!((0..store.len() as u32).map(|document| store.set(document)).collect::<Vec<_>>(), expected);
            let copy = store.clone();
            let seen = store.rearrange(
                || (),
                |(), document, set| {
                    set.reverse();
                    Some((document, set.len()))
                },
            );
            assert_eq!(seen, expected.iter().enumerate().map(|(at, set)| (at as u32, set.len())).collect::<Vec<_>>());
            assert_eq!(store.set(2), [2, 1]);
            assert_eq!(copy.set(2), [1, 2]);
            assert_eq!(store.set(7), [5, 4]);
        }
    }
}
