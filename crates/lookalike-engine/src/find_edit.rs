//! Texts to pairs.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lookalike::join::paper::Counts;
use lookalike::{EditJoin, EditPair, Pair};

use crate::best::Best;
use crate::collect::Collection;
use crate::error::Error;
use crate::expand::Expansion;
use crate::find::Finder;
use crate::found::{By, Found, Hits, Work};
use crate::members::Members;
use crate::watch::{Progress, Unit};

/// Texts made ready.
struct ReadyTexts {
    members: Members,
    distinct_texts: u64,
    prepare: Duration,
}

impl Finder<'_> {
    /// Finds the `most` pairs of texts that are nearest to each other; of equally near ones the first.
    ///
    /// All pairs within a distance are nearer than any that are not: so the least distance tried that has as many gives the answer.
    pub(crate) fn find_top_edit(&self, collection: &Collection, q: Option<NonZeroU32>, most: usize) -> (Found, Work) {
        let longest = (0..collection.texts.len() as u32).map(|text| collection.texts.length(text)).max().unwrap_or(0);
        let (ready, start, mut distance) = (self.prepare_edit(collection), Instant::now(), 1);
        loop {
            let rank = |Pair { a, b, common: distance }: Pair| Some((distance, a, b));
            let nearest = Mutex::new(Best::new(most, &ready.members, &self.sides, rank));
            let locked = || nearest.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.distinct {
                locked().offer_equal(|_| 0);
            }
            self.join_edit(collection, EditJoin { distance, q }, |some| {
                let mut nearest = locked();
                some.iter().for_each(|pair| nearest.offer(pair));
            });
            let nearest = nearest.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted();
            if nearest.len() >= most || distance >= longest {
                let pairs = nearest.into_iter().map(|(common, a, b)| Pair { a, b, common });
                let found = Found { pairs: Hits::Ranked(pairs.collect()), by: By::Texts { distance } };
                return (found, ready.into_work(start.elapsed()));
            }
            distance = (2 * distance).min(longest);
        }
    }

    /// Finds every pair of texts of a collection within an edit distance.
    pub(crate) fn find_edit(&self, collection: &Collection, join: EditJoin) -> Result<(Found, Work), Error> {
        let (ReadyTexts { members, distinct_texts, prepare }, start) = (self.prepare_edit(collection), Instant::now());
        let pairs = Expansion::new(members, self.sides.clone(), rayon::current_num_threads());
        self.join_edit(collection, join, |some| pairs.add(some));
        let work = work(distinct_texts, prepare, start.elapsed());
        let pairs = Hits::InOrder(pairs.finish(!self.distinct)?);
        Ok((Found { pairs, by: By::Texts { distance: join.distance } }, work))
    }

    fn prepare_edit(&self, collection: &Collection) -> ReadyTexts {
        let start = Instant::now();
        let texts = &collection.texts;
        let documents = texts.len();
        self.watch.begin("indexing", 0, Unit::Documents);
        // Within no distance there are no pairs of different texts, only groups of equal ones.
        let (split, within) = self.parts(collection);
        let groups = EditJoin::new(0).distinct_pairs(texts, split, within, |_| (), |_| ());
        let is_first = self.firsts(&groups, documents);
        let distinct_texts = (0..documents as u32).filter(|&at| is_first[at as usize] && texts.length(at) > 0).count();
        let is_wanted = |document: u32| !self.distinct || is_first[document as usize];
        let members = Members::of(&groups, documents as u32, is_wanted);
        self.watch.end();
        ReadyTexts { members, distinct_texts: distinct_texts as u64, prepare: start.elapsed() }
    }

    /// Finds the pairs of different texts.
    fn join_edit(&self, collection: &Collection, join: EditJoin, emit: impl Fn(&[Pair]) + Sync) {
        let progress = Progress::begin(self.watch, "joining", collection.texts.len());
        let pair = |EditPair { a, b, distance }: EditPair| Pair { a, b, common: distance };
        let (split, within) = self.parts(collection);
        join.distinct_pairs(
            &collection.texts,
            split,
            within,
            |more| progress.add(more),
            |some| emit(&some.into_iter().map(pair).collect::<Vec<Pair>>()),
        );
    }

    /// Where the second collection begins, and what texts must agree in.
    fn parts<'a>(&self, collection: &'a Collection) -> (Option<u32>, Option<&'a [u64]>) {
        let within = Some(&collection.within[..]).filter(|within| !within.is_empty());
        (self.is_two.then_some(self.sides.b.start), within)
    }
}

impl ReadyTexts {
    fn into_work(self, join: Duration) -> Work {
        work(self.distinct_texts, self.prepare, join)
    }
}

fn work(distinct_sets: u64, prepare: Duration, join: Duration) -> Work {
    let method = "edit".to_string();
    Work { plan: method.clone(), method, counts: Counts::default(), distinct_sets, prepare, join, signed: None }
}
