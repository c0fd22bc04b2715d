//! The postings of one bucket, from all tasks: compared at once, or in parts if they do not fit in a task.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::hits::Candidates;
use super::meeting::Meeting;
use super::node::Compare;
use super::parts::{TagCounts, TagRange};
use super::posting::{ALL_TAGS, BadBlob};
use super::rule::MeetingRule;

/// Storage for postings that do not fit in a task.
pub trait Waiting {
    /// The error of the storage.
    type Error: From<BadBlob>;

    /// Adds a blob.
    fn append(&mut self, blob: &[u8]) -> Result<(), Self::Error>;

    /// Returns to the first blob, once all have been added.
    fn rewind(&mut self) -> Result<(), Self::Error>;

    /// Reads the next blobs, or returns false after the last.
    fn next(&mut self, blob: &mut Vec<u8>) -> Result<bool, Self::Error>;
}

/// The postings of a bucket, and which of them have been compared.
pub struct Bucket<W> {
    rule: MeetingRule,
    compare: Compare,
    /// The number of postings to hold in memory.
    room: usize,
    waiting: W,
    /// Counts of the stored postings, if not all fit in memory.
    counts: Option<TagCounts>,
    meeting: Meeting,
    state: State,
    /// The parts that are still to be compared.
    ranges: VecDeque<TagRange>,
    heavy: Vec<HeavyBlob>,
    totals: BucketCounts,
}

enum State {
    Adding,
    /// Compares the postings in memory, up to this many pairs of postings.
    Comparing(u64),
    /// A list that does not fit in memory.
    Tiling {
        tags: RangeInclusive<u32>,
        /// How many tiles it has so far.
        tiles: u32,
    },
    Between,
}

/// Lists that are too long to compare all with all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeavyBlob {
    /// 0 if the blob has whole lists. Otherwise the blob is a tile of a list that does not fit in any task, and this is the number of the list.
    pub list: u64,
    /// The number of the tile in its list.
    pub tile: u32,
    /// The postings.
    pub blob: Vec<u8>,
}

/// Counts of what a bucket held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BucketCounts {
    /// Postings.
    pub postings: u64,
    /// Pairs of postings that were compared.
    pub looked_at: u64,
    /// Postings in heavy lists.
    pub heavy: u64,
    /// Of these, the postings in lists that do not fit in any task.
    pub tiled: u64,
    /// The tiles of such lists.
    pub tiles: u64,
    /// The pairs of postings of such lists.
    pub tiled_pairs: u64,
}

impl<W: Waiting> Bucket<W> {
    /// Makes an empty bucket that holds about `room` postings in memory.
    pub fn new(rule: MeetingRule, compare: Compare, room: usize, waiting: W) -> Bucket<W> {
        let room = room.max(1);
        let (meeting, totals) = (Meeting::new(rule, compare), BucketCounts::default());
        let (state, ranges, heavy) = (State::Adding, VecDeque::new(), Vec::new());
        Bucket { rule, compare, room, waiting, counts: None, meeting, state, ranges, heavy, totals }
    }

    /// Adds a blob of postings.
    pub fn add(&mut self, blob: &[u8]) -> Result<(), W::Error> {
        if let Some(counts) = &mut self.counts {
            counts.add(blob)?;
            return self.waiting.append(blob);
        }
        self.meeting.add(blob, &ALL_TAGS)?;
        if self.meeting.len() > self.room {
            let mut counts = TagCounts::new(self.rule);
            for blob in self.meeting.take(self.room / 16) {
                counts.add(&blob)?;
                self.waiting.append(&blob)?;
            }
            self.counts = Some(counts);
        }
        Ok(())
    }

    /// Compares the sets of lists until there are about `room` candidates, and returns them, or `None` at the end. It compares lists up to
    /// a length of `longest`, and at most `most` pairs of postings; the other lists are [heavy](Bucket::take_heavy).
    pub fn next(&mut self, most: u64, longest: usize, room: usize) -> Result<Option<&mut Candidates>, W::Error> {
        loop {
            match &self.state {
                State::Adding => self.begin(most)?,
                State::Comparing(most) => {
                    if self.meeting.advance(*most, longest, room) {
                        break;
                    }
                    self.end_part();
                }
                State::Tiling { tags, tiles } => {
                    let (tags, tiles) = (tags.clone(), *tiles);
                    self.state = if self.next_tile(&tags, tiles)? {
                        State::Tiling { tags, tiles: tiles + 1 }
                    } else {
                        State::Between
                    };
                    break;
                }
                State::Between => {
                    let Some(range) = self.ranges.pop_front() else { return Ok(None) };
                    self.begin_part(&range, most)?;
                }
            }
        }
        Ok(Some(self.meeting.candidates()))
    }

    /// Takes the postings of heavy lists that were found since the last call. Call it after every [`next`](Bucket::next).
    pub fn take_heavy(&mut self) -> Vec<HeavyBlob> {
        std::mem::take(&mut self.heavy)
    }

    /// Returns the counts of the bucket. Call it after the last [`next`](Bucket::next).
    pub fn counts(&self) -> BucketCounts {
        self.totals
    }

    /// Divides the stored postings into parts. Each list is in one part.
    fn begin(&mut self, most: u64) -> Result<(), W::Error> {
        let Some(counts) = &self.counts else {
            self.state = State::Comparing(most);
            return Ok(());
        };
        let room = self.room as u64;
        let ranges = counts.ranges(room);
        // Too many tags of one upper half are counted again.
        let is_crowded = |range: &TagRange| range.postings > room;
        let mut finer: Vec<TagCounts> =
            ranges.iter().filter(|range| is_crowded(range)).map(|range| TagCounts::within(self.rule, range)).collect();
        if !finer.is_empty() {
            self.waiting.rewind()?;
            let mut blob = Vec::new();
            while self.waiting.next(&mut blob)? {
                finer.iter_mut().try_for_each(|counts| counts.add(&blob))?;
            }
        }
        let mut finer = finer.iter();
        for range in ranges {
            match is_crowded(&range).then(|| finer.next()).flatten() {
                Some(counts) => self.ranges.extend(counts.ranges(room)),
                None => self.ranges.push_back(range),
            }
        }
        self.state = State::Between;
        Ok(())
    }

    fn begin_part(&mut self, range: &TagRange, most: u64) -> Result<(), W::Error> {
        self.meeting = Meeting::new(self.rule, self.compare);
        self.waiting.rewind()?;
        if range.postings > self.room as u64 {
            self.state = State::Tiling { tags: range.tags.clone(), tiles: 0 };
            self.totals.tiled_pairs += range.postings.saturating_mul(range.postings) / 2;
            return Ok(());
        }
        let mut blob = Vec::new();
        while self.waiting.next(&mut blob)? {
            self.meeting.add(&blob, &range.tags)?;
        }
        // A part may look at its share of the pairs.
        let all = self.ranges.iter().map(|range| range.postings).sum::<u64>() + range.postings;
        let left = most.saturating_sub(self.totals.looked_at);
        let share = u128::from(left) * u128::from(range.postings) / u128::from(all.max(1));
        self.state = State::Comparing(share as u64);
        Ok(())
    }

    fn end_part(&mut self) {
        let (blob, heavy) = self.meeting.heavy();
        if heavy > 0 {
            self.heavy.push(HeavyBlob { list: 0, tile: 0, blob });
        }
        let (postings, looked_at) = self.meeting.counts();
        self.totals.postings += postings;
        self.totals.looked_at += looked_at;
        self.totals.heavy += heavy;
        self.meeting = Meeting::new(self.rule, self.compare);
        self.state = State::Between;
    }

    /// Reads the next tile of a list. Returns false after the last.
    fn next_tile(&mut self, tags: &RangeInclusive<u32>, tile: u32) -> Result<bool, W::Error> {
        let (mut blob, mut is_more) = (Vec::new(), true);
        // A quarter, because its postings are in memory twice when they leave.
        while is_more && self.meeting.len() <= self.room / 4 {
            is_more = self.waiting.next(&mut blob)?;
            if is_more {
                self.meeting.add(&blob, tags)?;
            }
        }
        let postings = self.meeting.len() as u64;
        self.totals.postings += postings;
        self.totals.heavy += postings;
        self.totals.tiled += postings;
        for blob in self.meeting.take(usize::MAX) {
            self.totals.tiles += 1;
            self.heavy.push(HeavyBlob { list: u64::from(*tags.start()) + 1, tile, blob });
        }
        Ok(is_more)
    }
}
