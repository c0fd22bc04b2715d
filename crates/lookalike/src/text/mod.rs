//! Raw text to clean text: what is folded away before anything is compared.

mod encoding;
pub mod html;
mod memo;
mod normalise;
mod site;

pub use encoding::{charset_in, decode};
pub(crate) use memo::CharMemo;
pub use normalise::{Case, normalise};
pub use site::SiteRule;
