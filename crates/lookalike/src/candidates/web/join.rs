//! Which pages are near-duplicates by a method?

use super::method::WebMethod;
use super::pages::Pages;
use crate::candidates::{AgreeJoin, Side};
use crate::progress::Stage;

/// Two pages that are near-duplicates by a method. `a` is less than `b`.
///
/// Its counts are of features and bits, not of elements, so it does not convert to a [`Pair`](crate::Pair) until the two
/// sets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WebPair {
    /// The page that comes first in the input.
    pub a: u32,
    /// The other page.
    pub b: u32,
    /// How many super-shingles are equal.
    pub b_similarity: u32,
    /// In how many bits the simhashes agree.
    pub c_similarity: u32,
    /// Whether they belong to the same site.
    pub same_site: bool,
}

/// Finds near-duplicate pages by a method. The pages' [`PageRecipe::filter`](super::PageRecipe::filter) sets how many
/// super-shingles must be equal.
///
/// ```
/// use std::sync::Mutex;
///
/// use lookalike::engine::{PageRecipe, PageSigner, Pages, Recipe, SetMaker, Stage, WebJoin, WebMethod};
///
/// let texts = ["the ferry to the island leaves at nine", "it rains", "the ferry to the island leaves at nine!"];
/// let recipe = PageRecipe::paper()?;
/// let mut words = SetMaker::new(Recipe { tokens: "words".parse()?, ..Recipe::default() });
/// let mut signer = PageSigner::new(recipe)?;
/// let pages = Pages::new(recipe, texts.map(|text| signer.sign(words.sequence(text))))?;
/// assert_eq!(pages.identical(0..3).first(2), 0);
///
/// let pairs = Mutex::new(Vec::new());
/// let join = WebJoin::new(WebMethod::Combined);
/// join.pairs(&pages, |_| None, &Stage::silent(), |some| pairs.lock().unwrap().extend_from_slice(some));
/// assert_eq!(pairs.into_inner()?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebJoin {
    /// The method.
    pub method: WebMethod,
    /// In how many bits simhashes must agree for C.
    pub agree: u32,
    /// In how many bits simhashes must agree for the combined algorithm.
    pub combined_agree: u32,
}

impl WebJoin {
    /// Makes a join with the paper's numbers: 372 and 355.
    pub fn new(method: WebMethod) -> WebJoin {
        WebJoin::of_bits(method, 384)
    }

    /// Makes a join for simhashes of `bits` bits, with the paper's numbers scaled from 384.
    pub fn of_bits(method: WebMethod, bits: usize) -> WebJoin {
        let share = |of_384: usize| (of_384 * bits).div_ceil(384) as u32;
        WebJoin { method, agree: share(372), combined_agree: share(355) }
    }

    /// Decides whether two pages are near-duplicates, by definition. `needed` super-shingles must be equal.
    pub fn is_pair(&self, needed: u32, b_similarity: u32, c_similarity: u32, same_site: bool) -> bool {
        let c = c_similarity >= self.agree;
        let b = b_similarity >= needed;
        let combined = b && c_similarity >= self.combined_agree;
        match self.method {
            WebMethod::B => b,
            WebMethod::C => c,
            WebMethod::Combined => combined,
            WebMethod::BySite => {
                if same_site {
                    combined
                } else {
                    c
                }
            }
        }
    }

    /// Finds every pair of pages that represent those identical to them, in batches and in no particular order, from
    /// any thread.
    ///
    /// `site` returns a number for a page's site. A page without one shares its site with no other page. The stage
    /// counts pages, twice if there are two algorithms.
    pub fn pairs(
        &self,
        pages: &Pages,
        site: impl Fn(u32) -> Option<u64> + Sync,
        stage: &Stage,
        emit: impl Fn(&[WebPair]) + Sync,
    ) {
        let groups = pages.identical(0..pages.len() as u32);
        let stands = |page: &u32| pages.has_tokens(*page) && groups.is_first(*page);
        let members: Vec<u32> = (0..pages.len() as u32).filter(stands).collect();
        self.pairs_among(pages, &members, |_| Side::Both, site, stage, emit);
    }

    /// Like [`WebJoin::pairs`], among `members`, which have tokens. A pair has one page on each side.
    pub fn pairs_among(
        &self,
        pages: &Pages,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        site: impl Fn(u32) -> Option<u64> + Sync,
        stage: &Stage,
        emit: impl Fn(&[WebPair]) + Sync,
    ) {
        let (features, simhashes) = (pages.features(), pages.simhashes());
        let needed = pages.recipe().filter.r() as u32;
        let known = |a: u32, b: u32, b_similarity: u32, c_similarity: u32| {
            let same_site = site(a).is_some() && site(a) == site(b);
            let pair = WebPair { a, b, b_similarity, c_similarity, same_site };
            self.is_pair(needed, b_similarity, c_similarity, same_site).then_some(pair)
        };
        let emit = |found: Vec<WebPair>| {
            if !found.is_empty() {
                emit(&found);
            }
        };
        // By site, each pair is left to the algorithm for its kind.
        let is_own = |pair: &WebPair, same_site| self.method != WebMethod::BySite || pair.same_site == same_site;
        if self.method != WebMethod::C {
            features.pairs_among(members, &side, stage, |some| {
                let found = some.iter().filter_map(|p| known(p.a, p.b, p.shared, simhashes.agree(p.a, p.b)));
                emit(found.filter(|pair| is_own(pair, true)).collect());
            });
        }
        // No two simhashes agree in more bits than they have.
        let differ = simhashes.bits().checked_sub(self.agree);
        if let (WebMethod::C | WebMethod::BySite, Some(differ)) = (self.method, differ) {
            AgreeJoin::new(differ).pairs_among(simhashes, members, &side, stage, |some| {
                let found = some.iter().filter_map(|p| known(p.a, p.b, features.shared(p.a, p.b), p.agree));
                emit(found.filter(|pair| is_own(pair, false)).collect());
            });
        }
    }
}
