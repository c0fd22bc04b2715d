use crate::join::Records;
use crate::measure::Threshold;

/// What follows from a record's size, for all sizes that occur.
pub(super) struct Sizes {
    /// By size: the first record that is larger.
    after: Vec<u32>,
    /// By size: how many elements are indexed.
    indexed: Vec<u32>,
}

impl Sizes {
    pub(super) fn new(records: &Records, indexed: impl Fn(u32) -> u32) -> Sizes {
        let count = records.len() as u32;
        let largest = if count == 0 { 0 } else { records.size(count - 1) };
        assert!(i32::try_from(largest).is_ok(), "sets of fewer than 2^31 elements");
        let mut sizes = Sizes { after: vec![0; largest as usize + 1], indexed: vec![0; largest as usize + 1] };
        for record in 0..count {
            sizes.after[records.size(record) as usize] = record + 1;
        }
        let mut after = 0;
        for (size, slot) in sizes.after.iter_mut().enumerate() {
            if *slot > 0 {
                sizes.indexed[size] = indexed(size as u32);
                after = *slot;
            }
            *slot = after;
        }
        sizes
    }

    /// The first record that is larger than this.
    #[inline]
    pub(super) fn after(&self, size: u32) -> u32 {
        self.after[size as usize]
    }

    /// How many elements of a record of this size are indexed.
    #[inline]
    pub(super) fn indexed(&self, size: u32) -> u32 {
        self.indexed[size as usize]
    }
}

/// What the threshold demands of the partners of one size of record; computed anew only when the size changes.
pub(super) struct Probe {
    threshold: Threshold,
    size: u32,
    /// How many elements are looked up.
    pub(super) prefix: u32,
    /// The first record that is large enough.
    pub(super) least: u32,
    /// The first record that must share something.
    pub(super) needy: u32,
    /// The paper's α, by partner's size, from `smallest` on.
    needed: Vec<i32>,
    smallest: u32,
}

impl Probe {
    pub(super) fn new(threshold: Threshold) -> Probe {
        Probe { threshold, size: 0, prefix: 0, least: 0, needy: 0, needed: Vec::new(), smallest: 0 }
    }

    /// Gets ready for a record of this size, with partners up to the same.
    pub(super) fn set_size(&mut self, size: u32, sizes: &Sizes) {
        if size == self.size {
            return;
        }
        let smallest = self.threshold.partners(size).0.max(1);
        self.size = size;
        self.prefix = self.threshold.long_prefix(size);
        self.smallest = smallest;
        self.least = sizes.after((smallest - 1).min(size));
        self.needy = sizes.after(self.threshold.needless(size).min(size));
        self.needed.clear();
        self.needed.extend((smallest..=size).map(|partner| self.threshold.needed(size, partner) as i32));
    }

    /// How many elements a partner of this size must share: α.
    #[inline]
    pub(super) fn needed(&self, partner: u32) -> i32 {
        self.needed[(partner - self.smallest) as usize]
    }
}
