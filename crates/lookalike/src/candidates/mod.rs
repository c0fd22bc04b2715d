//! Which documents might be pairs, found without their sets.
//!
//! [`agree`]: fingerprints that agree in nearly all bits. [`features`]: documents that share features.

pub mod agree;
pub mod features;
mod outgoing;
mod side;

pub use agree::{AgreeJoin, AgreePair, Fingerprints, FingerprintsError, brute_agree};
pub use features::{FeaturePair, FeatureTable, LiveFeatures, brute_features};
pub(crate) use outgoing::Outgoing;
pub use side::Side;
