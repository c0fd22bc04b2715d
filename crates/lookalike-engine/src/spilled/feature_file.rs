//! The features of documents in a temporary file, in input order.

use std::sync::{Mutex, PoisonError};

use lookalike_io::spill::{Space, Spool, Spooled};

use super::directory::Directory;
use crate::error::Error;

/// Bytes of a block.
const BLOCK: usize = 1 << 16;

/// A file of features that is being written.
pub(crate) struct FeatureFileWriter {
    spool: Spool,
    directory: Directory,
    /// Features of a document.
    width: usize,
    documents: u32,
    record: Vec<u8>,
}

/// A file of features.
pub(crate) struct FeatureFile {
    spooled: Mutex<Spooled>,
    directory: Directory,
    width: usize,
}

impl FeatureFileWriter {
    /// For documents with `width` features each.
    pub(crate) fn new(space: &Space, width: usize) -> FeatureFileWriter {
        let spool = Spool::new(space).block(BLOCK);
        FeatureFileWriter { spool, directory: Directory::default(), width, documents: 0, record: Vec::new() }
    }

    /// Sets the bytes of a block.
    #[cfg(test)]
    pub(crate) fn block(self, bytes: usize) -> FeatureFileWriter {
        FeatureFileWriter { spool: self.spool.block(bytes), ..self }
    }

    /// Appends the features of some documents.
    pub(crate) fn put(&mut self, features: &[u64]) -> Result<(), Error> {
        for own in features.chunks_exact(self.width) {
            self.record.clear();
            self.record.extend(own.iter().flat_map(|feature| feature.to_le_bytes()));
            self.directory.add(self.documents, self.spool.next_position());
            self.documents += 1;
            self.spool.append(&self.record)?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<FeatureFile, Error> {
        let FeatureFileWriter { spool, directory, width, .. } = self;
        Ok(FeatureFile { spooled: Mutex::new(spool.finish()?), directory, width })
    }
}

impl FeatureFile {
    /// Loads the features of some lists of documents, one after another. Each list is ascending.
    pub(crate) fn load(&self, lists: &[&[u32]]) -> Result<Vec<u64>, Error> {
        let mut features = Vec::with_capacity(self.width * lists.iter().map(|list| list.len()).sum::<usize>());
        let (mut spooled, mut content) = (self.spooled.lock().unwrap_or_else(PoisonError::into_inner), Vec::new());
        for list in lists {
            for (position, first, own) in self.directory.blocks_of(list) {
                spooled.blocks_from(position)?.next_block(&mut content)?;
                let numbers = content.as_chunks::<8>().0;
                for document in own {
                    let start = (document - first) as usize * self.width;
                    features.extend(numbers[start..start + self.width].iter().map(|bytes| u64::from_le_bytes(*bytes)));
                }
            }
        }
        Ok(features)
    }

    /// Calls `each` with every document and its features, in order.
    pub(crate) fn for_each(&self, mut each: impl FnMut(u32, &[u64]) -> Result<(), Error>) -> Result<(), Error> {
        let mut spooled = self.spooled.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut blocks, mut content, mut features, mut document) = (spooled.blocks()?, Vec::new(), Vec::new(), 0);
        while blocks.next_block(&mut content)? {
            features.clear();
            features.extend(content.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)));
            for own in features.chunks_exact(self.width) {
                each(document, own)?;
                document += 1;
            }
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
            documents in proptest::collection::vec(any::<[u64; 3]>(), 0..60),
            block in 1..200usize,
            chosen in proptest::collection::vec(any::<bool>(), 60),
        ) {
            let mut writer = FeatureFileWriter::new(&Space::default(), 3).block(block);
            documents.chunks(7).for_each(|some| writer.put(some.as_flattened()).unwrap());
            let file = writer.finish().unwrap();
            let mut all = Vec::new();
            file.for_each(|document, features| {
                all.push((document as usize, features.to_vec()));
                Ok(())
            }).unwrap();
            prop_assert!(all.iter().map(|(document, features)| (*document, &features[..]))
                .eq(documents.iter().map(|features| &features[..]).enumerate()));
            let (one, two): (Vec<u32>, Vec<u32>) = (0..documents.len() as u32).partition(|&at| chosen[at as usize]);
            let expected: Vec<u64> = one.iter().chain(&two).flat_map(|&at| documents[at as usize]).collect();
            prop_assert_eq!(file.load(&[&one, &two]).unwrap(), expected);
        }
    }
}
