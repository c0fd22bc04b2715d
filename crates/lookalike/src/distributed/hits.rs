//! Which candidates share enough posted elements to be a pair?
//!
//! A pair shares at least `needed` elements. If a set did not post a shared element, that element comes after the posted ones, so there
//! are at most as many of these as the set has elements there. The other shared elements are hits: both sets posted them. A bucket finds
//! some of the hits; all buckets together decide.
//!
//! A record has both nodes (8 bytes each), the number of hits it adds, the number needed (LEB128), and whether the two sets can be a pair
//! (1 byte): by the position of at least one hit, it must be possible that this is the first element that the two share.

use hashbrown::HashMap;

use super::filter::NodeFilter;
use super::node::Node;
use super::posting::{BadBlob, Posting, read_number, take, write_number};
use crate::measure::Threshold;

/// What is known about a candidate.
#[derive(Clone, Copy, Debug)]
struct Hits {
    hits: u32,
    needed: u32,
    can_be: bool,
}

/// Candidates with their hits.
#[derive(Default)]
pub struct Candidates(HashMap<(Node, Node), Hits>);

impl Candidates {
    /// Adds the hit of two postings, unless the sizes of the sets rule out a pair.
    #[inline]
    pub(super) fn hit(&mut self, one: &Posting, two: &Posting, threshold: &Threshold) {
        let needed = threshold.needed(one.size, two.size);
        let rest = |posting: &Posting| posting.size.saturating_sub(posting.position);
        let can_be = rest(one).min(rest(two)) >= needed;
        let pair = (one.node.min(two.node), one.node.max(two.node));
        let entry = self.0.entry(pair).or_insert_with(|| {
            let unposted = |size: u32| size - threshold.long_prefix(size).min(size);
            let needed = needed.saturating_sub(unposted(one.size).max(unposted(two.size))).max(1);
            Hits { hits: 0, needed, can_be: false }
        });
        entry.hits += 1;
        entry.can_be |= can_be;
    }

    /// Adds two sets that are candidates regardless of what else they share.
    #[inline]
    pub(super) fn meet(&mut self, one: Node, two: Node) {
        self.0.insert((one.min(two), one.max(two)), Hits { hits: 1, needed: 1, can_be: true });
    }

    /// Adds records.
    pub fn add(&mut self, mut records: &[u8]) -> Result<(), BadBlob> {
        while !records.is_empty() {
            let a = u64::from_le_bytes(*take::<8>(&mut records)?);
            let b = u64::from_le_bytes(*take::<8>(&mut records)?);
            let (hits, needed) = (read_number(&mut records)?, read_number(&mut records)?);
            let [can_be] = *take::<1>(&mut records)?;
            let entry = self.0.entry((a, b)).or_insert(Hits { hits: 0, needed, can_be: false });
            entry.hits = entry.hits.saturating_add(hits);
            entry.can_be |= can_be != 0;
        }
        Ok(())
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the records in this many parts. The two nodes of a record determine its part.
    pub fn take_records(&mut self, parts: usize) -> Vec<Vec<u8>> {
        let mut records = vec![Vec::new(); parts.max(1)];
        for ((a, b), Hits { hits, needed, can_be }) in self.0.drain() {
            let part = crate::sets::mix(a ^ b.rotate_left(32)) as usize % records.len();
            let record = &mut records[part];
            record.extend_from_slice(&a.to_le_bytes());
            record.extend_from_slice(&b.to_le_bytes());
            write_number(hits, record);
            write_number(needed, record);
            record.push(can_be.into());
        }
        records
    }

    /// Takes the candidates with enough hits, ascending. All their records have been added, except that two nodes that are both among
    /// `others` may have more hits in lists that are compared elsewhere.
    pub fn take(&mut self, others: &NodeFilter) -> Vec<(Node, Node)> {
        let enough = |(a, b): &(Node, Node), found: &Hits| {
            found.can_be && (found.hits >= found.needed || others.contains(*a) && others.contains(*b))
        };
        let pairs = self.0.drain().filter(|(pair, hits)| enough(pair, hits)).map(|(pair, _)| pair);
        let mut pairs: Vec<(Node, Node)> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    /// Takes the candidates that can be pairs, however many hits they have, ascending.
    pub fn take_all(&mut self) -> Vec<(Node, Node)> {
        let mut pairs: Vec<(Node, Node)> =
            self.0.drain().filter(|(_, hits)| hits.can_be).map(|(pair, _)| pair).collect();
        pairs.sort_unstable();
        pairs
    }
}
