//! Signatures and sets that do not fit in memory.
//!
//! Documents that may be candidates are found in bounded memory: by sorting, if they must share features, and otherwise tile by tile. They
//! are linked with each other. Only linked documents can be candidates, so the tiles whose sets are compared are cut by the first document
//! that a document is linked with, and few of them are compared with another.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use lookalike::engine::{Emit, FeatureKeys, Groups, JoinError, Roots, SetPair, SetStore, Side, Stage, common};
use lookalike::sketch::Filter;
use lookalike_io::spill::{Sorter, Space};
use rayon::prelude::*;

use super::signatures::{PagePair, Signatures};
use super::terms::difference_of;
use crate::error::{Error, no_space};
use crate::on_disk::{Numbers, SetsInFile, SignatureFile, Tiled, join_tiles};
use crate::read::Signing;

/// The signatures of all documents in a file, and the sets of those that may be candidates.
pub(crate) struct OnDisk {
    pub(super) signing: Signing,
    pub(super) file: SignatureFile,
    pub(super) sets: Option<SetsInFile>,
    /// The words of the same documents, if they are kept.
    pub(super) terms: Option<SetsInFile>,
    /// Which documents are linked.
    pub(super) links: Roots,
    /// Bytes of memory for signatures and sets that are compared.
    pub(super) bytes: u64,
    pub(super) space: Space,
}

/// How the signatures of two documents compare: the bits in which simhashes agree, the pages, and the number of words in a diff.
pub(crate) type Beside = (Option<u32>, Option<PagePair>, Option<u32>);

/// The side of a document in a sorted entry.
const BOTH: u32 = 0;
const FIRST: u32 = 1;
const SECOND: u32 = 2;

/// Entries per batch for the sorter.
const SOME: usize = 1 << 12;

impl OnDisk {
    fn signatures(&self, Numbers { numbers, sites }: Numbers) -> Result<Signatures, Error> {
        Signatures::new(&self.signing, numbers, sites, SetStore::default())
    }

    /// By document, a hash of all that is compared, and whether it can be compared. `sets` are the hashes of the sets.
    pub(super) fn keys(&self, sets: &[u128]) -> Result<(Vec<u128>, Vec<bool>), Error> {
        let (mut keys, mut comparable) = (Vec::with_capacity(sets.len()), Vec::with_capacity(sets.len()));
        self.file.for_each_block(|first, own| {
            let (own_keys, own_comparable) = self.signatures(own.clone())?.keys(&sets[first as usize..]);
            keys.extend(own_keys);
            comparable.extend(own_comparable);
            Ok(())
        })?;
        Ok((keys, comparable))
    }

    /// By document, whether it may be a candidate with another of the documents `firsts` on the other side. Links those that may.
    pub(super) fn meeting(
        &self,
        firsts: &[u32],
        side: impl Fn(u32) -> Side,
        documents: usize,
        stage: &Stage,
    ) -> Result<Vec<bool>, Error> {
        if let Some(filter) = self.signing.filter() {
            return self.sharing_features(filter, firsts, side, documents, stage);
        }
        let met = Mutex::new(vec![false; documents]);
        let among: Vec<(u32, Side)> = firsts.iter().map(|&document| (document, side(document))).collect();
        let tiles = SignedTiles { on_disk: self, sizes: &[], verify: None, candidates: AtomicU64::new(0) };
        join_tiles(&tiles, &among, self.bytes / 2, stage, &|some| {
            let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
            for pair in some {
                met[pair.a as usize] = true;
                met[pair.b as usize] = true;
                self.links.join(pair.a, pair.b);
            }
        })?;
        Ok(met.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same, if candidates share features: documents are sorted by them.
    fn sharing_features(
        &self,
        filter: Filter,
        firsts: &[u32],
        side: impl Fn(u32) -> Side,
        documents: usize,
        stage: &Stage,
    ) -> Result<Vec<bool>, Error> {
        let (mut is_first, mut met) = (vec![false; documents], vec![false; documents]);
        firsts.iter().for_each(|&document| is_first[document as usize] = true);
        let mut run: Vec<(u32, u32)> = Vec::new();
        let keys = FeatureKeys::new(filter);
        for number in 0..keys.count() {
            stage.check().map_err(JoinError::from)?;
            let sorter: Sorter<[u32; 4]> = Sorter::new(self.bytes as usize, 1, &self.space);
            let mut entries = Vec::with_capacity(SOME);
            self.file.for_each_block(|first, own| {
                for (document, features) in (first..).zip(own.numbers.chunks_exact(filter.k())) {
                    if is_first[document as usize] {
                        let (key, side) = (keys.at(number, features), number_of(side(document)));
                        entries.push([(key >> 32) as u32, key as u32, side, document]);
                    }
                    if entries.len() == SOME {
                        sorter.push(&entries);
                        entries.clear();
                    }
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

    /// Calls `each` with a document, a number and a count for each of these entries whose signatures pass together with those of the
    /// document that the number names.
    pub(super) fn for_each_found(
        &self,
        entries: Sorter<[u32; 3]>,
        numbered: &[u32],
        each: impl Fn(u32, u32, u32),
    ) -> Result<(), Error> {
        let mut documents = numbered.to_vec();
        documents.sort_unstable();
        documents.dedup();
        let named = self.file.load(&[&documents])?;
        let place = |number: u32| documents.partition_point(|&other| other < numbered[number as usize]) as u32;
        let mut sorted = entries.finish()?;
        let width = self.signing.numbers();
        self.file.for_each_block(|first, own| {
            let end = first + (own.numbers.len() / width) as u32;
            let mut both = None;
            while let Some([document, number, count]) = sorted.next_if(|entry| entry[0] < end).map_err(no_space)? {
                let both = match &mut both {
                    Some(both) => both,
                    none => none.insert(self.signatures(Numbers {
                        numbers: [&named.numbers[..], &own.numbers].concat(),
                        sites: [&named.sites[..], &own.sites].concat(),
                    })?),
                };
                if both.pass(place(number), documents.len() as u32 + document - first) {
                    each(document, number, count);
                }
            }
            Ok(())
        })
    }

    /// How the signatures of pairs compare. The documents of one of `groups` are indistinguishable.
    pub(super) fn beside(&self, pairs: &[(u32, u32)], groups: &Groups) -> Result<Vec<Beside>, Error> {
        let mut documents: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        documents.sort_unstable();
        documents.dedup();
        let signatures = self.signatures(self.file.load(&[&documents])?)?;
        // Only documents that may be candidates have words here. The others are equal to their partner.
        let differ: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (groups.first(a), groups.first(b))).collect();
        let mut firsts: Vec<u32> = differ.iter().filter(|(a, b)| a != b).flat_map(|&(a, b)| [a, b]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let terms = self.terms.as_ref().map(|terms| terms.load(&[&firsts])).transpose()?;
        let position = |among: &[u32], document: u32| among.partition_point(|&other| other < document) as u32;
        let beside = |(&(a, b), &(one, two)): (&(u32, u32), &(u32, u32))| {
            let (at_a, at_b) = (position(&documents, a), position(&documents, b));
            let difference = terms.as_ref().and_then(|terms| match one == two {
                true => Some(0),
                false => difference_of(terms.set(position(&firsts, one)), terms.set(position(&firsts, two))),
            });
            (signatures.agree(at_a, at_b), signatures.of_pages(at_a, at_b), difference)
        };
        Ok(pairs.par_iter().zip(&differ).map(beside).collect())
    }
}

fn number_of(side: Side) -> u32 {
    match side {
        Side::Both => BOTH,
        Side::First => FIRST,
        Side::Second => SECOND,
    }
}

/// Bytes of memory for each compared document, not counting its signature and its set.
const COMPARED: u64 = 96;
/// Bytes for each byte of a signature: the file's, and a copy in parts.
const SIGNATURE: u64 = 2;

/// Verifies two documents, given how to count what their sets share: the pair, if they are one.
type Verify<'a> = dyn Fn(u32, u32, &dyn Fn() -> u32) -> Option<SetPair> + Send + Sync + 'a;

/// Candidates of documents whose signatures and sets are on disk.
pub(super) struct SignedTiles<'a> {
    pub(super) on_disk: &'a OnDisk,
    /// By document, the size of its set, if sets are compared.
    pub(super) sizes: &'a [u32],
    /// Without it, every candidate is a pair.
    pub(super) verify: Option<Box<Verify<'a>>>,
    /// The candidates found so far.
    pub(super) candidates: AtomicU64,
}

impl Tiled for SignedTiles<'_> {
    fn key(&self, document: u32) -> u32 {
        if self.verify.is_some() { self.on_disk.links.find(document) } else { 0 }
    }

    fn place(&self, document: u32) -> u64 {
        document.into()
    }

    fn bytes(&self, document: u32) -> u64 {
        let size = self.sizes.get(document as usize).copied().unwrap_or(0);
        COMPARED + SIGNATURE * 8 * self.on_disk.signing.numbers() as u64 + 8 * u64::from(size)
    }

    fn fit(&self, one: (u32, u32), two: (u32, u32)) -> bool {
        one.0 <= two.1 && two.0 <= one.1
    }

    fn join(&self, one: &[u32], two: Option<&[u32]>, stage: &Stage, emit: Emit) -> Result<(), Error> {
        let lists = [one, two.unwrap_or_default()];
        let (signatures, documents) = (self.on_disk.signatures(self.on_disk.file.load(&lists)?)?, lists.concat());
        let sets = match (&self.on_disk.sets, &self.verify) {
            (Some(sets), Some(_)) => sets.load(&lists)?,
            _ => SetStore::default(),
        };
        let verify = |a: u32, b: u32| {
            let Some(verify) = &self.verify else { return Some(SetPair { a, b, common: 0 }) };
            let (one, two) = (documents[a as usize], documents[b as usize]);
            let found = verify(one.min(two), one.max(two), &|| common(sets.set(a), sets.set(b)))?;
            Some(SetPair { a, b, common: found.common })
        };
        let side = |position: u32| match two {
            None => Side::Both,
            Some(_) if (position as usize) < one.len() => Side::First,
            Some(_) => Side::Second,
        };
        let members: Vec<u32> = (0..documents.len() as u32).collect();
        signatures.candidates(&members, side, &stage.quiet(), |some| {
            let mut count = 0;
            let pairs: Vec<SetPair> = some.inspect(|_| count += 1).filter_map(|(a, b)| verify(a, b)).collect();
            self.candidates.fetch_add(count, Relaxed);
            emit(&pairs);
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
    use crate::on_disk::SignatureFileWriter;
    use lookalike::sketch::{Plan, Prior};
    use proptest::prelude::*;

    fn on_disk(signing: Signing, numbers: &[u64], bytes: u64) -> OnDisk {
        let mut writer = SignatureFileWriter::new(&Space::default(), signing.numbers(), false).block(100);
        writer.put(&Numbers { numbers: numbers.to_vec(), sites: Vec::new() }).unwrap();
        let (links, space) = (Roots::new(numbers.len() / signing.numbers()), Space::default());
        OnDisk { signing, file: writer.finish().unwrap(), sets: None, terms: None, links, bytes, space }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// As in memory, and candidates are linked.
        #[test]
        fn the_same_documents_meet(
            documents in proptest::collection::vec([0..5u64, 0..5, 0..5], 0..40),
            sides in proptest::collection::vec(prop::sample::select(&[None, Some(Side::First), Some(Side::Second), Some(Side::Both)][..]), 40),
            needed in 1..4usize,
            by_bits in any::<bool>(),
            bytes in 0..2000u64,
        ) {
            let signing = match by_bits {
                true => Signing::SimHash { bits: 192, agree: 192 - needed as u32 },
                false => Signing::MinHash(Plan::of(Filter::new(3, 1, needed).unwrap(), 0.5, Prior::default())),
            };
            let numbers = documents.as_flattened();
            let in_memory = Signatures::new(&signing, numbers.to_vec(), Vec::new(), SetStore::default()).unwrap();
            let on_disk = on_disk(signing, numbers, bytes);
            let firsts: Vec<u32> = (0..documents.len() as u32).filter(|&at| sides[at as usize].is_some()).collect();
            let side = |document: u32| sides[document as usize].unwrap_or(Side::Both);
            let expected = in_memory.meeting(&firsts, side, documents.len());
            prop_assert_eq!(on_disk.meeting(&firsts, side, documents.len(), &Stage::silent()).unwrap(), expected);
            for &a in &firsts {
                for &b in firsts.iter().filter(|&&b| b != a && side(a).faces(side(b))) {
                    prop_assert!(!in_memory.pass(a, b) || on_disk.links.find(a) == on_disk.links.find(b));
                }
            }
            let sets: Vec<u128> = (0..documents.len() as u128).map(|set| set / 2).collect();
            prop_assert_eq!(on_disk.keys(&sets).unwrap(), in_memory.keys(&sets));
        }
    }
}
