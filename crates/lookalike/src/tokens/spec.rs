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
#[non_exhaustive]
pub enum Tokens {
    /// `words:W`: W consecutive words; `words` is `words:1`.
    Words(NonZeroU16),
    /// `chars:Q`: Q consecutive characters. A run of white space counts as one space.
    Chars(NonZeroU16),
    /// `letters:Q`: Q consecutive letters or digits. All other characters are removed.
    Letters(NonZeroU16),
    /// `spots:D:C`: an article or an auxiliary verb of English, and C content words after it, each D words on.
    Spots {
        /// The distance D.
        distance: NonZeroU16,
        /// The words C of a chain.
        chain: NonZeroU16,
    },
    /// `raw`: the parts between white space, unchanged.
    Raw,
}

impl Default for Tokens {
    fn default() -> Tokens {
        Tokens::Words(NonZeroU16::new(5).expect("five is not zero"))
    }
}

impl Tokens {
    /// Returns `spots:2:3`, according to summaries the setting of the SpotSigs paper's experiments.
    pub fn spots() -> Tokens {
        let number = |number| NonZeroU16::new(number).expect("not zero");
        Tokens::Spots { distance: number(2), chain: number(3) }
    }
}

/// Why a text is not a specification of tokens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokensError {
    /// There are no such tokens.
    Unknown {
        /// The text.
        spec: String,
    },
    /// A number is missing, or not a number from 1 to 65535.
    Number {
        /// The text.
        spec: String,
    },
}

impl fmt::Display for TokensError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (TokensError::Unknown { spec } | TokensError::Number { spec }) = self;
        write!(
            f,
            "'{spec}' is not one of words, words:W, chars:Q, letters:Q, spots, spots:D:C, raw (W, Q, D and C from 1 to 65535)"
        )
    }
}

impl FromStr for Tokens {
    type Err = TokensError;

    fn from_str(spec: &str) -> Result<Tokens, TokensError> {
        let no_number = || TokensError::Number { spec: spec.to_string() };
        let (kind, rest) = spec.split_once(':').map_or((spec, None), |(kind, rest)| (kind, Some(rest)));
        let number = |text: &str| text.parse::<NonZeroU16>().map_err(|_| no_number());
        match (kind, rest) {
            ("words", None) => Ok(Tokens::Words(NonZeroU16::MIN)),
            ("words", Some(width)) => Ok(Tokens::Words(number(width)?)),
            ("chars", Some(width)) => Ok(Tokens::Chars(number(width)?)),
            ("letters", Some(width)) => Ok(Tokens::Letters(number(width)?)),
            ("spots", None) => Ok(Tokens::spots()),
            ("spots", Some(rest)) => {
                let (distance, chain) = rest.split_once(':').ok_or_else(no_number)?;
                Ok(Tokens::Spots { distance: number(distance)?, chain: number(chain)? })
            }
            ("raw", None) => Ok(Tokens::Raw),
            ("chars" | "letters", None) => Err(no_number()),
            _ => Err(TokensError::Unknown { spec: spec.to_string() }),
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
            Tokens::Spots { distance, chain } => write!(f, "spots:{distance}:{chain}"),
            Tokens::Raw => write!(f, "raw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong() {
        let error = |spec: &str| spec.parse::<Tokens>().unwrap_err();
        for spec in ["", "word", "raw:1", "Words:5", "words5"].map(String::from) {
            assert_eq!(error(&spec), TokensError::Unknown { spec });
        }
        for spec in ["words:", "words:0", "chars", "letters:x", "chars:65536", "spots:2", "spots:2:0"].map(String::from)
        {
            assert_eq!(error(&spec), TokensError::Number { spec });
        }
    }
}
