//! Exact near-duplicates: every pair of documents at or above a similarity, and which documents to keep.
//!
//! The modules stand in the order in which a document passes through them:
//!
//! | module | from | to |
//! |---|---|---|
//! | [`text`] | a text | its normal form |
//! | [`tokens`] | the normal form | words or characters |
//! | [`sets`] | tokens | a set of hashed shingles, in a [`SetStore`] |
//! | [`measure`] | two sizes and a number of common elements | whether that reaches a [`Threshold`] |
//! | [`sketch`] | a set | a [`MinHash`] sketch, [`Features`], a [`SimHash`]; a [`Filter`] says what they find |
//! | [`candidates`] | all [`Fingerprints`] | every [`AgreePair`], by an [`AgreeJoin`] |
//! | | all features, in a [`FeatureTable`](candidates::FeatureTable) | every [`FeaturePair`](candidates::FeaturePair) |
//! | [`verify`] | two sets | how many elements they share |
//! | [`join`] | all sets | a [`Joinable`], and from it every [`Pair`] |
//! | [`join::edit`] | all [`Texts`] | every [`EditPair`], by an [`EditJoin`] |
//! | [`cluster`] | the index | the [`Fate`] of every document |
//! | [`window`] | sets as they come, each with its time | a [`Verdict`](window::Verdict) on each, by a [`Window`](window::Window) |
//!
//! ```
//! use lookalike::{Fate, Join, Measure, Recipe, SetMaker, SetStore, Threshold, survivors};
//!
//! let texts = [
//!     "The ferry to the island leaves at nine in the morning and at four in the afternoon.",
//!     "Rain is expected in the north.",
//!     "The ferry to the island leaves at nine in the morning and at four in the afternoon!",
//! ];
//! let mut maker = SetMaker::new(Recipe::default());
//! let store = SetStore::of_sets(texts.iter().map(|text| maker.set(text).to_vec()))?;
//! let fingerprints = lookalike::sets::Groups::fingerprints(&store);
//! let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
//! let mut joinable = Join::new(threshold).prepare(store, fingerprints)?;
//! let fates = survivors(&mut joinable, |_| ());
//! assert_eq!(fates[1], Fate::Kept);
//! assert_eq!(fates[2], Fate::Removed { twin: 0, similarity: 1.0, identical: true });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arch;

pub mod text;
pub mod tokens;

pub mod sets;

pub mod measure;

pub mod sketch;

pub mod candidates;

pub mod verify;

pub mod join;

pub mod cluster;

pub mod window;

pub use candidates::{AgreeJoin, AgreePair, Fingerprints, FingerprintsError, brute_agree};
pub use cluster::{Fate, components, survivors};
pub use join::{EditJoin, EditPair, Join, JoinError, Joinable, Method, Pair, Records, Texts, brute_pairs};
pub use measure::{Measure, Threshold, ThresholdError};
pub use sets::{Recipe, SetArena, SetBatch, SetBlock, SetMaker, SetStore, SetsError};
pub use sketch::{
    BottomHash, Estimate, Features, Filter, FilterError, MinHash, Plan, PlanError, Prior, SimHash, SimHashError, Wish,
    agreeing_bits, shared_features,
};
pub use text::Case;
pub use tokens::{Tokens, TokensError};

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
        "../../../docs/theory/agreement.md",
        "../../../docs/theory/benchmarks-joins.md",
        "../../../docs/theory/benchmarks.md",
        "../../../docs/guides/check.md",
        "../../../docs/guides/compare.md",
        "../../../docs/guides/dedup.md",
        "../../../docs/theory/exact.md",
        "../../../docs/guides/graph.md",
        "../../../docs/theory/joins-edit.md",
        "../../../docs/theory/joins.md",
        "../../../docs/theory/methods.md",
        "../../../docs/guides/pairs.md",
        "../../../docs/theory/ppjoin-experiments.md",
        "../../../docs/theory/ppjoin.md",
        "../../../docs/theory/record-linkage.md",
        "../../../docs/guides/serve.md",
        "../../../docs/theory/sketches.md",
        "../../../docs/guides/streams.md",
        "../../../docs/theory/streams.md",
        "../../../docs/reference/tokens.md",
        "../../../docs/guides/watch.md",
        "../../../docs/guides/web-pages.md",
        "../../../docs/theory/web-pages-cut-off.md",
        "../../../docs/theory/web-pages-quality.md",
        "../../../docs/theory/web-pages.md",
    }
}
