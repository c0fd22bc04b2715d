//! Features and sets that do not fit in memory.
//!
//! Documents that share features are found by sorting, in bounded memory. They are linked with each other: only linked documents can be
//! candidates. So documents are cut into tiles by the first document that they are linked with, and few tiles are compared with another.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::engine::{Emit, FeatureTable, Roots, SetPair, Side, Stage, common};
use lookalike::sketch::{Filter, shared_features};
use lookalike_io::spill::{Sorter, Space};
use rayon::prelude::*;

use crate::error::{Error, no_space};
use crate::spilled::{FeatureFile, SetsInFile, Tiled};

/// The features of all documents in a file, and the sets of those that may be candidates.
pub(crate) struct OnDisk {
    pub(super) filter: Filter,
    pub(super) features: FeatureFile,
    pub(super) sets: Option<SetsInFile>,
    /// Which documents are linked.
    pub(super) links: Roots,
    /// Bytes of memory for features and sets that are compared.
    pub(super) bytes: u64,
    pub(super) space: Space,
}

/// The side of a document in a sorted entry.
const BOTH: u32 = 0;
const FIRST: u32 = 1;
const SECOND: u32 = 2;

impl OnDisk {
    /// By document, whether it meets another of the documents `firsts` on the other side. Links those that meet.
    pub(super) fn meeting(
        &self,
        firsts: &[u32],
        side: impl Fn(u32) -> Side,
        documents: usize,
    ) -> Result<Vec<bool>, Error> {
        let (mut is_first, mut met) = (vec![false; documents], vec![false; documents]);
        firsts.iter().for_each(|&document| is_first[document as usize] = true);
        let mut run: Vec<(u32, u32)> = Vec::new();
        for places in FeatureTable::choices(self.filter) {
            let sorter: Sorter<[u32; 4]> = Sorter::new(self.bytes as usize, 1, &self.space);
            let mut entries = Vec::with_capacity(SOME);
            self.features.for_each(|document, features| {
                if is_first[document as usize] {
                    let key = FeatureTable::key(features, &places);
                    let side = match side(document) {
                        Side::Both => BOTH,
                        Side::First => FIRST,
                        Side::Second => SECOND,
                    };
                    entries.push([(key >> 32) as u32, key as u32, side, document]);
                }
                if entries.len() == SOME {
                    sorter.push(&entries);
                    entries.clear();
                }
                Ok(())
            })?;
            sorter.push(&entries);
            let (mut sorted, mut last) = (sorter.finish()?, [0; 2]);
            while let Some([high, low, side, document]) = sorted.next_if(|_| true).map_err(no_space)? {
                if [high, low] != last {
                    self.settle(&run, &mut met);
                    run.clear();
                    last = [high, low];
                }
                run.push((side, document));
            }
            self.settle(&run, &mut met);
            run.clear();
        }
        Ok(met)
    }

    /// Marks and links the documents of a run that meet another.
    fn settle(&self, run: &[(u32, u32)], met: &mut [bool]) {
        if run.len() < 2 {
            return;
        }
        let has = |wanted: u32| run.iter().any(|&(side, _)| side == wanted);
        let (has_both, has_first, has_second) = (has(BOTH), has(FIRST), has(SECOND));
        for &(side, document) in run {
            let meets = match side {
                BOTH => true,
                FIRST => has_both || has_second,
                _ => has_both || has_first,
            };
            if meets {
                met[document as usize] = true;
                self.links.join(run[0].1, document);
            }
        }
    }

    /// Calls `each` with a document, a number and a count for each of these entries whose features pass together with those of the document
    /// that the number names.
    pub(super) fn for_each_found(
        &self,
        entries: Sorter<[u32; 3]>,
        numbered: &[u32],
        each: impl Fn(u32, u32, u32),
    ) -> Result<(), Error> {
        let mut documents = numbered.to_vec();
        documents.sort_unstable();
        documents.dedup();
        let table = FeatureTable::new(self.filter, self.features.load(&[&documents])?);
        let place = |number: u32| documents.partition_point(|&other| other < numbered[number as usize]) as u32;
        let mut sorted = entries.finish()?;
        self.features.for_each(|document, features| {
            while let Some([_, number, count]) = sorted.next_if(|entry| entry[0] == document).map_err(no_space)? {
                if shared_features(features, table.of(place(number))) >= self.filter.r() {
                    each(document, number, count);
                }
            }
            Ok(())
        })
    }
}

/// Entries per batch for the sorter.
const SOME: usize = 1 << 12;
/// Bytes of memory for each document that is compared, besides its features and its set.
const COMPARED: u64 = 96;

/// Verifies two documents, given how to count what their sets share: the pair, if they are one.
type Verify<'a> = dyn Fn(u32, u32, &dyn Fn() -> u32) -> Option<SetPair> + Send + Sync + 'a;

/// Candidates of documents whose features and sets are on disk.
pub(super) struct SignedTiles<'a> {
    pub(super) on_disk: &'a OnDisk,
    /// By document, the size of its set.
    pub(super) sizes: &'a [u32],
    pub(super) verify: Box<Verify<'a>>,
    /// The candidates found so far.
    pub(super) candidates: AtomicU64,
}

impl Tiled for SignedTiles<'_> {
    fn key(&self, document: u32) -> u32 {
        self.on_disk.links.find(document)
    }

    fn place(&self, document: u32) -> u64 {
        document.into()
    }

    fn bytes(&self, document: u32) -> u64 {
        COMPARED + self.on_disk.filter.bytes() as u64 + 8 * u64::from(self.sizes[document as usize])
    }

    fn fit(&self, one: (u32, u32), two: (u32, u32)) -> bool {
        one.0 <= two.1 && two.0 <= one.1
    }

    fn join(&self, one: &[u32], two: Option<&[u32]>, stage: &Stage, emit: Emit) -> Result<(), Error> {
        let Some(sets) = &self.on_disk.sets else { return Ok(()) };
        let lists = [one, two.unwrap_or_default()];
        let (sets, documents) = (sets.load(&lists)?, lists.concat());
        let table = FeatureTable::new(self.on_disk.filter, self.on_disk.features.load(&lists)?);
        let side = |position: u32| match two {
            None => Side::Both,
            Some(_) if (position as usize) < one.len() => Side::First,
            Some(_) => Side::Second,
        };
        let members: Vec<u32> = (0..documents.len() as u32).collect();
        table.pairs_among(&members, side, &stage.quiet(), |some| {
            self.candidates.fetch_add(some.len() as u64, Relaxed);
            let verified = some.iter().filter_map(|pair| {
                let shared = || common(sets.set(pair.a), sets.set(pair.b));
                let (a, b) = (documents[pair.a as usize], documents[pair.b as usize]);
                let found = (self.verify)(a, b, &shared)?;
                Some(SetPair { a: pair.a, b: pair.b, common: found.common })
            });
            emit(&verified.collect::<Vec<SetPair>>());
        });
        Ok(())
    }

    fn common_of(&self, documents: &[u32], pairs: &[(usize, usize)]) -> Result<Vec<u32>, Error> {
        let Some(sets) = &self.on_disk.sets else { return Ok(vec![0; pairs.len()]) };
        let sets = sets.load(&[documents])?;
        let common = |&(a, b): &(usize, usize)| common(sets.set(a as u32), sets.set(b as u32));
        Ok(pairs.par_iter().map(common).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spilled::FeatureFileWriter;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// As in memory, and those that share enough features are linked.
        #[test]
        fn the_same_documents_meet(
            documents in proptest::collection::vec([0..5u64, 0..5, 0..5], 0..40),
            sides in proptest::collection::vec(prop::sample::select(&[None, Some(Side::First), Some(Side::Second), Some(Side::Both)][..]), 40),
            needed in 1..4usize,
            bytes in 0..2000u64,
        ) {
            let filter = Filter::new(3, 1, needed).unwrap();
            let mut writer = FeatureFileWriter::new(&Space::default(), 3);
            writer.put(documents.as_flattened()).unwrap();
            let (links, space) = (Roots::new(documents.len()), Space::default());
            let on_disk = OnDisk { filter, features: writer.finish().unwrap(), sets: None, links, bytes, space };
            let table = FeatureTable::new(filter, documents.as_flattened().to_vec());
            let firsts: Vec<u32> = (0..documents.len() as u32).filter(|&at| sides[at as usize].is_some()).collect();
            let side = |document: u32| sides[document as usize].unwrap_or(Side::Both);
            prop_assert_eq!(on_disk.meeting(&firsts, side, documents.len()).unwrap(), table.meeting(&firsts, side));
            for &a in &firsts {
                for &b in firsts.iter().filter(|&&b| b != a && side(a).faces(side(b))) {
                    let is_candidate = table.shared(a, b) as usize >= needed;
                    prop_assert!(!is_candidate || on_disk.links.find(a) == on_disk.links.find(b));
                }
            }
        }
    }
}
