//! The job of `calibrate --label`: the pairs that are most useful to label.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use lookalike::engine::{Progress, Stage};
use lookalike::{Measure, Threshold};
use lookalike_io::Source;
use lookalike_truth::Ids;
use lookalike_truth::choose::{LADDER, propose};

use super::thresholds::{join, ladder, rung};
use crate::error::{Error, check_cancelled, pool};
use crate::html::texts_of;
use crate::read::{Collector, Keep};
use crate::tables::{LabelOptions, TableRead, read_labels};

/// A job that proposes pairs to label.
pub struct Propose {
    /// The documents.
    pub inputs: Vec<Source>,
    /// The second collection, if pairs are between two.
    pub with: Vec<Source>,
    /// How to read the documents, and what to compare.
    pub collector: Collector,
    /// The measure: a similarity from 0 to 1.
    pub measure: Measure,
    /// The threshold around which pairs are chosen.
    pub threshold: Threshold,
    /// Labels that exist already.
    pub labels: Option<LabelOptions>,
    /// How many pairs to propose.
    pub most: usize,
    /// For another choice of pairs.
    pub seed: u64,
}

/// A pair to label.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// The id of the first document.
    pub a: String,
    /// The id of the second document.
    pub b: String,
    /// Their similarity.
    pub similarity: f64,
    /// Their texts.
    pub texts: [String; 2],
}

impl Propose {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<Vec<Proposed>, Error> {
        let sources = [&self.inputs[..], &self.with].concat();
        let linked = !self.with.is_empty();
        let mut collection = self.collector.collect(&sources, self.inputs.len(), &Keep::First, progress)?;
        let known = self.labelled(linked, progress)?;
        let store = Arc::new(std::mem::take(&mut collection.store));
        let split = linked.then(|| collection.documents.inputs());
        let ladder = ladder(self.measure)?;
        let pool = pool(self.collector.threads)?;
        // As low as the number of pairs allows.
        let mut found = Vec::new();
        for place in [0, 4, 8, 12] {
            let stage = Stage::begin(progress, "comparing", 0);
            if let Some(pairs) = pool.install(|| join(&store, &ladder[place], split, &stage))? {
                found = pairs;
                break;
            }
        }
        let documents = &collection.documents;
        let mut pairs = Vec::new();
        for pair in found {
            check_cancelled(progress)?;
            let (a, b) = (documents.id(pair.a)?.into_owned(), documents.id(pair.b)?.into_owned());
            let sizes = (store.size(pair.a), store.size(pair.b));
            let Some(rung) = rung(&ladder, pair.common, sizes) else { continue };
            if !known.contains(&(a.clone(), b.clone())) && !known.contains(&(b, a)) {
                pairs.push((pair, rung, self.threshold.similarity(pair.common, sizes.0, sizes.1)));
            }
        }
        let rungs: Vec<u8> = pairs.iter().map(|(_, rung, _)| *rung).collect();
        let value = self.threshold.value().to_f64();
        let around = LADDER.iter().filter(|step| step.parse::<f64>().is_ok_and(|step| step <= value + 1e-9)).count();
        let chosen = propose(&rungs, around.saturating_sub(1), self.most, self.seed);
        let sample: BTreeSet<u32> = chosen.iter().flat_map(|&place| [pairs[place].0.a, pairs[place].0.b]).collect();
        let texts = texts_of(&sources, &self.collector, &sample, progress)?;
        let text = |document: u32| texts.get(&document).cloned().unwrap_or_default();
        let proposed = |place: usize| {
            let (pair, _, similarity) = pairs[place];
            Ok(Proposed {
                a: documents.id(pair.a)?.into_owned(),
                b: documents.id(pair.b)?.into_owned(),
                similarity,
                texts: [text(pair.a), text(pair.b)],
            })
        };
        chosen.into_iter().map(proposed).collect()
    }

    /// The pairs that have a label already.
    fn labelled(&self, linked: bool, progress: &dyn Progress) -> Result<HashSet<(String, String)>, Error> {
        let Some(options) = &self.labels else { return Ok(HashSet::new()) };
        let (mut ids, mut read) = (Ids::default(), TableRead::default());
        let labels = read_labels(&LabelOptions { linked, ..options.clone() }, &mut ids, &mut read, progress)?;
        Ok(labels.pairs().map(|(a, b, _)| (ids.name(a).to_string(), ids.name(b).to_string())).collect())
    }
}
