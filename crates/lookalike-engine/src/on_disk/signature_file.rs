//! The signatures of documents in a temporary file, in input order.

use std::sync::{Mutex, PoisonError};

use lookalike_io::spill::{Space, Spool, Spooled};

use super::directory::Directory;
use crate::error::Error;

/// Bytes of a block. Few documents are read at a time, from blocks of their own.
const BLOCK: usize = 1 << 14;

/// A file of signatures that is being written.
pub(crate) struct SignatureFileWriter {
    spool: Spool,
    directory: Directory,
    /// How many numbers a signature has, and whether the hash of a site follows them.
    width: usize,
    has_site: bool,
    documents: u32,
    record: Vec<u8>,
}

/// A file of signatures.
pub(crate) struct SignatureFile {
    spooled: Mutex<Spooled>,
    directory: Directory,
    width: usize,
    has_site: bool,
}

/// The numbers of some signatures, one after another, and the hashes of the sites if they have any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) numbers: Vec<u64>,
    pub(crate) sites: Vec<u64>,
}

impl SignatureFileWriter {
    /// For signatures of `width` numbers each. With `has_site`, every document also has the hash of a site.
    pub(crate) fn new(space: &Space, width: usize, has_site: bool) -> SignatureFileWriter {
        let (spool, directory) = (Spool::new(space).block(BLOCK), Directory::default());
        SignatureFileWriter { spool, directory, width, has_site, documents: 0, record: Vec::new() }
    }

    /// Sets the bytes of a block.
    #[cfg(test)]
    pub(crate) fn block(self, bytes: usize) -> SignatureFileWriter {
        SignatureFileWriter { spool: self.spool.block(bytes), ..self }
    }

    /// Appends the signatures of some documents.
    pub(crate) fn put(&mut self, Numbers { numbers, sites }: &Numbers) -> Result<(), Error> {
        for (at, own) in numbers.chunks_exact(self.width).enumerate() {
            let site = self.has_site.then(|| sites.get(at).copied().unwrap_or(0));
            self.record.clear();
            self.record.extend(own.iter().chain(&site).flat_map(|number| number.to_le_bytes()));
            self.directory.add(self.documents, self.spool.next_position());
            self.documents += 1;
            self.spool.append(&self.record)?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<SignatureFile, Error> {
        let SignatureFileWriter { spool, directory, width, has_site, .. } = self;
        Ok(SignatureFile { spooled: Mutex::new(spool.finish()?), directory, width, has_site })
    }
}

impl SignatureFile {
    /// The numbers of a document in the file.
    fn record(&self) -> usize {
        self.width + usize::from(self.has_site)
    }

    /// Appends a document.
    fn take(&self, record: &[[u8; 8]], Numbers { numbers, sites }: &mut Numbers) {
        let mut all = record.iter().map(|bytes| u64::from_le_bytes(*bytes));
        numbers.extend(all.by_ref().take(self.width));
        sites.extend(all);
    }

    /// Loads the signatures of some lists of documents, one after another. Each list is ascending.
    pub(crate) fn load(&self, lists: &[&[u32]]) -> Result<Numbers, Error> {
        let documents = lists.iter().map(|list| list.len()).sum::<usize>();
        let mut loaded = Numbers { numbers: Vec::with_capacity(self.width * documents), sites: Vec::new() };
        let (mut spooled, mut content) = (self.spooled.lock().unwrap_or_else(PoisonError::into_inner), Vec::new());
        for list in lists {
            for (position, first, own) in self.directory.blocks_of(list) {
                spooled.blocks_from(position)?.next_block(&mut content)?;
                let records = content.as_chunks::<8>().0;
                for document in own {
                    let start = (document - first) as usize * self.record();
                    self.take(&records[start..start + self.record()], &mut loaded);
                }
            }
        }
        Ok(loaded)
    }

    /// Calls `each` with the first document of every block and the signatures of its documents, in order.
    pub(crate) fn for_each_block(&self, mut each: impl FnMut(u32, &Numbers) -> Result<(), Error>) -> Result<(), Error> {
        let mut spooled = self.spooled.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut blocks, mut content, mut own, mut first) = (spooled.blocks()?, Vec::new(), Numbers::default(), 0);
        while blocks.next_block(&mut content)? {
            own.numbers.clear();
            own.sites.clear();
            content.as_chunks::<8>().0.chunks_exact(self.record()).for_each(|record| self.take(record, &mut own));
            each(first, &own)?;
            first += (own.numbers.len() / self.width) as u32;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn loaded_as_written(
            documents in proptest::collection::vec((any::<[u64; 3]>(), any::<u64>()), 0..60),
            has_site in any::<bool>(),
            block in 1..200usize,
            chosen in proptest::collection::vec(any::<bool>(), 60),
        ) {
            let of = |some: &[([u64; 3], u64)]| Numbers {
                numbers: some.iter().flat_map(|(numbers, _)| *numbers).collect(),
                sites: some.iter().filter(|_| has_site).map(|(_, site)| *site).collect(),
            };
            let mut writer = SignatureFileWriter::new(&Space::default(), 3, has_site).block(block);
            documents.chunks(7).for_each(|some| writer.put(&of(some)).unwrap());
            let file = writer.finish().unwrap();
            let mut all = Numbers::default();
            file.for_each_block(|first, own| {
                assert_eq!(first as usize, all.numbers.len() / 3);
                all.numbers.extend_from_slice(&own.numbers);
                all.sites.extend_from_slice(&own.sites);
                Ok(())
            }).unwrap();
            prop_assert_eq!(all, of(&documents));
            let (one, two): (Vec<u32>, Vec<u32>) = (0..documents.len() as u32).partition(|&at| chosen[at as usize]);
            let expected: Vec<([u64; 3], u64)> = one.iter().chain(&two).map(|&at| documents[at as usize]).collect();
            prop_assert_eq!(file.load(&[&one, &two]).unwrap(), of(&expected));
        }
    }
}
