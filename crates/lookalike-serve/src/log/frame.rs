//! What a record looks like on disk: its length, a checksum of length and payload, the payload.

use xxhash_rust::xxh3::Xxh3;

/// Bytes before the payload.
pub(super) const HEAD: usize = 12;

/// The longest payload. A greater length means that the record is damaged.
pub(super) const MOST: usize = 1 << 30;

/// Appends a record.
pub(super) fn push(payload: &[u8], out: &mut Vec<u8>) {
    let length = (payload.len() as u32).to_le_bytes();
    out.extend_from_slice(&length);
    out.extend_from_slice(&checksum(&length, payload).to_le_bytes());
    out.extend_from_slice(payload);
}

/// The beginning of a slice of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framed<'a> {
    /// A record with this payload.
    Whole(&'a [u8]),
    /// The beginning of a record that is cut short.
    Short,
    /// Bytes that are not a record.
    Damaged,
}

/// Reads the record at the beginning of a slice.
pub(super) fn read(bytes: &[u8]) -> Framed<'_> {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Framed::Short };
    let Some((sum, rest)) = rest.split_first_chunk::<8>() else { return Framed::Short };
    let size = u32::from_le_bytes(*length) as usize;
    if size > MOST {
        return Framed::Damaged;
    }
    match rest.get(..size) {
        None => Framed::Short,
        Some(payload) if checksum(length, payload) == u64::from_le_bytes(*sum) => Framed::Whole(payload),
        Some(_) => Framed::Damaged,
    }
}

fn checksum(length: &[u8; 4], payload: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(length);
    hash.update(payload);
    hash.digest()
}
