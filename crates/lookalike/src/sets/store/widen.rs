//! Digests as sets, so that they can be compared like sets.

use std::sync::Arc;

use rayon::prelude::*;

use super::{PURPOSE, SetStore, Span};
use crate::sets::error::SetsError;
use crate::storage::{Region, Storage};

/// Spreads a digest over the lower half of an element.
const SPREAD: u32 = 0x9e37_79b9;

impl SetStore<u32> {
    /// Makes sets of the digests of these documents, numbered from 0, and frees the digests slab by slab. The sets have
    /// the hashes of the original ones.
    pub fn widen(self, documents: &[u32], storage: &dyn Storage) -> Result<SetStore, SetsError> {
        let SetStore { arenas, spans, set_hashes, .. } = self;
        let mut found: Vec<Vec<(u32, Span)>> = vec![Vec::new(); arenas.len()];
        for (&document, number) in documents.iter().zip(0..) {
            let span = spans[document as usize];
            if span.len > 0 {
                found[span.arena as usize].push((number, span));
            }
        }
        let made: Vec<Wide> = arenas
            .into_par_iter()
            .zip(&found)
            .map(|(arena, found)| Wide::of(arena, found, storage))
            .collect::<Result<_, _>>()?;
        let mut wide = SetStore { spans: vec![Span::EMPTY; documents.len()], ..SetStore::empty() };
        for Wide { slabs, spans } in made {
            wide.arenas.push(Arc::new(slabs));
            spans.into_iter().for_each(|(number, span)| wide.spans[number as usize] = span);
        }
        wide.set_hashes = documents.iter().map(|&document| set_hashes[document as usize]).collect();
        Ok(wide)
    }
}

/// An arena of sets made of digests.
struct Wide {
    slabs: Vec<Region>,
    /// The sets by their new numbers.
    spans: Vec<(u32, Span)>,
}

impl Wide {
    fn of(arena: Arc<Vec<Region>>, found: &[(u32, Span)], storage: &dyn Storage) -> Result<Wide, SetsError> {
        let mut found = found.to_vec();
        found.sort_by_key(|(_, span)| span.slab);
        let (mut slabs, mut spans) = (Vec::new(), Vec::with_capacity(found.len()));
        let own = Arc::try_unwrap(arena).unwrap_or_default();
        for (slab, number) in own.into_iter().zip(0..) {
            let own = &found[found.partition_point(|(_, span)| span.slab < number)..];
            let own = &own[..own.partition_point(|(_, span)| span.slab == number)];
            let elements: usize = own.iter().map(|(_, span)| span.len as usize).sum();
            let mut room = storage.allocate(elements * size_of::<u64>(), PURPOSE)?;
            let mut at = 0;
            for &(document, span) in own {
                let digests = &slab.rows::<u32>()[span.start as usize..][..span.len as usize];
                let set = &mut room.words_mut()[at..at + digests.len()];
                set.iter_mut().zip(digests).for_each(|(element, &digest)| {
                    *element = u64::from(digest) << 32 | u64::from(digest.wrapping_mul(SPREAD));
                });
                spans.push((document, Span { start: at as u32, ..span }));
                at += digests.len();
            }
            slabs.push(room);
        }
        Ok(Wide { slabs, spans })
    }
}
