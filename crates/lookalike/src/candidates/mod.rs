//! Which documents might be pairs, found without their sets.
//!
//! [`agree`]: fingerprints that agree in nearly all bits.

pub mod agree;
mod outgoing;
mod side;

pub use agree::{AgreeJoin, AgreePair, Fingerprints, FingerprintsError, brute_agree};
pub(crate) use outgoing::Outgoing;
pub use side::Side;
