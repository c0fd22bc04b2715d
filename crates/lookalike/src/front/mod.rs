//! The front door: a corpus with its questions, a window, and an index.

mod bounded;
mod build;
mod check;
mod corpus;
mod dedup;
mod error;
#[cfg(feature = "text")]
mod index;
mod pairs;
mod target;
mod top;
mod value;
#[cfg(feature = "text")]
mod window;
mod within;

pub use build::CorpusBuilder;
pub use check::Broken;
pub use corpus::Corpus;
pub use dedup::{Cluster, DedupOptions, Deduped, Keep, Removed};
pub use error::Error;
#[cfg(feature = "text")]
pub use index::{Index, IndexBuilder, IndexMatch};
pub use pairs::{Pair, PairOptions, Pairs};
pub use value::ThresholdValue;
#[cfg(feature = "text")]
pub use window::{Window, WindowBuilder};
