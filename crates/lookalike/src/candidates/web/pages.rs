use super::recipe::{PageRecipe, PageRecipeError};
use crate::candidates::Fingerprints;
use crate::sets::{Groups, hash_set, hash_shingles, number_occurrences};
use crate::sketch::{Features, SimHash, agreeing_bits, shared_features};

/// Makes the signatures of pages, one after another, in memory that it keeps.
pub struct PageSigner {
    recipe: PageRecipe,
    features: Features,
    simhash: SimHash,
    shingles: Vec<u64>,
    sketch: Vec<u32>,
}

/// What stands for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSignature {
    /// A hash of the sequence of its tokens: pages with the same are identical.
    pub identity: u128,
    /// Its super-shingles; none if it has no token.
    pub supershingles: Vec<u64>,
    /// Its simhash.
    pub simhash: Vec<u64>,
}

impl PageSigner {
    /// Signatures by this recipe.
    pub fn new(recipe: PageRecipe) -> Result<PageSigner, PageRecipeError> {
        let simhash = recipe.check()?;
        let features = Features::new(recipe.filter);
        Ok(PageSigner { recipe, features, simhash, shingles: Vec::new(), sketch: Vec::new() })
    }

    /// The signature of a page, from its tokens' hashes in order.
    ///
    /// A shingle does not reach round from the end to the beginning. A page of fewer tokens than a shingle has one of all its tokens.
    pub fn sign(&mut self, tokens: &[u64]) -> PageSignature {
        self.shingle(tokens, self.recipe.shingle);
        if self.recipe.weighted {
            self.shingles.sort_unstable();
            number_occurrences(&mut self.shingles);
        }
        let mut supershingles = Vec::new();
        self.features.push(&self.shingles, &mut self.sketch, &mut supershingles);
        self.shingle(tokens, self.recipe.element);
        let mut simhash = vec![0; self.simhash.words()];
        self.simhash.of(&self.shingles, &mut simhash);
        PageSignature { identity: hash_set(tokens), supershingles, simhash }
    }

    fn shingle(&mut self, tokens: &[u64], width: usize) {
        self.shingles.clear();
        hash_shingles(tokens, width, &mut self.shingles);
    }
}

impl PageSignature {
    /// How many super-shingles are equal.
    pub fn b_similarity(&self, other: &PageSignature) -> u32 {
        shared_features(&self.supershingles, &other.supershingles) as u32
    }

    /// In how many bits the simhashes agree; none if either page has no token.
    pub fn c_similarity(&self, other: &PageSignature) -> u32 {
        if self.is_empty() || other.is_empty() { 0 } else { agreeing_bits(&self.simhash, &other.simhash) }
    }

    /// Whether the page has no token, and so resembles nothing.
    pub fn is_empty(&self) -> bool {
        self.supershingles.is_empty()
    }
}

/// The signatures of all pages, by a page's number.
#[derive(Clone, Debug)]
pub struct Pages {
    recipe: PageRecipe,
    identities: Vec<u128>,
    is_empty: Vec<bool>,
    /// As many a page as the recipe says; zeros for an empty one.
    supershingles: Vec<u64>,
    simhashes: Fingerprints,
}

impl Pages {
    /// These pages, which were signed by this recipe.
    pub fn new(
        recipe: PageRecipe,
        signatures: impl IntoIterator<Item = PageSignature>,
    ) -> Result<Pages, PageRecipeError> {
        let words = recipe.check()?.words();
        let (mut identities, mut is_empty, mut supershingles, mut simhashes) = (vec![], vec![], vec![], vec![]);
        for signature in signatures {
            is_empty.push(signature.is_empty());
            identities.push(signature.identity);
            supershingles.extend_from_slice(&signature.supershingles);
            supershingles.resize(identities.len() * recipe.filter.k(), 0);
            simhashes.extend_from_slice(&signature.simhash);
            simhashes.resize(identities.len() * words, 0);
        }
        // The recipe has been checked, and every page has its words.
        let simhashes = Fingerprints::new(recipe.bits as u32, simhashes).expect("whole fingerprints of checked bits");
        Ok(Pages { recipe, identities, is_empty, supershingles, simhashes })
    }

    /// How they were made.
    pub fn recipe(&self) -> PageRecipe {
        self.recipe
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.identities.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.identities.is_empty()
    }

    /// Pages with the same sequence of tokens, the first of which stands for all. Pages without a token equal nothing.
    pub fn identical(&self) -> Groups {
        let pages = (0..self.len() as u32).filter(|&page| !self.is_empty[page as usize]);
        let identity = |page: u32| self.identities[page as usize];
        Groups::of_equal(self.len(), pages, |page| identity(page) as u64, |a, b| identity(a) == identity(b))
    }

    /// The pages that stand for themselves, and have a token.
    pub(super) fn members(&self) -> Vec<u32> {
        let groups = self.identical();
        (0..self.len() as u32).filter(|&page| !self.is_empty[page as usize] && groups.is_first(page)).collect()
    }

    /// The super-shingles of a page that has a token.
    pub(super) fn supershingles(&self, page: u32) -> &[u64] {
        let k = self.recipe.filter.k();
        &self.supershingles[page as usize * k..(page as usize + 1) * k]
    }

    pub(super) fn simhashes(&self) -> &Fingerprints {
        &self.simhashes
    }

    /// How many super-shingles two pages with tokens have in common.
    pub(super) fn b_similarity(&self, a: u32, b: u32) -> u32 {
        shared_features(self.supershingles(a), self.supershingles(b)) as u32
    }
}
