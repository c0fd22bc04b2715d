//! How are the elements of a segment's documents stored? As differences of ascending codes, in as few bytes as
//! possible.
//!
//! They are stored in pieces of one size. When a segment is dropped, its pieces fit the next one, so memory does not
//! fragment.

use std::io::{self, Read, Write};

use crate::window::numbers::{put, take, take_one};

#[derive(Default)]
pub(super) struct Codes {
    pieces: Vec<Vec<u8>>,
    /// By slot, the piece of a document's bytes and their start in it. They end at the next document's start, or with
    /// the piece.
    starts: Vec<(u32, u32)>,
}

/// Bytes in a piece, unless one document needs more.
const PIECE: usize = if cfg!(test) { 64 } else { 1 << 16 };
/// Maximum bytes of a code.
const LONGEST: usize = 5;

impl Codes {
    /// The number of documents.
    pub(super) fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Bytes of memory, including spare capacity.
    pub(super) fn bytes(&self) -> usize {
        let pieces: usize = self.pieces.iter().map(|piece| size_of::<Vec<u8>>() + piece.capacity()).sum();
        pieces + self.starts.capacity() * size_of::<(u32, u32)>()
    }

    pub(super) fn push(&mut self, codes: &[u32]) {
        let most = codes.len() * LONGEST;
        if self.pieces.last().is_none_or(|piece| piece.capacity() - piece.len() < most) {
            self.pieces.push(Vec::with_capacity(PIECE.max(most)));
        }
        let number = self.pieces.len() - 1;
        let piece = &mut self.pieces[number];
        self.starts.push((number as u32, piece.len() as u32));
        let mut last = 0;
        for &code in codes {
            let mut difference = code - last;
            while difference >= 0x80 {
                piece.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            piece.push(difference as u8);
            last = code;
        }
    }

    pub(super) fn for_each(&self, slot: u32, mut each: impl FnMut(u32)) {
        let (number, start) = self.starts[slot as usize];
        let piece = &self.pieces[number as usize];
        let end = match self.starts.get(slot as usize + 1) {
            Some(&(next, end)) if next == number => end as usize,
            _ => piece.len(),
        };
        let (mut last, mut difference, mut shift) = (0, 0, 0);
        for &byte in &piece[start as usize..end] {
            difference |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                last += difference;
                each(last);
                (difference, shift) = (0, 0);
            }
        }
    }

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, self.starts.iter().map(|start| start.0))?;
        put(out, self.starts.iter().map(|start| start.1))?;
        put(out, [self.pieces.len() as u64].into_iter())?;
        self.pieces.iter().try_for_each(|piece| put(out, piece.iter().copied()))
    }

    pub(super) fn load(from: &mut impl Read) -> io::Result<Codes> {
        let starts = take(from)?.into_iter().zip(take(from)?).collect();
        let pieces: u64 = take_one(from)?;
        Ok(Codes { starts, pieces: (0..pieces).map(|_| take(from)).collect::<io::Result<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_come_back(
            documents in prop::collection::vec(prop::collection::btree_set(prop_oneof![0..300u32, any::<u32>()], 0..40), 0..20),
        ) {
            let documents: Vec<Vec<u32>> = documents.into_iter().map(|codes| codes.into_iter().collect()).collect();
            let mut held = Codes::default();
            documents.iter().for_each(|codes| held.push(codes));
            prop_assert_eq!(held.len() as usize, documents.len());
            for (slot, codes) in documents.iter().enumerate() {
                let mut found = Vec::new();
                held.for_each(slot as u32, |code| found.push(code));
                prop_assert_eq!(&found, codes);
            }
        }
    }
}
