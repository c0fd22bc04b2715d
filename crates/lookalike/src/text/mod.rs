//! Raw text to clean text: what is folded away before anything is compared.

mod memo;
mod normalise;

pub(crate) use memo::CharMemo;
pub use normalise::{Case, normalise};
