//! Which documents might be pairs, found without their sets.
//!
//! [`agree`]: fingerprints that agree in nearly all bits.
//! [`web`]: pages by super-shingles and simhashes, the algorithms of Henzinger's paper.

pub mod agree;
mod outgoing;
mod side;
pub mod web;

pub use agree::{AgreeJoin, AgreePair, Fingerprints, FingerprintsError, brute_agree};
pub(crate) use outgoing::Outgoing;
pub use side::Side;
pub use web::{PageRecipe, PageRecipeError, PageSignature, PageSigner, Pages, WebJoin, WebMethod, WebPair};
