//! Documents by their signatures one by one, where no table has all of them: on the machines of a cluster.

use lookalike::engine::{FeatureKeys, MeetingRule, PieceKeys, WebMethod, hash_set};
use lookalike::sketch::{agreeing_bits, shared_features};

use super::signatures::{PagePair, page_key};
use crate::read::Signing;

/// A document as a method sees it.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The numbers of its signature.
    pub numbers: &'a [u64],
    /// A hash of its site, or 0.
    pub site: u64,
}

/// The keys under which a document is indexed, so that candidates share one.
#[derive(Clone, Debug)]
pub struct SignatureKeys {
    features: Option<FeatureKeys>,
    /// Whether only documents of one site meet by their features.
    by_site: bool,
    pieces: Option<PieceKeys>,
    /// When those that meet are candidates.
    pub rule: MeetingRule,
}

/// The parts of a signature.
struct Parts<'a> {
    /// A hash of the sequence of words of a page, or 0 if it has none.
    identity: u128,
    features: &'a [u64],
    simhash: &'a [u64],
}

/// Numbers of a page's identity.
const IDENTITY: usize = 2;

impl Signing {
    fn parts<'a>(&self, numbers: &'a [u64]) -> Parts<'a> {
        match self {
            Signing::MinHash(_) | Signing::Lsh(_) | Signing::Sketch(_) => {
                Parts { identity: 0, features: numbers, simhash: &[] }
            }
            Signing::MegaShingles(_) | Signing::IMatch(_) | Signing::Ddebit(_) => {
                Parts { identity: 0, features: &[], simhash: &[] }
            }
            Signing::SimHash { .. } => Parts { identity: 0, features: &[], simhash: numbers },
            Signing::Web(recipe, _) => {
                let (identity, rest) = numbers.split_at(IDENTITY);
                let (features, simhash) = rest.split_at(recipe.filter.k());
                Parts { identity: u128::from(identity[1]) << 64 | u128::from(identity[0]), features, simhash }
            }
        }
    }

    /// A hash of everything that the method compares, for a document whose set has this hash: documents with the same hash are
    /// equal. `None` if the document cannot be compared.
    pub fn identity(&self, set: u128, document: Signed) -> Option<u128> {
        match self {
            Signing::MinHash(_) | Signing::Lsh(_) | Signing::Sketch(_) => Some(set),
            Signing::MegaShingles(_) | Signing::IMatch(_) | Signing::Ddebit(_) => None,
            Signing::SimHash { .. } => Some(hash_set(&[&[set as u64, (set >> 64) as u64], document.numbers].concat())),
            Signing::Web(_, join) => {
                let identity = self.parts(document.numbers).identity;
                let site = if join.method == WebMethod::BySite { document.site } else { 0 };
                (identity != 0).then(|| page_key(set, identity, site))
            }
        }
    }

    /// Whether two documents are candidates.
    pub fn passes(&self, a: Signed, b: Signed) -> bool {
        let (one, two) = (self.parts(a.numbers), self.parts(b.numbers));
        match self {
            Signing::MegaShingles(_) | Signing::IMatch(_) | Signing::Ddebit(_) => false,
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => {
                shared_features(one.features, two.features) >= plan.filter.r()
            }
            Signing::SimHash { agree, .. } => agreeing_bits(one.simhash, two.simhash) >= *agree,
            Signing::Web(recipe, join) => {
                let Some(PagePair { b_similarity, c_similarity, same_site }) = self.of_pages(a, b) else {
                    return false;
                };
                let can = one.identity != 0 && two.identity != 0;
                can && join.is_pair(recipe.filter.r() as u32, b_similarity, c_similarity, same_site == Some(true))
            }
        }
    }

    /// How two pages compare, if pages are compared.
    pub fn of_pages(&self, a: Signed, b: Signed) -> Option<PagePair> {
        let Signing::Web(..) = self else { return None };
        let (one, two) = (self.parts(a.numbers), self.parts(b.numbers));
        Some(PagePair {
            b_similarity: shared_features(one.features, two.features) as u32,
            c_similarity: agreeing_bits(one.simhash, two.simhash),
            same_site: (a.site != 0 && b.site != 0).then_some(a.site == b.site),
        })
    }

    /// The keys of a document. `None` for a method that cannot be keyed by one document; do not call the other functions for it.
    pub fn keys(&self) -> Option<SignatureKeys> {
        let (features, bits, agree) = match self {
            Signing::MegaShingles(_) | Signing::IMatch(_) | Signing::Ddebit(_) => return None,
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => (Some(plan.filter), 0, None),
            Signing::SimHash { bits, agree } => (None, *bits, Some(*agree)),
            Signing::Web(recipe, join) => {
                let uses_c = matches!(join.method, WebMethod::C | WebMethod::BySite);
                let features = (join.method != WebMethod::C).then_some(recipe.filter);
                (features, recipe.bits as u32, uses_c.then_some(join.agree))
            }
        };
        Some(SignatureKeys {
            features: features.map(FeatureKeys::new),
            by_site: matches!(self, Signing::Web(_, join) if join.method == WebMethod::BySite),
            pieces: agree.and_then(|agree| PieceKeys::new(bits, agree)),
            rule: MeetingRule::Signatures { words: bits as usize / 64, agree: agree.unwrap_or(0) },
        })
    }

    /// Calls `post` with the keys of a document's features, those of the pieces of its simhash, and the simhash.
    pub fn post(&self, keys: &SignatureKeys, document: Signed, mut post: impl FnMut(&[u64], &[u64], &[u64])) {
        let parts = self.parts(document.numbers);
        let mut features: Vec<u64> = keys.features.iter().flat_map(|keys| keys.of(parts.features)).collect();
        if keys.by_site {
            // A page without a site shares it with no other.
            features.retain(|_| document.site != 0);
            features.iter_mut().for_each(|key| *key = hash_set(&[*key, document.site]) as u64);
        }
        let pieces: Vec<u64> = keys.pieces.iter().flat_map(|keys| keys.of(parts.simhash)).collect();
        post(&features, &pieces, parts.simhash);
    }
}

impl SignatureKeys {
    /// Bytes that are posted of a document, about.
    pub fn bytes(&self) -> usize {
        const POSTING: usize = 4 + 8 + 1 + 1;
        let words = match self.rule {
            MeetingRule::Signatures { words, .. } => words,
            MeetingRule::Elements(_) => 0,
        };
        let features = self.features.as_ref().map_or(0, FeatureKeys::count);
        features * POSTING + self.pieces.as_ref().map_or(0, PieceKeys::count) * (POSTING + 8 * words)
    }
}

#[cfg(test)]
mod tests {
    use lookalike::engine::{Groups, PageRecipe, SetStore, WebJoin};
    use proptest::prelude::*;

    use super::super::signatures::Signatures;
    use super::*;

    proptest! {
        /// One by one, documents are equal and candidates as they are in a table of all. Those that are candidates share a key.
        #[test]
        fn as_in_a_table(
            pages in prop::collection::vec((0..3u64, prop::collection::vec(0..2u64, 3), 0..40u64, 0..3u64), 2..9),
            method in prop::sample::select(&WebMethod::ALL[..]), agree in 58..65u32, needed in 1..4usize,
        ) {
            let filter = lookalike::sketch::Filter::new(3, 2, needed).unwrap();
            let recipe = PageRecipe { filter, shingle: 1, weighted: false, bits: 64, element: 1 };
            let signing = Signing::Web(recipe, WebJoin { method, agree, combined_agree: agree - 3 });
            let numbers: Vec<Vec<u64>> = pages.iter().map(|(identity, features, simhash, _)| {
                let features = features.iter().zip(0..).map(|(feature, place)| feature * 8 + place);
                [*identity, 0].into_iter().chain(features).chain([*simhash]).collect()
            }).collect();
            let sites: Vec<u64> = pages.iter().map(|page| page.3).collect();
            let all = Signatures::new(&signing, numbers.concat(), sites.clone(), SetStore::default()).unwrap();
            let (equal, is_comparable) = all.keys(&vec![7; pages.len()]);
            let comparable = (0..pages.len() as u32).filter(|&page| is_comparable[page as usize]);
            let groups = Groups::of_equal_keys(&equal, comparable);
            let keys = signing.keys().unwrap();
            let posted = |page: Signed| {
                let mut posted = (Vec::new(), Vec::new());
                signing.post(&keys, page, |features, pieces, _| posted = (features.to_vec(), pieces.to_vec()));
                posted
            };
            for a in 0..pages.len() {
                for b in (0..pages.len()).filter(|&b| a != b) {
                    let of = |page: usize| Signed { numbers: &numbers[page], site: sites[page] };
                    let (one, two) = (signing.identity(7, of(a)), signing.identity(7, of(b)));
                    prop_assert_eq!(one.is_some() && one == two, groups.first(a as u32) == groups.first(b as u32));
                    let passes = signing.passes(of(a), of(b));
                    prop_assert_eq!(passes, all.pass(a as u32, b as u32));
                    let (one, two) = (posted(of(a)), posted(of(b)));
                    let meet = |one: &[u64], two: &[u64]| one.iter().zip(two).any(|(one, two)| one == two);
                    prop_assert!(!passes || meet(&one.0, &two.0) || meet(&one.1, &two.1));
                }
            }
        }
    }
}
