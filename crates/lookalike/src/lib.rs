//! Exact near-duplicates: every pair of documents at or above a similarity, and which documents to keep.
//!
//! ```
//! # let texts = ["The ferry leaves at nine.", "Rain in the north.", "The ferry leaves at nine!"];
//! let corpus = lookalike::Corpus::from_texts(texts)?;
//! for removed in corpus.dedup(0.8)?.removed() {
//!     println!("{} resembles {} ({:.3})", removed.document, removed.twin, removed.similarity);
//! }
//! # Ok::<(), lookalike::Error>(())
//! ```
//!
//! A [`Corpus`] holds documents, given as texts or as sets of your own. [`Corpus::dedup`] decides which to keep; [`Corpus::pairs`] finds
//! every pair. A [`Window`] compares documents with those of the last hours, as they come. What makes two documents a pair is a
//! [`Measure`] and a [`Threshold`]; what their sets are made of, [`Tokens`]. Long calls report to a [`Handle`] and can be cancelled by it.
//! [`sketch`] has signatures of a few bytes: min-wise sketches, features, simhashes.
//!
//! The answers are exact. Every pair that reaches the threshold is found, those exactly on it too; similarities are exact; a document is
//! removed only if one that is kept reaches the threshold with it; and the result does not depend on the number of threads.
//!
//! # Features
//!
//! | feature | what you get | default |
//! |---|---|---|
//! | `text` | documents from texts: Unicode normal forms, case folding, words | yes |
//! | `pages` | the text of web pages: HTML, encodings, sites | no |
//! | `bitmaps` | the bitmap index of the paper on sliding windows, beside our own | no |
//! | `serde` | verdicts can be serialized | no |
//!
//! Without any, sets of your own are joined.
//!
//! # Building engines
//!
//! Programs that read files, hold a memory budget or decide how work is split use [`engine`]: the parts that this front door is made of.
//! They change more often than it does.

mod arch;
mod names;
mod progress;
mod storage;

#[cfg(feature = "text")]
mod text;
#[cfg(feature = "text")]
mod tokens;

mod sets;

mod measure;

pub mod sketch;

mod candidates;

mod verify;

mod join;

mod cluster;

mod window;

mod front;

pub mod engine;

pub use front::{
    Cluster, Corpus, CorpusBuilder, DedupOptions, Deduped, Error, Keep, Pair, Pairs, Removed, ThresholdValue,
};
#[cfg(feature = "text")]
pub use front::{Window, WindowBuilder};
pub use measure::{Measure, Rational, RationalError, Threshold, ThresholdError};
pub use names::NameError;
pub use progress::{Handle, Reached};
pub use sets::SetsError;
pub use storage::StorageError;
#[cfg(feature = "text")]
pub use text::Case;
#[cfg(feature = "text")]
pub use tokens::{Tokens, TokensError};
pub use window::{CompareWith, IndexKind, Match, SpanError, Verdict, VerdictKind, WindowError};

/// The samples of the documentation: `cargo test` compiles and runs those in Rust, as it does those above.
#[cfg(doctest)]
mod samples {
    macro_rules! pages {
        ($($path:literal,)*) => { $(#[doc = include_str!($path)] const _: () = ();)* };
    }
    pages! {
        "../../../README.md",
        "../../../ARCHITECTURE.md",
        "../../../CONTRIBUTING.md",
        "../../../docs/index.md",
        "../../../docs/guides/check.md",
        "../../../docs/guides/compare.md",
        "../../../docs/guides/dedup.md",
        "../../../docs/guides/graph.md",
        "../../../docs/guides/install.md",
        "../../../docs/guides/library.md",
        "../../../docs/guides/pairs.md",
        "../../../docs/guides/serve.md",
        "../../../docs/guides/signatures.md",
        "../../../docs/guides/streams.md",
        "../../../docs/guides/watch.md",
        "../../../docs/guides/web-pages.md",
        "../../../docs/reference/commands.md",
        "../../../docs/reference/glossary.md",
        "../../../docs/reference/http-api.md",
        "../../../docs/reference/inputs.md",
        "../../../docs/reference/measures.md",
        "../../../docs/reference/outputs.md",
        "../../../docs/reference/pages.md",
        "../../../docs/reference/tokens.md",
        "../../../docs/theory/agreement.md",
        "../../../docs/theory/benchmarks-joins.md",
        "../../../docs/theory/benchmarks.md",
        "../../../docs/theory/exact.md",
        "../../../docs/theory/joins-edit.md",
        "../../../docs/theory/joins.md",
        "../../../docs/theory/methods.md",
        "../../../docs/theory/ppjoin-experiments.md",
        "../../../docs/theory/ppjoin.md",
        "../../../docs/theory/record-linkage.md",
        "../../../docs/theory/sketches.md",
        "../../../docs/theory/streams.md",
        "../../../docs/theory/web-pages-cut-off.md",
        "../../../docs/theory/web-pages-quality.md",
        "../../../docs/theory/web-pages.md",
    }
}
