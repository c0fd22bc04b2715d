//! The front door: a corpus with its questions, and a window.

mod build;
mod corpus;
mod dedup;
mod error;
mod pairs;
mod value;
#[cfg(feature = "text")]
mod window;

pub use build::CorpusBuilder;
pub use corpus::Corpus;
pub use dedup::{Cluster, DedupOptions, Deduped, Keep, Removed};
pub use error::Error;
pub use pairs::{Pair, Pairs};
pub use value::ThresholdValue;
#[cfg(feature = "text")]
pub use window::{Window, WindowBuilder};
