//! Where in a part is what? The counts in the header say it.

use xxhash_rust::xxh3::xxh3_64;

use super::error::{PartError, VERSION};
use super::filter;

/// Bytes of the header.
pub(super) const HEADER: usize = 128;
const MAGIC: &[u8; 8] = b"lookpart";

/// Bytes of a posting, and of what is remembered of a removed document.
pub(super) const POSTING: usize = 8;
pub(super) const REMEMBERED: usize = 32;
/// Every section begins at a multiple of this many bytes.
pub(super) const ALIGNMENT: usize = 32;

/// How much of everything a part has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) documents: u64,
    pub(super) postings: u64,
    pub(super) removed: u64,
    pub(super) elements: u64,
    pub(super) id_bytes: u64,
    pub(super) filter_words: u64,
    /// There are two to the power of this many buckets of postings.
    pub(super) bucket_bits: u32,
}

/// Where the sections of a part begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub(super) set_starts: usize,
    pub(super) serials: usize,
    pub(super) id_starts: usize,
    pub(super) id_hashes: usize,
    pub(super) id_documents: usize,
    pub(super) removed: usize,
    pub(super) elements: usize,
    pub(super) ids: usize,
    pub(super) filter: usize,
    pub(super) buckets: usize,
    pub(super) postings: usize,
    pub(super) end: usize,
}

impl Counts {
    /// The header of a part.
    pub(super) fn header(&self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&self.bucket_bits.to_le_bytes());
        let Counts { documents, postings, removed, elements, id_bytes, filter_words, .. } = *self;
        let numbers = [documents, postings, removed, elements, id_bytes, filter_words];
        for (place, number) in header[16..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        header
    }

    pub(super) fn of_header(header: &[u8]) -> Result<Counts, PartError> {
        let (magic, rest) = header.split_first_chunk::<8>().ok_or(PartError::NotAPart)?;
        let (version, rest) = rest.split_first_chunk::<4>().ok_or(PartError::NotAPart)?;
        let (bits, rest) = rest.split_first_chunk::<4>().ok_or(PartError::NotAPart)?;
        if magic != MAGIC {
            return Err(PartError::NotAPart);
        }
        if u32::from_le_bytes(*version) != VERSION {
            return Err(PartError::Version(u32::from_le_bytes(*version)));
        }
        let mut numbers = rest.as_chunks::<8>().0.iter().map(|&number| u64::from_le_bytes(number));
        let mut next = || numbers.next().ok_or(PartError::NotAPart);
        let counts = Counts {
            documents: next()?,
            postings: next()?,
            removed: next()?,
            elements: next()?,
            id_bytes: next()?,
            filter_words: next()?,
            bucket_bits: u32::from_le_bytes(*bits),
        };
        let fits = counts.documents <= u64::from(u32::MAX)
            && counts.postings <= u64::from(u32::MAX)
            && counts.filter_words <= u64::from(u32::MAX)
            && counts.bucket_bits <= 32;
        if fits { Ok(counts) } else { Err(PartError::Contradiction { at: 0 }) }
    }

    /// Where the sections are. `None` if no memory can hold so much.
    pub(super) fn layout(&self) -> Option<Layout> {
        let mut at = HEADER;
        let mut section = |count: u64, size: usize| {
            let begin = at;
            let bytes = usize::try_from(count).ok()?.checked_mul(size)?;
            at = begin.checked_add(bytes)?.checked_next_multiple_of(ALIGNMENT)?;
            Some(begin)
        };
        let documents = self.documents;
        let mut layout = Layout {
            set_starts: section(documents + 1, 8)?,
            serials: section(documents, 8)?,
            id_starts: section(documents + 1, 8)?,
            id_hashes: section(documents, 8)?,
            id_documents: section(documents, 4)?,
            removed: section(self.removed, REMEMBERED)?,
            elements: section(self.elements, 8)?,
            ids: section(self.id_bytes, 1)?,
            filter: section(self.filter_words, filter::WORD)?,
            buckets: section((1 << self.bucket_bits) + 1, 4)?,
            postings: section(self.postings, POSTING)?,
            end: 0,
        };
        layout.end = at;
        Some(layout)
    }
}

/// The bucket of a key: its first bits.
#[inline]
pub(super) fn bucket(key: u64, bits: u32) -> usize {
    key.checked_shr(64 - bits).unwrap_or(0) as usize
}

/// What tells the keys of a bucket apart: the 32 bits after the first.
#[inline]
pub(super) fn tag(key: u64, bits: u32) -> u32 {
    ((key << bits) >> 32) as u32
}

pub(super) fn hash_id(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_as_written() {
        let counts =
            Counts { documents: 1, postings: 2, removed: 3, elements: 4, id_bytes: 5, filter_words: 6, bucket_bits: 7 };
        assert_eq!(Counts::of_header(&counts.header()), Ok(counts));
        assert_eq!(Counts::of_header(&[0; HEADER]), Err(PartError::NotAPart));
        let mut later = counts.header();
        later[8] = 9;
        assert_eq!(Counts::of_header(&later), Err(PartError::Version(9)));
        assert!(Counts { elements: u64::MAX / 8, ..counts }.layout().is_none());
    }
}
