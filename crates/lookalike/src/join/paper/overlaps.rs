/// The paper's A: of every record, how many shared elements were counted.
pub(super) struct Overlaps {
    by_record: Vec<i32>,
    /// The records that were counted when they were first met.
    counted: Met,
    /// The records that were dropped when they were first met.
    dropped: Met,
    /// How many the suffix filter has dropped.
    by_suffix: u64,
}

/// So many records, and room for all.
struct Met {
    records: Vec<u32>,
    len: usize,
}

/// The count of a record that a filter has dropped: so little that it stays below any bound, whatever is still to come.
pub(super) const DROPPED: i32 = i32::MIN;

impl Met {
    fn new(records: usize) -> Met {
        // One slot more than there are records: the next one is always written.
        Met { records: vec![0; records + 1], len: 0 }
    }

    /// Adds a record, if it is to be added. Whether it is is anyone's guess, also the processor's: so no branch.
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

    /// Replaces a record's count by what `step` makes of it: more, or [`DROPPED`].
    #[inline]
    pub(super) fn update(&mut self, record: u32, step: impl FnOnce(i32) -> i32) {
        let overlap = &mut self.by_record[record as usize];
        let first = *overlap == 0;
        *overlap = step(*overlap);
        let is_counted = *overlap > 0;
        self.counted.push_if(first && is_counted, record);
        self.dropped.push_if(first && !is_counted, record);
    }

    /// Says how many records the suffix filter has dropped.
    pub(super) fn dropped_by_suffix(&mut self, records: u64) {
        self.by_suffix = records;
    }

    /// One of the records that were counted when they were first met, if there are as many.
    #[inline]
    pub(super) fn at(&self, at: usize) -> Option<u32> {
        self.counted.records[..self.counted.len].get(at).copied()
    }

    /// How many records were counted when they were first met.
    pub(super) fn counted(&self) -> usize {
        self.counted.len
    }

    /// One of those and its count, which is forgotten.
    #[inline]
    pub(super) fn take(&mut self, at: usize) -> (u32, i32) {
        let record = self.counted.records[at];
        (record, std::mem::take(&mut self.by_record[record as usize]))
    }

    /// Forgets the rest, when all counts are taken. Returns how many records were met, and how many the suffix filter has dropped.
    pub(super) fn clear(&mut self) -> (u64, u64) {
        for &record in &self.dropped.records[..self.dropped.len] {
            self.by_record[record as usize] = 0;
        }
        let met = self.counted.len + self.dropped.len;
        (self.counted.len, self.dropped.len) = (0, 0);
        (met as u64, std::mem::take(&mut self.by_suffix))
    }
}
