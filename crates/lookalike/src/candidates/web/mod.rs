//! The algorithms of Henzinger's *Finding Near-Duplicate Web Pages* (2006), which compare a few dozen bytes per page.
//!
//! * **B** (Broder and others): at least 2 of 6 super-shingles are equal, each made of 14 min-wise values over shingles
//!   of 8 tokens;
//! * **C** (Charikar): at least 372 of 384 bits of the simhashes agree, over tokens with their frequencies;
//! * **combined**: B, and at least 355 bits agree;
//! * **by site**: pages of different sites by C, of the same site by the combined algorithm.
//!
//! Pages with the same sequence of tokens are grouped first, and one of them represents the others. Instead of Rabin's
//! fingerprints, this uses the [one hash](crate::sets), the functions of [`MinHash`](crate::sketch::MinHash) and the
//! expansion of [`SimHash`](crate::sketch::SimHash).

mod join;
mod method;
mod pages;
mod recipe;
#[cfg(test)]
mod tests;

pub use join::{WebJoin, WebPair};
pub use method::WebMethod;
pub use pages::{PageSignature, PageSigner, Pages};
pub use recipe::{PageRecipe, PageRecipeError};
