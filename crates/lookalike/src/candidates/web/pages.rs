//! What is the signature of a page, and where are those of all pages stored?

use super::recipe::{IDENTITY, PageRecipe, PageRecipeError};
use crate::candidates::{FeatureTable, Fingerprints};
use crate::sets::{Groups, hash_set, hash_shingles, number_occurrences};
use crate::sketch::{Features, SimHash, agreeing_bits, shared_features};

/// Makes the signatures of pages, and reuses its memory.
pub struct PageSigner {
    recipe: PageRecipe,
    features: Features,
    simhash: SimHash,
    shingles: Vec<u64>,
    sketch: Vec<u32>,
}

/// The signature of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageSignature {
    /// A hash of the sequence of its tokens. Pages with the same hash are identical.
    pub identity: u128,
    /// Its super-shingles; empty if it has no tokens.
    pub supershingles: Vec<u64>,
    /// Its simhash.
    pub simhash: Vec<u64>,
}

impl PageSigner {
    /// Makes a signer for this recipe.
    pub fn new(recipe: PageRecipe) -> Result<PageSigner, PageRecipeError> {
        let simhash = recipe.check()?;
        let features = Features::new(recipe.filter);
        Ok(PageSigner { recipe, features, simhash, shingles: Vec::new(), sketch: Vec::new() })
    }

    /// Returns the signature of a page, from its tokens' hashes in order.
    ///
    /// Shingles do not wrap around from the end to the beginning. A page with fewer tokens than a shingle has one
    /// shingle of all its tokens.
    pub fn sign(&mut self, tokens: &[u64]) -> PageSignature {
        let mut numbers = Vec::new();
        self.push(tokens, &mut numbers);
        let (identity, rest) = numbers.split_at(IDENTITY);
        let (supershingles, simhash) = rest.split_at(self.recipe.filter.k());
        PageSignature {
            identity: join_identity(identity),
            supershingles: if tokens.is_empty() { Vec::new() } else { supershingles.to_vec() },
            simhash: simhash.to_vec(),
        }
    }

    /// Appends the [`PageRecipe::numbers`] numbers of a signature: two for the identity, then the super-shingles, then
    /// the simhash. They are zeros if there are no tokens.
    pub fn push(&mut self, tokens: &[u64], numbers: &mut Vec<u64>) {
        let start = numbers.len();
        if !tokens.is_empty() {
            let identity = hash_set(tokens);
            numbers.extend([identity as u64, (identity >> 64) as u64]);
            self.shingle(tokens, self.recipe.shingle);
            if self.recipe.weighted {
                self.shingles.sort_unstable();
                number_occurrences(&mut self.shingles);
            }
            self.features.push(&self.shingles, &mut self.sketch, numbers);
            self.shingle(tokens, self.recipe.element);
        }
        numbers.resize(start + self.recipe.numbers(), 0);
        if !tokens.is_empty() {
            let simhash = numbers.len() - self.simhash.words();
            self.simhash.of(&self.shingles, &mut numbers[simhash..]);
        }
    }

    fn shingle(&mut self, tokens: &[u64], width: usize) {
        self.shingles.clear();
        hash_shingles(tokens, width, &mut self.shingles);
    }
}

impl PageSignature {
    /// Returns how many super-shingles are equal.
    pub fn b_similarity(&self, other: &PageSignature) -> u32 {
        shared_features(&self.supershingles, &other.supershingles) as u32
    }

    /// Returns in how many bits the simhashes agree, or 0 if either page has no tokens.
    pub fn c_similarity(&self, other: &PageSignature) -> u32 {
        if self.is_empty() || other.is_empty() { 0 } else { agreeing_bits(&self.simhash, &other.simhash) }
    }

    /// Returns whether the page has no tokens, and so resembles nothing.
    pub fn is_empty(&self) -> bool {
        self.supershingles.is_empty()
    }
}

fn join_identity(numbers: &[u64]) -> u128 {
    u128::from(numbers[1]) << 64 | u128::from(numbers[0])
}

/// The signatures of all pages, by page number.
#[derive(Clone, Debug)]
pub struct Pages {
    recipe: PageRecipe,
    identities: Vec<u128>,
    features: FeatureTable,
    simhashes: Fingerprints,
}

impl Pages {
    /// Collects the signatures of pages, made with this recipe.
    pub fn new(
        recipe: PageRecipe,
        signatures: impl IntoIterator<Item = PageSignature>,
    ) -> Result<Pages, PageRecipeError> {
        recipe.check()?;
        let mut numbers = Vec::new();
        for signature in signatures {
            let start = numbers.len();
            if !signature.is_empty() {
                numbers.extend([signature.identity as u64, (signature.identity >> 64) as u64]);
                numbers.extend_from_slice(&signature.supershingles);
                numbers.extend_from_slice(&signature.simhash);
            }
            numbers.resize(start + recipe.numbers(), 0);
        }
        Pages::of_numbers(recipe, &numbers)
    }

    /// Like [`Pages::new`], from what [`PageSigner::push`] appended.
    pub fn of_numbers(recipe: PageRecipe, numbers: &[u64]) -> Result<Pages, PageRecipeError> {
        recipe.check()?;
        let (mut identities, mut features, mut simhashes) = (vec![], vec![], vec![]);
        for signature in numbers.chunks_exact(recipe.numbers()) {
            let (identity, rest) = signature.split_at(IDENTITY);
            let (supershingles, simhash) = rest.split_at(recipe.filter.k());
            identities.push(join_identity(identity));
            features.extend_from_slice(supershingles);
            simhashes.extend_from_slice(simhash);
        }
        // The recipe is checked, and every page has its words.
        let simhashes = Fingerprints::new(recipe.bits as u32, simhashes).expect("whole fingerprints of checked bits");
        Ok(Pages { recipe, identities, features: FeatureTable::new(recipe.filter, features), simhashes })
    }

    /// Returns the recipe.
    pub fn recipe(&self) -> PageRecipe {
        self.recipe
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.identities.len()
    }

    /// Returns whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.identities.is_empty()
    }

    /// Returns whether a page has tokens.
    pub fn has_tokens(&self, page: u32) -> bool {
        self.identities[page as usize] != 0
    }

    /// Returns the hash of the page's sequence of tokens, or 0 if it has none.
    pub fn identity(&self, page: u32) -> u128 {
        self.identities[page as usize]
    }

    /// Groups pages with the same sequence of tokens. The first in this order represents its group. Pages without
    /// tokens equal nothing.
    pub fn identical(&self, order: impl Iterator<Item = u32>) -> Groups {
        Groups::of_equal_keys(&self.identities, order.filter(|&page| self.has_tokens(page)))
    }

    /// Returns the super-shingles.
    pub fn features(&self) -> &FeatureTable {
        &self.features
    }

    /// Returns the simhashes.
    pub fn simhashes(&self) -> &Fingerprints {
        &self.simhashes
    }
}
