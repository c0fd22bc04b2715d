//! How does a thread hand out the pairs it finds?

/// A buffer of pairs that a thread has found. It emits them in batches, the last one when it is dropped.
pub(crate) struct Outgoing<'a, P, E: Fn(&[P])> {
    emit: &'a E,
    pairs: Vec<P>,
    count: u64,
}

const SOME: usize = 4096;

impl<'a, P, E: Fn(&[P])> Outgoing<'a, P, E> {
    pub(crate) fn new(emit: &'a E) -> Outgoing<'a, P, E> {
        Outgoing { emit, pairs: Vec::new(), count: 0 }
    }

    pub(crate) fn push(&mut self, pair: P) {
        self.pairs.push(pair);
        self.count += 1;
        if self.pairs.len() >= SOME {
            self.flush();
        }
    }

    /// Adds pairs, and returns how many.
    pub(crate) fn extend(&mut self, pairs: impl Iterator<Item = P>) -> u64 {
        let before = self.count;
        pairs.for_each(|pair| self.push(pair));
        self.count - before
    }

    /// Returns the number of pairs so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn flush(&mut self) {
        if !self.pairs.is_empty() {
            (self.emit)(&self.pairs);
            self.pairs.clear();
        }
    }
}

impl<P, E: Fn(&[P])> Drop for Outgoing<'_, P, E> {
    fn drop(&mut self) {
        self.flush();
    }
}
