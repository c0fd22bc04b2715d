//! How are the sets of documents that may have a partner stored, in the order of all elements?

use std::sync::Arc;

use rayon::prelude::*;

use super::counters::Counters;
use super::error::SetsError;
use super::order::{Arranged, Arranger};
use super::store::SetStore;
use crate::storage::{Region, Storage};

/// The minimum and maximum number of elements that are arranged together.
const LEAST: usize = 32 << 10;
const MOST: usize = 4 << 20;
/// Shares per thread: enough that no thread waits long for the last.
const SHARES: usize = 4;

/// The position of an arranged set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    slab: u32,
    start: u32,
}

/// Arranged sets, without unique elements, which come first in the order and match nothing.
pub(crate) struct ArrangedSets {
    slabs: Vec<Region>,
}

impl ArrangedSets {
    /// Arranges the sets of these documents, and returns the bands and the position of each.
    pub(crate) fn new(
        store: &SetStore,
        documents: &[u32],
        counters: &Counters,
        storage: &Arc<dyn Storage>,
    ) -> Result<(ArrangedSets, Vec<(Arranged, Span)>), SetsError> {
        let arrange = |(number, documents): (usize, &[u32])| {
            let mut arranger = Arranger::new(counters);
            // Room for unique elements too, which is never touched: nobody knows how many there are before all are looked up.
            let most: usize = documents.iter().map(|&document| store.size(document) as usize).sum();
            let mut slab = storage.allocate(most * size_of::<u64>(), "the sets in order")?;
            let (elements, mut spans) = (slab.words_mut(), Vec::with_capacity(documents.len()));
            let mut start = 0;
            for &document in documents {
                let arranged = arranger.arrange(document, store.set(document), &mut elements[start as usize..]);
                spans.push((arranged, Span { slab: number as u32, start }));
                start += arranged.shared();
            }
            Ok((slab, spans))
        };
        let shares = shares(store, documents);
        let made: Vec<(Region, Vec<(Arranged, Span)>)> =
            shares.par_iter().copied().enumerate().map(arrange).collect::<Result<_, SetsError>>()?;
        let (mut slabs, mut spans) = (Vec::with_capacity(made.len()), Vec::with_capacity(documents.len()));
        for (slab, some) in made {
            slabs.push(slab);
            spans.extend(some);
        }
        Ok((ArrangedSets { slabs }, spans))
    }

    /// Returns the elements of a set that others have too, in order.
    #[inline]
    pub(crate) fn set(&self, arranged: &Arranged, span: Span) -> &[u64] {
        let start = span.start as usize;
        &self.slabs[span.slab as usize].words()[start..start + arranged.shared() as usize]
    }
}

/// Cuts documents into shares with about equally many elements.
fn shares<'a>(store: &SetStore, documents: &'a [u32]) -> Vec<&'a [u32]> {
    let size = |document: &u32| store.size(*document) as usize;
    let all: usize = documents.iter().map(size).sum();
    let share = (all / (SHARES * rayon::current_num_threads().max(1))).clamp(LEAST, MOST);
    let (mut shares, mut rest, mut elements, mut count) = (Vec::new(), documents, 0, 0);
    for document in documents {
        elements += size(document);
        count += 1;
        if elements >= share {
            let (own, behind) = rest.split_at(count);
            shares.push(own);
            (rest, elements, count) = (behind, 0, 0);
        }
    }
    shares.push(rest);
    shares
}
