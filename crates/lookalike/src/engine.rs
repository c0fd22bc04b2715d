//! The parts that the front door is built from, for programs that build their own engine.
//!
//! In the order in which a document passes through them:
//!
//! | from | to | by |
//! |---|---|---|
//! | a text | its normal form | [`normalise`] |
//! | a page | its text | [`PageReader`] |
//! | a text | its set of hashed shingles | [`SetMaker`] |
//! | all sets | a [`SetStore`] | [`SetBatch`], [`SetArena`] |
//! | a set | a few bytes | [`sketch`](crate::sketch), [`PageSigner`] |
//! | all signatures | candidates | [`AgreeJoin`], [`FeatureTable`], [`WebJoin`] |
//! | all sets | a [`PairSource`] | [`Join`] |
//! | all texts | a [`PairSource`] | [`EditJoin`] |
//! | a [`PairSource`] | every pair | [`PairSource::pairs`] |
//! | a [`PairSource`] | the [`Fate`] of every document | [`survivors`], [`components`] |
//! | documents that are kept | a [`Part`] of an index | [`NewPart`] |
//! | sets, and the [`Parts`] of an index | the documents they resemble | [`Parts::find`], [`find_references`] |
//! | sets in order of time | a verdict on each | [`SetWindow`] |
//! | sets on many machines | candidates, and who meets where | [`Poster`], [`Bucket`], [`Places`], [`Settling`] |
//!
//! ```
//! use std::sync::Arc;
//!
//! use lookalike::engine::{Fate, Join, Recipe, SetMaker, SetStore, Stage, survivors};
//! use lookalike::{Measure, Threshold};
//!
//! let mut maker = SetMaker::new(Recipe::default());
//! let texts = ["The ferry leaves at nine.", "It rains.", "the ferry leaves at nine"];
//! let store = SetStore::of_sets(texts.iter().map(|text| maker.set(text).to_vec()))?;
//! let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
//! let mut source = Join::new(threshold).prepare(Arc::new(store), &Stage::silent())?;
//! let fates = survivors(&mut source, &Stage::silent())?;
//! assert_eq!(fates[2], Fate::Removed { twin: 0, similarity: 1.0, identical: true });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::candidates::{
    AgreeJoin, AgreePair, FeatureKeys, FeaturePair, FeatureTable, Fingerprints, FingerprintsError, PageRecipe,
    PageRecipeError, PageSignature, PageSigner, Pages, Side, WebJoin, WebMethod, WebPair, brute_agree,
};
pub use crate::cluster::{Clusters, Fate, Links, Roots, components, fates_of, near_twins, survivors};
pub use crate::distributed::{
    BadBlob, Bucket, BucketCounts, Candidates, Compare, ElementOrder, HeavyBlob, HeavyLists, MeetingRule, Node,
    NodeFilter, NodePair, PieceKeys, Places, Poster, Role, Roles, Settling, SignaturePoster, TiledList, Waiting,
    node_of, place_of,
};
pub use crate::index::{
    Elements, FindScratch, Found, Growth, IndexLimits, IndexReference, MemoryIndex, NewDocument, NewPart, Part,
    PartBytes, PartError, Parts, Place, Remembered, Settled, due_for_merging, find_references, merge, merge_needs,
    seal, share_fates,
};
pub use crate::join::paper::join as paper_join;
pub use crate::join::{
    Algorithm, Compared, Counted, Counts, EditJoin, EditSource, Emit, Join, JoinError, Joinable, KeepOrder,
    Pair as SetPair, PairSource, PaperAlgorithm, Plan, Records, Sifted, Texts, Twin, brute_pairs,
};
pub use crate::measure::{Histogram, descending};
pub use crate::progress::{Cancelled, Progress, Quiet, Silent, Stage, Unit};
pub use crate::sets::{
    DigestSieve, Element, Frequencies, Groups, SetArena, SetBatch, SetBlock, SetStore, SetsError, Sieve, hash_set,
    hash_shingle, hash_token,
};
#[cfg(feature = "text")]
pub use crate::sets::{Explanation, Recipe, SetMaker};
pub use crate::storage::{Memory, Region, Storage, StorageError};
#[cfg(feature = "text")]
pub use crate::text::normalise;
#[cfg(feature = "pages")]
pub use crate::text::{PageReader, PageRule, SiteRule, charset_in, decode};
#[cfg(feature = "text")]
pub use crate::tokens::{for_each_word, squeeze_spaces};
pub use crate::verify::{Difference, common, differences};
pub use crate::window::{DocumentRef, IdWindow, SetMatch, SetVerdict, SetWindow, Span};
