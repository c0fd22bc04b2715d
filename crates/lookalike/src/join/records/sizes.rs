//! Which records are larger than a size?

use super::coded::Records;

/// By size, the first record that is larger. Records are ordered by size.
pub(in crate::join) struct Sizes {
    after: Vec<u32>,
}

impl Sizes {
    pub(in crate::join) fn new(records: &Records) -> Sizes {
        let count = records.len() as u32;
        let largest = if count == 0 { 0 } else { records.size(count - 1) };
        let mut after = vec![0; largest as usize + 1];
        for record in 0..count {
            after[records.size(record) as usize] = record + 1;
        }
        let mut last = 0;
        for slot in &mut after {
            last = last.max(*slot);
            *slot = last;
        }
        Sizes { after }
    }

    /// Returns the first record larger than this, or the number of records.
    #[inline]
    pub(in crate::join) fn after(&self, size: u32) -> u32 {
        self.after[(size as usize).min(self.after.len() - 1)]
    }
}
