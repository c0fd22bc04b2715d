//! For every element a list of documents, which grows at its end and is shortened at its beginning.
//!
//! There are hundreds of thousands of lists, and most are short. So they do not lie each in memory of its own: lists that have room for
//! as many numbers lie side by side, and one that is full moves to where there is room for twice as many. All go at once.

use std::ops::Range;

use crate::arch::prefetch;

/// How many documents can be numbered. Numbers are short because lists are read from end to end, and memory is slow.
pub(super) const NUMBERS: usize = u16::MAX as usize;
/// Kinds of rooms: for 1, 2, 4, … numbers, and at last for all.
const KINDS: usize = 17;
/// Numbers in a cache line.
const LINE: usize = 32;
/// Numbers of a list that are asked for ahead of time. Those behind them follow by themselves.
const ASKED: usize = 8 * LINE;

#[derive(Default)]
pub(super) struct Lists {
    heads: Vec<Head>,
    rooms: [Rooms; KINDS],
}

/// Where the list of a code lies.
#[derive(Clone, Copy, Default)]
struct Head {
    /// Which room of its kind it has.
    room: u32,
    len: u16,
    /// The kind of its room, counted from 1; 0 if it has none yet.
    kind: u8,
}

/// All rooms of a kind.
#[derive(Default)]
struct Rooms {
    numbers: Vec<u16>,
    /// Those that a list has left.
    left: Vec<u32>,
}

impl Rooms {
    /// A room of so many numbers.
    fn take(&mut self, size: usize) -> u32 {
        self.left.pop().unwrap_or_else(|| {
            self.numbers.resize(self.numbers.len() + size, 0);
            (self.numbers.len() / size - 1) as u32
        })
    }
}

impl Head {
    /// Where it is among the rooms of its kind.
    #[inline]
    fn range(self) -> Range<usize> {
        let start = (self.room as usize) << (self.kind - 1);
        start..start + usize::from(self.len)
    }

    fn is_full(self) -> bool {
        self.kind == 0 || usize::from(self.len) == 1 << (self.kind - 1)
    }
}

impl Lists {
    /// Appends a number, which is greater than those in the list.
    pub(super) fn push(&mut self, code: usize, number: u16) {
        if self.heads.len() <= code {
            self.heads.resize(code + 1, Head::default());
        }
        let mut head = self.heads[code];
        if head.is_full() {
            let (smaller, larger) = self.rooms.split_at_mut(usize::from(head.kind));
            let moved = Head { room: larger[0].take(1 << head.kind), kind: head.kind + 1, ..head };
            if let Some(smaller) = smaller.last_mut() {
                larger[0].numbers[moved.range()].copy_from_slice(&smaller.numbers[head.range()]);
                smaller.left.push(head.room);
            }
            head = moved;
        }
        self.rooms[usize::from(head.kind - 1)].numbers[head.range().end] = number;
        self.heads[code] = Head { len: head.len + 1, ..head };
    }

    #[inline]
    pub(super) fn of(&self, code: usize) -> &[u16] {
        let Some(&head) = self.heads.get(code).filter(|head| head.len > 0) else { return &[] };
        &self.rooms[usize::from(head.kind - 1)].numbers[head.range()]
    }

    /// Drops the numbers below another.
    pub(super) fn drop_below(&mut self, first: u16) {
        for head in self.heads.iter_mut().filter(|head| head.len > 0) {
            let list = &mut self.rooms[usize::from(head.kind - 1)].numbers[head.range()];
            let gone = list.partition_point(|&number| number < first);
            list.copy_within(gone.., 0);
            head.len -= gone as u16;
        }
    }

    /// Asks for the memory that tells where a list is.
    #[inline]
    pub(super) fn ask_where(&self, code: usize) {
        prefetch(&self.heads, code);
    }

    /// Asks for the beginning of a list.
    #[inline]
    pub(super) fn ask_for(&self, code: usize) {
        let list = self.of(code);
        (0..list.len().min(ASKED)).step_by(LINE).for_each(|at| prefetch(list, at));
    }

    /// Asks for the end of a list.
    #[inline]
    pub(super) fn ask_for_end(&self, code: usize) {
        let list = self.of(code);
        prefetch(list, list.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As vectors would be.
        #[test]
        fn lists_are_as_they_were_filled(
            steps in prop::collection::vec((prop_oneof![0..3usize, 0..40usize], 0..20u8), 0..400),
        ) {
            let (mut lists, mut plain, mut number) = (Lists::default(), vec![Vec::new(); 40], 0);
            for (code, what) in steps {
                if what == 0 {
                    let first = number - number.min(code as u16 * 3);
                    lists.drop_below(first);
                    plain.iter_mut().for_each(|list: &mut Vec<u16>| list.retain(|&number| number >= first));
                } else {
                    number += 1;
                    lists.push(code, number);
                    plain[code].push(number);
                }
            }
            for (code, list) in plain.iter().enumerate() {
                prop_assert_eq!(lists.of(code), &list[..]);
            }
        }
    }
}
