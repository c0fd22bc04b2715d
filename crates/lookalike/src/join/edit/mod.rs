//! Every pair of texts within an edit distance, exactly.
//!
//! The distance of two texts is Levenshtein's: the least number of characters (Unicode scalar values) to insert, delete
//! or replace to turn one into the other. At most δ edits leave some part unchanged, and that part finds the partner.
//!
//! ```text
//! group equal texts, and continue with one of each                                    edit/distinct
//! for every text of n characters:                                                     edit/index
//!     if n ≥ q(δ+1): post the fewest rare grams that δ edits cannot all change        edit/grams
//!     else if n > δ: cut it into δ+1 pieces, and post those                           edit/pieces
//! for every text x, with every text y of the same length or up to δ less:             edit/search
//!     if y has grams: skip it unless x has one of them, not too far off
//!     if y has pieces: skip it unless one of them is in x, not too far off
//!     skip y unless nearly the same characters occur an odd number of times in it as in x
//!     compute the distance, and give up when it exceeds δ                             edit/distance
//! for every pair of texts: emit every pair of documents with these texts              edit/distinct
//! ```
//!
//! **Grams.** A gram is q consecutive characters, and an edit changes at most q grams. Grams have one order: rarest
//! first, ties by position. The *prefix* of a text is the shortest beginning of its grams, in that order, that δ edits
//! cannot change completely: from δ + 1 to qδ + 1 grams (Xiao, Wang, Lin: Ed-Join, VLDB 2008). Let two texts be a pair,
//! and take the one whose prefix ends first in the order. A gram of that prefix is unchanged in the other text. It
//! comes no later than that end, so it is in the other prefix too. Its position is off by no more than the edits before
//! it and, from the end, by no more than the edits after it; together these are at most δ. (One more case: both
//! prefixes end with equal grams, and the unchanged gram is after the end in the other text. Then the last gram of that
//! prefix equals it and is less far off.)
//!
//! **Pieces** are for texts with too few grams; `pieces.rs` explains why they suffice. Texts of at most δ characters
//! have no pieces, and are compared with all texts that are at most δ longer.
//!
//! The PPJoin paper's own algorithm is in `paper.rs`.

mod alphabet;
mod characters;
mod distance;
mod distinct;
mod grams;
mod hash;
mod index;
mod lists;
mod paper;
mod pieces;
mod search;
mod source;
mod texts;

pub use source::{EditJoin, EditSource};
pub use texts::Texts;
