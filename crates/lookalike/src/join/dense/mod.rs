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
mod verify;

pub(crate) use setup::{Dense, DensePlan};
