//! What is kept of a document instead of its set.

use lookalike::engine::{PageRecipe, WebJoin, WebMethod};
use lookalike::sketch::Plan;
use lookalike_io::extract::SignerKind;

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

    /// What is kept of a document.
    pub(crate) fn kind(&self) -> SignerKind {
        match self {
            Signing::MinHash(plan) | Signing::Sketch(plan) => SignerKind::Features(plan.filter),
            Signing::SimHash { bits, .. } => SignerKind::SimHash(*bits as usize),
            Signing::Web(recipe, _) => SignerKind::Page(*recipe),
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
