//! Which documents does a segment hold?

use std::io::{self, Read, Write};

use super::numbers::{put, take};

/// The documents of a segment, except for what an index stores.
#[derive(Default)]
pub(super) struct Segment {
    sizes: Vec<u32>,
    times: Vec<i64>,
    arrivals: Vec<u64>,
    is_removed: Vec<bool>,
    removed: usize,
}

impl Segment {
    pub(super) fn push(&mut self, size: u32, time: i64, arrival: u64) -> u32 {
        self.sizes.push(size);
        self.times.push(time);
        self.arrivals.push(arrival);
        self.is_removed.push(false);
        u32::try_from(self.sizes.len() - 1).expect("a segment of at most 2^32 documents")
    }

    /// Removes a document, and returns whether it was there.
    pub(super) fn remove(&mut self, slot: u32) -> bool {
        let was_there = self.is_removed.get_mut(slot as usize).is_some_and(|removed| !std::mem::replace(removed, true));
        self.removed += usize::from(was_there);
        was_there
    }

    /// The number of documents ever added.
    pub(super) fn slots(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn live(&self) -> usize {
        self.sizes.len() - self.removed
    }

    /// Bytes of memory, including spare capacity.
    pub(super) fn bytes(&self) -> usize {
        let Segment { sizes, times, arrivals, is_removed, .. } = self;
        size_of::<Segment>()
            + 4 * sizes.capacity()
            + 8 * (times.capacity() + arrivals.capacity())
            + is_removed.capacity()
    }

    pub(super) fn size(&self, slot: u32) -> u32 {
        self.sizes[slot as usize]
    }

    pub(super) fn arrival(&self, slot: u32) -> u64 {
        self.arrivals[slot as usize]
    }

    pub(super) fn time(&self, slot: u32) -> Option<i64> {
        let is_removed = *self.is_removed.get(slot as usize)?;
        (!is_removed).then(|| self.times[slot as usize])
    }

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, self.sizes.iter().copied())?;
        put(out, self.times.iter().copied())?;
        put(out, self.arrivals.iter().copied())?;
        put(out, self.is_removed.iter().map(|&is_removed| u8::from(is_removed)))
    }

    pub(super) fn load(from: &mut impl Read) -> io::Result<Segment> {
        let (sizes, times, arrivals) = (take(from)?, take(from)?, take(from)?);
        let is_removed: Vec<bool> = take::<u8>(from)?.into_iter().map(|is_removed| is_removed > 0).collect();
        let removed = is_removed.iter().filter(|&&is_removed| is_removed).count();
        Ok(Segment { sizes, times, arrivals, is_removed, removed })
    }
}
