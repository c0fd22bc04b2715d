//! Which signature is kept of a document, and how signatures find pairs.

use lookalike::engine::{PageRecipe, WebJoin, WebMethod};
use lookalike::sketch::Plan;
use lookalike_io::extract::SignerKind;

/// A method that finds pairs by signatures of a fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signing {
    /// Features of min-wise sketches. The plan has the filter and its recall.
    MinHash(Plan),
    /// The values of min-wise sketches, each as a feature.
    Sketch(Plan),
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

    /// The signature of a document.
    pub fn kind(&self) -> SignerKind {
        match self {
            Signing::MinHash(plan) | Signing::Sketch(plan) => SignerKind::Features(plan.filter),
            Signing::SimHash { bits, .. } => SignerKind::SimHash(*bits as usize),
            Signing::Web(recipe, _) => SignerKind::Page(*recipe),
        }
    }

    /// The share of the pairs at the threshold that it is designed to find. `None` if it is not designed for a similarity of sets.
    pub fn designed_recall(&self) -> Option<f64> {
        match self {
            Signing::MinHash(plan) | Signing::Sketch(plan) => Some(plan.recall),
            Signing::SimHash { .. } | Signing::Web(..) => None,
        }
    }

    /// The method in a few words.
    pub fn describe(&self) -> String {
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
