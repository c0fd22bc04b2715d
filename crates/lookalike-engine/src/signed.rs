//! Pairs by signatures: candidates from a few bytes a document, each of them verified.
//!
//! ```text
//! read the inputs: of every document a signature, a fingerprint of its set, its size       collect
//! group equal sets; which documents share anything with another?
//! read the inputs again: the sets of those, and all partners of a sample                   reread
//! every candidate by its sets: a pair if it reaches the threshold                          here
//! how many of the sample's pairs are candidates?                                           recall
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::candidates::Side;
use lookalike::sets::{Groups, hash_set};
use lookalike::verify::common;
use lookalike::{Pair, SetStore, Threshold};
use lookalike_io::Source;
use serde::Serialize;

use crate::collect::{Collection, Collector};
use crate::error::Error;
use crate::expand::Sides;
use crate::recall::{Recall, sets_to_draw};
use crate::reread::Reread;
use crate::sample::SampleIndex;
use crate::sign::{Signatures, Signing};
use crate::watch::Watch;

/// What a search by signatures did.
#[derive(Clone, Debug, Serialize)]
pub struct SignedReport {
    /// The way in words.
    pub filter: String,
    /// Bytes kept of a document's set at first.
    pub signature_bytes: usize,
    /// Pairs of different sets whose signatures passed, and which were compared.
    pub candidates: u64,
    /// The share of the pairs at the threshold that the filter is designed to find.
    pub designed_recall: Option<f64>,
    /// What was reached.
    pub recall: Option<Recall>,
}

/// How it is to be done.
pub(crate) struct SignedJob<'a> {
    pub(crate) collector: &'a Collector,
    pub(crate) signing: Signing,
    pub(crate) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(crate) inputs: usize,
    pub(crate) sides: &'a Sides,
    /// What pairs must reach, and the recall is measured by; nothing if the signatures alone decide.
    pub(crate) threshold: Option<Threshold>,
    pub(crate) watch: &'a dyn Watch,
}

/// A collection made ready.
pub(crate) struct Signed {
    signing: Signing,
    threshold: Option<Threshold>,
    pub(crate) signatures: Signatures,
    pub(crate) sizes: Vec<u32>,
    /// Documents that are the same to the method.
    pub(crate) groups: Groups,
    pub(crate) distinct_sets: u64,
    /// By document that stands for its equals, on which sides these are.
    side: Vec<Side>,
    /// Those that might have candidates.
    pub(crate) members: Vec<u32>,
    within: Vec<u64>,
    store: SetStore,
    recall: Option<Recall>,
}

impl SignedJob<'_> {
    /// Makes a collection ready, whose signatures it takes; `order` has every document once.
    pub(crate) fn prepare(&self, collection: &mut Collection, order: &[u32]) -> Result<Signed, Error> {
        let sizes = std::mem::take(&mut collection.sizes);
        let fingerprints = std::mem::take(&mut collection.fingerprints);
        let signatures = Signatures::new(&self.signing, std::mem::take(&mut collection.signatures))?;
        let nonempty = || order.iter().copied().filter(|&document| sizes[document as usize] > 0);
        let equal = Groups::of_equal_keys(&fingerprints, nonempty());
        let groups = match &signatures {
            Signatures::Features(_) => equal.clone(),
            // Equal sets may differ in how often they have their elements.
            Signatures::SimHashes { fingerprints: simhashes, .. } => {
                let key = |document: u32| {
                    let set = fingerprints[document as usize];
                    let parts = [&[set as u64, (set >> 64) as u64], simhashes.of(document)].concat();
                    hash_set(&parts)
                };
                let keys: Vec<u128> = (0..sizes.len() as u32).map(key).collect();
                Groups::of_equal_keys(&keys, nonempty())
            }
        };
        let firsts: Vec<u32> = nonempty().filter(|&document| groups.is_first(document)).collect();
        let compared: Vec<bool> =
            (0..sizes.len() as u32).map(|document| sizes[document as usize] > 0 && equal.is_first(document)).collect();
        let distinct_sets = compared.iter().filter(|is_first| **is_first).count() as u64;
        let wanted = match &signatures {
            Signatures::Features(table) => table.meeting(&firsts),
            Signatures::SimHashes { .. } => meeting(&signatures, &firsts, sizes.len()),
        };
        let members: Vec<u32> = firsts.into_iter().filter(|&document| wanted[document as usize]).collect();
        let side = self.sides_of(&groups, sizes.len());

        let sample = self.threshold.map(|threshold| {
            let designed = self.designed().unwrap_or(0.5);
            let share = members.len() as f64 / distinct_sets.max(1) as f64;
            let mut sample = std::mem::take(&mut collection.sample);
            sample.shrink(sets_to_draw(designed, share));
            SampleIndex::new(sample, threshold)
        });
        let reread = Reread {
            sources: self.sources,
            inputs: self.inputs,
            starts: &collection.starts,
            fingerprints: &fingerprints,
            wanted: &wanted,
            compared: &compared,
            sample: sample.as_ref(),
        };
        let (store, truths) = self.collector.collect_again(&reread, self.watch)?;
        let recall = sample.map(|sample| {
            let mut documents = vec![0; sample.len()];
            for document in (0..sizes.len()).filter(|&document| compared[document]) {
                if let Some(number) = sample.number(fingerprints[document]) {
                    documents[number as usize] = document as u32;
                }
            }
            let mut drawn = vec![(0, 0); sample.len()];
            for (number, other) in truths {
                let document = documents[number as usize];
                let faces = |a: u32, b: u32| side[groups.first(a) as usize].faces(side[groups.first(b) as usize]);
                if other != document && faces(document, other) {
                    let (all, found) = &mut drawn[number as usize];
                    *all += 1;
                    *found += u64::from(signatures.pass(document, other));
                }
            }
            Recall::of(&drawn, distinct_sets)
        });
        let (signing, threshold, within) = (self.signing, self.threshold, std::mem::take(&mut collection.within));
        Ok(Signed {
            signing,
            threshold,
            signatures,
            sizes,
            groups,
            distinct_sets,
            side,
            members,
            within,
            store,
            recall,
        })
    }

    fn designed(&self) -> Option<f64> {
        designed(&self.signing)
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

fn designed(signing: &Signing) -> Option<f64> {
    match signing {
        Signing::MinHash(plan) => Some(plan.recall),
        Signing::SimHash { .. } => None,
    }
}

/// By document, whether it is a candidate with another of these.
fn meeting(signatures: &Signatures, firsts: &[u32], documents: usize) -> Vec<bool> {
    let met: Vec<AtomicU64> = (0..documents.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let mark = |document: u32| met[document as usize / 64].fetch_or(1 << (document % 64), Relaxed);
    signatures.candidates(
        firsts,
        |_| Side::Both,
        |some| {
            some.for_each(|(a, b)| {
                mark(a);
                mark(b);
            });
        },
    );
    (0..documents).map(|document| met[document / 64].load(Relaxed) >> (document % 64) & 1 == 1).collect()
}

impl Signed {
    /// Every candidate that is a pair, some at a time, from any thread. Tells how many candidates there were.
    pub(crate) fn pairs(&self, emit: impl Fn(&[Pair]) + Sync) -> u64 {
        let candidates = AtomicU64::new(0);
        self.signatures.candidates(
            &self.members,
            |document| self.side[document as usize],
            |some| {
                let mut count = 0;
                let all = some.inspect(|_| count += 1);
                let pairs: Vec<Pair> = all.filter_map(|(a, b)| self.verify(a, b)).collect();
                candidates.fetch_add(count, Relaxed);
                emit(&pairs);
            },
        );
        candidates.into_inner()
    }

    /// A candidate as a pair, if it is one.
    pub(crate) fn verify(&self, a: u32, b: u32) -> Option<Pair> {
        // Signatures know nothing of keys if they are not made of sets.
        if !self.within.is_empty() && self.within[a as usize] != self.within[b as usize] {
            return None;
        }
        let (size_a, size_b) = (self.sizes[a as usize], self.sizes[b as usize]);
        if let Some(threshold) = &self.threshold {
            let (least, greatest) = threshold.partners(size_a);
            if !(least..=greatest).contains(&size_b) {
                return None;
            }
        }
        let common = common(self.store.set(a), self.store.set(b));
        let reaches = self.threshold.is_none_or(|threshold| threshold.reaches(common, size_a, size_b));
        reaches.then_some(Pair { a, b, common })
    }

    pub(crate) fn report(&self, candidates: u64) -> SignedReport {
        SignedReport {
            filter: self.signing.describe(),
            signature_bytes: self.signing.bytes(),
            candidates,
            designed_recall: designed(&self.signing),
            recall: self.recall,
        }
    }
}
