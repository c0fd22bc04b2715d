//! How does a page become a signature?

use crate::sketch::{Filter, FilterError, SimHash, SimHashError};

/// Numbers of 64 bits that say which pages are identical.
pub(super) const IDENTITY: usize = 2;

/// How a page becomes the bytes that stand for it; the paper's unless said otherwise.
///
/// What the paper suggests for better precision is here too: shingles weighted by their frequency, shorter shingles, a simhash over
/// shingles, a simhash of fewer bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRecipe {
    /// Super-shingles: how many, of how many min-wise values each, and how many must be equal. The paper's are 6 of 14 values, 84
    /// functions in all, of which 2 must be equal.
    pub filter: Filter,
    /// Tokens of a shingle: the paper has 8, and 10 and 5 elsewhere.
    pub shingle: usize,
    /// Whether the second occurrence of a shingle is another than the first: then a list that is repeated in one page and is missing in
    /// the other tells them apart.
    pub weighted: bool,
    /// Bits of the simhash: the paper has 384, and thinks that fewer might do.
    pub bits: usize,
    /// Tokens of an element of the simhash: the paper's are single tokens, and it suggests shingles.
    pub element: usize,
}

/// What cannot be made of a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageRecipeError {
    /// The super-shingles.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The simhash.
    #[error(transparent)]
    SimHash(#[from] SimHashError),
    /// The width of shingles.
    #[error("shingles of no tokens")]
    Width,
}

impl PageRecipe {
    /// The paper's: 6 super-shingles of 14 values over shingles of 8 tokens, 384 bits over tokens.
    pub fn paper() -> Result<PageRecipe, PageRecipeError> {
        Ok(PageRecipe { filter: Filter::new(6, 14, 2)?, shingle: 8, weighted: false, bits: 384, element: 1 })
    }

    /// How many numbers of 64 bits a page's signature has.
    pub fn numbers(&self) -> usize {
        IDENTITY + self.filter.k() + self.bits / 64
    }

    /// Whether it can be followed.
    pub(super) fn check(&self) -> Result<SimHash, PageRecipeError> {
        if self.shingle == 0 || self.element == 0 {
            return Err(PageRecipeError::Width);
        }
        Ok(SimHash::new(self.bits)?)
    }
}
