//! Finds pairs by signatures: candidates from a few bytes per document, each verified by its sets.
//!
//! ```text
//! read the inputs: a signature of every document, the fingerprint and size of its set      read
//! group equal documents, and find those that may be a candidate with another               signatures
//! read the inputs again: the sets of those documents, and all partners of a sample         second_pass
//! compare the sets of every candidate: a pair if it reaches the threshold                  here
//! count how many of the sample's pairs are candidates                                      recall
//! ```
//!
//! Without verification, every candidate is a pair, and the inputs are read once.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::Threshold;
use lookalike::engine::{
    Compared, Counts, Emit, Groups, JoinError, KeepOrder, PairSource, Progress, SetPair, SetStore, Side, Stage, Twin,
    common,
};
use lookalike_io::Source;

use super::recall::{PairsOfSet, Recall, sets_to_draw};
use super::report::{SignedReport, Verify};
use super::signatures::Signatures;
use super::terms::Terms;
use crate::error::Error;
use crate::read::{Collection, Collector, Kept, SampleIndex, SecondPass, Sides, Signing};

/// What a search by signatures needs.
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

/// A source of pairs that compares documents by their signatures and verifies them by their sets.
pub(crate) struct SignedSource {
    signing: Signing,
    pub(crate) threshold: Threshold,
    verify: Verify,
    pub(crate) signatures: Signatures,
    pub(crate) sizes: Vec<u32>,
    /// The documents in the requested order. Documents that the method cannot tell apart are grouped.
    keep: KeepOrder,
    /// Groups of documents with the same set.
    pub(crate) equal: Groups,
    /// By representative, the sides of the documents in its group.
    side: Vec<Side>,
    /// The representatives that may be candidates, in the requested order.
    members: Vec<u32>,
    /// How many of them are references; they come first.
    pinned: usize,
    /// By document, its side in the current join.
    among: Vec<Side>,
    /// Candidates of the join of all pairs, and of the joins of some.
    candidates: [u64; 2],
    within: Vec<u64>,
    sets: SetStore,
    pub(crate) terms: Option<Terms>,
    recall: Option<Recall>,
}

impl SignedJob<'_> {
    /// Prepares a collection and takes its signatures. `order` has every document once.
    pub(crate) fn prepare(
        &self,
        collection: &mut Collection,
        order: Vec<u32>,
        pinned: usize,
    ) -> Result<SignedSource, Error> {
        let sizes = std::mem::take(&mut collection.sizes);
        let fingerprints = std::mem::take(&mut collection.fingerprints);
        let (numbers, sites) = (std::mem::take(&mut collection.signatures), std::mem::take(&mut collection.sites));
        let light = std::mem::take(&mut collection.store);
        let signatures = Signatures::new(&self.signing, numbers, sites, light)?;
        let nonempty = || order.iter().copied().filter(|&document| sizes[document as usize] > 0);
        let comparable = || nonempty().filter(|&document| signatures.is_comparable(document));
        let groups = signatures.groups(&fingerprints, comparable());
        let firsts: Vec<u32> = comparable().filter(|&document| groups.is_first(document)).collect();
        let side = self.sides_of(&groups, sizes.len());
        let wanted = signatures.meeting(&firsts, |document| side[document as usize], sizes.len());
        let members: Vec<u32> = firsts.into_iter().filter(|&document| wanted[document as usize]).collect();

        let equal = Groups::of_equal_keys(&fingerprints, nonempty());
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
        let drawn = sample.as_ref().map(|sample| signed.drawn(sample, &fingerprints, &compared)).unwrap_or_default();
        let is_drawn = |document: u32| {
            sample.as_ref().is_some_and(|sample| sample.number(fingerprints[document as usize]).is_some())
        };
        let pass = SecondPass {
            sources: self.sources,
            inputs: self.inputs,
            starts: &collection.starts,
            fingerprints: &fingerprints,
            wanted: &wanted,
            compared: &compared,
            sample: sample.as_ref(),
            report: &|number, other, stands_for| {
                signed.count_partner(&drawn[number as usize], other, is_drawn(other), stands_for);
            },
            keeps_terms: matches!(self.signing, Signing::Web(..)),
        };
        let Kept { sets, terms } = self.collector.collect_again(&pass, self.progress)?;
        signed.recall = sample.map(|_| {
            let counts: Vec<(PairsOfSet, PairsOfSet)> =
                drawn.into_iter().map(|drawn| (drawn.pairs.into_pairs(), drawn.found.into_pairs())).collect();
            Recall::of(&counts, distinct_sets)
        });
        signed.sets = sets;
        signed.terms = terms.map(|sequences| Terms::new(sequences, signed.keep.groups.clone()));
        Ok(signed)
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
    fn drawn(&self, sample: &SampleIndex, fingerprints: &[u128], compared: &[bool]) -> Vec<Drawn> {
        let mut documents = vec![0; sample.len()];
        for document in (0..compared.len()).filter(|&document| compared[document]) {
            if let Some(number) = sample.number(fingerprints[document]) {
                documents[number as usize] = document as u32;
            }
        }
        let drawn = |document| Drawn { document, pairs: Counted::default(), found: Counted::default() };
        documents.into_iter().map(drawn).collect()
    }

    /// Counts a document that reaches the threshold with a drawn set. Its own set may be drawn too.
    fn count_partner(&self, drawn: &Drawn, other: u32, is_drawn: bool, stands_for: u64) {
        let side = |document: u32| self.side[self.keep.groups.first(document) as usize];
        if other != drawn.document && side(drawn.document).faces(side(other)) {
            drawn.pairs.add(is_drawn, stands_for);
            if self.signatures.pass(drawn.document, other) {
                drawn.found.add(is_drawn, stands_for);
            }
        }
    }

    /// Calls `emit` with every pair among the candidates of `members` with one document on each side. Returns the number of candidates.
    fn join(&self, members: &[u32], side: impl Fn(u32) -> Side + Sync, stage: &Stage, emit: Emit) -> u64 {
        let candidates = AtomicU64::new(0);
        self.signatures.candidates(members, side, stage, |some| {
            let mut count = 0;
            let pairs: Vec<SetPair> = some.inspect(|_| count += 1).filter_map(|(a, b)| self.verify(a, b)).collect();
            candidates.fetch_add(count, Relaxed);
            emit(&pairs);
        });
        candidates.into_inner()
    }

    /// Verifies a candidate: the pair, if it is one.
    fn verify(&self, a: u32, b: u32) -> Option<SetPair> {
        // Signatures that are not made from sets ignore the keys of `--within`.
        if !self.within.is_empty() && self.within[a as usize] != self.within[b as usize] {
            return None;
        }
        let (size_a, size_b) = (self.sizes[a as usize], self.sizes[b as usize]);
        if self.must_reach() {
            let (least, greatest) = self.threshold.partners(size_a);
            if !(least..=greatest).contains(&size_b) {
                return None;
            }
        }
        let common = self.shared(a, b);
        let is_pair = !self.must_reach() || self.threshold.reaches(common, size_a, size_b);
        is_pair.then_some(SetPair { a, b, common })
    }

    /// The number of elements that two members share; 0 if their sets were not read again.
    fn shared(&self, a: u32, b: u32) -> u32 {
        match self.verify {
            Verify::Not => 0,
            Verify::Threshold | Verify::Similarity => common(self.sets.set(a), self.sets.set(b)),
        }
    }

    /// Whether the sets of candidates are compared.
    pub(crate) fn is_verified(&self) -> bool {
        !matches!(self.verify, Verify::Not)
    }

    /// Whether pairs must reach the threshold.
    pub(crate) fn must_reach(&self) -> bool {
        matches!(self.verify, Verify::Threshold)
    }

    /// The name of the method, and a description.
    pub(crate) fn describe(&self) -> (&'static str, String) {
        (self.signing.name(), self.signing.describe())
    }

    /// Frees what is not needed once all pairs are found.
    pub(crate) fn without_sets(mut self) -> SignedSource {
        self.sets = SetStore::default();
        self
    }

    pub(crate) fn report(&self) -> SignedReport {
        SignedReport {
            filter: self.signing.describe(),
            signature_bytes: self.signatures.mean_bytes().unwrap_or_else(|| self.signing.bytes()),
            candidates: self.candidates[0].max(self.candidates[1]),
            verified: self.is_verified(),
            designed_recall: self.signing.designed_recall(),
            recall: self.recall,
        }
    }
}

impl PairSource for SignedSource {
    fn keep_order(&self) -> &KeepOrder {
        &self.keep
    }

    fn compared(&self) -> Compared {
        Compared { documents: self.members.clone(), pinned: self.pinned }
    }

    fn work(&self) -> usize {
        self.signatures.passes() * self.members.len()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let candidates = self.join(&self.members, |document| self.side[document as usize], stage, emit);
        stage.check()?;
        self.candidates[0] = candidates;
        Ok(Counts::of_verified(candidates))
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        among.iter().for_each(|&(document, side)| self.among[document as usize] = side);
        let members: Vec<u32> = among.iter().map(|&(document, _)| document).collect();
        let candidates = self.join(&members, |document| self.among[document as usize], stage, emit);
        self.candidates[1] += candidates;
        Ok(stage.check()?)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        let size = |document: u32| self.sizes[document as usize];
        if !self.is_verified() {
            let estimate = |twin: Twin| self.signatures.estimate(document, twin.document);
            return estimate(one).total_cmp(&estimate(two));
        }
        let of = |twin: Twin| (twin.common, size(twin.document));
        self.threshold.compare(size(document), of(one), of(two))
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        let (first_a, first_b) = (self.keep.groups.first(a), self.keep.groups.first(b));
        if first_a == first_b { self.sizes[a as usize] } else { self.shared(first_a, first_b) }
    }

    /// The exact similarity, or an estimate from the signatures if the sets were not compared.
    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        let (size_a, size_b) = (self.sizes[a as usize], self.sizes[b as usize]);
        match self.verify {
            _ if self.keep.groups.first(a) == self.keep.groups.first(b) => {
                self.threshold.similarity(size_a, size_a, size_b)
            }
            Verify::Not => self.signatures.estimate(a, b),
            Verify::Threshold | Verify::Similarity => self.threshold.similarity(common, size_a, size_b),
        }
    }
}
