//! How are slow properties of characters cached?

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const CODE_POINTS: usize = 0x11_0000;

/// A property of characters that is slow to compute: one byte per code point, filled in as characters occur.
///
/// The table is in zero pages until it is written, so a text in two scripts costs a few kilobytes and no start-up time.
/// If two threads compute the same character, they write the same byte.
pub(crate) struct CharMemo {
    known: [AtomicU8; CODE_POINTS],
    /// Must never return 0, which marks a character that has not been computed.
    find: fn(char) -> u8,
}

impl CharMemo {
    pub(crate) const fn new(find: fn(char) -> u8) -> CharMemo {
        CharMemo { known: [const { AtomicU8::new(0) }; CODE_POINTS], find }
    }

    #[inline]
    pub(crate) fn get(&self, c: char) -> u8 {
        match self.known[c as usize].load(Relaxed) {
            0 => self.fill(c),
            known => known,
        }
    }

    #[cold]
    fn fill(&self, c: char) -> u8 {
        let value = (self.find)(c);
        debug_assert_ne!(value, 0);
        self.known[c as usize].store(value, Relaxed);
        value
    }
}
