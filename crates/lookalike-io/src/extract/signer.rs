//! The signature of a document: a few bytes to keep instead of its set.

use std::num::NonZeroU16;
use std::sync::Arc;

use lookalike::Tokens;
use lookalike::engine::{PageRecipe, PageRecipeError, PageSigner, Recipe, SetMaker, hash_set};
use lookalike::sketch::{Features, Filter, Lexicon, MinHash, SimHash, SimHashError, super_features};

use super::document::Document;

/// A kind of signature.
#[derive(Clone, Debug)]
pub enum SignerKind {
    /// A min-wise sketch: 4 bytes for each function.
    MinHash(MinHash),
    /// Features for a filter: 8 bytes for each.
    Features(Filter),
    /// Mega-shingles: hashes of every r of the features for a filter, 8 bytes each.
    MegaShingles(Filter),
    /// I-Match hashes: 8 bytes for each lexicon.
    IMatch(Arc<Lexicon>),
    /// A simhash with this many bits. Every occurrence of an element counts.
    SimHash(usize),
    /// The super-shingles and the simhash of a web page.
    Page(PageRecipe),
}

/// Why a signature cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// The number of bits is not possible.
    #[error(transparent)]
    SimHash(#[from] SimHashError),
    /// The numbers of the page recipe are not possible.
    #[error(transparent)]
    Page(#[from] PageRecipeError),
}

/// Makes signatures. It reuses its buffers, so keep one per thread.
pub struct Signer {
    bag: bool,
    kind: Kind,
    values: Vec<u32>,
}

enum Kind {
    MinHash(MinHash),
    Features(Features),
    /// The features, and room for those of a document.
    MegaShingles(Features, Vec<u64>),
    /// The terms are words, whatever the elements of the sets are.
    IMatch(Arc<Lexicon>, SetMaker),
    /// Counts repetitions, so it makes its own elements.
    SimHash(SimHash, SetMaker),
    Page(PageSigner, SetMaker),
}

/// Makes sequences of single words: algorithms for pages need them whatever the elements of the sets are.
pub fn words(recipe: Recipe) -> SetMaker {
    SetMaker::new(Recipe { tokens: Tokens::Words(NonZeroU16::MIN), bag: false, ..recipe })
}

impl SignerKind {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            SignerKind::MinHash(_) => "minhash",
            SignerKind::Features(_) => "features",
            SignerKind::MegaShingles(_) => "mega-shingles",
            SignerKind::IMatch(_) => "i-match",
            SignerKind::SimHash(_) => "simhash",
            SignerKind::Page(_) => "page",
        }
    }

    /// Bytes of a signature.
    pub fn bytes(&self) -> usize {
        match self {
            SignerKind::MinHash(minhash) => 4 * minhash.functions(),
            SignerKind::Features(filter) => filter.bytes(),
            SignerKind::MegaShingles(filter) => 8 * filter.super_features() as usize,
            SignerKind::IMatch(lexicon) => 8 * lexicon.hashes(),
            SignerKind::SimHash(bits) => bits / 8,
            SignerKind::Page(recipe) => 8 * recipe.numbers(),
        }
    }
}

impl Signer {
    /// A signer of this kind, for documents whose sets are made with this recipe.
    pub fn new(kind: &SignerKind, recipe: Recipe) -> Result<Signer, SignerError> {
        let kind = match kind {
            SignerKind::MinHash(minhash) => Kind::MinHash(minhash.clone()),
            SignerKind::Features(filter) => Kind::Features(Features::new(*filter)),
            SignerKind::MegaShingles(filter) => Kind::MegaShingles(Features::new(*filter), Vec::new()),
            SignerKind::IMatch(lexicon) => Kind::IMatch(lexicon.clone(), words(recipe)),
            SignerKind::SimHash(bits) => Kind::SimHash(SimHash::new(*bits)?, SetMaker::new(recipe)),
            SignerKind::Page(pages) => Kind::Page(PageSigner::new(*pages)?, words(recipe)),
        };
        Ok(Signer { bag: recipe.bag, kind, values: Vec::new() })
    }

    /// Appends the signature of a document with this text and this set. An empty set gets zeros.
    pub fn sign(&mut self, text: &str, set: &[u64], out: &mut Vec<u64>) {
        let start = out.len();
        match &mut self.kind {
            Kind::MinHash(minhash) => {
                minhash.sketch_into(set, &mut self.values);
                out.extend(self.values.iter().map(|&value| u64::from(value)));
            }
            Kind::Features(features) if set.is_empty() => out.resize(start + features.filter().k(), 0),
            Kind::Features(features) => features.push(set, &mut self.values, out),
            Kind::MegaShingles(features, of_set) => {
                mega_shingles(features, of_set, set, &mut self.values, out);
                out.resize(start + features.filter().super_features() as usize, 0);
            }
            Kind::IMatch(lexicon, words) => lexicon.push(words.set(text), hash_set(set), out),
            Kind::SimHash(simhash, elements) => {
                out.resize(start + simhash.words(), 0);
                simhash.of(elements.sequence(text), &mut out[start..]);
            }
            Kind::Page(signer, words) => signer.push(words.sequence(text), out),
        }
    }

    /// Appends the signature of a document as bytes: its numbers in order, each big-endian. Returns false, and appends nothing, if the
    /// document has no token.
    pub fn sign_bytes(&mut self, document: &mut Document, numbers: &mut Vec<u64>, out: &mut Vec<u8>) -> bool {
        let text = document.text;
        // Only a bag needs its set: without it, sketches ignore repetitions anyway, and a simhash counts them.
        let elements = if self.bag { document.set() } else { document.sequence() };
        if elements.is_empty() {
            return false;
        }
        numbers.clear();
        match &mut self.kind {
            Kind::MinHash(minhash) => {
                minhash.sketch_into(elements, &mut self.values);
                out.extend(self.values.iter().flat_map(|value| value.to_be_bytes()));
            }
            Kind::SimHash(simhash, _) => {
                numbers.resize(simhash.words(), 0);
                simhash.of(elements, numbers);
            }
            Kind::Features(features) => features.push(elements, &mut self.values, numbers),
            Kind::MegaShingles(features, of_set) => {
                mega_shingles(features, of_set, elements, &mut self.values, numbers)
            }
            Kind::IMatch(lexicon, words) => lexicon.push(words.set(text), hash_set(elements), numbers),
            Kind::Page(signer, words) => signer.push(words.sequence(text), numbers),
        }
        out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        true
    }
}

/// Appends the hash of every r of a set's features. `of_set` and `sketch` are scratch memory.
fn mega_shingles(features: &Features, of_set: &mut Vec<u64>, set: &[u64], sketch: &mut Vec<u32>, out: &mut Vec<u64>) {
    of_set.clear();
    features.push(set, sketch, of_set);
    super_features(of_set, features.filter().r(), out);
}
