//! # The sparse regime
//!
//! Nearly every word shingle of a text occurs only once, and such an element cannot be shared.
//!
//! ```text
//! count every element                                            sets/counters
//! for every set x of n elements, in the order "rarest first":
//!     if its first long_prefix(n) elements occur once: it has no partner
//!     else post the others of that prefix                        directory
//! for every set x:                                               probe
//!     for every posted element e of x, at position i:
//!         for every posting of e in a set y, at position j:
//!             skip y unless its size fits
//!             skip y unless e is in the short prefix of the smaller set
//!             count a hit; at the first, skip y for good if i and j leave too few elements
//!     for every y with hits:
//!         skip y if the hits and the rest after both prefixes are too few
//!         verify                                                 verify/overlap
//! ```
//!
//! Why is no pair skipped? Let x and y share c elements, in a common order. The first shared element has at most |x| −
//! c elements before it in x and |y| − c in y. So if c ≥ k, it is within the first |x| − k + 1 and |y| − k + 1. If k is
//! the least number for a pair with *any* partner, that is the long prefix; with any partner *at least as large*, the
//! short prefix. A pair has a smaller and a larger set, so it is enough to check elements in the short prefix of the
//! smaller and in the long prefix of the larger. Then pages of one template and one size whose rare elements differ
//! never meet.

mod directory;
mod document;
mod index;
mod probe;

pub(crate) use index::Index;
pub(crate) use probe::{Match, Prober, Scratches};
