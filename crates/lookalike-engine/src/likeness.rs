use std::cmp::Ordering;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use lookalike::Pair;
use lookalike::candidates::Side;
use lookalike::cluster::{Resemblance, Twin};

use crate::signed::Signed;

/// What signatures, and sets as far as they were read again, say of documents to be kept or not.
pub(crate) struct Likeness<'a> {
    signed: &'a Signed,
    /// By document.
    side: Vec<AtomicU8>,
    candidates: AtomicU64,
}

impl<'a> Likeness<'a> {
    pub(crate) fn new(signed: &'a Signed) -> Likeness<'a> {
        let side = signed.sizes.iter().map(|_| AtomicU8::new(0)).collect();
        Likeness { signed, side, candidates: AtomicU64::new(0) }
    }

    /// How many candidates there were so far.
    pub(crate) fn candidates(&self) -> u64 {
        self.candidates.load(Relaxed)
    }
}

impl Resemblance for Likeness<'_> {
    fn pairs(&self, documents: &[(u32, Side)], emit: &(dyn Fn(&[Pair]) + Sync)) {
        const SIDES: [Side; 3] = [Side::First, Side::Second, Side::Both];
        let mut members = Vec::with_capacity(documents.len());
        for &(document, side) in documents {
            let number = SIDES.iter().position(|&one| one == side).unwrap_or(0);
            self.side[document as usize].store(number as u8, Relaxed);
            members.push(document);
        }
        let count = self.signed.pairs_among(
            &members,
            |document| SIDES[usize::from(self.side[document as usize].load(Relaxed))],
            |_| (),
            emit,
        );
        self.candidates.fetch_add(count, Relaxed);
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.signed.compare(document, one, two)
    }
}
