//! How are the lists of all elements stored? Each is ascending, in bands; a band grows at its end and shrinks at its
//! start.
//!
//! There are hundreds of thousands of lists, and most are short, so they do not have their own allocations. Lists with
//! the same capacity are stored side by side, and a full list moves to where there is twice the capacity. All are freed
//! together.

use std::io::{self, Read, Write};
use std::ops::Range;

use crate::arch::prefetch;
use crate::window::numbers::{put, take};

/// How many documents can be numbered. Numbers are short because many are read, and memory is slow.
pub(super) const NUMBERS: usize = u16::MAX as usize;
/// Maximum number of bands. The numbers of a band are below those of the next.
pub(super) const BANDS: usize = 8;
/// Capacities: 1, 2, 4, … numbers, and finally all.
const KINDS: usize = 17;
/// Numbers in a cache line.
const LINE: usize = 32;
/// How many numbers of a list to prefetch. The hardware prefetches the rest.
const PREFETCHED: usize = 8 * LINE;
/// How many lists ahead to prefetch when all are walked.
const AHEAD: usize = 16;

#[derive(Default)]
pub(super) struct Lists {
    heads: Vec<Head>,
    rooms: [Rooms; KINDS],
}

/// The position of a code's list.
#[derive(Clone, Copy, Default)]
struct Head {
    /// Its index among the lists of the same capacity.
    room: u32,
    /// By band, where it ends in the list.
    ends: [u16; BANDS],
    /// Its capacity class, counted from 1; 0 if it has no memory yet.
    kind: u8,
}

/// All lists of one capacity.
#[derive(Default)]
struct Rooms {
    numbers: Vec<u16>,
    /// Free places.
    left: Vec<u32>,
}

impl Rooms {
    /// Takes a place for a list of this capacity.
    fn take(&mut self, size: usize) -> u32 {
        self.left.pop().unwrap_or_else(|| {
            self.numbers.resize(self.numbers.len() + size, 0);
            u32::try_from(self.numbers.len() / size - 1).expect("at most 2^32 lists")
        })
    }
}

impl Head {
    fn len(self) -> u16 {
        self.ends[BANDS - 1]
    }

    /// Where a band starts in the list.
    #[inline]
    fn begin(self, band: usize) -> u16 {
        if band == 0 { 0 } else { self.ends[band - 1] }
    }

    /// Where some of its bands are among the lists of the same capacity.
    #[inline]
    fn range(self, bands: Range<usize>) -> Range<usize> {
        let start = (self.room as usize) << (self.kind - 1);
        start + usize::from(self.begin(bands.start))..start + usize::from(self.ends[bands.end - 1])
    }

    fn is_full(self) -> bool {
        self.kind == 0 || usize::from(self.len()) == 1 << (self.kind - 1)
    }
}

impl Lists {
    /// Appends a number to a band. It must be greater than the others of the band.
    pub(super) fn insert(&mut self, code: usize, band: usize, number: u16) {
        if self.heads.len() <= code {
            self.heads.resize(code + 1, Head::default());
        }
        let mut head = self.heads[code];
        if head.is_full() {
            let (smaller, larger) = self.rooms.split_at_mut(usize::from(head.kind));
            let moved = Head { room: larger[0].take(1 << head.kind), kind: head.kind + 1, ..head };
            if let Some(smaller) = smaller.last_mut() {
                larger[0].numbers[moved.range(0..BANDS)].copy_from_slice(&smaller.numbers[head.range(0..BANDS)]);
                smaller.left.push(head.room);
            }
            head = moved;
        }
        let numbers = &mut self.rooms[usize::from(head.kind - 1)].numbers;
        let Range { start: begin, end } = head.range(band..BANDS);
        let at = begin + usize::from(head.ends[band] - head.begin(band));
        numbers.copy_within(at..end, at + 1);
        numbers[at] = number;
        head.ends[band..].iter_mut().for_each(|end| *end += 1);
        self.heads[code] = head;
    }

    /// Returns some bands of a list.
    #[inline]
    pub(super) fn of(&self, code: usize, bands: Range<usize>) -> &[u16] {
        let Some(&head) = self.heads.get(code).filter(|head| head.kind > 0) else { return &[] };
        &self.rooms[usize::from(head.kind - 1)].numbers[head.range(bands)]
    }

    /// Drops the numbers of each band that are below a bound.
    pub(super) fn drop_below(&mut self, firsts: [u16; BANDS]) {
        for code in 0..self.heads.len() {
            self.prefetch_list(code + AHEAD, 0..BANDS);
            let head = &mut self.heads[code];
            if head.kind == 0 {
                continue;
            }
            let list = &mut self.rooms[usize::from(head.kind - 1)].numbers[head.range(0..BANDS)];
            let (mut begin, mut kept) = (0, 0);
            for (end, first) in head.ends.iter_mut().zip(firsts) {
                let band = begin..usize::from(*end);
                if !band.is_empty() {
                    let gone = list[band.clone()].partition_point(|&number| number < first);
                    list.copy_within(begin + gone..band.end, kept);
                    kept += band.len() - gone;
                }
                (begin, *end) = (band.end, kept as u16);
            }
        }
    }

    /// Prefetches the head of a list.
    #[inline]
    pub(super) fn prefetch_head(&self, code: usize) {
        prefetch(&self.heads, code);
    }

    /// Prefetches the beginning of some bands of a list.
    #[inline]
    pub(super) fn prefetch_list(&self, code: usize, bands: Range<usize>) {
        let list = self.of(code, bands);
        (0..list.len().min(PREFETCHED)).step_by(LINE).for_each(|at| prefetch(list, at));
    }

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        put(out, self.heads.iter().map(|head| head.room))?;
        put(out, self.heads.iter().map(|head| head.kind))?;
        for band in 0..BANDS {
            put(out, self.heads.iter().map(|head| head.ends[band]))?;
        }
        for Rooms { numbers, left } in &self.rooms {
            put(out, numbers.iter().copied())?;
            put(out, left.iter().copied())?;
        }
        Ok(())
    }

    pub(super) fn load(from: &mut impl Read) -> io::Result<Lists> {
        let (rooms, kinds): (Vec<u32>, Vec<u8>) = (take(from)?, take(from)?);
        let head = |(room, kind)| Head { room, kind, ..Head::default() };
        let mut lists = Lists { heads: rooms.into_iter().zip(kinds).map(head).collect(), ..Lists::default() };
        for band in 0..BANDS {
            lists.heads.iter_mut().zip(take(from)?).for_each(|(head, end)| head.ends[band] = end);
        }
        for rooms in &mut lists.rooms {
            *rooms = Rooms { numbers: take(from)?, left: take(from)? };
        }
        Ok(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A simple model with vectors.
        #[test]
        fn lists_are_as_they_were_filled(
            steps in prop::collection::vec((prop_oneof![0..3usize, 0..40usize], 0..20u8, 0..BANDS), 0..400),
        ) {
            let (mut lists, mut plain, mut numbers) =
                (Lists::default(), vec![Vec::new(); 40], std::array::from_fn(|band| band as u16 * 1000));
            for (code, what, band) in steps {
                if what == 0 {
                    let firsts = numbers.map(|number| number - number % 1000 + (number % 1000).saturating_sub(code as u16));
                    lists.drop_below(firsts);
                    plain.iter_mut().for_each(|list: &mut Vec<u16>| list.retain(|&number| number >= firsts[usize::from(number / 1000)]));
                } else {
                    numbers[band] += 1;
                    lists.insert(code, band, numbers[band]);
                    plain[code].push(numbers[band]);
                    plain[code].sort_unstable();
                }
            }
            for (code, list) in plain.iter().enumerate() {
                prop_assert_eq!(lists.of(code, 0..BANDS), &list[..]);
                for band in 0..BANDS {
                    let expected: Vec<u16> = list.iter().copied().filter(|number| usize::from(number / 1000) == band).collect();
                    prop_assert_eq!(lists.of(code, band..band + 1), &expected[..]);
                }
            }
        }
    }
}
