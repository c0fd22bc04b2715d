//! # The dense regime
//!
//! For word sets, q-grams and market baskets: few distinct elements, long lists. Elements are numbered by ascending
//! frequency, and records are walked by ascending size. A signature of 64 to 512 bits excludes most candidates before
//! any element is compared.
//!
//! There are two plans, chosen by the mean length of the lists: [`light`] is limited by memory, [`heavy`] by the
//! processor.

mod entries;
mod heavy;
mod light;
mod lookups;
mod run;
mod setup;
mod shares;
mod signatures;
mod sizes;
mod source;
mod verify;

use std::sync::Arc;

use super::pair::Emit;
use super::{Counts, JoinError, Records};
use crate::measure::Threshold;
use crate::progress::Stage;

pub(crate) use setup::{Dense, DensePlan};
pub(crate) use source::DenseSource;

/// Finds every pair of records on all threads, in batches and in no particular order. The stage counts records.
///
/// ```
/// use std::sync::Mutex;
///
/// use lookalike::engine::{Records, SetPair, SetStore, Stage, dense_join};
/// use lookalike::{Measure, Threshold};
///
/// let store: SetStore = [vec![1, 2, 3, 4, 5], vec![2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]].into_iter().collect();
/// let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
/// let found = Mutex::new(Vec::new());
/// let emit = |some: &[SetPair]| found.lock().unwrap().extend_from_slice(some);
/// dense_join(Records::code(&store, &[0, 1, 2]), &threshold, &Stage::silent(), &emit)?;
/// let mut found = found.into_inner()?;
/// found.sort();
/// assert_eq!(found, [SetPair { a: 0, b: 2, common: 5 }, SetPair { a: 1, b: 2, common: 5 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If a set has 2³¹ elements or more.
pub fn join(records: Records, threshold: &Threshold, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
    let dense = Dense::new(Arc::new(records), *threshold);
    dense.run(dense.plan(), stage, emit)
}
