//! Where are the sets stored? A document's number gives its set as a slice.
//!
//! A thread that reads documents collects their sets in a [`SetBatch`], and stores each batch in its own [`SetArena`],
//! which returns a [`SetBlock`]. At the end, the arenas and the blocks, in the order of the documents, become the
//! [`SetStore`].

mod widen;

use std::marker::PhantomData;
use std::sync::Arc;

use super::element::{Element, is_set};
use super::error::SetsError;
use super::hash::hash_set;
use crate::storage::{Memory, Region, Storage};

/// The purpose named in errors about room.
const PURPOSE: &str = "the sets";

/// A batch of sets of consecutive documents.
///
/// `T` is what is stored of an element: all of it, or its first 32 bits.
#[derive(Default)]
pub struct SetBatch<T = u64> {
    elements: Vec<T>,
    sizes: Vec<u32>,
    set_hashes: Vec<u128>,
    /// The first document of the batch whose elements are not ascending and distinct.
    unsorted: Option<u32>,
}

impl<T: Element> SetBatch<T> {
    /// Adds the set of the next document. A document with an empty set resembles nothing.
    ///
    /// A join accepts only elements that are ascending and distinct. (Any sequence can be stored.)
    pub fn push(&mut self, set: &[u64]) -> Result<(), SetsError> {
        let size = u32::try_from(set.len()).map_err(|_| SetsError::LargeSet(set.len()))?;
        if self.unsorted.is_none() && !is_set(set) {
            self.unsorted = Some(self.sizes.len() as u32);
        }
        T::append(set, &mut self.elements);
        self.sizes.push(size);
        self.set_hashes.push(hash_set(set));
        Ok(())
    }

    /// Clears the batch, and keeps its memory.
    pub fn clear(&mut self) {
        self.elements.clear();
        self.sizes.clear();
        self.set_hashes.clear();
        self.unsorted = None;
    }
}

/// Memory for sets, one arena per thread.
pub struct SetArena<T = u64> {
    number: usize,
    storage: Arc<dyn Storage>,
    /// Elements in the first slab.
    first: usize,
    slabs: Vec<Region>,
    /// Elements in the last slab.
    used: usize,
    of: PhantomData<T>,
}

/// The default number of elements in the first slab. Each slab is twice as large as the one before, up to the maximum.
/// A larger batch gets its own slab.
const FIRST_SLAB: usize = 32 << 10;
const LARGEST_SLAB: usize = 4 << 20;

impl<T: Element> SetArena<T> {
    /// Makes an arena with a number of its own, counting from 0.
    pub fn new(number: usize) -> SetArena<T> {
        SetArena::within(number, Memory::shared())
    }

    /// Makes an arena in a storage.
    pub fn within(number: usize, storage: Arc<dyn Storage>) -> SetArena<T> {
        SetArena { number, storage, first: FIRST_SLAB, slabs: Vec::new(), used: 0, of: PhantomData }
    }

    /// Sets the elements in the first slab. Tests use it to get several slabs.
    pub fn first_slab(self, elements: usize) -> SetArena<T> {
        SetArena { first: elements.max(1), ..self }
    }

    /// Stores a batch.
    pub fn put(&mut self, batch: &SetBatch<T>) -> Result<SetBlock, SetsError> {
        let len = batch.elements.len();
        let last = self.slabs.last().map_or(0, |slab| slab.rows::<T>().len());
        if len > last - self.used {
            let size = (last * 2).clamp(self.first, LARGEST_SLAB).max(len);
            self.slabs.push(self.storage.allocate(size * size_of::<T>(), PURPOSE)?);
            self.used = 0;
        }
        let start = self.used;
        if let Some(slab) = self.slabs.last_mut() {
            slab.rows_mut()[start..start + len].copy_from_slice(&batch.elements);
            self.used += len;
        }
        let slab = self.slabs.len().saturating_sub(1);
        let (sizes, set_hashes) = (batch.sizes.clone(), batch.set_hashes.clone());
        Ok(SetBlock { arena: self.number, slab, start, sizes, set_hashes, unsorted: batch.unsorted })
    }
}

/// Where a batch is stored. The default is an empty batch.
#[derive(Default)]
pub struct SetBlock {
    arena: usize,
    slab: usize,
    start: usize,
    sizes: Vec<u32>,
    set_hashes: Vec<u128>,
    unsorted: Option<u32>,
}

/// The sets of all documents, numbered from 0 in input order.
#[derive(Default)]
pub struct SetStore<T = u64> {
    arenas: Vec<Arc<Vec<Region>>>,
    spans: Vec<Span>,
    /// By document, the [`hash_set`] of its set.
    set_hashes: Vec<u128>,
    unsorted: Option<u32>,
    of: PhantomData<T>,
}

/// The position of a set. There are as many as documents, so the numbers are small; larger values are an error.
#[derive(Clone, Copy)]
struct Span {
    arena: u16,
    slab: u16,
    start: u32,
    len: u32,
}

/// The limits of a [`Span`] and of a document's number. Tests lower them.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    arenas: usize,
    slabs: usize,
    start: usize,
    documents: usize,
}

pub(super) const LIMITS: Limits = Limits {
    arenas: u16::MAX as usize,
    slabs: u16::MAX as usize,
    start: u32::MAX as usize,
    documents: u32::MAX as usize,
};

impl Span {
    /// The position of an empty set.
    const EMPTY: Span = Span { arena: 0, slab: 0, start: 0, len: 0 };

    fn new(block: &SetBlock, start: usize, len: u32, limits: &Limits) -> Result<Span, SetsError> {
        if block.arena > limits.arenas || block.slab > limits.slabs || start > limits.start {
            return Err(SetsError::FullArena);
        }
        Ok(Span { arena: block.arena as u16, slab: block.slab as u16, start: start as u32, len })
    }
}

impl<T: Element> SetStore<T> {
    /// Makes a store of the sets of these blocks, in order. The blocks are stored in these arenas.
    pub fn new(arenas: Vec<SetArena<T>>, blocks: impl IntoIterator<Item = SetBlock>) -> Result<SetStore<T>, SetsError> {
        SetStore::within(&LIMITS, arenas, blocks)
    }

    pub(super) fn within(
        limits: &Limits,
        mut arenas: Vec<SetArena<T>>,
        blocks: impl IntoIterator<Item = SetBlock>,
    ) -> Result<SetStore<T>, SetsError> {
        arenas.sort_by_key(|arena| arena.number);
        let arenas = arenas.into_iter().map(|arena| Arc::new(arena.slabs)).collect();
        let mut store = SetStore { arenas, ..SetStore::empty() };
        let blocks: Vec<SetBlock> = blocks.into_iter().collect();
        let documents = blocks.iter().map(|block| block.sizes.len()).sum();
        if documents > limits.documents {
            return Err(SetsError::ManyDocuments);
        }
        store.spans.reserve_exact(documents);
        store.set_hashes.reserve_exact(documents);
        for block in blocks {
            let first = store.spans.len();
            let mut start = block.start;
            for &len in &block.sizes {
                // An empty set needs no position.
                let at = if len == 0 { 0 } else { start };
                store.spans.push(Span::new(&block, at, len, limits)?);
                start += len as usize;
            }
            store.unsorted = store.unsorted.or(block.unsorted.map(|at| first as u32 + at));
            store.set_hashes.extend_from_slice(&block.set_hashes);
        }
        Ok(store)
    }

    fn empty() -> SetStore<T> {
        SetStore { arenas: Vec::new(), spans: Vec::new(), set_hashes: Vec::new(), unsorted: None, of: PhantomData }
    }

    /// Returns an error if a set is not ascending and distinct.
    pub(crate) fn check_sets(&self) -> Result<(), SetsError> {
        self.unsorted.map_or(Ok(()), |document| Err(SetsError::NotAscending(document)))
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Returns the size of a document's set.
    #[inline]
    pub fn size(&self, document: u32) -> u32 {
        self.spans[document as usize].len
    }

    /// Returns a document's set.
    #[inline]
    pub fn set(&self, document: u32) -> &[T] {
        let span = self.spans[document as usize];
        if span.len == 0 {
            return &[];
        }
        let slab = &self.arenas[span.arena as usize][span.slab as usize];
        &slab.rows()[span.start as usize..span.start as usize + span.len as usize]
    }

    /// Returns the 128-bit hash of a document's set. Sets with different hashes are different.
    #[inline]
    pub fn set_hash(&self, document: u32) -> u128 {
        self.set_hashes[document as usize]
    }

    /// Returns the 128-bit hashes of all sets.
    pub fn set_hashes(&self) -> &[u128] {
        &self.set_hashes
    }
}

impl SetStore {
    /// Appends the sets of another store, without copying elements.
    pub fn joined(one: &SetStore, two: &SetStore) -> Result<SetStore, SetsError> {
        if one.arenas.len() + two.arenas.len() > LIMITS.arenas {
            return Err(SetsError::FullArena);
        }
        if one.len() + two.len() > LIMITS.documents {
            return Err(SetsError::ManyDocuments);
        }
        let first = one.arenas.len() as u16;
        let behind = two.spans.iter().map(|span| Span { arena: span.arena + first, ..*span });
        Ok(SetStore {
            arenas: one.arenas.iter().chain(&two.arenas).cloned().collect(),
            spans: one.spans.iter().copied().chain(behind).collect(),
            set_hashes: [&one.set_hashes[..], &two.set_hashes].concat(),
            unsorted: one.unsorted.or(two.unsorted.map(|document| one.len() as u32 + document)),
            of: PhantomData,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of several threads, out of order, some empty, one larger than a slab.
    #[test]
    fn every_set_is_found() {
        let large: Vec<u64> = (0..9).collect();
        let batches: Vec<Vec<Vec<u64>>> = vec![
            vec![vec![], vec![]],
            vec![vec![1, 2], vec![], vec![3]],
            vec![vec![]],
            vec![large.clone()],
            vec![vec![4, 5]],
        ];
        for arenas_used in [[0, 1, 0, 1, 1], [1, 0, 0, 0, 1], [2, 0, 2, 1, 0]] {
            let mut arenas: Vec<SetArena> = (0..3).map(|number| SetArena::new(number).first_slab(4)).collect();
            let blocks: Vec<SetBlock> = batches
                .iter()
                .zip(arenas_used)
                .map(|(sets, arena)| {
                    let mut batch = SetBatch::default();
                    sets.iter().for_each(|set| batch.push(set).unwrap());
                    arenas[arena].put(&batch).unwrap()
                })
                .collect();
            let store = SetStore::new(arenas, blocks).unwrap();
            let expected: Vec<&[u64]> = batches.iter().flatten().map(Vec::as_slice).collect();
            assert_eq!(store.len(), expected.len());
            for (set, document) in expected.iter().zip(0..) {
                assert_eq!(store.set(document), *set);
                assert_eq!(store.set_hash(document), hash_set(set));
            }
        }
    }

    const LOW: Limits = Limits { arenas: 1, slabs: 2, start: 9, documents: 6 };

    /// Simulates sets of more than 2³² elements in one slab.
    #[test]
    fn sets_that_start_beyond_a_span_are_put_in_batches() {
        let sets: Vec<Vec<u64>> = (0..6).map(|set| (set * 10..set * 10 + 4).collect()).collect();
        // Six sets of four elements in one slab: the last starts at 20, which is beyond 9.
        assert_eq!(SetStore::in_batches(&LOW, usize::MAX, &sets).err(), Some(SetsError::FullArena));
        let store = SetStore::in_batches(&LIMITS, 4, &sets).unwrap();
        assert!(sets.iter().zip(0..).all(|(set, document)| store.set(document) == set));
    }

    #[test]
    fn what_numbers_cannot_hold_is_an_error() {
        let block = |arena, slab, start, sizes: &[u32]| SetBlock {
            arena,
            slab,
            start,
            sizes: sizes.to_vec(),
            set_hashes: vec![0; sizes.len()],
            unsorted: None,
        };
        let error = |block| SetStore::<u64>::within(&LOW, Vec::new(), [block]).err();
        assert_eq!(error(block(1, 2, 9, &[3, 0])), None);
        assert_eq!(error(block(2, 0, 0, &[1])), Some(SetsError::FullArena));
        assert_eq!(error(block(0, 3, 0, &[1])), Some(SetsError::FullArena));
        assert_eq!(error(block(0, 0, 10, &[1])), Some(SetsError::FullArena));
        assert_eq!(error(block(0, 0, 0, &[0; 7])), Some(SetsError::ManyDocuments));
    }

    #[test]
    fn digests_become_sets() {
        let sets: [&[u64]; 5] = [&[1 << 40], &[], &[5, 7, 3 << 33], &[9], &[2 << 32, 1 << 50]];
        let (mut arenas, mut blocks) =
            ((0..2).map(|number| SetArena::new(number).first_slab(3)).collect::<Vec<_>>(), Vec::new());
        for (set, number) in sets.iter().zip(0..) {
            let mut batch = SetBatch::<u32>::default();
            batch.push(set).unwrap();
            blocks.push(arenas[number % 2].put(&batch).unwrap());
        }
        let store = SetStore::new(arenas, blocks).unwrap();
        assert_eq!(store.set(2), [0, 1, 6]);
        let wide = store.widen(&[4, 2, 1], &Memory).unwrap();
        let tops: Vec<Vec<u64>> =
            (0..3).map(|set| wide.set(set).iter().map(|element| element >> 32).collect()).collect();
        assert_eq!(tops, [vec![2, 1 << 18], vec![0, 1, 6], vec![]]);
        assert_eq!(wide.set_hash(1), hash_set(sets[2]));
        assert_eq!(wide.check_sets(), Ok(()));
    }

    #[test]
    fn what_is_no_set_is_found() {
        let of = |sets: &[&[u64]]| SetStore::in_batches(&LIMITS, 2, sets).unwrap().check_sets();
        assert_eq!(of(&[&[1, 2], &[], &[3], &[7, 9]]), Ok(()));
        assert_eq!(of(&[&[1, 2], &[], &[3], &[9, 7], &[2, 1]]), Err(SetsError::NotAscending(3)));
        assert_eq!(of(&[&[1, 1]]), Err(SetsError::NotAscending(0)));
    }
}
