//! Which candidates of a record are pairs?

use super::sizes::Probe;
use crate::join::{Pair, Records};
use crate::verify::common_numbers;

/// The number of candidates from which marking the record's elements first pays.
const MANY: usize = 3;
/// Elements counted between two checks whether enough are left.
const LOOK: usize = 16;

/// Counts the elements that a record shares with its candidates.
pub(super) struct Verifier {
    /// By element, 1 if the record has it.
    marks: Vec<u8>,
}

impl Verifier {
    pub(super) fn new(records: &Records) -> Verifier {
        Verifier { marks: vec![0; records.universe()] }
    }

    /// Calls `emit` with the candidates that are pairs.
    pub(super) fn verify(
        &mut self,
        records: &Records,
        record: u32,
        candidates: &[u32],
        probe: &Probe,
        mut emit: impl FnMut(Pair),
    ) {
        let set = records.set(record);
        let document = records.document(record);
        let mut found = |other: u32, common: u32| {
            let other = records.document(other);
            emit(Pair { a: document.min(other), b: document.max(other), common });
        };
        if candidates.len() < MANY {
            for &other in candidates {
                let needed = probe.needed(records.size(other)) as usize;
                if let Some(common) = common_numbers(set, records.set(other), needed) {
                    found(other, common);
                }
            }
            return;
        }
        set.iter().for_each(|&element| self.marks[element as usize] = 1);
        for &other in candidates {
            let others = records.set(other);
            let spare = others.len() - probe.needed(others.len() as u32) as usize;
            if let Some(common) = self.marked(others, spare) {
                found(other, common);
            }
        }
        set.iter().for_each(|&element| self.marks[element as usize] = 0);
    }

    /// Counts the marked elements, or returns `None` once more than `spare` are unmarked.
    #[inline]
    fn marked(&self, elements: &[u32], spare: usize) -> Option<u32> {
        let (mut common, mut looked) = (0, 0);
        for some in elements.chunks(LOOK) {
            common += some.iter().map(|&element| u32::from(self.marks[element as usize])).sum::<u32>();
            looked += some.len();
            if looked - common as usize > spare {
                return None;
            }
        }
        Some(common)
    }
}
