//! Which sets share a posted element? Which documents share a posted key?

use std::ops::RangeInclusive;

use super::hits::Candidates;
use super::node::Compare;
use super::posting::{BadBlob, Posting};
use super::rule::{MeetingRule, Simhashes};

/// The postings in the memory of a task: those of a bucket, or of a part of it.
pub(super) struct Meeting {
    rule: MeetingRule,
    compare: Compare,
    postings: Vec<Posting>,
    simhashes: Simhashes,
    /// The postings whose lists have been compared, and the length of the longest list to compare. None while postings are added.
    reached: Option<(usize, usize)>,
    candidates: Candidates,
    looked_at: u64,
}

impl Meeting {
    /// Makes a meeting without postings.
    pub(super) fn new(rule: MeetingRule, compare: Compare) -> Meeting {
        let (simhashes, candidates) = (Simhashes::default(), Candidates::default());
        Meeting { rule, compare, postings: Vec::new(), simhashes, reached: None, candidates, looked_at: 0 }
    }

    /// Adds those postings of a blob that have one of these tags.
    pub(super) fn add(&mut self, blob: &[u8], tags: &RangeInclusive<u32>) -> Result<(), BadBlob> {
        self.rule.read(blob, tags, &mut self.postings, &mut self.simhashes)
    }

    /// Returns how many postings have been added.
    pub(super) fn len(&self) -> usize {
        self.postings.len()
    }

    /// Takes all postings back, in blobs of this many at most.
    pub(super) fn take(&mut self, most: usize) -> impl Iterator<Item = Vec<u8>> + use<> {
        let (rule, most) = (self.rule, most.max(1));
        let (postings, simhashes) = (std::mem::take(&mut self.postings), std::mem::take(&mut self.simhashes));
        (0..postings.len().div_ceil(most)).map(move |at| {
            let some = &postings[at * most..postings.len().min((at + 1) * most)];
            let mut blob = Vec::new();
            some.iter().for_each(|posting| rule.write(posting, &simhashes, &mut blob));
            blob
        })
    }

    /// Compares the sets of lists until there are about `room` candidates. Returns false if there are no more lists. It compares lists up to
    /// a length of `longest`, and at most `most` pairs of postings; the other lists are [`heavy`](Meeting::heavy).
    pub(super) fn advance(&mut self, most: u64, longest: usize, room: usize) -> bool {
        let (mut at, longest) = *self.reached.get_or_insert_with(|| {
            // Tasks that post one set twice post the same.
            self.postings.sort_unstable();
            self.postings.dedup();
            (0, longest_light(&self.postings, most).min(longest))
        });
        if at == self.postings.len() {
            return false;
        }
        while at < self.postings.len() && self.candidates.len() < room {
            // What is left of a list, which may have been begun.
            let tag = self.postings[at].tag;
            let list = &self.postings[at..];
            let list = &list[..list.partition_point(|posting| posting.tag == tag)];
            if list.len() > longest {
                at += list.len();
                continue;
            }
            for (one, rest) in list.iter().zip(1..).map(|(one, next)| (one, &list[next..])) {
                self.looked_at += self.rule.compare_one(one, rest, self.compare, &self.simhashes, &mut self.candidates);
                at += 1;
                if self.candidates.len() >= room {
                    break;
                }
            }
        }
        self.reached = Some((at, longest));
        true
    }

    /// Returns the candidates that have not been taken yet.
    pub(super) fn candidates(&mut self) -> &mut Candidates {
        &mut self.candidates
    }

    /// Returns the postings of lists that are too long to compare all with all, and the number of these postings. Call it after the last
    /// [`advance`](Meeting::advance).
    pub(super) fn heavy(&self) -> (Vec<u8>, u64) {
        let longest = self.reached.map_or(usize::MAX, |(_, longest)| longest);
        let (mut blob, mut postings) = (Vec::new(), 0);
        for list in lists(&self.postings).filter(|list| list.len() > longest) {
            postings += list.len() as u64;
            list.iter().for_each(|posting| self.rule.write(posting, &self.simhashes, &mut blob));
        }
        (blob, postings)
    }

    /// Returns the number of postings, each counted once, and the number of pairs of them that were compared.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.postings.len() as u64, self.looked_at)
    }
}

pub(super) fn lists(postings: &[Posting]) -> impl Iterator<Item = &[Posting]> {
    postings.chunk_by(|one, two| one.tag == two.tag)
}

/// The length of the longest list, if all that are not longer have at most `most` pairs together.
fn longest_light(postings: &[Posting], most: u64) -> usize {
    let mut lengths: Vec<usize> = lists(postings).map(<[Posting]>::len).filter(|&length| length > 1).collect();
    lengths.sort_unstable();
    let (mut longest, mut sum) = (1, 0_u64);
    for same in lengths.chunk_by(|one, two| one == two) {
        let length = same[0] as u64;
        sum = sum.saturating_add((length * length / 2).saturating_mul(same.len() as u64));
        if sum > most {
            break;
        }
        longest = same[0];
    }
    longest
}
