//! Finds near-duplicates exactly: every pair of documents at or above a similarity, and which documents to keep.
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
//! A [`Corpus`] holds documents, given as texts or as your own sets. [`Corpus::dedup`] decides which documents to keep,
//! and [`Corpus::pairs`] finds every pair. A [`Window`] compares each new document with those of the last hours, an
//! [`Index`] with all that were added before. A [`Measure`] and a [`Threshold`] define when two documents are a pair;
//! [`Tokens`] define their sets. Pass a [`Handle`] to follow the progress of a long call or to cancel it. [`sketch`] has
//! signatures of a few bytes: min-wise sketches, features and simhashes.
//!
//! Results are exact. Every pair that reaches the threshold is found, including pairs exactly on it. Every similarity
//! is exact. A document is removed only if a kept document reaches the threshold with it. The result does not depend on
//! the number of threads.
//!
//! # Features
//!
//! | feature | what you get | default |
//! |---|---|---|
//! | `text` | documents from texts: Unicode normalisation, case folding, words | yes |
//! | `pages` | the text of web pages: HTML, encodings, sites | no |
//! | `bitmaps` | the bitmap index of the paper on sliding windows, besides the default index | no |
//! | `serde` | serialization of verdicts | no |
//!
//! With no features, a corpus takes your own sets.
//!
//! # Building engines
//!
//! If your program reads files, limits its memory or splits work itself, use [`engine`]: the parts that the types above
//! are built from. It changes more often than they do.

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

mod index;

mod distributed;

mod front;

pub mod engine;

pub use front::{
    Broken, Cluster, Corpus, CorpusBuilder, DedupOptions, Deduped, Error, Keep, Pair, PairOptions, Pairs, Removed,
    ThresholdValue,
};
#[cfg(feature = "text")]
pub use front::{Index, IndexBuilder, IndexMatch, Window, WindowBuilder};
pub use index::{PartError, Settled};
pub use measure::{Bin, Measure, Rational, RationalError, Threshold, ThresholdError};
pub use names::NameError;
pub use progress::{Handle, Reached};
pub use sets::SetsError;
pub use storage::StorageError;
#[cfg(feature = "text")]
pub use text::Case;
#[cfg(feature = "text")]
pub use tokens::{Tokens, TokensError};
pub use window::{CompareWith, SpanError, Verdict, VerdictKind, WindowError, WindowIndex, WindowMatch};

/// The examples of the documentation. `cargo test` compiles and runs those in Rust.
#[cfg(doctest)]
mod samples {
    macro_rules! pages {
        ($($path:literal,)*) => { $(#[doc = include_str!($path)] const _: () = ();)* };
    }
    pages! {
        "../../../README.md",
        "../../../ARCHITECTURE.md",
        "../../../CONTRIBUTING.md",
        "../../../docs/guides/archive.md",
        "../../../docs/guides/boilerplate.md",
        "../../../docs/guides/calibrate.md",
        "../../../docs/guides/check.md",
        "../../../docs/guides/compare.md",
        "../../../docs/guides/dedup.md",
        "../../../docs/guides/evaluate.md",
        "../../../docs/guides/graph.md",
        "../../../docs/guides/install.md",
        "../../../docs/guides/library.md",
        "../../../docs/guides/more-than-memory.md",
        "../../../docs/guides/pairs.md",
        "../../../docs/guides/report.md",
        "../../../docs/guides/serve.md",
        "../../../docs/guides/signatures.md",
        "../../../docs/guides/spark.md",
        "../../../docs/guides/streams.md",
        "../../../docs/guides/verify.md",
        "../../../docs/guides/watch.md",
        "../../../docs/guides/web-pages.md",
        "../../../docs/index.md",
        "../../../docs/reference/commands.md",
        "../../../docs/reference/glossary.md",
        "../../../docs/reference/http-api.md",
        "../../../docs/reference/index-format.md",
        "../../../docs/reference/inputs.md",
        "../../../docs/reference/measures.md",
        "../../../docs/reference/outputs.md",
        "../../../docs/reference/pages.md",
        "../../../docs/reference/tokens.md",
        "../../../docs/theory/agreement.md",
        "../../../docs/theory/benchmarks-joins.md",
        "../../../docs/theory/benchmarks.md",
        "../../../docs/theory/calibration.md",
        "../../../docs/theory/cluster.md",
        "../../../docs/theory/comparators.md",
        "../../../docs/theory/exact.md",
        "../../../docs/theory/joins-edit.md",
        "../../../docs/theory/joins.md",
        "../../../docs/theory/main-text.md",
        "../../../docs/theory/methods.md",
        "../../../docs/theory/papers-news.md",
        "../../../docs/theory/papers-web.md",
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
