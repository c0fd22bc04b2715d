//! Writes pages for people: what a run found, in one HTML file.

mod again;
mod dedup;
mod output;
mod pairs;
mod words;

pub(crate) use again::{FieldValues, cut, texts_of, values_of};
pub(crate) use dedup::DedupPage;
pub use output::PageOutput;
pub(crate) use output::{check_page, write_page};
pub(crate) use pairs::{PairSample, PairsPage};
pub(crate) use words::{called, version};
