//! Every pair of fingerprints that agree in nearly all bits, exactly.
//!
//! ```text
//! choose d + 1 pieces of the fingerprints                                             agree/plan
//! for every piece:
//!     group the fingerprints that agree in it                                         agree/groups
//!     compare all of a group: a pair if at most d bits differ and no earlier piece
//!     agrees                                                                          agree/compare
//! ```
//!
//! At most d differing bits are in at most d of the pieces, so at least one piece agrees. Every pair is found, and is
//! reported once, at the first piece that agrees. If pieces are so short or so uniform that comparing every fingerprint
//! with every other is less work, the plan is a single piece of no bits.

mod brute;
mod compare;
mod fingerprints;
mod groups;
mod join;
mod pair;
mod piece;
mod plan;
#[cfg(test)]
mod tests;

pub use brute::brute_agree;
pub use fingerprints::{Fingerprints, FingerprintsError};
pub use join::AgreeJoin;
pub use pair::AgreePair;
