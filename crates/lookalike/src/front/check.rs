//! Does a result keep the promises?

use super::corpus::Corpus;
use super::dedup::{DedupOptions, Removed};
use super::error::Error;
use super::pairs::PairOptions;
use super::value::ThresholdValue;
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
    /// kept documents reach the threshold.
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
        let (sets, _, _) = self.in_keep_order(&options)?;
        let mut is_removed = vec![false; self.len()];
        removed.iter().for_each(|one| is_removed[one.document] = true);
        let mut broken = Vec::new();
        for &Removed { document, twin, is_reference, similarity: stated, .. } in removed {
            if !is_reference && is_removed[twin] {
                broken.push(Broken::TwinRemoved { document, twin });
                continue;
            }
            let (x, y) = (document as u32, (twin + if is_reference { self.len() } else { 0 }) as u32);
            let (shared, a, b) = (common(sets.set(x), sets.set(y)), sets.size(x), sets.size(y));
            let similarity = bound.similarity(shared, a, b);
            if a.min(b) == 0 || !bound.reaches(shared, a, b) {
                broken.push(Broken::NotSimilar { document, twin, similarity });
            } else if !stated.is_nan() && stated != similarity {
                broken.push(Broken::WrongSimilarity { document, twin, stated, similarity });
            }
        }
        broken.extend(self.kept_pairs(&bound.value().to_string(), &is_removed, &options)?);
        Ok(broken)
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
            let pairs = kept.pairs_of(value, options)?;
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
