/// The paper's A: of every record, how many shared elements were counted.
pub(super) struct Overlaps {
    by_record: Vec<i32>,
    /// The records with a count, first come first: the first so many.
    touched: Vec<u32>,
    count: usize,
    /// How many of them the suffix filter has dropped.
    by_suffix: u64,
}

/// A record that a filter has dropped. So little that it stays below any bound, whatever is still to come.
pub(super) const DROPPED: i32 = i32::MIN;

impl Overlaps {
    pub(super) fn new(records: usize) -> Overlaps {
        // One slot more than can be touched: the next one is always written, see below.
        Overlaps { by_record: vec![0; records], touched: vec![0; records + 1], count: 0, by_suffix: 0 }
    }

    /// Replaces a record's count by what `step` makes of it, which is not 0.
    #[inline]
    pub(super) fn update(&mut self, record: u32, step: impl FnOnce(i32) -> i32) {
        let overlap = &mut self.by_record[record as usize];
        // Whether it is the first time is anyone's guess, also the processor's: so no branch.
        self.touched[self.count] = record;
        self.count += usize::from(*overlap == 0);
        *overlap = step(*overlap);
    }

    /// How many records have a count.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The record that was touched so many others after the first, and its count, which is forgotten.
    #[inline]
    pub(super) fn take(&mut self, at: usize) -> (u32, i32) {
        let record = self.touched[at];
        (record, std::mem::take(&mut self.by_record[record as usize]))
    }

    /// Says how many records the suffix filter has dropped.
    pub(super) fn dropped_by_suffix(&mut self, records: u64) {
        self.by_suffix = records;
    }

    /// To be called when all counts are taken; returns how many records the suffix filter has dropped.
    pub(super) fn clear(&mut self) -> u64 {
        self.count = 0;
        std::mem::take(&mut self.by_suffix)
    }
}
