//! Finds pairs by signatures: candidates from a few bytes per document, each verified by its sets.
//!
//! ```text
//! read the inputs: a signature of every document, the hash and size of its set      read
//! group equal documents, and find those that may be a candidate with another               signatures
//! read the inputs again: the sets of those documents, and all partners of a sample         second_pass
//! compare the sets of every candidate: a pair if it reaches the threshold                  source
//! count how many of the sample's pairs are candidates                                      recall
//! ```
//!
//! Without verification, every candidate is a pair, and the inputs are read once.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::Threshold;
use lookalike::engine::{Groups, KeepOrder, Progress, Roots, SetStore, Side, Stage};
use lookalike_io::Source;
use lookalike_io::spill::Sorter;

use super::on_disk::OnDisk;
use super::recall::{PairsOfSet, sets_to_draw};
use super::signatures::Signatures;
use super::source::SignedSource;
use super::source::Verify;
use super::terms::Terms;
use crate::error::Error;
use crate::on_disk::{SetFileWriter, SetsInFile, SignatureFileWriter};
use crate::read::{Collection, Collector, Kept, SampleIndex, SecondPass, Sides, Signing};
use crate::report::Recall;

/// Bytes of a block of sets on disk: a few of them are read at a time.
const BLOCK: usize = 1 << 16;

/// The settings of a search by signatures.
pub(crate) struct SignedJob<'a> {
    pub(crate) collector: &'a Collector,
    pub(crate) signing: Signing,
    pub(crate) sources: &'a [Source],
    /// How many of them are the inputs; they come first.
    pub(crate) inputs: usize,
    pub(crate) sides: &'a Sides,
    pub(crate) threshold: Threshold,
    pub(crate) verify: Verify,
    pub(crate) progress: &'a dyn Progress,
}

/// A set of the sample: a document that has it, its pairs, and the pairs that are candidates.
struct Drawn {
    document: u32,
    pairs: Counted,
    found: Counted,
}

/// The pairs of a drawn set, counted from any thread.
#[derive(Default)]
struct Counted {
    with_others: AtomicU64,
    with_drawn: AtomicU64,
}

impl Counted {
    fn add(&self, is_drawn: bool, pairs: u64) {
        let count = if is_drawn { &self.with_drawn } else { &self.with_others };
        count.fetch_add(pairs, Relaxed);
    }

    fn into_pairs(self) -> PairsOfSet {
        PairsOfSet { with_others: self.with_others.into_inner(), with_drawn: self.with_drawn.into_inner() }
    }
}

impl SignedJob<'_> {
    /// Prepares a collection and takes its signatures. `order` has every document once. If the signatures do not fit in memory, they are in
    /// `file`, which comes with the bytes of memory to compare them in.
    pub(crate) fn prepare(
        &self,
        collection: &mut Collection,
        file: Option<(SignatureFileWriter, u64)>,
        order: Vec<u32>,
        pinned: usize,
    ) -> Result<SignedSource, Error> {
        let sizes = std::mem::take(&mut collection.sizes);
        let set_hashes = std::mem::take(&mut collection.set_hashes);
        let (numbers, sites) = (std::mem::take(&mut collection.signatures), std::mem::take(&mut collection.sites));
        let light = std::mem::take(&mut collection.store);
        let signatures = Signatures::new(&self.signing, numbers, sites, light)?;
        let nonempty = || order.iter().copied().filter(|&document| sizes[document as usize] > 0);
        let on_disk = file.map(|(file, bytes)| self.on_disk(file, bytes, sizes.len())).transpose()?;
        let (keys, is_comparable) = match &on_disk {
            Some(on_disk) => on_disk.keys(&set_hashes)?,
            None => signatures.keys(&set_hashes),
        };
        let comparable = || nonempty().filter(|&document| is_comparable[document as usize]);
        let groups = Groups::of_equal_keys(&keys, comparable());
        drop(keys);
        let firsts: Vec<u32> = comparable().filter(|&document| groups.is_first(document)).collect();
        let side = self.sides_of(&groups, sizes.len());
        let side_of = |document: u32| side[document as usize];
        let wanted = match &on_disk {
            Some(on_disk) => {
                on_disk.meeting(&firsts, side_of, sizes.len(), &Stage::begin(self.progress, "sorting", 0))?
            }
            None => signatures.meeting(&firsts, side_of, sizes.len()),
        };
        let members: Vec<u32> = firsts.into_iter().filter(|&document| wanted[document as usize]).collect();

        let equal = Groups::of_equal_keys(&set_hashes, nonempty());
        let compared: Vec<bool> =
            (0..sizes.len() as u32).map(|document| sizes[document as usize] > 0 && equal.is_first(document)).collect();
        let distinct_sets = compared.iter().filter(|is_first| **is_first).count() as u64;
        let is_reference = |document: &&u32| !self.sides.a.contains(*document);
        let mut signed = SignedSource {
            signing: self.signing,
            threshold: self.threshold,
            verify: self.verify,
            signatures,
            sizes,
            keep: KeepOrder { order: Vec::new(), pinned, groups },
            equal,
            pinned: members.iter().take_while(is_reference).count(),
            among: vec![Side::Both; side.len()],
            candidates: [0, 0],
            side,
            members,
            within: std::mem::take(&mut collection.within),
            sets: SetStore::default(),
            on_disk,
            terms: None,
            recall: None,
        };
        signed.keep.order = order;
        if !signed.is_verified() {
            return Ok(signed);
        }
        let sample = signed.must_reach().then(|| {
            let designed = self.signing.designed_recall().unwrap_or(0.5);
            let share = signed.members.len() as f64 / distinct_sets.max(1) as f64;
            let mut sample = std::mem::take(&mut collection.sample);
            sample.shrink(sets_to_draw(designed, share));
            SampleIndex::new(sample, self.threshold)
        });
        let drawn = sample.as_ref().map(|sample| signed.drawn(sample, &set_hashes, &compared)).unwrap_or_default();
        let is_drawn = |document: u32| {
            sample.as_ref().is_some_and(|sample| sample.number(set_hashes[document as usize]).is_some())
        };
        let later = Sorter::new(self.collector.sort_bytes(), self.collector.threads, &self.collector.space);
        let pass = SecondPass {
            sources: self.sources,
            inputs: self.inputs,
            starts: &collection.starts,
            set_hashes: &set_hashes,
            wanted: &wanted,
            compared: &compared,
            sample: sample.as_ref(),
            report: &|number, other, stands_for| {
                let its = &drawn[number as usize];
                if signed.count_partner(its, other, is_drawn(other), stands_for) && signed.on_disk.is_some() {
                    later.push(&[[other, number, stands_for as u32]]);
                }
            },
            keeps_terms: matches!(self.signing, Signing::Web(..)),
        };
        let new_file = || SetFileWriter::new(&self.collector.space).block(BLOCK);
        let files = signed.on_disk.as_ref().map(|_| [new_file(), new_file()]);
        let Kept { sets, files, terms } = self.collector.collect_again(&pass, files, self.progress)?;
        if let (Some(on_disk), Some([sets, terms])) = (&mut signed.on_disk, files) {
            on_disk.sets = Some(SetsInFile::new(sets));
            on_disk.terms = matches!(self.signing, Signing::Web(..)).then(|| SetsInFile::new(terms));
            let documents: Vec<u32> = drawn.iter().map(|its| its.document).collect();
            on_disk.for_each_found(later, &documents, |other, number, stands_for| {
                drawn[number as usize].found.add(is_drawn(other), stands_for.into());
            })?;
        }
        signed.recall = sample.map(|_| {
            let counts: Vec<(PairsOfSet, PairsOfSet)> =
                drawn.into_iter().map(|drawn| (drawn.pairs.into_pairs(), drawn.found.into_pairs())).collect();
            Recall::of(&counts, distinct_sets)
        });
        signed.sets = sets;
        signed.terms = terms.map(|sequences| Terms::new(sequences, signed.keep.groups.clone()));
        Ok(signed)
    }

    /// The signatures of this many documents in a file.
    fn on_disk(&self, file: SignatureFileWriter, bytes: u64, documents: usize) -> Result<OnDisk, Error> {
        let (signing, file, links) = (self.signing, file.finish()?, Roots::new(documents));
        Ok(OnDisk { signing, file, sets: None, terms: None, links, bytes, space: self.collector.space.clone() })
    }

    /// By representative, the sides of the documents in its group.
    fn sides_of(&self, groups: &Groups, documents: usize) -> Vec<Side> {
        let mut on = vec![[false; 2]; documents];
        for document in 0..documents as u32 {
            let on = &mut on[groups.first(document) as usize];
            on[0] |= self.sides.a.contains(&document);
            on[1] |= self.sides.b.contains(&document);
        }
        let side = |on: [bool; 2]| match on {
            [true, false] => Side::First,
            [false, _] => Side::Second,
            [true, true] => Side::Both,
        };
        on.into_iter().map(side).collect()
    }
}

impl SignedSource {
    /// The sets of a sample, with counts of 0.
    fn drawn(&self, sample: &SampleIndex, set_hashes: &[u128], compared: &[bool]) -> Vec<Drawn> {
        let mut documents = vec![0; sample.len()];
        for document in (0..compared.len()).filter(|&document| compared[document]) {
            if let Some(number) = sample.number(set_hashes[document]) {
                documents[number as usize] = document as u32;
            }
        }
        let drawn = |document| Drawn { document, pairs: Counted::default(), found: Counted::default() };
        documents.into_iter().map(drawn).collect()
    }

    /// Counts a document that reaches the threshold with a drawn set. Its own set may be drawn too. Returns whether the two may be a pair.
    /// Whether they are found is counted here only if the signatures are in memory.
    fn count_partner(&self, drawn: &Drawn, other: u32, is_drawn: bool, stands_for: u64) -> bool {
        let side = |document: u32| self.side[self.keep.groups.first(document) as usize];
        let is_pair = other != drawn.document && side(drawn.document).faces(side(other));
        if is_pair {
            drawn.pairs.add(is_drawn, stands_for);
            if self.on_disk.is_none() && self.signatures.pass(drawn.document, other) {
                drawn.found.add(is_drawn, stands_for);
            }
        }
        is_pair
    }
}
