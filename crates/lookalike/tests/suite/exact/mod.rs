//! Does every way to find pairs find the same, those of the definition?

mod agree;
mod edit;
mod joins;
pub mod pairs;
mod paper;
mod storage;
