//! How is a bucket split that does not fit in a task?
//!
//! Its postings wait in a file, and come back part by part: those with tags in a range. A list is in one part, unless it alone is more
//! than a task can hold.

use std::ops::RangeInclusive;

use super::posting::BadBlob;
use super::rule::MeetingRule;

const HALF: u32 = 16;
const SLOTS: usize = 1 << HALF;

/// A range of tags, and how many postings have one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagRange {
    /// The tags.
    pub(super) tags: RangeInclusive<u32>,
    /// The postings.
    pub(super) postings: u64,
}

/// Counts postings by the upper half of their tags; or among those of one upper half, by the lower half.
pub(super) struct TagCounts {
    rule: MeetingRule,
    upper: Option<u32>,
    counts: Vec<u64>,
}

impl TagCounts {
    /// Counts by the upper half.
    pub(super) fn new(rule: MeetingRule) -> TagCounts {
        TagCounts { rule, upper: None, counts: vec![0; SLOTS] }
    }

    /// Counts the postings of a range again that is not narrow enough.
    pub(super) fn within(rule: MeetingRule, range: &TagRange) -> TagCounts {
        TagCounts { upper: Some(range.tags.start() >> HALF), ..TagCounts::new(rule) }
    }

    /// Counts the postings of a blob.
    pub(super) fn add(&mut self, mut blob: &[u8]) -> Result<(), BadBlob> {
        while !blob.is_empty() {
            let tag = self.rule.read_one(&mut blob)?.0.tag;
            match self.upper {
                None => self.counts[(tag >> HALF) as usize] += 1,
                Some(upper) if tag >> HALF == upper => self.counts[tag as usize % SLOTS] += 1,
                Some(_) => (),
            }
        }
        Ok(())
    }

    /// Divides the tags into ranges of at most `room` postings. A range with more is a list, or has to be counted again.
    pub(super) fn ranges(&self, room: u64) -> Vec<TagRange> {
        let mut ranges: Vec<TagRange> = Vec::new();
        for (slot, &count) in (0_u32..).zip(&self.counts).filter(|(_, count)| **count > 0) {
            let tags = match self.upper {
                None => slot << HALF..=slot << HALF | (SLOTS as u32 - 1),
                Some(upper) => upper << HALF | slot..=upper << HALF | slot,
            };
            match ranges.last_mut() {
                Some(last) if last.postings + count <= room => {
                    *last = TagRange { tags: *last.tags.start()..=*tags.end(), postings: last.postings + count };
                }
                _ => ranges.push(TagRange { tags, postings: count }),
            }
        }
        ranges
    }
}
