//! From clean text to tokens: words by Unicode's rules, or characters.

mod break_class;
mod chars;
mod spec;
mod spots;
mod words;

pub use chars::squeeze_spaces;
pub(crate) use chars::{for_each_gram, for_each_raw_word, squeeze_letters};
pub use spec::{Tokens, TokensError};
pub(crate) use spots::{Role, for_each_spot};
pub use words::for_each_word;
