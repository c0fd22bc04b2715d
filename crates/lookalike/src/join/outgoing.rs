use super::Pair;

/// Pairs on their way out of a thread, some at a time; the last when it is dropped.
pub(super) struct Outgoing<'a, E: Fn(&[Pair])> {
    emit: &'a E,
    pairs: Vec<Pair>,
    count: u64,
}

const SOME: usize = 4096;

impl<'a, E: Fn(&[Pair])> Outgoing<'a, E> {
    pub(super) fn new(emit: &'a E) -> Outgoing<'a, E> {
        Outgoing { emit, pairs: Vec::new(), count: 0 }
    }

    pub(super) fn push(&mut self, pair: Pair) {
        self.pairs.push(pair);
        self.count += 1;
        if self.pairs.len() >= SOME {
            self.flush();
        }
    }

    /// Adds some, and tells how many.
    pub(super) fn extend(&mut self, pairs: impl Iterator<Item = Pair>) -> u64 {
        let before = self.count;
        pairs.for_each(|pair| self.push(pair));
        self.count - before
    }

    /// How many there were.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn flush(&mut self) {
        if !self.pairs.is_empty() {
            (self.emit)(&self.pairs);
            self.pairs.clear();
        }
    }
}

impl<E: Fn(&[Pair])> Drop for Outgoing<'_, E> {
    fn drop(&mut self) {
        self.flush();
    }
}
