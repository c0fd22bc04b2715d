//! Which signature is kept of a document, and how signatures find pairs.

use std::num::NonZeroU16;
use std::sync::Arc;

use lookalike::engine::{PageRecipe, Recipe, SetMaker, WebJoin, WebMethod};
use lookalike::sketch::{Filter, IMatch, Lexicon, Plan};
use lookalike::{Threshold, Tokens};
use lookalike_io::extract::{Signer, SignerKind};

/// A method that finds pairs by signatures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signing {
    /// Features of min-wise sketches. The plan has the filter and its recall.
    MinHash(Plan),
    /// Bands of min-wise values, of which one must be equal.
    Lsh(Plan),
    /// The values of min-wise sketches, each as a feature.
    Sketch(Plan),
    /// Hashes of every r of the features of a filter, of which one must be equal.
    MegaShingles(Filter),
    /// Hashes of the terms that are neither too frequent nor too rare, of which one must be equal.
    IMatch(IMatch),
    /// Sets of bigrams that must reach this light threshold.
    Ddebit(Threshold),
    /// Simhashes. A pair must agree in a number of bits.
    SimHash {
        /// Bits of a simhash.
        bits: u32,
        /// Bits that must agree.
        agree: u32,
    },
    /// An algorithm for web pages.
    Web(PageRecipe, WebJoin),
}

/// Bigrams of a record, about.
const BIGRAMS: usize = 64;

impl Signing {
    /// The light threshold of DDEBIT if none is given. The papers that we have give none.
    pub const LIGHT: &str = "0.5";
    /// The min-wise values that LSH divides into bands if their number is not given: datasketch's default.
    pub const LSH_FUNCTIONS: usize = 128;

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Signing::MinHash(_) => "minhash",
            Signing::Lsh(_) => "lsh",
            Signing::Sketch(_) => "sketch",
            Signing::MegaShingles(_) => "mega-shingles",
            Signing::IMatch(_) => "i-match",
            Signing::Ddebit(_) => "ddebit",
            Signing::SimHash { .. } => "simhash",
            Signing::Web(_, join) => join.method.name(),
        }
    }

    /// Makes signatures of documents whose sets are made with this recipe. I-Match needs a lexicon. `None` if the signatures are
    /// sets, or if they cannot be made; that is refused before any work.
    pub fn signer(&self, recipe: Recipe, lexicon: Option<&Arc<Lexicon>>) -> Option<Signer> {
        // `SignerKind::MinHash` is for `lookalike sketch`: its values are not candidates' keys.
        let kind = match self {
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => SignerKind::Features(plan.filter),
            Signing::MegaShingles(filter) => SignerKind::MegaShingles(*filter),
            Signing::IMatch(_) => SignerKind::IMatch(lexicon?.clone()),
            Signing::Ddebit(_) => return None,
            Signing::SimHash { bits, .. } => SignerKind::SimHash(*bits as usize),
            Signing::Web(recipe, _) => SignerKind::Page(*recipe),
        };
        Signer::new(&kind, recipe).ok()
    }

    /// Makes the sets that are kept as signatures, if they are sets: the distinct bigrams.
    pub(crate) fn light(&self, recipe: Recipe) -> Option<SetMaker> {
        let bigrams = Tokens::Chars(NonZeroU16::new(2)?);
        matches!(self, Signing::Ddebit(_)).then(|| SetMaker::new(Recipe { tokens: bigrams, bag: false, ..recipe }))
    }

    /// The bytes of a signature. For sets it is a guess, before there are any.
    pub fn bytes(&self) -> usize {
        match self {
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => plan.filter.bytes(),
            Signing::MegaShingles(filter) => 8 * filter.super_features() as usize,
            Signing::IMatch(settings) => 8 * usize::from(settings.lexica),
            Signing::Ddebit(_) => 8 * BIGRAMS,
            Signing::SimHash { bits, .. } => *bits as usize / 8,
            Signing::Web(recipe, _) => 8 * recipe.numbers(),
        }
    }

    /// The share of the pairs at the threshold that it is designed to find. `None` if it is not designed for a similarity of sets.
    pub fn designed_recall(&self) -> Option<f64> {
        match self {
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => Some(plan.recall),
            Signing::MegaShingles(_) | Signing::IMatch(_) | Signing::Ddebit(_) => None,
            Signing::SimHash { .. } | Signing::Web(..) => None,
        }
    }

    /// The filter, if candidates share features of their sets, and nothing else is compared.
    pub(crate) fn filter(&self) -> Option<Filter> {
        match self {
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => Some(plan.filter),
            Signing::MegaShingles(filter) => {
                Filter::new(filter.super_features() as usize, filter.r() * filter.s(), 1).ok()
            }
            Signing::IMatch(_) | Signing::Ddebit(_) | Signing::SimHash { .. } | Signing::Web(..) => None,
        }
    }

    /// The numbers of a signature.
    pub(crate) fn numbers(&self) -> usize {
        self.bytes() / 8
    }

    /// Whether signatures may be in a file. Those of I-Match need a lexicon of all words in memory, and those of DDEBIT are sets.
    pub(crate) fn may_be_on_disk(&self) -> bool {
        !matches!(self, Signing::IMatch(_) | Signing::Ddebit(_))
    }

    /// The method in a few words.
    pub fn describe(&self) -> String {
        match self {
            Signing::MinHash(Plan { filter, .. }) => {
                format!("minhash, {} of {} features of {} values in common", filter.r(), filter.k(), filter.s())
            }
            Signing::Lsh(Plan { filter, .. }) => {
                format!("lsh, 1 of {} bands of {} values in common", filter.k(), filter.s())
            }
            Signing::MegaShingles(filter) => format!(
                "mega-shingles, 1 of {} in common: {} of {} super-shingles of {} values",
                filter.super_features(),
                filter.r(),
                filter.k(),
                filter.s()
            ),
            Signing::IMatch(IMatch { idf, lexica, least_terms }) => {
                format!("i-match, 1 of {lexica} hashes in common, of {least_terms} or more words with an idf in {idf}")
            }
            Signing::Sketch(Plan { filter, .. }) => {
                format!("sketch, {} of {} values in common", filter.r(), filter.k())
            }
            Signing::Ddebit(light) => format!("ddebit, a light similarity of bigrams of {} or more", light.value()),
            Signing::SimHash { bits, agree } => format!("simhash, {agree} of {bits} bits in common"),
            Signing::Web(recipe, join) => {
                let b = format!("{} of {} super-shingles", recipe.filter.r(), recipe.filter.k());
                let bits = recipe.bits;
                match join.method {
                    WebMethod::B => format!("algorithm B, {b} in common"),
                    WebMethod::C => format!("algorithm C, {} of {bits} bits in common", join.agree),
                    WebMethod::Combined => {
                        format!("combined algorithm, {b} and {} of {bits} bits in common", join.combined_agree)
                    }
                    WebMethod::BySite => format!(
                        "by site, on one site {b} and {} of {bits} bits in common, else {} bits",
                        join.combined_agree, join.agree
                    ),
                }
            }
        }
    }
}
