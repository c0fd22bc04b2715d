//! Which documents might be pairs? Found by signatures, without their sets.
//!
//! [`agree`]: fingerprints that agree in nearly all bits. [`features`]: documents that share features. [`web`]: pages
//! by super-shingles and simhashes, the algorithms of Henzinger's paper.

pub(crate) mod agree;
pub(crate) mod features;
mod outgoing;
mod side;
pub(crate) mod web;

pub use agree::{AgreeJoin, AgreePair, Fingerprints, FingerprintsError, brute_agree};
pub use features::{FeatureKeys, FeaturePair, FeatureTable};
pub(crate) use outgoing::Outgoing;
pub use side::Side;
pub use web::{PageRecipe, PageRecipeError, PageSignature, PageSigner, Pages, WebJoin, WebMethod, WebPair};
