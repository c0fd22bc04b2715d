//! How does a page become a signature?

use crate::sketch::{Filter, FilterError, SimHash, SimHashError};

/// The 64-bit numbers of a page's identity.
pub(super) const IDENTITY: usize = 2;

/// How a page becomes a signature.
///
/// It includes what the paper suggests for better precision: shingles weighted by frequency, shorter shingles, a
/// simhash over shingles, and a simhash of fewer bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRecipe {
    /// Super-shingles: how many, of how many min-wise values each, and how many must be equal. The paper uses 6 of 14
    /// values, 84 functions in all, of which 2 must be equal.
    pub filter: Filter,
    /// Tokens in a shingle. The paper uses 8, elsewhere 10 and 5.
    pub shingle: usize,
    /// Whether the second occurrence of a shingle differs from the first. Then a list that is repeated in only one of
    /// two pages makes them different.
    pub weighted: bool,
    /// Bits of the simhash. The paper uses 384, and suggests that fewer may be enough.
    pub bits: usize,
    /// Tokens in an element of the simhash. The paper uses single tokens, and suggests shingles.
    pub element: usize,
}

/// A recipe that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PageRecipeError {
    /// The filter is not valid.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The simhash is not valid.
    #[error(transparent)]
    SimHash(#[from] SimHashError),
    /// A shingle has no tokens.
    #[error("a shingle must have at least one token")]
    Width,
}

impl PageRecipe {
    /// Returns the paper's recipe: 6 super-shingles of 14 values over shingles of 8 tokens, 384 bits over tokens.
    pub fn paper() -> Result<PageRecipe, PageRecipeError> {
        Ok(PageRecipe { filter: Filter::new(6, 14, 2)?, shingle: 8, weighted: false, bits: 384, element: 1 })
    }

    /// Returns how many 64-bit numbers a page's signature has.
    pub fn numbers(&self) -> usize {
        IDENTITY + self.filter.k() + self.bits / 64
    }

    /// Checks whether the recipe is valid.
    pub(super) fn check(&self) -> Result<SimHash, PageRecipeError> {
        if self.shingle == 0 || self.element == 0 {
            return Err(PageRecipeError::Width);
        }
        Ok(SimHash::new(self.bits)?)
    }
}
