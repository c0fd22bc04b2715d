//! How are all pairs of fingerprints that agree in nearly all bits found?

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::compare::Comparer;
use super::fingerprints::Fingerprints;
use super::groups::{Scratch, Spread};
use super::pair::AgreePair;
use super::piece::Piece;
use super::plan;
use crate::candidates::Side;
use crate::progress::Stage;

/// Finds every pair of fingerprints that agree in all but a few bits.
///
/// ```
/// use std::sync::Mutex;
///
/// use lookalike::engine::{AgreeJoin, AgreePair, Fingerprints, Stage};
///
/// let fingerprints = Fingerprints::new(64, vec![0b0000, 0b0111, 0b0011, 0b1100])?;
/// let pairs = Mutex::new(Vec::new());
/// AgreeJoin::new(1).pairs(&fingerprints, &Stage::silent(), |some| pairs.lock().unwrap().extend_from_slice(some));
/// assert_eq!(pairs.into_inner().unwrap(), [AgreePair { a: 1, b: 2, agree: 63 }]);
/// # Ok::<(), lookalike::engine::FingerprintsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreeJoin {
    /// The maximum number of bits in which a pair differs.
    pub differ: u32,
    /// Whether to compare every fingerprint with every other, instead of choosing by the data. It changes the speed,
    /// never the result.
    pub scan: bool,
}

impl AgreeJoin {
    /// Makes a join of fingerprints that differ in at most `differ` bits.
    pub fn new(differ: u32) -> AgreeJoin {
        AgreeJoin { differ, scan: false }
    }

    /// Finds every pair, in batches and in no particular order, from any thread. The stage counts documents.
    pub fn pairs(&self, fingerprints: &Fingerprints, stage: &Stage, emit: impl Fn(&[AgreePair]) + Sync) {
        let members: Vec<u32> = (0..fingerprints.len() as u32).collect();
        self.pairs_among(fingerprints, &members, |_| Side::Both, stage, emit);
    }

    /// Finds every pair with one document on each side among `members`, each named once.
    ///
    /// Use it for two collections, for representatives of equal documents ([`Fingerprints::groups`]), to skip documents
    /// without tokens, and to join documents with kept ones only.
    pub fn pairs_among(
        &self,
        fingerprints: &Fingerprints,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        stage: &Stage,
        emit: impl Fn(&[AgreePair]) + Sync,
    ) {
        self.run_width(fingerprints, members, &side, stage, &emit);
    }

    /// Runs the code for the width of the fingerprints. It is compiled once, and not again for every callback.
    fn run_width(
        &self,
        fingerprints: &Fingerprints,
        members: &[u32],
        side: &(dyn Fn(u32) -> Side + Sync),
        stage: &Stage,
        emit: &(dyn Fn(&[AgreePair]) + Sync),
    ) {
        match fingerprints.width() {
            1 => self.run::<1>(fingerprints.all(), members, side, stage, emit),
            2 => self.run::<2>(fingerprints.all(), members, side, stage, emit),
            3 => self.run::<3>(fingerprints.all(), members, side, stage, emit),
            4 => self.run::<4>(fingerprints.all(), members, side, stage, emit),
            5 => self.run::<5>(fingerprints.all(), members, side, stage, emit),
            6 => self.run::<6>(fingerprints.all(), members, side, stage, emit),
            7 => self.run::<7>(fingerprints.all(), members, side, stage, emit),
            _ => self.run::<8>(fingerprints.all(), members, side, stage, emit),
        }
    }

    fn run<const W: usize>(
        &self,
        all: &[[u64; W]],
        members: &[u32],
        side: &(dyn Fn(u32) -> Side + Sync),
        stage: &Stage,
        emit: &(dyn Fn(&[AgreePair]) + Sync),
    ) {
        let emit = |some: &[AgreePair]| emit(some);
        let pieces = if self.scan { vec![Piece::none()] } else { plan::choose(all, members, self.differ) };
        let side = members.iter().any(|&member| side(member) != Side::Both).then_some(side);
        let parts = pieces.iter().map(Piece::part).collect();
        let comparer = Comparer { all, differ: self.differ, pieces: parts, side, emit: &emit };
        let passes = Passes { done: AtomicU64::new(0), pieces: pieces.len() as u64, stage };
        let mut entries = vec![0; members.len()];
        for (number, piece) in pieces.iter().enumerate() {
            let spread = Spread::new(all, members, piece, &mut entries);
            (0..spread.parts()).into_par_iter().for_each_init(
                || (Scratch::default(), Vec::new(), comparer.outgoing()),
                |(room, tiles, outgoing), part| {
                    if stage.is_cancelled() {
                        return;
                    }
                    let done = spread.for_each_run(part, room, |run| comparer.compare(number, run, tiles, outgoing));
                    passes.add(done as u64);
                },
            );
        }
    }
}

/// Counts documents. Each is processed once per piece.
struct Passes<'a> {
    done: AtomicU64,
    pieces: u64,
    stage: &'a Stage<'a>,
}

impl Passes<'_> {
    fn add(&self, more: u64) {
        let before = self.done.fetch_add(more, Ordering::Relaxed);
        let documents = (before + more) / self.pieces - before / self.pieces;
        if documents > 0 {
            self.stage.add(documents as usize);
        }
    }
}
