//! What is kept of a document instead of its set, and what two documents' signatures say.

use lookalike::candidates::{FeatureTable, Side};
use lookalike::{AgreeJoin, Features, Fingerprints, Plan, SimHash};

use crate::error::Error;

/// A way to find pairs by signatures of a fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signing {
    /// Features of min-wise sketches, which a filter judges; the plan says what it finds.
    MinHash(Plan),
    /// Simhashes of so many bits, of which so many must agree.
    SimHash {
        /// All bits.
        bits: u32,
        /// Those that must agree.
        agree: u32,
    },
}

impl Signing {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Signing::MinHash(_) => "minhash",
            Signing::SimHash { .. } => "simhash",
        }
    }

    /// Numbers of 64 bits in a signature.
    fn words(&self) -> usize {
        match self {
            Signing::MinHash(plan) => plan.filter.k(),
            Signing::SimHash { bits, .. } => (*bits / u64::BITS) as usize,
        }
    }

    /// Bytes of a signature.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.words()
    }

    /// The way in a few words, and what it is expected to find.
    pub(crate) fn describe(&self) -> String {
        match self {
            Signing::MinHash(Plan { filter, .. }) => {
                let (k, s, r) = (filter.k(), filter.s(), filter.r());
                format!("minhash, {k} features of {s} values, {r} of them in common")
            }
            Signing::SimHash { bits, agree } => format!("simhash, {agree} of {bits} bits in common"),
        }
    }
}

/// Makes signatures; one a thread.
pub(crate) enum Signer {
    Features { features: Features, sketch: Vec<u32> },
    SimHash(SimHash),
}

impl Signer {
    pub(crate) fn new(signing: &Signing) -> Result<Signer, Error> {
        Ok(match signing {
            Signing::MinHash(plan) => Signer::Features { features: Features::new(plan.filter), sketch: Vec::new() },
            Signing::SimHash { bits, .. } => {
                let simhash = SimHash::new(*bits as usize);
                Signer::SimHash(simhash.map_err(|error| Error::Usage(error.to_string()))?)
            }
        })
    }

    /// Whether it counts how often an element occurs, and so needs more than the set.
    pub(crate) fn counts(&self) -> bool {
        matches!(self, Signer::SimHash(_))
    }

    /// Appends the signature of these elements; of none, zeros.
    pub(crate) fn sign(&mut self, elements: &[u64], signatures: &mut Vec<u64>) {
        let start = signatures.len();
        match self {
            Signer::Features { features, sketch } if !elements.is_empty() => {
                features.push(elements, sketch, signatures)
            }
            Signer::Features { features, .. } => signatures.resize(start + features.filter().k(), 0),
            Signer::SimHash(simhash) => {
                signatures.resize(start + simhash.words(), 0);
                simhash.of(elements, &mut signatures[start..]);
            }
        }
    }
}

/// The signatures of all documents.
pub(crate) enum Signatures {
    Features(FeatureTable),
    SimHashes { fingerprints: Fingerprints, agree: u32 },
}

/// Two documents that might be a pair.
pub(crate) type Candidate = (u32, u32);

impl Signatures {
    pub(crate) fn new(signing: &Signing, numbers: Vec<u64>) -> Result<Signatures, Error> {
        Ok(match *signing {
            Signing::MinHash(plan) => Signatures::Features(FeatureTable::new(plan.filter, numbers)),
            Signing::SimHash { bits, agree } => {
                let fingerprints = Fingerprints::new(bits, numbers);
                let fingerprints = fingerprints.map_err(|error| Error::Usage(error.to_string()))?;
                Signatures::SimHashes { fingerprints, agree }
            }
        })
    }

    /// Whether two documents are candidates.
    pub(crate) fn pass(&self, a: u32, b: u32) -> bool {
        match self {
            Signatures::Features(table) => table.shared(a, b) as usize >= table.filter().r(),
            Signatures::SimHashes { fingerprints, agree } => fingerprints.agree(a, b) >= *agree,
        }
    }

    /// In how many bits two documents agree, if that is what is compared.
    pub(crate) fn agree(&self, a: u32, b: u32) -> Option<u32> {
        match self {
            Signatures::Features(_) => None,
            Signatures::SimHashes { fingerprints, .. } => Some(fingerprints.agree(a, b)),
        }
    }

    /// Every pair of these documents that passes and has one on each side, from any thread.
    pub(crate) fn candidates(
        &self,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        emit: impl Fn(&mut dyn Iterator<Item = Candidate>) + Sync,
    ) {
        match self {
            Signatures::Features(table) => {
                table.pairs_among(members, side, |_| (), |some| emit(&mut some.iter().map(|pair| (pair.a, pair.b))));
            }
            Signatures::SimHashes { fingerprints, agree } => {
                let join = AgreeJoin::new(fingerprints.bits() - agree);
                let emit = |some: &[lookalike::AgreePair]| emit(&mut some.iter().map(|pair| (pair.a, pair.b)));
                join.pairs_among(fingerprints, members, side, |_| (), emit);
            }
        }
    }
}
