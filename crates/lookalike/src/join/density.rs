use rayon::prelude::*;

use crate::sets::SetStore;

/// How often the elements of a collection occur.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density {
    /// Sets that are not empty.
    pub(super) sets: usize,
    /// In how many sets an element occurs on average, over the different elements.
    pub(super) per_element: f64,
    /// In how many the others of a set's elements occur on average, over all elements of all sets.
    pub(super) per_occurrence: f64,
}

/// Elements looked at, about.
const SAMPLE: usize = 1 << 16;

impl Density {
    /// From all elements with hashes below a limit: those of an element are all there, or none.
    pub(super) fn of(store: &SetStore, documents: &[u32]) -> Density {
        let total: usize = documents.par_iter().map(|&document| store.size(document) as usize).sum();
        let share = (total / SAMPLE).max(1) as u64;
        let limit = u64::MAX / share;
        let mut elements: Vec<u64> = documents
            .par_iter()
            .flat_map_iter(|&document| store.set(document).iter().copied().take_while(|&element| element <= limit))
            .collect();
        elements.par_sort_unstable();
        let (mut different, mut squares) = (0.0, 0.0);
        for run in elements.chunk_by(|one, two| one == two) {
            different += 1.0;
            squares += (run.len() as f64).powi(2);
        }
        let occurrences = elements.len() as f64;
        let ratio = |sum: f64, of: f64| if of > 0.0 { sum / of } else { 0.0 };
        Density {
            sets: documents.len(),
            per_element: ratio(occurrences, different),
            per_occurrence: ratio(squares, occurrences),
        }
    }

    /// Whether the same few elements occur everywhere, without most sets being nearly the same.
    ///
    /// Pages of one template have their rarest elements in common with nearly all others: signatures of a few bits do not part them,
    /// the sparse engine's count of hits does.
    pub(super) fn is_dense(&self) -> bool {
        self.per_element >= 8.0 && self.per_occurrence < self.sets as f64 / 2.0
    }
}
