//! Where sets, counters and postings are stored.
//!
//! A join asks a [`Storage`] for a [`Region`]. The default is [`Memory`]. Other implementations can enforce a budget, or
//! store data in files.

use std::fmt;
use std::fs::File;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use memmap2::MmapMut;

/// Provides room, from any thread.
pub trait Storage: fmt::Debug + Send + Sync {
    /// Returns zeroed room for `bytes` bytes. `purpose` names the use in error messages.
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Region, StorageError>;
}

/// Why there is no room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// There is not enough memory.
    #[error("out of memory: could not allocate another {} for {purpose}", Bytes(*.wanted))]
    OutOfMemory {
        /// The number of bytes requested.
        wanted: usize,
        /// The use that was intended.
        purpose: &'static str,
    },
    /// A file cannot be used.
    #[error("no room for {purpose}: {reason}")]
    File {
        /// The use that was intended.
        purpose: &'static str,
        /// The reason.
        reason: String,
    },
}

/// Memory, in huge pages where the system has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory;

impl Memory {
    /// Returns the storage in the form that a join takes.
    pub fn shared() -> Arc<dyn Storage> {
        Arc::new(Memory)
    }
}

impl Storage for Memory {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Region, StorageError> {
        Region::in_memory(bytes, purpose)
    }
}

/// A zeroed block of bytes, in memory or in a file.
///
/// Sets, counters and postings are most of what a run holds, and are accessed at random. With pages of 4 kB, nearly
/// every access would miss the TLB.
#[derive(Debug)]
pub struct Region {
    map: MmapMut,
}

/// The size of a huge page.
const PAGE: usize = 2 << 20;

impl Region {
    /// Allocates room in memory.
    pub fn in_memory(bytes: usize, purpose: &'static str) -> Result<Region, StorageError> {
        let unit = if bytes < PAGE { size_of::<u64>() } else { PAGE };
        let whole = bytes.max(1).checked_next_multiple_of(unit);
        let map = whole.and_then(|whole| MmapMut::map_anon(whole).ok());
        let map = map.ok_or(StorageError::OutOfMemory { wanted: whole.unwrap_or(bytes), purpose })?;
        // A hint: a system without huge pages uses small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Region { map })
    }

    /// Maps room in a file. The file must be empty, and grows to that size.
    ///
    /// # Safety
    ///
    /// Nobody else may write to the file or truncate it while the room exists.
    pub unsafe fn in_file(file: &File, bytes: usize, purpose: &'static str) -> Result<Region, StorageError> {
        let failed = |error: std::io::Error| StorageError::File { purpose, reason: error.to_string() };
        let whole = bytes.max(1).next_multiple_of(size_of::<u64>());
        file.set_len(whole as u64).map_err(failed)?;
        // SAFETY: the caller guarantees that nobody else changes the file.
        let map = unsafe { MmapMut::map_mut(file) }.map_err(failed)?;
        Ok(Region { map })
    }

    /// Returns the bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Returns the bytes, to be written.
    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }

    /// Returns the bytes as 64-bit numbers.
    #[inline]
    pub fn words(&self) -> &[u64] {
        // SAFETY: a map starts at a page and is a whole number of u64 long; any bytes are a u64.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / 8) }
    }

    /// Returns the bytes as 64-bit numbers, to be written.
    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.map.len() / 8) }
    }

    /// Returns the bytes as rows of this type, as many as fit.
    #[inline]
    pub(crate) fn rows<T: Plain>(&self) -> &[T] {
        // SAFETY: a map starts at a page, and any bytes are a row.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / size_of::<T>()) }
    }

    /// Returns the bytes as rows of this type, to be written.
    #[inline]
    pub(crate) fn rows_mut<T: Plain>(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.map.len() / size_of::<T>()) }
    }
}

/// A type of which any bytes are a value.
///
/// # Safety
///
/// Every pattern of bits must be a value of the type, zeros included.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: any bytes are a number.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}

/// A table of equally large rows in a room, all 0 at first.
#[derive(Debug)]
pub(crate) struct Table<T> {
    room: Region,
    rows: usize,
    of: PhantomData<T>,
}

impl<T: Plain> Table<T> {
    /// A table of `rows` rows.
    pub(crate) fn new(storage: &dyn Storage, rows: usize, purpose: &'static str) -> Result<Table<T>, StorageError> {
        let room = storage.allocate(rows * size_of::<T>(), purpose)?;
        Ok(Table { room, rows, of: PhantomData })
    }
}

impl<T: Plain> Deref for Table<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: a room starts at a page and has bytes for this many rows; any bytes are a row.
        unsafe { std::slice::from_raw_parts(self.room.map.as_ptr().cast(), self.rows) }
    }
}

impl<T: Plain> DerefMut for Table<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.room.map.as_mut_ptr().cast(), self.rows) }
    }
}

/// Formats a number of bytes for people, rounded up.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.iter().find(|(unit, _)| self.0 >= 4 * unit || (self.0 >= *unit && self.0.is_multiple_of(*unit))) {
            Some((unit, name)) => write!(f, "{} {name}", self.0.div_ceil(*unit)),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_wanted() {
        let message = |wanted| StorageError::OutOfMemory { wanted, purpose: "the sets" }.to_string();
        assert_eq!(message(32 << 20), "out of memory: could not allocate another 32 MiB for the sets");
        assert_eq!(message((5 << 30) + 1), "out of memory: could not allocate another 6 GiB for the sets");
        assert_eq!(message(3 << 9), "out of memory: could not allocate another 1536 bytes for the sets");
    }
}
