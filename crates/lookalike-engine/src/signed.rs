//! Pairs by signatures: candidates from a few bytes a document, each of them verified.
//!
//! ```text
//! read the inputs: of every document a signature, a fingerprint of its set, its size       collect
//! group equal documents; which of them might be a candidate with another?
//! read the inputs again: the sets of those, and all partners of a sample                   reread
//! every candidate by its sets: a pair if it reaches the threshold                          here
//! how many of the sample's pairs are candidates?                                           recall
//! ```
//!
//! Without verifying, a candidate is a pair, and nothing is read twice.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::candidates::Side;
use lookalike::cluster::Twin;
use lookalike::sets::Groups;
use lookalike::verify::common;
use lookalike::{Pair, SetStore, Threshold};
use lookalike_io::Source;
use serde::Serialize;

use crate::collect::{Collection, Collector};
use crate::error::Error;
use crate::expand::Sides;
use crate::found::By;
use crate::recall::{Pairs, Recall, sets_to_draw};
use crate::reread::{Kept, Reread};
use crate::sample::SampleIndex;
use crate::sign::Signing;
use crate::signatures::Signatures;
use crate::terms::Terms;
use crate::watch::Watch;

/// What a search by signatures did.
#[derive(Clone, Debug, Serialize)]
pub struct SignedReport {
    /// The way in words.
    pub filter: String,
    /// Bytes kept of a document's set at first.
    pub signature_bytes: usize,
    /// Pairs of different documents whose signatures passed. If it is decided who stays, not all are looked at, and some more than once.
    pub candidates: u64,
    /// Whether they were compared by their sets; if not, similarities are estimates, and not all pairs are near-duplicates.
    pub verified: bool,
    /// The share of the pairs at the threshold that the filter is designed to find.
    pub designed_recall: Option<f64>,
    /// What was reached.
    pub recall: Option<Recall>,
}

/// How a search by signatures ends.
#[derive(Clone, Copy, Debug)]
pub enum Verify {
    /// With pairs that reach the threshold.
    Threshold,
    /// With all candidates, whatever their similarity, which is told.
    Similarity,
    /// With all candidates, of which nothing more is known.
    Not,
}

impl Verify {
    /// The threshold, if it has a part in what a pair is.
    pub(crate) fn bound(self, signing: Option<&Signing>, threshold: &Threshold) -> Option<f64> {
        let is_designed = signing.is_some_and(|signing| signing.designed_recall().is_some());
        (is_designed || matches!(self, Verify::Threshold)).then(|| threshold.value().to_f64())
    }
}

/// How it is to be done.
pub(crate) struct SignedJob<'a> {
    pub(crate) collector: &'a Collector,
    pub(crate) signing: Signing,
    pub(crate) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(crate) inputs: usize,
    pub(crate) sides: &'a Sides,
    pub(crate) threshold: Threshold,
    pub(crate) verify: Verify,
    pub(crate) watch: &'a dyn Watch,
}

/// A set of the sample: a document that has it, its pairs, and those of them that are candidates.
struct Drawn {
    document: u32,
    pairs: Counted,
    found: Counted,
}

/// Pairs of a drawn set as they are counted, from any thread.
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

    fn into_pairs(self) -> Pairs {
        Pairs { with_others: self.with_others.into_inner(), with_drawn: self.with_drawn.into_inner() }
    }
}

/// A collection made ready.
pub(crate) struct Signed {
    signing: Signing,
    pub(crate) threshold: Threshold,
    verify: Verify,
    pub(crate) signatures: Signatures,
    pub(crate) sizes: Vec<u32>,
    /// Documents that are the same to the method.
    pub(crate) groups: Groups,
    /// Documents that have the same set.
    pub(crate) equal: Groups,
    pub(crate) distinct_sets: u64,
    /// By document that stands for its equals, on which sides these are.
    side: Vec<Side>,
    /// Those that might have candidates, in the order that was asked for.
    pub(crate) members: Vec<u32>,
    within: Vec<u64>,
    sets: SetStore,
    pub(crate) terms: Option<Terms>,
    recall: Option<Recall>,
}

impl SignedJob<'_> {
    /// Makes a collection ready, whose signatures it takes; `order` has every document once.
    pub(crate) fn prepare(&self, collection: &mut Collection, order: &[u32]) -> Result<Signed, Error> {
        let sizes = std::mem::take(&mut collection.sizes);
        let fingerprints = std::mem::take(&mut collection.fingerprints);
        let (numbers, sites) = (std::mem::take(&mut collection.signatures), std::mem::take(&mut collection.sites));
        let signatures = Signatures::new(&self.signing, numbers, sites)?;
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
        let mut signed = Signed {
            signing: self.signing,
            threshold: self.threshold,
            verify: self.verify,
            signatures,
            sizes,
            groups,
            equal,
            distinct_sets,
            side,
            members,
            within: std::mem::take(&mut collection.within),
            sets: SetStore::default(),
            terms: None,
            recall: None,
        };
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
        let reread = Reread {
            sources: self.sources,
            inputs: self.inputs,
            starts: &collection.starts,
            fingerprints: &fingerprints,
            wanted: &wanted,
            compared: &compared,
            sample: sample.as_ref(),
            tell: &|number, other, stands_for| {
                signed.tell(&drawn[number as usize], other, is_drawn(other), stands_for);
            },
            keeps_terms: matches!(self.signing, Signing::Web(..)),
        };
        let Kept { sets, terms } = self.collector.collect_again(&reread, self.watch)?;
        signed.recall = sample.map(|_| {
            let counts: Vec<(Pairs, Pairs)> =
                drawn.into_iter().map(|drawn| (drawn.pairs.into_pairs(), drawn.found.into_pairs())).collect();
            Recall::of(&counts, distinct_sets)
        });
        signed.sets = sets;
        signed.terms = terms.map(|sequences| Terms::new(sequences, signed.groups.clone()));
        Ok(signed)
    }

    /// On which sides the documents are for which each stands.
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

impl Signed {
    /// The sets of a sample, with nothing counted yet.
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

    /// Counts a document that reaches the threshold with a drawn set, and whose set may be drawn itself.
    fn tell(&self, drawn: &Drawn, other: u32, is_drawn: bool, stands_for: u64) {
        let side = |document: u32| self.side[self.groups.first(document) as usize];
        if other != drawn.document && side(drawn.document).faces(side(other)) {
            drawn.pairs.add(is_drawn, stands_for);
            if self.signatures.pass(drawn.document, other) {
                drawn.found.add(is_drawn, stands_for);
            }
        }
    }

    /// Every candidate that is a pair, some at a time, from any thread. Tells how many candidates there were.
    pub(crate) fn pairs(&self, progress: impl Fn(usize) + Sync, emit: impl Fn(&[Pair]) + Sync) -> u64 {
        self.pairs_among(&self.members, |document| self.side[document as usize], progress, emit)
    }

    /// The same of these documents, one on each side.
    pub(crate) fn pairs_among(
        &self,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        progress: impl Fn(usize) + Sync,
        emit: impl Fn(&[Pair]) + Sync,
    ) -> u64 {
        let candidates = AtomicU64::new(0);
        self.signatures.candidates(members, side, progress, |some| {
            let mut count = 0;
            let pairs: Vec<Pair> = some.inspect(|_| count += 1).filter_map(|(a, b)| self.verify(a, b)).collect();
            candidates.fetch_add(count, Relaxed);
            emit(&pairs);
        });
        candidates.into_inner()
    }

    /// A candidate as a pair, if it is one.
    fn verify(&self, a: u32, b: u32) -> Option<Pair> {
        // Signatures know nothing of keys if they are not made of sets.
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
        let common = self.common(a, b);
        let is_pair = !self.must_reach() || self.threshold.reaches(common, size_a, size_b);
        is_pair.then_some(Pair { a, b, common })
    }

    /// Which of two documents another resembles more.
    pub(crate) fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        let size = |document: u32| self.sizes[document as usize];
        if !self.is_verified() {
            let estimate = |twin: Twin| self.signatures.estimate(document, twin.document);
            return estimate(one).total_cmp(&estimate(two));
        }
        let of = |twin: Twin| (twin.common, size(twin.document));
        self.threshold.compare(size(document), of(one), of(two))
    }

    /// How many elements two members share; 0 if their sets were not read again.
    fn common(&self, a: u32, b: u32) -> u32 {
        match self.verify {
            Verify::Not => 0,
            Verify::Threshold | Verify::Similarity => common(self.sets.set(a), self.sets.set(b)),
        }
    }

    /// The similarity of two documents, or what is thought of it.
    pub(crate) fn similarity(&self, a: u32, b: u32) -> f64 {
        let (first_a, first_b) = (self.groups.first(a), self.groups.first(b));
        let (size_a, size_b) = (self.sizes[a as usize], self.sizes[b as usize]);
        match self.verify {
            _ if first_a == first_b => self.threshold.similarity(size_a, size_a, size_b),
            Verify::Not => self.signatures.estimate(a, b),
            Verify::Threshold | Verify::Similarity => {
                self.threshold.similarity(self.common(first_a, first_b), size_a, size_b)
            }
        }
    }

    /// How many documents are looked at to find all pairs.
    pub(crate) fn work(&self) -> usize {
        self.signatures.passes() * self.members.len()
    }

    /// Whether sets are compared.
    pub(crate) fn is_verified(&self) -> bool {
        !matches!(self.verify, Verify::Not)
    }

    /// Whether they must reach the threshold.
    pub(crate) fn must_reach(&self) -> bool {
        matches!(self.verify, Verify::Threshold)
    }

    /// What the pairs are told by, when all are found: nothing of it takes the sets any more.
    pub(crate) fn into_by(mut self) -> By {
        self.sets = SetStore::default();
        By::Signatures(Box::new(self))
    }

    pub(crate) fn report(&self, candidates: u64) -> SignedReport {
        SignedReport {
            filter: self.signing.describe(),
            signature_bytes: self.signing.bytes(),
            candidates,
            verified: self.is_verified(),
            designed_recall: self.signing.designed_recall(),
            recall: self.recall,
        }
    }
}
