//! Finds all pairs of documents of a source, in order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use lookalike::engine::{Counted, Counts, Groups, Progress, SetPair, Stage};

use super::announce::announce;
use super::expand_groups::Expansion;
use super::group_members::GroupMembers;
use super::pair_rows::{Found, Hits};
use super::source::{Described, JobSource, Order};
use crate::error::Error;
use crate::read::{Collector, Sides};
use crate::report::{MemoryReport, SignedReport};

/// Which pairs of a source to find.
pub(crate) struct Search<'a> {
    pub(crate) collector: &'a Collector,
    pub(crate) sides: Sides,
    /// Whether the sides are two collections.
    pub(crate) is_two: bool,
    /// Whether equal sets on one side count as one.
    pub(crate) distinct: bool,
    /// Whether the pairs per document are limited, so that not all pairs of equal sets are listed.
    pub(crate) is_limited: bool,
    pub(crate) progress: &'a dyn Progress,
}

/// How the search went.
pub(crate) struct Searched {
    pub(crate) described: Described,
    pub(crate) counts: Counts,
    /// The number of different sets or texts.
    pub(crate) distinct_sets: u64,
    /// How memory was used, as far as the source knows.
    pub(crate) memory: MemoryReport,
    /// The time to prepare the join, and to join.
    pub(crate) prepare: Duration,
    pub(crate) join: Duration,
    /// The report of the signatures, if they found the pairs.
    pub(crate) signed: Option<SignedReport>,
}

impl Search<'_> {
    /// The first document of the second collection, if there are two.
    pub(crate) fn split(&self) -> Option<u32> {
        self.is_two.then_some(self.sides.b.start)
    }

    /// In which order documents are compared.
    pub(crate) fn order(&self) -> Order {
        self.split().map_or(Order::Source, Order::Across)
    }

    /// Finds every pair. `prepared` is the time that preparing the source took.
    pub(crate) fn find_all(&self, mut source: JobSource, prepared: Duration) -> Result<(Found, Searched), Error> {
        let start = Instant::now();
        let (members, distinct_sets) = self.members(&source);
        let counted = if self.distinct || self.is_limited { Counted::Sets } else { Counted::Documents };
        announce(&mut source, counted, self.progress);
        let pairs = Expansion::new(members, self.sides.clone(), self.collector.sort_bytes(), &self.collector.space);
        let prepare = prepared + start.elapsed();
        let start = Instant::now();
        // Sorting the pairs does not count as joining, though the same threads do it at the same time.
        let sorting = AtomicU64::new(0);
        let counts = self.join(&mut source, |some| {
            let before = Instant::now();
            pairs.add(some);
            sorting.fetch_add(before.elapsed().as_nanos() as u64, Relaxed);
        })?;
        let sorting = Duration::from_nanos(sorting.into_inner()) / rayon::current_num_threads().max(1) as u32;
        let join = start.elapsed().saturating_sub(sorting);
        let (described, signed, memory) = (source.describe(), source.report(), source.memory(self.collector));
        // Free the memory of the source for the pairs.
        let values = source.into_values();
        let pairs = Hits::InOrder(pairs.finish(!self.distinct)?);
        Ok((Found { pairs, values }, Searched { described, counts, distinct_sets, memory, prepare, join, signed }))
    }

    /// The requested members of each group, and the number of different sets.
    pub(crate) fn members(&self, source: &JobSource) -> (GroupMembers, u64) {
        let documents = source.as_pairs().keep_order().documents();
        let is_first = self.firsts(source.equal(), documents);
        let is_wanted = |document: u32| !self.distinct || is_first[document as usize];
        let members = GroupMembers::of(&source.as_pairs().keep_order().groups, documents as u32, is_wanted);
        let is_counted = |&document: &u32| is_first[document as usize] && source.is_comparable(document);
        (members, (0..documents as u32).filter(is_counted).count() as u64)
    }

    /// By document, whether it is the first on its side with its set.
    fn firsts(&self, groups: &Groups, documents: usize) -> Vec<bool> {
        let mut seen = vec![[false; 2]; documents];
        let is_first = |document: u32| {
            let side = usize::from(self.is_two && document >= self.sides.b.start);
            !std::mem::replace(&mut seen[groups.first(document) as usize][side], true)
        };
        (0..documents as u32).map(is_first).collect()
    }

    /// Finds the pairs of representatives of groups.
    pub(crate) fn join(&self, source: &mut JobSource, emit: impl Fn(&[SetPair]) + Sync) -> Result<Counts, Error> {
        let stage = Stage::begin(self.progress, "joining", source.as_pairs().work());
        let within = match source {
            JobSource::Sets { within, .. } | JobSource::Parts { within, .. } => std::mem::take(within),
            JobSource::Texts(_) | JobSource::TextsOnDisk(_) | JobSource::Signatures(_) => Vec::new(),
        };
        if within.is_empty() {
            return Ok(source.as_pairs_mut().pairs(&stage, &emit)?);
        }
        let agree = |pair: &&SetPair| within[pair.a as usize] == within[pair.b as usize];
        let counts = source.as_pairs_mut().pairs(&stage, &|some: &[SetPair]| {
            emit(&some.iter().filter(agree).copied().collect::<Vec<SetPair>>());
        })?;
        Ok(counts)
    }
}
