//! How is what was read saved in the folder of a run, and loaded again?

use std::io::{self, ErrorKind, Read};

use lookalike::engine::{Memory, Sieve};
use lookalike_io::spill::{RunFolder, SpilledText, Spool, SpoolStream};

use crate::error::{Error, Problem};
use crate::read::{Collection, Documents, Key, Tally};

/// Bytes that are written at a time.
const CHUNK: usize = 1 << 16;

/// Writes numbers and bytes.
pub(super) struct Writer(Spool);

impl Writer {
    pub(super) fn new(spool: Spool) -> Writer {
        Writer(spool)
    }

    pub(super) fn number(&mut self, number: u64) -> Result<(), Error> {
        Ok(self.0.append(&number.to_le_bytes())?)
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.number(bytes.len() as u64)?;
        bytes.chunks(CHUNK).try_for_each(|chunk| Ok(self.0.append(chunk)?))
    }

    /// Writes a text that may not be in memory.
    fn text(&mut self, text: &SpilledText) -> Result<(), Error> {
        self.number(text.len() as u64)?;
        let mut chunk = Vec::with_capacity(CHUNK);
        for start in (0..text.len()).step_by(CHUNK) {
            chunk.clear();
            text.read(start..text.len().min(start + CHUNK), &mut chunk)?;
            self.0.append(&chunk)?;
        }
        Ok(())
    }

    /// Writes a list of things of `N` bytes.
    pub(super) fn list<T, const N: usize>(&mut self, list: &[T], of: impl Fn(&T) -> [u8; N]) -> Result<(), Error> {
        self.number(list.len() as u64)?;
        let mut chunk = Vec::with_capacity(CHUNK);
        for some in list.chunks(CHUNK / N) {
            chunk.clear();
            some.iter().for_each(|one| chunk.extend_from_slice(&of(one)));
            self.0.append(&chunk)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        self.0.finish()?;
        Ok(())
    }
}

/// Reads what [`Writer`] wrote.
pub(super) struct Reader<'a>(pub(super) SpoolStream<'a>);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn number(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(super) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let len = self.number()?;
        let mut bytes = Vec::new();
        (&mut self.0).take(len).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == len { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads a text that may not fit in memory.
    fn text_to(&mut self, text: &mut SpilledText) -> io::Result<()> {
        let (mut left, mut bytes) = (self.number()?, Vec::new());
        while left > 0 {
            let wanted = left.min(CHUNK as u64);
            left -= wanted;
            if (&mut self.0).take(wanted).read_to_end(&mut bytes)? as u64 != wanted {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            // The last character may be cut. The rest of it comes with the next bytes.
            let whole = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
            if bytes.len() - whole > 3 || left == 0 && whole < bytes.len() {
                return Err(ErrorKind::InvalidData.into());
            }
            let valid = std::str::from_utf8(&bytes[..whole]).map_err(|_| io::Error::from(ErrorKind::InvalidData))?;
            text.push(valid).map_err(io::Error::other)?;
            bytes.drain(..whole);
        }
        Ok(())
    }

    fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.bytes()?).map_err(|_| ErrorKind::InvalidData.into())
    }

    pub(super) fn list<T, const N: usize>(&mut self, of: impl Fn([u8; N]) -> T) -> io::Result<Vec<T>> {
        let len = self.number()?;
        (0..len).map(|_| Ok(of(self.array()?))).collect()
    }
}

/// Saves the documents that were read.
pub(super) fn save_documents(folder: &RunFolder, name: &str, collection: &Collection) -> Result<(), Error> {
    let mut writer = Writer::new(folder.spool(name)?);
    let (ends, rows, id_ends, inputs) = collection.documents.parts();
    let ids = collection.documents.ids();
    writer.list(ends, |end| end.to_le_bytes())?;
    writer.list(rows, |row| row.to_le_bytes())?;
    writer.text(ids)?;
    writer.list(id_ends, |&end| (end as u64).to_le_bytes())?;
    writer.number(inputs.into())?;
    writer.list(&collection.set_hashes, |set_hash| set_hash.to_le_bytes())?;
    writer.list(&collection.sizes, |size| size.to_le_bytes())?;
    writer.list(&collection.within, |key| key.to_le_bytes())?;
    writer.list(&collection.hashes, |hash| hash.to_le_bytes())?;
    writer.list(&collection.starts, |&(number, first)| {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
        bytes[8..].copy_from_slice(&first.to_le_bytes());
        bytes
    })?;
    writer.list(&collection.unreadable, |&(source, row)| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(source as u64).to_le_bytes());
        bytes[8..].copy_from_slice(&row.to_le_bytes());
        bytes
    })?;
    writer.number(collection.keys.len() as u64)?;
    collection.keys.iter().try_for_each(|key| writer.bytes(&key.to_bytes()))?;
    let Tally { text_bytes, empty, unusable, unreadable, problems, .. } = &collection.tally;
    [*text_bytes, *empty, *unusable, *unreadable, problems.len() as u64]
        .into_iter()
        .try_for_each(|n| writer.number(n))?;
    for Problem { file, row, reason } in problems {
        writer.bytes(file.as_bytes())?;
        writer.number(*row)?;
        writer.bytes(reason.as_bytes())?;
    }
    writer.finish()
}

/// Loads the documents that were saved into `documents`, which has none yet.
pub(super) fn load_documents(folder: &RunFolder, name: &str, mut documents: Documents) -> Result<Collection, Error> {
    let mut spooled = folder.spooled(name)?;
    let mut reader = Reader(spooled.stream()?);
    let load = || -> io::Result<Collection> {
        let ends = reader.list(u32::from_le_bytes)?;
        let rows = reader.list(u64::from_le_bytes)?;
        reader.text_to(documents.ids_mut())?;
        let id_ends = reader.list(|bytes| u64::from_le_bytes(bytes) as usize)?;
        let inputs = reader.number()? as u32;
        let mut collection = Collection::new(documents.with_parts(ends, rows, id_ends, inputs));
        collection.set_hashes = reader.list(u128::from_le_bytes)?;
        collection.sizes = reader.list(u32::from_le_bytes)?;
        collection.within = reader.list(u64::from_le_bytes)?;
        collection.hashes = reader.list(u64::from_le_bytes)?;
        let two = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        collection.starts = reader.list(|bytes: [u8; 12]| {
            let [a, b, c, d] = [bytes[8], bytes[9], bytes[10], bytes[11]];
            (two(&bytes[..8]) as usize, u32::from_le_bytes([a, b, c, d]))
        })?;
        collection.unreadable = reader.list(|bytes: [u8; 16]| (two(&bytes[..8]) as usize, two(&bytes[8..])))?;
        let keys = reader.number()?;
        let key = |reader: &mut Reader| Key::from_bytes(&reader.bytes()?).ok_or(ErrorKind::InvalidData.into());
        collection.keys = (0..keys).map(|_| key(&mut reader)).collect::<io::Result<_>>()?;
        let [text_bytes, empty, unusable, unreadable, problems] =
            [(); 5].map(|()| reader.number()).into_iter().collect::<io::Result<Vec<u64>>>()?[..]
        else {
            return Err(ErrorKind::InvalidData.into());
        };
        let mut problem = || Ok(Problem { file: reader.text()?, row: reader.number()?, reason: reader.text()? });
        let problems = (0..problems).map(|_| problem()).collect::<io::Result<_>>()?;
        collection.tally = Tally { text_bytes, empty, unusable, unreadable, problems, ..Tally::default() };
        Ok(collection)
    };
    load().map_err(|source| lookalike_io::Error::Spool { path: folder.path().join(name), source }.into())
}

/// Saves a sieve.
pub(super) fn save_sieve(folder: &RunFolder, name: &str, sieve: &mut Sieve) -> Result<(), Error> {
    let mut writer = Writer::new(folder.spool(name)?);
    writer.bytes(sieve.table())?;
    writer.finish()
}

/// Loads a sieve.
pub(super) fn load_sieve(folder: &RunFolder, name: &str) -> Result<Sieve, Error> {
    let mut spooled = folder.spooled(name)?;
    let mut reader = Reader(spooled.stream()?);
    let failed = |source| lookalike_io::Error::Spool { path: folder.path().join(name), source };
    let len = reader.number().map_err(failed)?;
    let mut sieve = Sieve::new(&Memory, len as usize).map_err(lookalike::engine::JoinError::from)?;
    reader.0.read_exact(sieve.table()).map_err(failed)?;
    Ok(sieve)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_io::spill::Space;

    #[test]
    fn a_text_in_pieces() {
        for text in ["", "x", &"né日".repeat(100_000)] {
            let space = Space::default();
            let mut written = SpilledText::new(&space, 1000);
            written.push(text).unwrap();
            let mut writer = Writer::new(Spool::new(&space));
            writer.text(&written).unwrap();
            let mut spooled = writer.0.finish().unwrap();
            let mut read = SpilledText::new(&space, 2000);
            Reader(spooled.stream().unwrap()).text_to(&mut read).unwrap();
            assert!(read.get(0..read.len()).unwrap() == text);
        }
    }
}
