//! I-Match: one hash of the terms that are neither too frequent nor too rare in the collection.
//!
//! * Chowdhury, Frieder, Grossman and McCabe, *Collection statistics for fast duplicate document detection* (TOIS 2002): drop
//!   the terms outside of a range of inverse document frequencies, sort what is left, and hash it. Two documents are
//!   near-duplicates if their hashes are equal.
//! * Kołcz, Chowdhury and Alspector, *Improved robustness of signature-based near-replica detection via lexicon randomization*
//!   (KDD 2004): do so with several lexica, each without a random part of the terms. One equal hash is enough.

mod idf;
mod lexicon;

pub use idf::{IdfError, IdfRange};
pub use lexicon::{IMatch, Lexicon};
