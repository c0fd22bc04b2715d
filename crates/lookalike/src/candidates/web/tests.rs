//! Against the paper's algorithms, written plainly: sums of ones and minus ones, minima by function, pairs by comparing
//! all.

use std::collections::HashSet;
use std::sync::Mutex;

use proptest::prelude::*;

use super::*;
use crate::progress::Stage;
use crate::sets::{hash_occurrence, hash_shingle};
use crate::sketch::{Filter, MinHash, SimHash, feature};

/// All shingles in order, or one of all tokens if there are too few.
fn shingles(tokens: &[u64], width: usize) -> Vec<u64> {
    if tokens.is_empty() {
        return Vec::new();
    }
    tokens.windows(width.min(tokens.len())).map(hash_shingle).collect()
}

fn plain_supershingles(recipe: &PageRecipe, tokens: &[u64]) -> Vec<u64> {
    let mut all = shingles(tokens, recipe.shingle);
    if recipe.weighted {
        let occurrences: Vec<u64> =
            (0..all.len()).map(|at| all[..=at].iter().filter(|&&other| other == all[at]).count() as u64).collect();
        all = all.iter().zip(occurrences).map(|(&element, nth)| hash_occurrence(element, nth)).collect();
    }
    if all.is_empty() {
        return Vec::new();
    }
    let functions = MinHash::new(recipe.filter.functions());
    let minima: Vec<u32> = (0..recipe.filter.functions())
        .map(|function| all.iter().map(|&shingle| functions.value(function, shingle)).min().unwrap())
        .collect();
    let s = recipe.filter.s();
    (0..recipe.filter.k()).map(|group| feature(group, &minima[group * s..(group + 1) * s])).collect()
}

fn plain_simhash(recipe: &PageRecipe, tokens: &[u64]) -> Vec<bool> {
    let mut sums = vec![0_i64; recipe.bits];
    let mut one = SimHash::new(recipe.bits).unwrap();
    let mut vector = vec![0; recipe.bits / 64];
    for shingle in shingles(tokens, recipe.element) {
        // The fingerprint of a single element is its vector.
        one.of(&[shingle], &mut vector);
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if vector[bit / 64] >> (bit % 64) & 1 == 1 { 1 } else { -1 };
        }
    }
    sums.into_iter().map(|sum| sum > 0).collect()
}

/// Every pair by definition, among the first pages of every identity.
fn plain_pairs(join: &WebJoin, recipe: &PageRecipe, pages: &[Vec<u64>], sites: &[Option<u64>]) -> Vec<WebPair> {
    let signed: Vec<_> =
        pages.iter().map(|tokens| (plain_supershingles(recipe, tokens), plain_simhash(recipe, tokens))).collect();
    let is_first = |page: usize| !pages[page].is_empty() && !pages[..page].contains(&pages[page]);
    let mut pairs = Vec::new();
    for b in (0..pages.len()).filter(|&page| is_first(page)) {
        for a in (0..b).filter(|&page| is_first(page)) {
            let b_similarity = signed[a].0.iter().zip(&signed[b].0).filter(|(x, y)| x == y).count() as u32;
            let c_similarity = signed[a].1.iter().zip(&signed[b].1).filter(|(x, y)| x == y).count() as u32;
            let same_site = sites[a].is_some() && sites[a] == sites[b];
            let by_b = b_similarity as usize >= recipe.filter.r();
            let found = match join.method {
                WebMethod::B => by_b,
                WebMethod::C => c_similarity >= join.agree,
                WebMethod::BySite if !same_site => c_similarity >= join.agree,
                WebMethod::Combined | WebMethod::BySite => by_b && c_similarity >= join.combined_agree,
            };
            if found {
                pairs.push(WebPair { a: a as u32, b: b as u32, b_similarity, c_similarity, same_site });
            }
        }
    }
    pairs.sort();
    pairs
}

fn found(join: &WebJoin, pages: &Pages, sites: &[Option<u64>]) -> Vec<WebPair> {
    let pairs = Mutex::new(Vec::new());
    join.pairs(
        pages,
        |page| sites[page as usize],
        &Stage::silent(),
        |some| pairs.lock().unwrap().extend_from_slice(some),
    );
    let mut pairs = pairs.into_inner().unwrap();
    pairs.sort();
    pairs
}

/// Pages made from each other: copies, with words changed, omitted or repeated, and short and empty pages.
fn pages() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let change = (any::<proptest::sample::Index>(), 0_u64..30, 0..4_u8);
    let page = (any::<proptest::sample::Index>(), 0..120_usize, prop::collection::vec(change, 0..4), any::<bool>());
    prop::collection::vec(page, 1..14).prop_map(|made| {
        let mut pages: Vec<Vec<u64>> = Vec::new();
        for (number, (of, length, changes, fresh)) in made.into_iter().enumerate() {
            let mut page = if fresh || pages.is_empty() {
                (0..length as u64).map(|at| at * 7 % 23 + 100 * number as u64).collect()
            } else {
                of.get(&pages).clone()
            };
            for (at, word, kind) in changes {
                let at = at.index(page.len() + 1);
                match kind {
                    0 => page.insert(at, word),
                    1 if at < page.len() => page[at] = word,
                    2 => page.truncate(at),
                    _ => page.extend_from_within(at..),
                }
            }
            page.truncate(300);
            pages.push(page);
        }
        pages.iter().map(|page| page.iter().map(|&word| crate::sets::mix(word + 1)).collect()).collect()
    })
}

fn recipes() -> impl Strategy<Value = PageRecipe> {
    let filter = prop_oneof![
        3 => Just((6, 14, 2)),
        1 => Just((6, 14, 1)),
        1 => Just((6, 2, 4)),
        1 => Just((30, 1, 3)),
        1 => Just((1, 3, 1)),
    ];
    let widths = (prop_oneof![Just(8_usize), Just(5), Just(1)], prop_oneof![Just(1_usize), Just(3)]);
    let bits = prop_oneof![Just(384_usize), Just(64), Just(192)];
    (filter, widths, any::<bool>(), bits).prop_map(|((k, s, r), (shingle, element), weighted, bits)| PageRecipe {
        filter: Filter::new(k, s, r).unwrap(),
        shingle,
        weighted,
        bits,
        element,
    })
}

proptest! {
    #[test]
    fn the_same_as_plainly(
        pages in pages(),
        recipe in recipes(),
        sites in prop::collection::vec(prop::option::of(0..3_u64), 14),
        shares in (0.5..1.0_f64, 0.5..1.0_f64),
    ) {
        let mut signer = PageSigner::new(recipe).unwrap();
        let signatures: Vec<PageSignature> = pages.iter().map(|tokens| signer.sign(tokens)).collect();
        for (tokens, signature) in pages.iter().zip(&signatures) {
            prop_assert_eq!(&signature.supershingles, &plain_supershingles(&recipe, tokens));
            let bits = (0..recipe.bits).map(|bit| signature.simhash[bit / 64] >> (bit % 64) & 1 == 1);
            prop_assert_eq!(bits.collect::<Vec<_>>(), plain_simhash(&recipe, tokens));
        }
        let signed = Pages::new(recipe, signatures).unwrap();
        for method in WebMethod::ALL {
            let agree = |share: f64| (share * recipe.bits as f64) as u32;
            let scaled = WebJoin { method, agree: agree(shares.0), combined_agree: agree(shares.1) };
            for join in [scaled, WebJoin::new(method), WebJoin::of_bits(method, recipe.bits)] {
                prop_assert_eq!(found(&join, &signed, &sites), plain_pairs(&join, &recipe, &pages, &sites));
            }
        }
    }
}

#[test]
fn identical_pages_are_grouped_and_empty_ones_are_not() {
    let recipe = PageRecipe::paper().unwrap();
    let mut signer = PageSigner::new(recipe).unwrap();
    let texts: [&[u64]; 5] = [&[], &[1, 2], &[2, 1], &[1, 2], &[]];
    let pages = Pages::new(recipe, texts.map(|tokens| signer.sign(tokens))).unwrap();
    let groups = pages.identical(0..5);
    assert_eq!([0, 1, 2, 3, 4].map(|page| groups.first(page)), [0, 1, 2, 1, 4]);
    // The simhash ignores the order of tokens.
    let pairs = found(&WebJoin::new(WebMethod::C), &pages, &[None; 5]);
    assert_eq!(pairs, [WebPair { a: 1, b: 2, b_similarity: 0, c_similarity: 384, same_site: false }]);
    assert_eq!(found(&WebJoin::new(WebMethod::B), &pages, &[None; 5]), []);
}

#[test]
fn the_papers_numbers() {
    let of = |bits| WebJoin::of_bits(WebMethod::C, bits);
    assert_eq!((of(384).agree, of(384).combined_agree), (372, 355));
    assert_eq!((of(64).agree, of(64).combined_agree), (62, 60));
    let paper = PageRecipe::paper().unwrap();
    assert_eq!((paper.filter.functions(), paper.filter.k(), paper.filter.s(), paper.filter.r()), (84, 6, 14, 2));
}

#[test]
fn what_is_no_recipe_is_refused() {
    let paper = PageRecipe::paper().unwrap();
    let wrong =
        [PageRecipe { shingle: 0, ..paper }, PageRecipe { element: 0, ..paper }, PageRecipe { bits: 100, ..paper }];
    for recipe in wrong {
        assert!(PageSigner::new(recipe).is_err() && Pages::new(recipe, []).is_err());
    }
    let names: HashSet<WebMethod> = WebMethod::ALL.iter().map(|method| method.name().parse().unwrap()).collect();
    assert_eq!(names.len(), 4);
    assert!("d".parse::<WebMethod>().is_err());
}
