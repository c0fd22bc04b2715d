//! Sets in a temporary file, looked up by document.

use std::sync::{Mutex, PoisonError};

use lookalike_io::spill::Spooled;

use crate::error::Error;
use crate::on_disk::{SetFile, SetsOfBlock};

/// Blocks that stay in memory after they were read.
const CACHED: usize = 4;

/// Sets that are read when they are needed.
pub(crate) struct SetLookup {
    /// The first document of each block, and where the block begins.
    blocks: Vec<(u32, u64)>,
    read: Mutex<Read>,
}

struct Read {
    spooled: Spooled,
    /// Blocks that were read, each in the place that its index names.
    cache: Vec<(usize, SetsOfBlock)>,
}

impl SetLookup {
    /// The sets of a file.
    pub(super) fn of(mut file: SetFile) -> Result<SetLookup, Error> {
        let (mut blocks, mut block) = (Vec::new(), SetsOfBlock::default());
        let mut from = file.spooled.blocks()?;
        while let position = from.position()
            && block.read(&mut from)?
        {
            blocks.extend(block.sets().next().map(|(document, _)| (document, position)));
        }
        let cache = (0..CACHED).map(|_| (usize::MAX, SetsOfBlock::default())).collect();
        Ok(SetLookup { blocks, read: Mutex::new(Read { spooled: file.spooled, cache }) })
    }

    /// Appends the set of a document. There is nothing to append if it is not in the file.
    pub(crate) fn read(&self, document: u32, elements: &mut Vec<u64>) -> Result<(), Error> {
        let Some(index) = self.blocks.partition_point(|(first, _)| *first <= document).checked_sub(1) else {
            return Ok(());
        };
        let Read { spooled, cache } = &mut *self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let (cached, block) = &mut cache[index % CACHED];
        if *cached != index {
            *cached = usize::MAX;
            block.read(&mut spooled.blocks_from(self.blocks[index].1)?)?;
            *cached = index;
        }
        elements.extend_from_slice(block.set(document).unwrap_or_default());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_disk::SetFileWriter;
    use lookalike_io::spill::Space;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn found_as_written(
            sets in proptest::collection::btree_map(0..200u32, proptest::collection::vec(any::<u64>(), 1..9), 0..60),
            block in 1..400usize,
        ) {
            let mut file = SetFileWriter::new(&Space::default()).block(block);
            sets.iter().for_each(|(&document, set)| file.put(document, set).unwrap());
            let lookup = SetLookup::of(file.finish().unwrap()).unwrap();
            for document in (0..210).chain((0..210).rev()) {
                let mut found = Vec::new();
                lookup.read(document, &mut found).unwrap();
                prop_assert_eq!(Some(&found).filter(|found| !found.is_empty()), sets.get(&document));
            }
        }
    }
}
