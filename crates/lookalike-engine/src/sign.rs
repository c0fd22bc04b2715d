//! What is kept of a document instead of its set.

use std::num::NonZeroU16;

use lookalike::candidates::{PageRecipe, PageSigner, WebJoin, WebMethod};
use lookalike::{Features, Plan, Recipe, SetMaker, SimHash, Tokens};

use crate::error::Error;

/// A way to find pairs by signatures of a fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signing {
    /// Features of min-wise sketches, which a filter judges; the plan says what it finds.
    MinHash(Plan),
    /// The values of min-wise sketches themselves, each a feature.
    Sketch(Plan),
    /// Simhashes of so many bits, of which so many must agree.
    SimHash {
        /// All bits.
        bits: u32,
        /// Those that must agree.
        agree: u32,
    },
    /// An algorithm for web pages.
    Web(PageRecipe, WebJoin),
}

impl Signing {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Signing::MinHash(_) => "minhash",
            Signing::Sketch(_) => "sketch",
            Signing::SimHash { .. } => "simhash",
            Signing::Web(_, join) => join.method.name(),
        }
    }

    /// Bytes of a signature.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Signing::MinHash(plan) | Signing::Sketch(plan) => plan.filter.bytes(),
            Signing::SimHash { bits, .. } => *bits as usize / 8,
            Signing::Web(recipe, _) => 8 * recipe.numbers(),
        }
    }

    /// The share of the pairs at the threshold that it is designed to find, if it is designed for a similarity of sets.
    pub(crate) fn designed_recall(&self) -> Option<f64> {
        match self {
            Signing::MinHash(plan) | Signing::Sketch(plan) => Some(plan.recall),
            Signing::SimHash { .. } | Signing::Web(..) => None,
        }
    }

    /// The way in a few words.
    pub(crate) fn describe(&self) -> String {
        match self {
            Signing::MinHash(Plan { filter, .. }) => {
                format!("minhash, {} of {} features of {} values in common", filter.r(), filter.k(), filter.s())
            }
            Signing::Sketch(Plan { filter, .. }) => {
                format!("sketch, {} of {} values in common", filter.r(), filter.k())
            }
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

/// Makes signatures; one a thread.
pub(crate) enum Signer {
    Features {
        features: Features,
        sketch: Vec<u32>,
    },
    /// Elements count as often as they occur, so it makes its own.
    SimHash {
        simhash: SimHash,
        elements: SetMaker,
    },
    Web(WebSigner),
}

/// Makes those of pages.
pub(crate) struct WebSigner {
    signer: PageSigner,
    words: SetMaker,
}

/// A page is a sequence of words, whatever its set is made of.
pub(crate) fn words(recipe: Recipe) -> SetMaker {
    SetMaker::new(Recipe { tokens: Tokens::Words(NonZeroU16::MIN), bag: false, ..recipe })
}

impl Signer {
    pub(crate) fn new(signing: &Signing, recipe: Recipe) -> Result<Signer, Error> {
        let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
        Ok(match signing {
            Signing::MinHash(plan) | Signing::Sketch(plan) => {
                Signer::Features { features: Features::new(plan.filter), sketch: Vec::new() }
            }
            Signing::SimHash { bits, .. } => {
                let simhash = SimHash::new(*bits as usize).map_err(|error| usage(&error))?;
                Signer::SimHash { simhash, elements: SetMaker::new(recipe) }
            }
            Signing::Web(pages, _) => {
                let signer = PageSigner::new(*pages).map_err(|error| usage(&error))?;
                Signer::Web(WebSigner { signer, words: words(recipe) })
            }
        })
    }

    /// Appends the signature of a text with this set; without a token, zeros.
    pub(crate) fn sign(&mut self, text: &str, set: &[u64], signatures: &mut Vec<u64>) {
        let start = signatures.len();
        match self {
            Signer::Features { features, sketch } if !set.is_empty() => features.push(set, sketch, signatures),
            Signer::Features { features, .. } => signatures.resize(start + features.filter().k(), 0),
            Signer::SimHash { simhash, elements } => {
                signatures.resize(start + simhash.words(), 0);
                simhash.of(elements.sequence(text), &mut signatures[start..]);
            }
            Signer::Web(WebSigner { signer, words }) => signer.push(words.sequence(text), signatures),
        }
    }
}
