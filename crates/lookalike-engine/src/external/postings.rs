//! Which documents share an element of their prefixes?
//!
//! Postings are written to files by ranges of elements. Each file is sorted in memory.

use lookalike::Threshold;
use lookalike::engine::Roots;
use lookalike_io::spill::{Space, Spool, Spooled};
use rayon::prelude::*;

use crate::error::Error;

/// An element of a set's prefix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    pub(super) element: u64,
    /// The size of the set.
    pub(super) size: u32,
    /// The index of the set in its file.
    pub(super) set: u32,
    /// The position of the element in the common order.
    pub(super) position: u32,
}

/// Bytes of a posting in a file.
pub(super) const BYTES: usize = 20;
/// Bytes of a posting in memory, with room for sorting.
const IN_MEMORY: u64 = 24;
/// The most files at a time.
const MOST: u64 = 256;

impl Posting {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.element.to_le_bytes());
        for number in [self.size, self.set, self.position] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn take(bytes: &[u8; BYTES]) -> Posting {
        let (element, rest) = bytes.split_at(8);
        let element = u64::from_le_bytes(element.try_into().unwrap_or_default());
        let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap_or_default());
        Posting { element, size: number(0), set: number(4), position: number(8) }
    }
}

/// Postings that are being written.
pub(super) struct Postings {
    files: Vec<Spool>,
    /// For each file, postings to be written.
    waiting: Vec<Vec<u8>>,
}

impl Postings {
    /// Room for about `most` postings, sorted in `memory` bytes at a time.
    pub(super) fn new(space: &Space, most: u64, memory: u64) -> Postings {
        let files = (most * IN_MEMORY).div_ceil(memory.max(1)).clamp(1, MOST) as usize;
        let new = |_| Spool::new(space).block(BLOCK);
        Postings { files: (0..files).map(new).collect(), waiting: vec![Vec::new(); files] }
    }

    pub(super) fn push(&mut self, postings: &[Posting]) -> Result<(), Error> {
        let files = self.files.len() as u128;
        for posting in postings {
            posting.put(&mut self.waiting[((u128::from(posting.element) * files) >> 64) as usize]);
        }
        for (file, waiting) in self.files.iter_mut().zip(&mut self.waiting) {
            if waiting.len() >= BLOCK / 4 {
                file.append(waiting)?;
                waiting.clear();
            }
        }
        Ok(())
    }

    /// Links the sets that may be a pair: in `roots`, by their index.
    pub(super) fn link(mut self, threshold: &Threshold, roots: &Roots) -> Result<(), Error> {
        for (mut file, waiting) in self.files.drain(..).zip(self.waiting) {
            file.append(&waiting)?;
            let mut postings = read(file.finish()?)?;
            postings.par_sort_unstable();
            let lists: Vec<&[Posting]> =
                postings.chunk_by(|a, b| a.element == b.element).filter(|list| list.len() > 1).collect();
            lists.par_iter().with_min_len(64).for_each(|list| link(list, threshold, roots));
        }
        Ok(())
    }
}

/// Bytes of a block. There may be many files at once.
const BLOCK: usize = 1 << 16;

fn read(mut file: Spooled) -> Result<Vec<Posting>, Error> {
    let (mut postings, mut content) = (Vec::with_capacity(file.bytes() as usize / BYTES), Vec::new());
    let mut blocks = file.blocks()?;
    while blocks.next_block(&mut content)? {
        postings.extend(content.as_chunks::<BYTES>().0.iter().map(Posting::take));
    }
    Ok(postings)
}

/// The most sets of a list of which any two are looked at.
const FEW: usize = 64;

/// Links the sets of a list, in ascending order of size, that may be a pair.
fn link(list: &[Posting], threshold: &Threshold, roots: &Roots) {
    if list.len() > FEW {
        // The least size of a partner grows with the size. So if two sets fit, any two neighbours between them do.
        for two in list.windows(2) {
            if two[0].size >= threshold.partners(two[1].size).0 {
                roots.join(two[0].set, two[1].set);
            }
        }
        return;
    }
    for (at, large) in list.iter().enumerate() {
        let least = threshold.partners(large.size).0;
        for small in list[..at].iter().rev().take_while(|small| small.size >= least) {
            if may_be_a_pair(threshold, small, large) {
                roots.join(small.set, large.set);
            }
        }
    }
}

/// Whether two sets with this common element, and no earlier one, may be a pair. It is called for every common element
/// of the prefixes, so also for the first.
fn may_be_a_pair(threshold: &Threshold, small: &Posting, large: &Posting) -> bool {
    let is_short = |posting: &Posting| posting.position < threshold.short_prefix(posting.size);
    let left = (small.size - small.position).min(large.size - large.position);
    (is_short(small) || small.size == large.size && is_short(large)) && threshold.needed(small.size, large.size) <= left
}
