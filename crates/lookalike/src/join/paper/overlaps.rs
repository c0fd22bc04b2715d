//! How many common elements were counted for each record?

/// The paper's A: for every record, the number of common elements counted so far.
pub(super) struct Overlaps {
    by_record: Vec<i32>,
    /// The records that were counted when first met.
    counted: Met,
    /// The records that were dropped when first met.
    dropped: Met,
    /// The number of records that the suffix filter dropped.
    by_suffix: u64,
}

/// Records, with room for all.
struct Met {
    records: Vec<u32>,
    len: usize,
}

/// The count of a dropped record. It is so low that it stays below every bound.
pub(super) const DROPPED: i32 = i32::MIN;

impl Met {
    fn new(records: usize) -> Met {
        // One slot more than there are records, because the next one is always written.
        Met { records: vec![0; records + 1], len: 0 }
    }

    /// Adds a record if `added`. The condition is unpredictable, so there is no branch.
    #[inline]
    fn push_if(&mut self, added: bool, record: u32) {
        self.records[self.len] = record;
        self.len += usize::from(added);
    }
}

impl Overlaps {
    pub(super) fn new(records: usize) -> Overlaps {
        Overlaps { by_record: vec![0; records], counted: Met::new(records), dropped: Met::new(records), by_suffix: 0 }
    }

    /// Replaces a record's count by what `step` returns: a higher count, or [`DROPPED`].
    #[inline]
    pub(super) fn update(&mut self, record: u32, step: impl FnOnce(i32) -> i32) {
        let overlap = &mut self.by_record[record as usize];
        let first = *overlap == 0;
        *overlap = step(*overlap);
        let is_counted = *overlap > 0;
        self.counted.push_if(first && is_counted, record);
        self.dropped.push_if(first && !is_counted, record);
    }

    /// Adds records that the suffix filter dropped. Between two collections, a record may look through several lists.
    pub(super) fn dropped_by_suffix(&mut self, records: u64) {
        self.by_suffix += records;
    }

    /// Returns one of the records that were counted when first met, if there are that many.
    #[inline]
    pub(super) fn at(&self, at: usize) -> Option<u32> {
        self.counted.records[..self.counted.len].get(at).copied()
    }

    /// Returns how many records were counted when first met.
    pub(super) fn counted(&self) -> usize {
        self.counted.len
    }

    /// Returns one of these records and its count, and resets the count.
    #[inline]
    pub(super) fn take(&mut self, at: usize) -> (u32, i32) {
        let record = self.counted.records[at];
        (record, std::mem::take(&mut self.by_record[record as usize]))
    }

    /// Resets the rest, once all counts are taken. Returns how many records were met, and how many the suffix filter
    /// dropped.
    pub(super) fn clear(&mut self) -> (u64, u64) {
        for &record in &self.dropped.records[..self.dropped.len] {
            self.by_record[record as usize] = 0;
        }
        let met = self.counted.len + self.dropped.len;
        (self.counted.len, self.dropped.len) = (0, 0);
        (met as u64, std::mem::take(&mut self.by_suffix))
    }
}
