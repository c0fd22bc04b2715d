//! A source of pairs whose documents are compared by their signatures, and verified by their sets.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::Threshold;
use lookalike::engine::{
    Compared, Counts, Emit, Groups, JoinError, KeepOrder, PairSource, SetPair, SetStore, Side, Stage, Twin, common,
};
use rayon::prelude::*;

use super::on_disk::{Beside, OnDisk, SignedTiles};
use super::signatures::Signatures;
use super::terms::Terms;
use crate::error::Error;
use crate::on_disk::{in_join, join_tiles, load_common};
use crate::read::Signing;
use crate::report::{Recall, SignedReport};

/// What a search by signatures does with candidates.
#[derive(Clone, Copy, Debug)]
pub enum Verify {
    /// Compares their sets and keeps pairs that reach the threshold.
    Threshold,
    /// Compares their sets and keeps all, with their similarity.
    Similarity,
    /// Keeps all without comparing their sets.
    Not,
}

impl Verify {
    /// The threshold, if it affects which pairs are found.
    pub(crate) fn bound(self, signing: Option<&Signing>, threshold: &Threshold) -> Option<f64> {
        let is_designed = signing.is_some_and(|signing| signing.designed_recall().is_some());
        (is_designed || matches!(self, Verify::Threshold)).then(|| threshold.value().to_f64())
    }
}

/// A source of pairs that compares documents by their signatures and verifies them by their sets.
pub(crate) struct SignedSource {
    pub(super) signing: Signing,
    pub(crate) threshold: Threshold,
    pub(super) verify: Verify,
    pub(crate) signatures: Signatures,
    pub(crate) sizes: Vec<u32>,
    /// The documents in the requested order. Documents that the method cannot tell apart are grouped.
    pub(super) keep: KeepOrder,
    /// Groups of documents with the same set.
    pub(crate) equal: Groups,
    /// By representative, the sides of the documents in its group.
    pub(super) side: Vec<Side>,
    /// The representatives that may be candidates, in the requested order.
    pub(super) members: Vec<u32>,
    /// How many of them are references; they come first.
    pub(super) pinned: usize,
    /// By document, its side in the current join.
    pub(super) among: Vec<Side>,
    /// Candidates of the join of all pairs, and of the joins of some.
    pub(super) candidates: [u64; 2],
    pub(super) within: Vec<u64>,
    pub(super) sets: SetStore,
    /// The signatures and the sets, if they do not fit in memory. `signatures` and `sets` are then empty.
    pub(super) on_disk: Option<OnDisk>,
    pub(crate) terms: Option<Terms>,
    pub(super) recall: Option<Recall>,
}

impl SignedSource {
    /// Calls `emit` with every pair among the candidates of `members` with one document on each side. Returns the number of candidates.
    fn join(
        &self,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        stage: &Stage,
        emit: Emit,
    ) -> Result<u64, JoinError> {
        if let Some(on_disk) = &self.on_disk {
            let among: Vec<(u32, Side)> = members.iter().map(|&document| (document, side(document))).collect();
            let tiles = self.tiles(on_disk);
            join_tiles(&tiles, &among, on_disk.bytes / 2, stage, emit).map_err(in_join)?;
            stage.add(self.signatures.passes() * members.len());
            return Ok(tiles.candidates.into_inner());
        }
        let candidates = AtomicU64::new(0);
        self.signatures.candidates(members, side, stage, |some| {
            let mut count = 0;
            let verify = |(a, b): (u32, u32)| self.verify(a, b, &|| self.shared(a, b));
            let pairs: Vec<SetPair> = some.inspect(|_| count += 1).filter_map(verify).collect();
            candidates.fetch_add(count, Relaxed);
            emit(&pairs);
        });
        Ok(candidates.into_inner())
    }

    /// The members on disk, to be compared tile by tile.
    fn tiles<'a>(&'a self, on_disk: &'a OnDisk) -> SignedTiles<'a> {
        let verify = Box::new(|a: u32, b: u32, shared: &dyn Fn() -> u32| self.verify(a, b, shared));
        SignedTiles { on_disk, sizes: &self.sizes, verify: Some(verify), candidates: AtomicU64::new(0) }
    }

    /// Verifies a candidate, given how to count the elements that the two share: the pair, if it is one.
    fn verify(&self, a: u32, b: u32, shared: &dyn Fn() -> u32) -> Option<SetPair> {
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
        let common = shared();
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

    /// The number of sets that may have a partner, if the signatures do not fit in memory.
    pub(crate) fn sets_on_disk(&self) -> Option<u64> {
        self.on_disk.as_ref().map(|_| self.members.len() as u64)
    }

    /// Frees what is not needed once all pairs are found.
    pub(crate) fn without_sets(mut self) -> SignedSource {
        self.sets = SetStore::default();
        // The extra columns of a pair come from the signatures.
        self.on_disk = self.on_disk.filter(|_| self.signing.filter().is_none());
        if let Some(on_disk) = &mut self.on_disk {
            on_disk.sets = None;
        }
        self
    }

    /// How the signatures of pairs compare, if they are on disk.
    pub(crate) fn beside(&self, pairs: &[(u32, u32)]) -> Result<Option<Vec<Beside>>, Error> {
        let Some(on_disk) = self.on_disk.as_ref().filter(|_| self.signing.filter().is_none()) else { return Ok(None) };
        let mut all = Vec::with_capacity(pairs.len());
        let mut left = pairs;
        while !left.is_empty() {
            let mut filled = 0;
            let few = left.iter().take_while(|&&(a, b)| {
                let is_first = filled == 0;
                // Words repeat.
                filled += 16 * (u64::from(self.sizes[a as usize]) + u64::from(self.sizes[b as usize])) + 1;
                is_first || filled <= on_disk.bytes
            });
            let (some, behind) = left.split_at(few.count());
            all.extend(on_disk.beside(some, &self.keep.groups)?);
            left = behind;
        }
        Ok(Some(all))
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
        let candidates = self.join(&self.members, |document| self.side[document as usize], stage, emit)?;
        stage.check()?;
        self.candidates[0] = candidates;
        Ok(Counts::of_verified(candidates))
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        among.iter().for_each(|&(document, side)| self.among[document as usize] = side);
        let members: Vec<u32> = among.iter().map(|&(document, _)| document).collect();
        let candidates = self.join(&members, |document| self.among[document as usize], stage, emit)?;
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

    fn common_of(&self, pairs: &[(u32, u32)]) -> Result<Vec<u32>, JoinError> {
        let Some(on_disk) = &self.on_disk else {
            return Ok(pairs.par_iter().map(|&(a, b)| self.common(a, b)).collect());
        };
        let groups = &self.keep.groups;
        let mut numbers: Vec<u32> = pairs.iter().map(|&(a, _)| self.sizes[a as usize]).collect();
        let firsts = pairs.iter().map(|&(a, b)| (groups.first(a), groups.first(b)));
        let (places, different): (Vec<usize>, Vec<(u32, u32)>) =
            firsts.enumerate().filter(|(_, (a, b))| a != b).unzip();
        let tiles = self.tiles(on_disk);
        for (place, number) in places.into_iter().zip(load_common(&tiles, &different, on_disk.bytes).map_err(in_join)?)
        {
            numbers[place] = number;
        }
        Ok(numbers)
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
