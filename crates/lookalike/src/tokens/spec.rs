//! What is a document's set made of?

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

/// What a document's set is made of, as written after `--tokens`.
///
/// ```
/// use lookalike::Tokens;
/// let tokens: Tokens = "words:5".parse()?;
/// assert_eq!(tokens, Tokens::default());
/// assert_eq!("words".parse::<Tokens>()?.to_string(), "words");
/// assert!("words:0".parse::<Tokens>().is_err());
/// # Ok::<(), lookalike::TokensError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// `words:W`: W consecutive words; `words` is `words:1`.
    Words(NonZeroU16),
    /// `chars:Q`: Q consecutive characters. A run of white space counts as one space.
    Chars(NonZeroU16),
    /// `letters:Q`: Q consecutive letters or digits. All other characters are removed.
    Letters(NonZeroU16),
    /// `raw`: the parts between white space, unchanged.
    Raw,
}

impl Default for Tokens {
    fn default() -> Tokens {
        Tokens::Words(NonZeroU16::new(5).expect("five is not zero"))
    }
}

/// A token specification that cannot be parsed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("'{0}' is not one of words, words:W, chars:Q, letters:Q, raw (W and Q from 1 to 65535)")]
pub struct TokensError(String);

impl FromStr for Tokens {
    type Err = TokensError;

    fn from_str(spec: &str) -> Result<Tokens, TokensError> {
        let error = || TokensError(spec.to_string());
        let (kind, width) = match spec.split_once(':') {
            Some((kind, width)) => (kind, Some(width.parse().map_err(|_| error())?)),
            None => (spec, None),
        };
        match (kind, width) {
            ("words", width) => Ok(Tokens::Words(width.unwrap_or(NonZeroU16::MIN))),
            ("chars", Some(width)) => Ok(Tokens::Chars(width)),
            ("letters", Some(width)) => Ok(Tokens::Letters(width)),
            ("raw", None) => Ok(Tokens::Raw),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Tokens::Words(NonZeroU16::MIN) => write!(f, "words"),
            Tokens::Words(width) => write!(f, "words:{width}"),
            Tokens::Chars(width) => write!(f, "chars:{width}"),
            Tokens::Letters(width) => write!(f, "letters:{width}"),
            Tokens::Raw => write!(f, "raw"),
        }
    }
}
