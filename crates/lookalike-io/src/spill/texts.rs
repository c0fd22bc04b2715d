//! Where do many short texts lie, if they may not fit in memory?
//!
//! They are one long text, of which the last part is in memory. The text before it is in a file, in blocks whose hashes stay in memory. A
//! block is verified whenever it is read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::space::Space;
use super::spool::damaged;
use crate::error::Error;

/// Bytes of a block.
const BLOCK: usize = 1 << 16;
/// Blocks that stay in memory after they were read.
const CACHED: usize = 16;

/// A long text that grows.
pub struct SpilledText {
    /// The end of the text, from [`SpilledText::spilled`] on.
    tail: Vec<u8>,
    most: usize,
    space: Space,
    blocks: Option<Mutex<BlockFile>>,
    /// Bytes in the file: whole blocks.
    spilled: usize,
}

struct BlockFile {
    file: File,
    hashes: Vec<u64>,
    /// Blocks that were read, each in the place that its number names.
    cache: Vec<(usize, Vec<u8>)>,
}

impl SpilledText {
    /// An empty text. If it is longer than about `most` bytes, the rest is in a file of `space`.
    pub fn new(space: &Space, most: usize) -> SpilledText {
        SpilledText { tail: Vec::new(), most, space: space.clone(), blocks: None, spilled: 0 }
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.spilled + self.tail.len()
    }

    /// Returns whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends to the text.
    pub fn push(&mut self, text: &str) -> Result<(), Error> {
        self.tail.extend_from_slice(text.as_bytes());
        if self.tail.len() <= self.most { Ok(()) } else { self.spill() }
    }

    /// Moves all but half of what may stay in memory to the file.
    fn spill(&mut self) -> Result<(), Error> {
        let whole = (self.tail.len() - self.most / 2) / BLOCK * BLOCK;
        if whole == 0 {
            return Ok(());
        }
        let blocks = match &mut self.blocks {
            Some(blocks) => blocks,
            none => {
                let file = self.space.file()?;
                none.insert(Mutex::new(BlockFile { file, hashes: Vec::new(), cache: Vec::new() }))
            }
        };
        let BlockFile { file, hashes, .. } = blocks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let bytes = &self.tail[..whole];
        let end = SeekFrom::Start(self.spilled as u64);
        file.seek(end).and_then(|_| file.write_all(bytes)).map_err(|source| self.space.error(source))?;
        self.space.count(whole as u64);
        hashes.extend(bytes.chunks(BLOCK).map(xxh3_64));
        self.spilled += whole;
        self.tail.drain(..whole);
        Ok(())
    }

    /// Returns a part of the text. The range must end at characters.
    pub fn get(&self, range: Range<usize>) -> Result<Cow<'_, str>, Error> {
        let not_text = || self.space.error(damaged(None));
        if range.start >= self.spilled {
            let bytes = &self.tail[range.start - self.spilled..range.end - self.spilled];
            return std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| not_text());
        }
        let mut bytes = Vec::with_capacity(range.len());
        self.read(range, &mut bytes)?;
        String::from_utf8(bytes).map(Cow::Owned).map_err(|_| not_text())
    }

    /// Appends the bytes of a range. Characters may be cut.
    pub fn read(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let mut at = range.start;
        while at < range.end.min(self.spilled) {
            let number = at / BLOCK;
            let end = range.end.min((number + 1) * BLOCK);
            let Some(blocks) = &self.blocks else { break };
            let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            let block = blocks.block(number).map_err(|source| self.space.error(source))?;
            bytes.extend_from_slice(&block[at - number * BLOCK..end - number * BLOCK]);
            at = end;
        }
        if at < range.end {
            bytes.extend_from_slice(&self.tail[at - self.spilled..range.end - self.spilled]);
        }
        Ok(())
    }
}

impl BlockFile {
    fn block(&mut self, number: usize) -> std::io::Result<&[u8]> {
        let BlockFile { file, hashes, cache } = self;
        cache.resize(CACHED, (usize::MAX, Vec::new()));
        let (cached, block) = &mut cache[number % CACHED];
        if *cached != number {
            *cached = usize::MAX;
            block.resize(BLOCK, 0);
            file.seek(SeekFrom::Start((number * BLOCK) as u64))?;
            file.read_exact(block)?;
            if hashes.get(number) != Some(&xxh3_64(block)) {
                return Err(damaged(None));
            }
            *cached = number;
        }
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn read_as_written(
            pieces in prop::collection::vec(("[a-z日é]{0,9}", 0..9000usize), 0..60),
            most in prop_oneof![Just(0), 0..1_000_000usize, Just(usize::MAX)],
        ) {
            let (mut plain, mut ends) = (String::new(), vec![0]);
            let mut text = SpilledText::new(&Space::default(), most);
            for (piece, times) in pieces {
                plain.push_str(&piece.repeat(times));
                text.push(&piece.repeat(times)).unwrap();
                ends.push(plain.len());
            }
            prop_assert_eq!(text.len(), plain.len());
            prop_assert!(most == usize::MAX || text.tail.len() <= most.max(most / 2 + BLOCK));
            for ends in ends.windows(2).rev().chain(ends.windows(2)) {
                prop_assert_eq!(&*text.get(ends[0]..ends[1]).unwrap(), &plain[ends[0]..ends[1]]);
            }
            let mut bytes = Vec::new();
            text.read(0..plain.len(), &mut bytes).unwrap();
            prop_assert_eq!(bytes, plain.as_bytes());
        }
    }

    #[test]
    fn a_changed_file_is_an_error() {
        let mut text = SpilledText::new(&Space::default(), 0);
        text.push(&"x".repeat(3 * BLOCK)).unwrap();
        assert!(text.spilled == 3 * BLOCK && text.get(BLOCK + 5..BLOCK + 6).unwrap() == "x");
        let blocks = text.blocks.as_mut().unwrap().get_mut().unwrap();
        blocks.file.seek(SeekFrom::Start(7)).unwrap();
        blocks.file.write_all(b"y").unwrap();
        assert!(text.get(0..1).is_err() && text.get(0..1).is_err());
        assert_eq!(text.get(BLOCK..BLOCK + 1).unwrap(), "x");
    }
}
