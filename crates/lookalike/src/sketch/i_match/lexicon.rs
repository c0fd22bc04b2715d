//! Which terms make a document's hashes?

use hashbrown::HashTable;

use super::idf::IdfRange;
use crate::sets::{hash_numbers, mix};
use crate::sketch::splitmix::split_mix;

/// How I-Match makes hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IMatch {
    /// Which terms are in the lexicon.
    pub idf: IdfRange,
    /// The number of lexica, at least 1. The first has all terms in the range; each other lacks a random 30 % of them.
    pub lexica: u16,
    /// A document with fewer terms than this in a lexicon has no hash by it.
    pub least_terms: u32,
}

impl Default for IMatch {
    /// One lexicon, as in the paper of 2002.
    fn default() -> IMatch {
        IMatch { idf: IdfRange::default(), lexica: 1, least_terms: 4 }
    }
}

/// The terms of a collection that hashes are made from.
///
/// ```
/// use lookalike::sketch::{IMatch, Lexicon};
///
/// // Term 1 is in all 99 documents, 2 and 3 in ten each, 4 in one.
/// let lexicon = Lexicon::new(IMatch { least_terms: 2, ..IMatch::default() }, 99, [(1, 99), (2, 10), (3, 10), (4, 1)]);
/// let hash = |terms: &[u64], set: u128| {
///     let mut found = Vec::new();
///     lexicon.push(terms, set, &mut found);
///     found
/// };
/// assert_eq!(hash(&[1, 2, 3], 70), hash(&[2, 3, 4], 71));
/// // One term is too few. Such a document is like no other, except those with the same set.
/// assert_ne!(hash(&[1, 2], 70), hash(&[1, 2], 71));
/// ```
#[derive(Clone, Debug)]
pub struct Lexicon {
    settings: IMatch,
    /// Hashes of the terms in the range.
    terms: HashTable<u64>,
}

/// The seed of the random lexica, and how many in ten terms each lacks.
const SEED: u64 = 2004;
const LACKING: u64 = 3;
/// Marks what a document without a hash has instead.
const NONE: u64 = u64::MAX;

impl Lexicon {
    /// Makes the lexica of a collection of this many documents, from its terms' hashes and the number of documents that have
    /// each.
    pub fn new(settings: IMatch, documents: u64, terms: impl IntoIterator<Item = (u64, u32)>) -> Lexicon {
        let range = settings.idf.frequencies(documents);
        let mut table = HashTable::new();
        for (term, count) in terms {
            if range.contains(&u64::from(count)) {
                table.insert_unique(term, term, |&term| term);
            }
        }
        Lexicon { settings, terms: table }
    }

    /// Returns the number of hashes of a document.
    pub fn hashes(&self) -> usize {
        self.settings.lexica.into()
    }

    /// Returns the number of terms in the range.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns whether no term is in the range.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Appends a document's hashes, one for each lexicon, from its distinct terms, ascending. Where it has too few terms
    /// for one, it gets a number that only documents with the same `set` have.
    pub fn push(&self, terms: &[u64], set: u128, hashes: &mut Vec<u64>) {
        let known: Vec<u64> = terms.iter().copied().filter(|&term| self.has(term)).collect();
        for lexicon in 0..u64::from(self.settings.lexica) {
            let own = || known.iter().copied().filter(|&term| is_in(lexicon, term));
            let terms = own().count() as u64;
            let is_enough = terms > 0 && terms >= u64::from(self.settings.least_terms);
            hashes.push(match is_enough {
                true => hash_numbers(std::iter::once(lexicon).chain(own())),
                false => hash_numbers([NONE, lexicon, set as u64, (set >> 64) as u64].into_iter()),
            });
        }
    }

    fn has(&self, term: u64) -> bool {
        self.terms.find(term, |&other| other == term).is_some()
    }
}

/// Whether a term in the range is in a lexicon. The first lexicon has all.
fn is_in(lexicon: u64, term: u64) -> bool {
    lexicon == 0 || mix(term ^ split_mix(SEED, lexicon)) % 10 >= LACKING
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// Which of these terms each lexicon has, as one sees it from outside: alone, a term in the lexicon has the same
    /// hash whatever the document's set is, and any other does not.
    fn seen(lexica: u16, terms: impl Iterator<Item = u64> + Clone) -> Vec<BTreeSet<u64>> {
        let settings = IMatch { lexica, least_terms: 1, ..IMatch::default() };
        let lexicon = Lexicon::new(settings, 10, terms.clone().map(|term| (term, 3)));
        let mut kept = vec![BTreeSet::new(); lexica.into()];
        for term in terms {
            let [one, other] = [1, 2].map(|set| {
                let mut found = Vec::new();
                lexicon.push(&[term], set, &mut found);
                found
            });
            for (number, kept) in kept.iter_mut().enumerate().filter(|&(number, _)| one[number] == other[number]) {
                assert!(kept.insert(term), "{number}");
            }
        }
        kept
    }

    /// By definition: two documents are a pair if, in some lexicon, they have the same terms, and enough of them.
    fn is_pair(settings: &IMatch, counts: &BTreeMap<u64, u32>, documents: u64, two: [&BTreeSet<u64>; 2]) -> bool {
        seen(settings.lexica, counts.keys().copied()).iter().any(|lexicon| {
            let kept = two.map(|terms| {
                let base = (documents + 1) as f64;
                let in_range = |term: &&u64| {
                    let idf = (base / f64::from(counts[*term])).ln() / base.ln();
                    (0.2..=0.85).contains(&idf) && lexicon.contains(*term)
                };
                terms.iter().filter(in_range).collect::<Vec<_>>()
            });
            kept[0] == kept[1] && !kept[0].is_empty() && kept[0].len() as u32 >= settings.least_terms
        })
    }

    proptest! {
        #[test]
        fn equal_fingerprints_are_equal_terms(
            documents in prop::collection::vec(prop::collection::btree_set(0..12u64, 0..9), 1..14),
            lexica in 1..6u16,
            least_terms in 0..4u32,
        ) {
            let documents: Vec<BTreeSet<u64>> =
                documents.iter().map(|terms| terms.iter().map(|&term| mix(term + 1)).collect()).collect();
            let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
            documents.iter().flatten().for_each(|&term| *counts.entry(term).or_default() += 1);
            let settings = IMatch { lexica, least_terms, ..IMatch::default() };
            let lexicon = Lexicon::new(settings, documents.len() as u64, counts.clone());
            // Every document has another set.
            let signed: Vec<Vec<u64>> = documents.iter().enumerate().map(|(number, terms)| {
                let mut found = Vec::new();
                lexicon.push(&terms.iter().copied().collect::<Vec<u64>>(), number as u128, &mut found);
                found
            }).collect();
            for b in 0..documents.len() {
                for a in 0..b {
                    let found = signed[a].iter().zip(&signed[b]).any(|(a, b)| a == b);
                    let expected = is_pair(&settings, &counts, documents.len() as u64, [&documents[a], &documents[b]]);
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn the_first_lexicon_has_all_terms_and_each_other_lacks_its_own_three_in_ten() {
        let kept = seen(6, (0..10_000).map(mix));
        assert_eq!(kept[0].len(), 10_000);
        for (number, one) in kept.iter().enumerate().skip(1) {
            assert!((6_800..7_200).contains(&one.len()), "{}", one.len());
            // What two lexica have is 0.7 · 0.7 of the terms: they do not lack the same ones.
            for other in &kept[1..number] {
                let both = one.intersection(other).count();
                assert!((4_700..5_100).contains(&both), "{both}");
            }
        }
    }
}
