//! How is a damaged part recognised? Every block of bytes has a checksum, which is verified when the block is first read.
//!
//! Opening a part of gigabytes must not read all of it, and an answer must not come from damaged bytes. After the body of a file follow
//! the checksums of its blocks, the length of the body, and a checksum of both.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::error::PartError;
use crate::arch::prefetch;

/// Bytes of a block: a page of memory.
const BLOCK: usize = 4096;
/// Blocks that the system maps together: it maps the pages around one that is read.
const AROUND: usize = 16;
/// Bytes after the checksums: the length of the body, and the checksum of the checksums.
const TAIL: usize = 16;

/// The bytes of a part.
pub trait PartBytes: AsRef<[u8]> {
    /// Gives memory back that can be filled again: the pages of a mapped file. Does nothing by default.
    fn release(&self) {}
}

impl PartBytes for Vec<u8> {}
impl PartBytes for &[u8] {}

/// A file whose blocks are verified when they are first read.
pub(super) struct Sealed<B> {
    bytes: B,
    /// Bytes of the body.
    body: usize,
    /// A bit for every block that was verified since pages were last released.
    verified: Vec<AtomicU64>,
    /// Bytes that are in memory because they were verified since then.
    resident: AtomicU64,
}

impl<B: PartBytes> Sealed<B> {
    pub(super) fn open(bytes: B) -> Result<Sealed<B>, PartError> {
        let all = bytes.as_ref();
        let (rest, tail) = all.split_last_chunk::<TAIL>().ok_or(PartError::NotAPart)?;
        let (length, sum) = (number(&tail[..8]), number(&tail[8..]));
        let body = usize::try_from(length).ok().filter(|&body| body <= rest.len()).ok_or(PartError::NotAPart)?;
        let blocks = body.div_ceil(BLOCK);
        if rest.len() - body != blocks * 8 {
            return Err(PartError::NotAPart);
        }
        if sum_of_sums(&rest[body..], length) != sum {
            return Err(PartError::Damaged { at: body });
        }
        let verified = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Sealed { bytes, body, verified, resident: AtomicU64::new(0) })
    }

    /// Bytes of the body.
    pub(super) fn len(&self) -> usize {
        self.body
    }

    /// Returns verified bytes of the body.
    #[inline]
    pub(super) fn get(&self, at: usize, len: usize) -> Result<&[u8], PartError> {
        let end = at.checked_add(len).filter(|&end| end <= self.body).ok_or(PartError::Contradiction { at })?;
        if len == 0 {
            return Ok(&[]);
        }
        for block in at / BLOCK..=(end - 1) / BLOCK {
            if self.verified[block / 64].load(Relaxed) >> (block % 64) & 1 == 0 {
                self.verify(block)?;
            }
        }
        Ok(&self.bytes.as_ref()[at..end])
    }

    /// Returns a number of eight bytes at a multiple of eight: bytes of one block.
    #[inline(always)]
    pub(super) fn word(&self, at: usize) -> Result<u64, PartError> {
        let block = at / BLOCK;
        if at + 8 > self.body {
            return Err(PartError::Contradiction { at });
        }
        if self.verified[block / 64].load(Relaxed) >> (block % 64) & 1 == 0 {
            self.verify(block)?;
        }
        Ok(number(&self.bytes.as_ref()[at..at + 8]))
    }

    /// Asks the processor for bytes that will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, at: usize) {
        prefetch(self.bytes.as_ref(), at);
    }

    #[cold]
    fn verify(&self, block: usize) -> Result<(), PartError> {
        let all = self.bytes.as_ref();
        let (at, sum) = (block * BLOCK, self.body + block * 8);
        if xxh3_64(&all[at..(at + BLOCK).min(self.body)]) != number(&all[sum..sum + 8]) {
            return Err(PartError::Damaged { at });
        }
        let before = self.verified[block / 64].fetch_or(1 << (block % 64), Relaxed);
        if (before >> (block % 64 / AROUND * AROUND)) & ((1 << AROUND) - 1) == 0 {
            self.resident.fetch_add((AROUND * BLOCK) as u64, Relaxed);
        }
        Ok(())
    }

    /// Returns how many bytes are in memory, about.
    pub(super) fn resident(&self) -> u64 {
        self.resident.load(Relaxed)
    }

    /// Gives the pages back. A block is verified again when it is next read.
    pub(super) fn release(&self) {
        self.resident.store(0, Relaxed);
        self.verified.iter().for_each(|word| word.store(0, Relaxed));
        self.bytes.release();
    }

    /// Verifies every block, also those that were verified before. Calls `pause` between blocks, with the number of bytes so far.
    pub(super) fn verify_all(&self, pause: impl Fn(usize) -> Result<(), PartError>) -> Result<(), PartError> {
        (0..self.body.div_ceil(BLOCK)).try_for_each(|block| {
            self.verify(block)?;
            pause(block * BLOCK)
        })
    }
}

#[inline(always)]
fn number(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn sum_of_sums(sums: &[u8], length: u64) -> u64 {
    let mut sum = Xxh3::new();
    sum.update(sums);
    sum.update(&length.to_le_bytes());
    sum.digest()
}

/// Writes a body, and then its checksums.
pub(super) struct Sealer<W> {
    out: W,
    /// The block that is not complete yet.
    block: Vec<u8>,
    length: u64,
    sums: Vec<u8>,
}

impl<W: Write> Sealer<W> {
    pub(super) fn new(out: W) -> Sealer<W> {
        Sealer { out, block: Vec::with_capacity(BLOCK), length: 0, sums: Vec::new() }
    }

    pub(super) fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.sums.extend_from_slice(&xxh3_64(&self.block).to_le_bytes());
        self.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Fills up with zeros to a multiple of `unit` bytes.
    pub(super) fn align(&mut self, unit: usize) -> io::Result<()> {
        let over = self.length as usize % unit;
        if over == 0 { Ok(()) } else { self.put(&vec![0; unit - over]) }
    }

    /// Writes the checksums, and returns how many bytes the file has.
    pub(super) fn finish(mut self) -> io::Result<(W, u64)> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.out.write_all(&self.sums)?;
        self.out.write_all(&self.length.to_le_bytes())?;
        self.out.write_all(&sum_of_sums(&self.sums, self.length).to_le_bytes())?;
        Ok((self.out, self.length + self.sums.len() as u64 + TAIL as u64))
    }
}

/// Returns a body with right checksums, whatever it says. Tests and fuzzers use it to get past them.
pub fn seal(body: &[u8]) -> Vec<u8> {
    let mut sealer = Sealer::new(Vec::new());
    sealer.put(body).expect("a vector takes everything");
    sealer.finish().expect("a vector takes everything").0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What was sealed is read back, and every flipped bit is found.
        #[test]
        fn a_flipped_bit_is_found(body in prop::collection::vec(any::<u8>(), 0..9000), flip: usize) {
            let mut bytes = seal(&body);
            let sealed = Sealed::open(&bytes[..]).unwrap();
            prop_assert_eq!(sealed.get(0, body.len()).unwrap(), &body[..]);
            sealed.verify_all(|_| Ok(())).unwrap();
            prop_assert!(sealed.resident() as usize >= body.len());
            sealed.release();
            prop_assert_eq!((sealed.resident(), sealed.get(0, body.len()).unwrap()), (0, &body[..]));
            prop_assert!(sealed.get(1, body.len()).is_err() && sealed.get(usize::MAX, 2).is_err());
            let flip = flip % (bytes.len() * 8);
            bytes[flip / 8] ^= 1 << (flip % 8);
            let found = Sealed::open(&bytes[..]).and_then(|sealed| sealed.verify_all(|_| Ok(())));
            prop_assert!(found.is_err());
        }

        /// So is every cut.
        #[test]
        fn a_cut_is_found(body in prop::collection::vec(any::<u8>(), 0..9000), cut in 1..9000usize) {
            let bytes = seal(&body);
            let left = bytes.len().saturating_sub(cut);
            prop_assert!(Sealed::open(&bytes[..left]).and_then(|sealed| sealed.verify_all(|_| Ok(()))).is_err());
        }
    }
}
