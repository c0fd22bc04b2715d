//! Which documents are candidates by their signatures.

use std::sync::{Mutex, PoisonError};

use lookalike::Threshold;
use lookalike::engine::{
    AgreeJoin, AgreePair, FeatureTable, Fingerprints, Pages, PaperAlgorithm, Records, SetPair, SetStore, Side, Stage,
    WebJoin, WebMethod, common, hash_set, paper_join,
};
use lookalike::sketch::Filter;

use crate::error::Error;
use crate::read::Signing;

/// The signatures of all documents.
pub(crate) enum Signatures {
    /// Features, each of the set alone.
    Features(FeatureTable),
    /// Hashes of the words, of which one must be equal.
    Terms(FeatureTable),
    /// Sets of bigrams, and the light threshold that they must reach.
    Light {
        sets: SetStore,
        threshold: Threshold,
    },
    SimHashes {
        fingerprints: Fingerprints,
        agree: u32,
    },
    /// Pages, the algorithm, and a hash of the site of every page (0 if it has none).
    Web {
        pages: Pages,
        join: WebJoin,
        sites: Vec<u64>,
    },
}

/// Candidates that are handed on together.
const SOME: usize = 4096;

/// Two documents that may be a pair.
pub(crate) type Candidate = (u32, u32);

/// How the signatures of two pages compare.
#[derive(Clone, Copy, Debug)]
pub struct PagePair {
    /// Super-shingles that are equal.
    pub b_similarity: u32,
    /// Bits in which the simhashes agree.
    pub c_similarity: u32,
    /// Whether they are of one site. `None` if one of them has none.
    pub same_site: Option<bool>,
}

impl Signatures {
    /// The signatures of all documents, as numbers or as sets.
    pub(crate) fn new(
        signing: &Signing,
        numbers: Vec<u64>,
        sites: Vec<u64>,
        sets: SetStore,
    ) -> Result<Signatures, Error> {
        Ok(match *signing {
            Signing::MinHash(plan) | Signing::Lsh(plan) | Signing::Sketch(plan) => {
                Signatures::Features(FeatureTable::new(plan.filter, numbers))
            }
            Signing::MegaShingles(filter) => {
                let one_of = Filter::new(filter.super_features() as usize, filter.r() * filter.s(), 1);
                Signatures::Features(FeatureTable::new(one_of.map_err(Error::usage)?, numbers))
            }
            Signing::IMatch(settings) => {
                let one_of = Filter::new(settings.lexica.into(), 1, 1).map_err(Error::usage)?;
                Signatures::Terms(FeatureTable::new(one_of, numbers))
            }
            Signing::Ddebit(threshold) => Signatures::Light { sets, threshold },
            Signing::SimHash { bits, agree } => {
                let fingerprints = Fingerprints::new(bits, numbers).map_err(Error::usage)?;
                Signatures::SimHashes { fingerprints, agree }
            }
            Signing::Web(recipe, join) => {
                let pages = Pages::of_numbers(recipe, &numbers).map_err(Error::usage)?;
                Signatures::Web { pages, join, sites }
            }
        })
    }

    /// By document, a hash of everything that is compared, and whether it can be compared if it has a set. `sets` are the hashes of
    /// their sets.
    pub(crate) fn keys(&self, sets: &[u128]) -> (Vec<u128>, Vec<bool>) {
        let key = |document: u32| {
            let set = halves(sets[document as usize]);
            match self {
                Signatures::Features(_) => sets[document as usize],
                // Documents with equal sets may have different words.
                Signatures::Terms(table) => hash_set(&[&set, table.of(document)].concat()),
                Signatures::Light { sets, .. } => hash_set(&[set, halves(hash_set(sets.set(document)))].concat()),
                // Documents with equal sets may repeat elements differently.
                Signatures::SimHashes { fingerprints, .. } => hash_set(&[&set, fingerprints.of(document)].concat()),
                // Pages with equal words may differ in their sets, in a key, or in their sites.
                Signatures::Web { pages, join, sites } => {
                    let site = if join.method == WebMethod::BySite { sites[document as usize] } else { 0 };
                    page_key(sets[document as usize], pages.identity(document), site)
                }
            }
        };
        let documents = match self {
            Signatures::Features(table) | Signatures::Terms(table) => table.len(),
            Signatures::Light { sets, .. } => sets.len(),
            Signatures::SimHashes { fingerprints, .. } => fingerprints.len(),
            Signatures::Web { pages, .. } => pages.len(),
        };
        let documents = 0..documents as u32;
        (documents.clone().map(key).collect(), documents.map(|document| self.is_comparable(document)).collect())
    }

    /// Whether a document with a set can be compared.
    fn is_comparable(&self, document: u32) -> bool {
        match self {
            Signatures::Features(_) | Signatures::Terms(_) | Signatures::SimHashes { .. } => true,
            Signatures::Light { sets, .. } => sets.size(document) > 0,
            Signatures::Web { pages, .. } => pages.has_tokens(document),
        }
    }

    /// The mean number of bytes, if signatures differ in it.
    pub(crate) fn mean_bytes(&self) -> Option<usize> {
        let Signatures::Light { sets, .. } = self else { return None };
        let elements: usize = (0..sets.len() as u32).map(|document| sets.size(document) as usize).sum();
        Some(8 * elements / sets.len().max(1))
    }

    /// Whether two documents are candidates.
    pub(crate) fn pass(&self, a: u32, b: u32) -> bool {
        match self {
            Signatures::Features(table) | Signatures::Terms(table) => table.shared(a, b) as usize >= table.filter().r(),
            Signatures::Light { sets, threshold } => {
                let can = self.is_comparable(a) && self.is_comparable(b);
                can && threshold.reaches(common(sets.set(a), sets.set(b)), sets.size(a), sets.size(b))
            }
            Signatures::SimHashes { fingerprints, agree } => fingerprints.agree(a, b) >= *agree,
            Signatures::Web { pages, join, sites } => {
                let PagePair { b_similarity, c_similarity, same_site } = of_pages(pages, sites, a, b);
                let needed = pages.recipe().filter.r() as u32;
                let can = self.is_comparable(a) && self.is_comparable(b);
                can && join.is_pair(needed, b_similarity, c_similarity, same_site == Some(true))
            }
        }
    }

    /// The number of bits in which two documents agree, if simhashes are compared.
    pub(crate) fn agree(&self, a: u32, b: u32) -> Option<u32> {
        match self {
            Signatures::SimHashes { fingerprints, .. } => Some(fingerprints.agree(a, b)),
            Signatures::Features(_) | Signatures::Terms(_) | Signatures::Light { .. } | Signatures::Web { .. } => None,
        }
    }

    /// How two pages compare, if pages are compared.
    pub(crate) fn of_pages(&self, a: u32, b: u32) -> Option<PagePair> {
        let Signatures::Web { pages, sites, .. } = self else { return None };
        Some(of_pages(pages, sites, a, b))
    }

    /// The similarity of two documents, estimated from their signatures.
    pub(crate) fn estimate(&self, a: u32, b: u32) -> f64 {
        let by_bits = |fingerprints: &Fingerprints| {
            let differ = f64::from(fingerprints.bits() - fingerprints.agree(a, b)) / f64::from(fingerprints.bits());
            (std::f64::consts::PI * differ).cos().max(0.0)
        };
        match self {
            // Each of the k features is equal with probability ρˢ.
            Signatures::Features(table) | Signatures::Terms(table) => {
                let share = f64::from(table.shared(a, b)) / table.filter().k() as f64;
                share.powf(1.0 / table.filter().s() as f64)
            }
            Signatures::Light { sets, threshold } => {
                threshold.similarity(common(sets.set(a), sets.set(b)), sets.size(a), sets.size(b))
            }
            Signatures::SimHashes { fingerprints, .. } => by_bits(fingerprints),
            Signatures::Web { pages, .. } => by_bits(pages.simhashes()),
        }
    }

    /// By document, whether it may be a candidate with another of the documents `firsts` on the other side.
    pub(crate) fn meeting(&self, firsts: &[u32], side: impl Fn(u32) -> Side + Sync, documents: usize) -> Vec<bool> {
        if let Signatures::Features(table) | Signatures::Terms(table) = self {
            return table.meeting(firsts, side);
        }
        let met = Mutex::new(vec![false; documents]);
        self.candidates(firsts, side, &Stage::silent(), |some| {
            let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
            some.for_each(|(a, b)| {
                met[a as usize] = true;
                met[b as usize] = true;
            });
        });
        met.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of passes over the documents to find candidates.
    pub(crate) fn passes(&self) -> usize {
        let twice = matches!(self, Signatures::Web { join, .. } if join.method == WebMethod::BySite);
        1 + usize::from(twice)
    }

    /// Calls `emit` with every pair of `members` that passes and has one document on each side, from any thread. The stage counts every
    /// document once per pass.
    pub(crate) fn candidates(
        &self,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        stage: &Stage,
        emit: impl Fn(&mut dyn Iterator<Item = Candidate>) + Sync,
    ) {
        match self {
            Signatures::Features(table) | Signatures::Terms(table) => {
                table.pairs_among(members, side, stage, |some| emit(&mut some.iter().map(|pair| (pair.a, pair.b))));
            }
            Signatures::Light { sets, threshold } => {
                let records = Records::code(sets, members).on_sides(side);
                let mut found = Vec::new();
                let mut put = |pair: SetPair| {
                    found.push((pair.a, pair.b));
                    if found.len() == SOME {
                        emit(&mut found.drain(..));
                    }
                };
                // Whoever cancels the stage checks it.
                let _ = paper_join(&records, threshold, PaperAlgorithm::PpJoin, stage, &mut put);
                emit(&mut found.drain(..));
            }
            Signatures::SimHashes { fingerprints, agree } => {
                let join = AgreeJoin::new(fingerprints.bits() - agree);
                let emit = |some: &[AgreePair]| emit(&mut some.iter().map(|pair| (pair.a, pair.b)));
                join.pairs_among(fingerprints, members, side, stage, emit);
            }
            Signatures::Web { pages, join, sites } => {
                let site = |page: u32| Some(sites[page as usize]).filter(|&site| site != 0);
                join.pairs_among(pages, members, side, site, stage, |some| {
                    emit(&mut some.iter().map(|pair| (pair.a, pair.b)));
                });
            }
        }
    }
}

/// What tells pages apart: their sets, the sequences of their words, and their sites, if these count.
pub(super) fn page_key(set: u128, identity: u128, site: u64) -> u128 {
    hash_set(&[&halves(set)[..], &halves(identity), &[site]].concat())
}

fn halves(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

fn of_pages(pages: &Pages, sites: &[u64], a: u32, b: u32) -> PagePair {
    let (one, two) = (sites[a as usize], sites[b as usize]);
    PagePair {
        b_similarity: pages.features().shared(a, b),
        c_similarity: pages.simhashes().agree(a, b),
        same_site: (one != 0 && two != 0).then_some(one == two),
    }
}
