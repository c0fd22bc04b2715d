//! Texts to pairs.

use std::collections::BinaryHeap;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use lookalike::join::paper::Counts;
use lookalike::{EditJoin, EditPair, Pair};

use crate::collect::Collection;
use crate::error::Error;
use crate::expand::Expansion;
use crate::find::Finder;
use crate::found::{By, Found, Hits, Work};
use crate::members::Members;
use crate::watch::{Progress, Unit};

impl Finder<'_> {
    /// Finds the `most` pairs of texts that are nearest to each other; of equally near ones the first.
    ///
    /// All pairs within a distance are nearer than any that are not: so the least distance tried that has as many gives the answer.
    pub(crate) fn find_top_edit(
        &self,
        collection: &Collection,
        q: Option<NonZeroU32>,
        most: usize,
    ) -> Result<(Found, Work), Error> {
        let longest = (0..collection.texts.len() as u32).map(|text| collection.texts.length(text)).max().unwrap_or(0);
        let (mut prepare, mut join, mut distance) = (Duration::ZERO, Duration::ZERO, 1);
        loop {
            let mut nearest = BinaryHeap::new();
            let (found, mut work) = self.find_edit(collection, EditJoin { distance, q })?;
            found.for_each(|row| {
                nearest.push((row.value as u32, row.a, row.b));
                if nearest.len() > most {
                    nearest.pop();
                }
                Ok(())
            })?;
            (prepare, join) = (prepare + work.prepare, join + work.join);
            if nearest.len() >= most || distance >= longest {
                (work.prepare, work.join) = (prepare, join);
                let pairs = nearest.into_sorted_vec().into_iter().map(|(common, a, b)| Pair { a, b, common });
                return Ok((Found { pairs: Hits::Ranked(pairs.collect()), by: By::Texts { distance } }, work));
            }
            distance = (2 * distance).min(longest);
        }
    }

    /// Finds every pair of texts of a collection within an edit distance.
    pub(crate) fn find_edit(&self, collection: &Collection, join: EditJoin) -> Result<(Found, Work), Error> {
        let start = Instant::now();
        let texts = &collection.texts;
        let documents = texts.len();
        let split = self.is_two.then_some(self.sides.b.start);
        let within = Some(&collection.within[..]).filter(|within| !within.is_empty());
        self.watch.begin("indexing", 0, Unit::Documents);
        // Within no distance there are no pairs of different texts, only groups of equal ones.
        let groups = EditJoin::new(0).distinct_pairs(texts, split, within, |_| (), |_| ());
        let is_first = self.firsts(&groups, documents);
        let distinct_texts = (0..documents as u32).filter(|&at| is_first[at as usize] && texts.length(at) > 0).count();
        let is_wanted = |document: u32| !self.distinct || is_first[document as usize];
        let members = Members::of(&groups, documents as u32, is_wanted);
        self.watch.end();
        let prepare = start.elapsed();

        let pairs = Expansion::new(members, self.sides.clone(), rayon::current_num_threads());
        let progress = Progress::begin(self.watch, "joining", documents);
        let pair = |EditPair { a, b, distance }: EditPair| Pair { a, b, common: distance };
        join.distinct_pairs(
            texts,
            split,
            within,
            |more| progress.add(more),
            |some| pairs.add(&some.into_iter().map(pair).collect::<Vec<Pair>>()),
        );
        drop(progress);
        let method = "edit".to_string();
        let work = Work {
            plan: method.clone(),
            method,
            counts: Counts::default(),
            distinct_sets: distinct_texts as u64,
            prepare,
            join: start.elapsed() - prepare,
            signed: None,
        };
        let pairs = Hits::InOrder(pairs.finish(!self.distinct)?);
        Ok((Found { pairs, by: By::Texts { distance: join.distance } }, work))
    }
}
