//! From raw text to clean text: what is normalised before documents are compared.

#[cfg(feature = "pages")]
mod encoding;
#[cfg(feature = "pages")]
mod html;
mod memo;
mod normalise;
#[cfg(feature = "pages")]
mod site;

#[cfg(feature = "pages")]
pub use encoding::{charset_in, decode};
#[cfg(feature = "pages")]
pub use html::{PageReader, PageRule};
pub(crate) use memo::CharMemo;
pub use normalise::{Case, normalise};
#[cfg(feature = "pages")]
pub use site::SiteRule;
