//! Every pair of texts within an edit distance, exactly.
//!
//! The distance of two texts is the number of characters (Unicode scalar values) that must be inserted, deleted or replaced to make
//! one the other: Levenshtein's. At most δ edits leave something as it was, and by that a partner is found.
//!
//! ```text
//! group equal texts, and continue with one of each                                    edit/distinct
//! for every text of n characters:                                                     edit/index
//!     if n ≥ q(δ+1): post its rarest grams, as few as δ edits cannot change all of    edit/grams
//!     else if n > δ: cut it into δ+1 pieces, and post those                           edit/pieces
//! for every text x, with every text y of the same length or up to δ less:             edit/search
//!     if y has grams: skip it unless x has one of them, not too far off
//!     if y has pieces: skip it unless one of them lies in x, not too far off
//!     skip y unless nearly the same characters occur an odd number of times in it as in x
//!     compute the distance, and give up when it exceeds δ                             edit/distance
//! for every pair of texts: every pair of documents that have them                     edit/distinct
//! ```
//!
//! **Grams.** A gram is q characters in a row, and an edit changes at most q of them. All grams have one order: the rarest first, equal
//! ones by position. The *prefix* of a text is the shortest beginning of its grams, in that order, that δ edits cannot change
//! altogether: from δ + 1 to qδ + 1 grams (Xiao, Wang, Lin: Ed-Join, VLDB 2008). Let two texts be a pair. Of the one whose prefix ends
//! first in the order, or with the other's, a gram of the prefix is unchanged in the other text; it comes no later than that
//! end, and so lies in the other prefix too. It is off by no more than the edits before it and, seen from the end, by no more than those behind
//! it; both together are at most δ. (One case more: both prefixes end with equal grams, and the unchanged one lies in the other text
//! behind the end. Then the last gram of that prefix equals it and is less far off.)
//!
//! **Pieces** are for texts that have too few grams for that; `pieces.rs` tells why they suffice. Texts of at most δ characters have not
//! even pieces, and are compared with all that are at most δ longer.

mod alphabet;
mod characters;
mod distance;
mod distinct;
mod grams;
mod hash;
mod index;
mod lists;
mod pieces;
mod search;
mod source;
mod texts;

pub use source::{EditJoin, EditSource};
pub use texts::Texts;
