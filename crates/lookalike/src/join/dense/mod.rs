//! # The dense regime
//!
//! Word sets, q-grams, market baskets: few different elements, long lists. Elements are numbers by ascending frequency, records are
//! walked by ascending size, and before any element is compared a signature of 64 to 512 bits has the say.
//!
//! Two plans, chosen by the mean length of the lists that will be walked: [`light`] waits for memory, [`heavy`] for the processor.

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

pub(crate) use setup::{Dense, DensePlan};
pub(crate) use source::DenseSource;
