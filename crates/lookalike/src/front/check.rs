//! Does a result keep the promises?

use rayon::prelude::*;

use super::corpus::Corpus;
use super::dedup::{DedupOptions, Removed};
use super::error::Error;
use super::pairs::PairOptions;
use super::value::ThresholdValue;
use crate::join::JoinError;
use crate::progress::Stage;
use crate::verify::common;

/// A promise that a result does not keep.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Broken {
    /// The twin of a removed document is removed too, or is the document itself.
    TwinRemoved {
        /// The removed document.
        document: usize,
        /// Its twin.
        twin: usize,
    },
    /// A removed document does not reach the threshold with its twin.
    NotSimilar {
        /// The removed document.
        document: usize,
        /// Its twin.
        twin: usize,
        /// Their exact similarity.
        similarity: f64,
    },
    /// The stated similarity is not the exact one.
    WrongSimilarity {
        /// The removed document.
        document: usize,
        /// Its twin.
        twin: usize,
        /// The stated similarity.
        stated: f64,
        /// Their exact similarity.
        similarity: f64,
    },
    /// Two kept documents reach the threshold.
    BothKept {
        /// The first.
        a: usize,
        /// The second.
        b: usize,
        /// Whether the second belongs to the reference corpus.
        is_reference: bool,
        /// Their exact similarity.
        similarity: f64,
    },
}

impl Corpus {
    /// Checks the result of a deduplication, of lookalike or of another tool. All documents that are not removed count
    /// as kept. A similarity that is not a number is not checked. Returns what is wrong, or nothing if all promises are
    /// kept: each removed document reaches the threshold with a kept twin, stated similarities are exact, and no two
    /// kept documents reach the threshold. Fails if a document or a twin does not exist.
    ///
    /// ```
    /// let corpus = lookalike::Corpus::from_texts(["one text", "another", "one text"])?;
    /// let removed: Vec<_> = corpus.dedup(0.8)?.removed().collect();
    /// assert_eq!(corpus.check(0.8, &removed, Default::default())?, []);
    /// assert_eq!(corpus.check(0.8, &[], Default::default())?.len(), 1);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn check(
        &self,
        threshold: impl ThresholdValue,
        removed: &[Removed],
        options: DedupOptions,
    ) -> Result<Vec<Broken>, Error> {
        let bound = self.threshold(threshold)?;
        self.check_numbers(removed, &options)?;
        let (sets, _, _) = self.in_keep_order(&options)?;
        let mut is_removed = vec![false; self.len()];
        removed.iter().for_each(|one| is_removed[one.document] = true);
        let judge = |&Removed { document, twin, is_reference, similarity: stated, .. }: &Removed| {
            if !is_reference && is_removed[twin] {
                return Some(Broken::TwinRemoved { document, twin });
            }
            let (x, y) = (document as u32, (twin + if is_reference { self.len() } else { 0 }) as u32);
            let (shared, a, b) = (common(sets.set(x), sets.set(y)), sets.size(x), sets.size(y));
            let similarity = bound.similarity(shared, a, b);
            if a.min(b) == 0 || !bound.reaches(shared, a, b) {
                return Some(Broken::NotSimilar { document, twin, similarity });
            }
            let is_wrong = !stated.is_nan() && stated != similarity;
            is_wrong.then_some(Broken::WrongSimilarity { document, twin, stated, similarity })
        };
        let judged: Vec<Option<Broken>> = self.run(|| {
            let stage = Stage::begin(self.progress(), "checking", removed.len());
            let judge = |one: &Removed| -> Result<Option<Broken>, JoinError> {
                stage.check()?;
                stage.add(1);
                Ok(judge(one))
            };
            removed.par_iter().map(judge).collect()
        })?;
        let mut broken: Vec<Broken> = judged.into_iter().flatten().collect();
        broken.extend(self.kept_pairs(&bound.value().to_string(), &is_removed, &options)?);
        Ok(broken)
    }

    /// Returns an error if a result names a document that does not exist.
    fn check_numbers(&self, removed: &[Removed], options: &DedupOptions) -> Result<(), Error> {
        let references = options.reference().map_or(0, Corpus::len);
        for &Removed { document, twin, is_reference, .. } in removed {
            if document >= self.len() {
                return Err(Error::NoDocument { document, documents: self.len() });
            }
            let documents = if is_reference { references } else { self.len() };
            if twin >= documents {
                return Err(Error::NoTwin { document, twin, documents });
            }
        }
        Ok(())
    }

    /// Finds the pairs of kept documents.
    fn kept_pairs(&self, value: &str, is_removed: &[bool], options: &DedupOptions) -> Result<Vec<Broken>, Error> {
        // A document without a set resembles nothing.
        let sets = self.rebuilt(|document, set| {
            if !is_removed[document as usize] {
                set.extend_from_slice(self.sets.set(document));
            }
        })?;
        let kept = Corpus { sets: sets.into(), ..self.clone() };
        let mut broken = Vec::new();
        let mut find = |with: Option<&Corpus>| -> Result<(), Error> {
            let options = with.map_or_else(PairOptions::new, |other| PairOptions::new().with(other));
            let pairs = kept.pairs_with(value, options)?;
            let is_reference = with.is_some();
            broken.extend(pairs.map(|pair| Broken::BothKept {
                a: pair.a,
                b: pair.b,
                is_reference,
                similarity: pair.similarity,
            }));
            Ok(())
        };
        find(None)?;
        options.reference().map_or(Ok(()), |reference| find(Some(reference)))?;
        Ok(broken)
    }
}
