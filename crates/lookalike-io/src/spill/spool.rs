//! How are records written once, and read back in blocks that prove to be unchanged?
//!
//! A spool is a sequence of blocks. Each has a header of 12 bytes, the length of its content (4) and the XXH3 hash of it (8), and then the
//! content: whole records. A file with a name ends with one more header, of the length 2³² − 1 and the hash of the number of bytes before
//! it, so that a file that was cut is noticed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_64;

use super::space::{Space, rename};
use crate::error::Error;

/// Bytes of a block, if records allow.
const BLOCK: usize = 1 << 18;
/// Bytes of a header.
const HEADER: usize = 12;

/// A file that records are appended to.
pub struct Spool {
    space: Space,
    file: Option<File>,
    /// Bytes of a block.
    block: usize,
    buffer: Vec<u8>,
    len: u64,
    /// The name of the finished file, and the path of the unfinished one. A temporary file has none.
    name: Option<(String, Unfinished)>,
}

/// The path of a file that has not got its name yet. Dropping it removes the file.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After the file got its name, nothing is there.
        let _ = fs::remove_file(&self.0);
    }
}

impl Spool {
    /// Makes an empty spool. The file is created with the first full block.
    pub fn new(space: &Space) -> Spool {
        Spool { space: space.clone(), file: None, block: BLOCK, buffer: Vec::new(), len: 0, name: None }
    }

    /// Makes an empty spool in this file, which gets its name when it is finished.
    pub(super) fn named(space: &Space, file: File, name: &str, unfinished: PathBuf) -> Spool {
        Spool { file: Some(file), name: Some((name.to_string(), Unfinished(unfinished))), ..Spool::new(space) }
    }

    /// Sets the size of a block. Many spools at once need small ones.
    pub fn block(self, bytes: usize) -> Spool {
        Spool { block: bytes.clamp(1, BLOCK), ..self }
    }

    /// Appends whole records.
    pub fn append(&mut self, records: &[u8]) -> Result<(), Error> {
        if self.buffer.is_empty() {
            self.buffer.resize(HEADER, 0);
        }
        self.buffer.extend_from_slice(records);
        if self.buffer.len() - HEADER >= self.block { self.flush() } else { Ok(()) }
    }

    /// Returns the position of the next block if the next record begins one, for [`Spooled::blocks_from`].
    pub fn next_position(&self) -> Option<u64> {
        (self.buffer.len() <= HEADER).then_some(self.len)
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.buffer.len() <= HEADER {
            return Ok(());
        }
        let (header, content) = self.buffer.split_at_mut(HEADER);
        let len = u32::try_from(content.len()).map_err(|_| self.space.error(ErrorKind::FileTooLarge.into()))?;
        header[..4].copy_from_slice(&len.to_le_bytes());
        header[4..].copy_from_slice(&xxh3_64(content).to_le_bytes());
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(self.space.file()?),
        };
        file.write_all(&self.buffer).map_err(|source| self.space.error(source))?;
        self.space.count(self.buffer.len() as u64);
        self.len += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Ends the spool.
    pub fn finish(mut self) -> Result<Spooled, Error> {
        self.flush()?;
        let Spool { space, file, len, name, .. } = self;
        let Some((name, unfinished)) = name else { return Ok(Spooled { space, file, len, name: None }) };
        let finish = |mut file: &File| {
            file.write_all(&trailer(len))?;
            file.sync_all()?;
            rename(&unfinished.0, &space.folder().join(&name))
        };
        file.as_ref().map_or(Ok(()), finish).map_err(|source| space.error(source))?;
        Ok(Spooled { space, file, len, name: Some(name) })
    }
}

/// The end of a file with a name, after this many bytes.
fn trailer(len: u64) -> [u8; HEADER] {
    let mut trailer = [u8::MAX; HEADER];
    trailer[4..].copy_from_slice(&xxh3_64(&len.to_le_bytes()).to_le_bytes());
    trailer
}

/// A spool that is read.
pub struct Spooled {
    space: Space,
    file: Option<File>,
    len: u64,
    name: Option<String>,
}

impl Spooled {
    /// Opens a finished file with a name.
    pub(super) fn open(space: &Space, mut file: File, name: &str) -> Result<Spooled, Error> {
        let mut end = || -> io::Result<u64> {
            let len = file.metadata()?.len().checked_sub(HEADER as u64).ok_or_else(|| damaged(Some(name)))?;
            let mut found = [0; HEADER];
            file.seek(SeekFrom::Start(len))?;
            file.read_exact(&mut found)?;
            if found == trailer(len) { Ok(len) } else { Err(damaged(Some(name))) }
        };
        let len = end().map_err(|source| space.error(source))?;
        Ok(Spooled { space: space.clone(), file: Some(file), len, name: Some(name.to_string()) })
    }

    /// Reads the content of all blocks as one stream of bytes.
    pub fn stream(&mut self) -> Result<SpoolStream<'_>, Error> {
        Ok(SpoolStream { blocks: self.blocks()?, content: Vec::new(), at: 0 })
    }

    /// Returns the name of the file, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// Reads all blocks from the start.
    pub fn blocks(&mut self) -> Result<Blocks<'_>, Error> {
        self.blocks_from(0)
    }

    /// Reads the blocks from a position on, which [`Blocks::position`] returned.
    pub fn blocks_from(&mut self, position: u64) -> Result<Blocks<'_>, Error> {
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(position)).map_err(|source| self.space.error(source))?;
        }
        Ok(Blocks { left: self.len - position, spooled: self })
    }
}

/// The blocks of a spool, in the order in which they were written.
pub struct Blocks<'a> {
    spooled: &'a mut Spooled,
    left: u64,
}

impl Blocks<'_> {
    /// Returns where the next block begins, in bytes.
    pub fn position(&self) -> u64 {
        self.spooled.len - self.left
    }

    /// Reads the content of the next block. Returns false after the last.
    pub fn next_block(&mut self, content: &mut Vec<u8>) -> Result<bool, Error> {
        self.read(content).map_err(|source| self.spooled.space.error(source))
    }

    fn read(&mut self, content: &mut Vec<u8>) -> io::Result<bool> {
        let Some(file) = self.spooled.file.as_mut().filter(|_| self.left > 0) else { return Ok(false) };
        let name = self.spooled.name.as_deref();
        let damaged = || damaged(name);
        let mut header = [0; HEADER];
        file.read_exact(&mut header)?;
        let (len, hash) = header.split_at(4);
        let (len, hash) = (u32::from_le_bytes(len.try_into().unwrap_or_default()), hash.try_into().unwrap_or_default());
        let whole = u64::from(len) + HEADER as u64;
        if whole > self.left {
            return Err(damaged());
        }
        content.resize(len as usize, 0);
        file.read_exact(content)?;
        self.left -= whole;
        if xxh3_64(content) == u64::from_le_bytes(hash) { Ok(true) } else { Err(damaged()) }
    }
}

/// The error of a file that is not as it was written.
pub(super) fn damaged(name: Option<&str>) -> io::Error {
    let reason = match name {
        Some(name) => format!("{name} is truncated or corrupt. Use --restart to start again"),
        None => "a temporary file was changed by another process".to_string(),
    };
    io::Error::new(ErrorKind::InvalidData, reason)
}

/// The content of all blocks as one stream of bytes.
pub struct SpoolStream<'a> {
    blocks: Blocks<'a>,
    content: Vec<u8>,
    at: usize,
}

impl Read for SpoolStream<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.at == self.content.len() {
            self.at = 0;
            if !self.blocks.read(&mut self.content)? {
                self.content.clear();
                return Ok(0);
            }
        }
        let some = (self.content.len() - self.at).min(bytes.len());
        bytes[..some].copy_from_slice(&self.content[self.at..self.at + some]);
        self.at += some;
        Ok(some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(spooled: &mut Spooled) -> Result<Vec<u8>, Error> {
        let (mut all, mut content) = (Vec::new(), Vec::new());
        let mut blocks = spooled.blocks()?;
        while blocks.next_block(&mut content)? {
            all.extend_from_slice(&content);
        }
        Ok(all)
    }

    proptest! {
        #[test]
        fn read_as_written(records in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..20), 0..30), block in 0..40usize) {
            let mut spool = Spool::new(&Space::default()).block(block);
            let mut begun = Vec::new();
            for record in &records {
                // An empty record begins no block.
                begun.extend(spool.next_position().filter(|_| !record.is_empty()));
                spool.append(record).unwrap();
            }
            let mut spooled = spool.finish().unwrap();
            prop_assert_eq!(all(&mut spooled).unwrap(), records.concat());
            prop_assert_eq!(all(&mut spooled).unwrap(), records.concat());
            let mut positions = Vec::new();
            let (mut blocks, mut content) = (spooled.blocks().unwrap(), Vec::new());
            while let position = blocks.position() && blocks.next_block(&mut content).unwrap() {
                positions.push((position, content.clone()));
            }
            prop_assert!(positions.iter().map(|(position, _)| position).eq(&begun));
            for (position, expected) in positions.into_iter().rev() {
                prop_assert!(spooled.blocks_from(position).unwrap().next_block(&mut content).unwrap());
                prop_assert_eq!(&content, &expected);
            }
        }
    }

    #[test]
    fn a_changed_file_is_an_error() {
        for at in 0..62 {
            let mut spool = Spool::new(&Space::default());
            spool.append(&[7; 50]).unwrap();
            let mut spooled = spool.finish().unwrap();
            assert_eq!(spooled.bytes(), 62);
            let file = spooled.file.as_mut().unwrap();
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&[1]).unwrap();
            assert!(all(&mut spooled).is_err(), "{at}");
            spooled.file.as_mut().unwrap().set_len(at).unwrap();
            assert!(all(&mut spooled).is_err(), "cut at {at}");
        }
    }
}
