//! What are the random numbers of a document? SplitMix64, whose state depends on the seed and the document's number only.

/// Random numbers that anyone can draw again who knows where they began.
pub struct Random {
    state: u64,
}

impl Random {
    /// The numbers of stream `stream` of document `number`.
    pub fn new(seed: u64, number: u64, stream: u64) -> Random {
        let mut random = Random { state: seed };
        random.state = random.next() ^ number;
        random.state = random.next() ^ stream;
        random
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A number of `first..=last`.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// A number above 0 and up to 1.
    pub fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// A number below `end`, small ones more often: number k is drawn in proportion to about 1/√k.
    pub fn low(&mut self, end: u64) -> u64 {
        // Square roots and products are the same on every machine; powers and logarithms are not.
        let unit = self.unit();
        ((unit * unit * end as f64) as u64).min(end - 1)
    }
}
