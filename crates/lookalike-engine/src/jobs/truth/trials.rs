//! Compares labelled documents in many ways, each way once for all thresholds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use lookalike::engine::{Counted, Join, PairSource, SetPair, SetStore, Stage, common};
use lookalike::{Measure, Threshold, Tokens};
use lookalike_io::Source;
use lookalike_truth::choose::{LADDER, Scored, Settings, Trial};
use lookalike_truth::{Ids, Labels};

use crate::error::{Error, check_cancelled};
use crate::pages::{FieldValues, values_of};
use crate::read::{Collection, Collector, Keep};

/// The ways to compare that are tried: every combination.
#[derive(Clone, Debug)]
pub struct Search {
    /// The fields of the text.
    pub text: Vec<Vec<String>>,
    /// The fields that must be equal.
    pub within: Vec<Vec<String>>,
    /// What the elements are.
    pub tokens: Vec<Tokens>,
    /// The measures: similarities from 0 to 1.
    pub measures: Vec<Measure>,
}

impl Search {
    /// How many ways there are, apart from the fields that must be equal.
    pub(super) fn ways(&self) -> usize {
        self.text.len() * self.tokens.len() * self.measures.len()
    }

    /// The default way to compare, with the first fields.
    pub(super) fn default_only(&self) -> Search {
        let (text, within) = (self.text[..1].to_vec(), vec![Vec::new()]);
        Search { text, within, tokens: vec![Tokens::default()], measures: vec![Measure::default()] }
    }
}

/// The next thresholds of a join, as places in the ladder: 0.7, 0.5, 0.3.
const STAGES: [u8; 3] = [8, 4, 0];
/// The most pairs that a join may find, and the documents of the sample that estimates them.
const MOST: u64 = 8_000_000;
const SAMPLE: u32 = 512;
/// A join goes no lower if so few of its pairs are right.
const HOPELESS: f64 = 0.1;

/// The documents of the inputs, and what the labels say of them.
pub(super) struct Labelled<'a> {
    pub(super) sources: &'a [Source],
    /// How many sources are of the first collection.
    pub(super) inputs: usize,
    pub(super) linked: bool,
    pub(super) ids: &'a mut Ids,
    pub(super) labels: &'a Labels,
}

/// The settings that were tried.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) trials: Vec<Trial>,
    /// By group, pairs that are the same and whose documents are there.
    pub(super) same: Vec<f64>,
    /// By group, the documents of each of both collections. Empty if the labels are not complete.
    pub(super) members: Vec<[f64; 2]>,
    pub(super) documents: u64,
    /// Labelled pairs or documents that are not in the inputs.
    pub(super) unknown: u64,
    /// Ways to compare that were not tried to the end, and why.
    pub(super) skipped: Vec<String>,
}

/// A pair of documents, and the highest threshold that it reaches.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) rung: u8,
}

impl Labelled<'_> {
    /// Tries every way to compare. The stage counts them.
    pub(super) fn try_all(&mut self, search: &Search, collector: &Collector, stage: &Stage) -> Result<Tried, Error> {
        let mut tried = Tried::default();
        let within = self.values(search, collector, stage)?;
        let mut id_of = Vec::new();
        for text in &search.text {
            for tokens in &search.tokens {
                let mut collector = collector.clone();
                collector.fields.text = text.clone();
                collector.fields.within.clear();
                collector.recipe.tokens = *tokens;
                let collection = collector.collect(self.sources, self.inputs, &Keep::First, stage)?;
                if id_of.is_empty() {
                    id_of = self.number(&collection, &mut tried, stage)?;
                }
                let store = self.restricted(&collection, &id_of)?;
                for &measure in &search.measures {
                    let name = format!("--text {} --tokens {tokens} --measure {measure}", text.join(","));
                    let reached = self.reached(&collection, &store, &id_of, measure, stage)?;
                    if let Some(why) = reached.cut {
                        tried.skipped.push(format!("{name}: {why}"));
                    }
                    for fields in &search.within {
                        check_cancelled(stage)?;
                        let settings = Settings {
                            text: text.clone(),
                            within: fields.clone(),
                            tokens: tokens.to_string(),
                            measure: measure.to_string(),
                        };
                        let pairs = self.scored(&reached.pairs, &id_of, &within, fields);
                        tried.trials.push(Trial { settings, pairs, lowest: reached.lowest });
                    }
                    stage.add(1);
                }
            }
        }
        Ok(tried)
    }

    /// The values of all fields that may have to be equal.
    fn values(
        &self,
        search: &Search,
        collector: &Collector,
        stage: &Stage,
    ) -> Result<HashMap<String, FieldValues>, Error> {
        let mut values = HashMap::new();
        for field in search.within.iter().flatten() {
            if !values.contains_key(field) {
                let mut collector = collector.clone();
                collector.fields.text = search.text[0].clone();
                values.insert(field.clone(), values_of(self.sources, &collector, field, stage)?);
            }
        }
        Ok(values)
    }

    /// By document, its id among the labels; `None` if no label can be about it. Counts the pairs that are the same.
    fn number(&mut self, collection: &Collection, tried: &mut Tried, stage: &Stage) -> Result<Vec<Option<u32>>, Error> {
        let own = collection.documents.inputs();
        let is_mapping = self.labels.kind == lookalike_truth::Kind::Mapping;
        let mut document_of: HashMap<u32, u32> = HashMap::new();
        let mut id_of = vec![None; collection.documents.len()];
        for document in 0..collection.documents.len() as u32 {
            check_cancelled(stage)?;
            let side = u8::from(self.linked && document >= own);
            let name = collection.documents.id(document)?;
            let id = if is_mapping { Some(self.ids.number(side, &name)) } else { self.ids.get(side, &name) };
            // Of documents with the same id, the first counts.
            id_of[document as usize] = id.filter(|&id| *document_of.entry(id).or_insert(document) == document);
        }
        tried.documents = collection.documents.len() as u64;
        tried.same = vec![0.0; self.ids.len()];
        if self.labels.is_complete() {
            tried.members = vec![[0.0; 2]; self.ids.len()];
            for (document, id) in id_of.iter().enumerate().filter_map(|(document, id)| Some((document as u32, (*id)?)))
            {
                let side = usize::from(self.linked && document >= own);
                tried.members[self.labels.unit(id) as usize][side] += 1.0;
            }
        }
        let (labels, ids) = (self.labels, &*self.ids);
        let (same, unknown) = (&mut tried.same, &mut tried.unknown);
        labels.for_each_same(ids, self.linked, |a, b| {
            if document_of.contains_key(&a) && document_of.contains_key(&b) {
                same[labels.unit(a) as usize] += 1.0;
            } else {
                *unknown += 1;
            }
        });
        Ok(id_of)
    }

    /// The sets of documents that labels can be about, and which documents they are.
    fn restricted(
        &self,
        collection: &Collection,
        id_of: &[Option<u32>],
    ) -> Result<(Arc<SetStore>, Vec<u32>, u32), Error> {
        if !self.labels.is_complete() {
            return Ok((Arc::new(SetStore::default()), Vec::new(), 0));
        }
        let documents: Vec<u32> =
            (0..id_of.len() as u32).filter(|&document| id_of[document as usize].is_some()).collect();
        let split = documents.partition_point(|&document| document < collection.documents.inputs()) as u32;
        let store = SetStore::of_sets(documents.iter().map(|&document| collection.store.set(document)))?;
        Ok((Arc::new(store), documents, split))
    }

    fn reached(
        &self,
        collection: &Collection,
        (store, documents, split): &(Arc<SetStore>, Vec<u32>, u32),
        id_of: &[Option<u32>],
        measure: Measure,
        stage: &Stage,
    ) -> Result<Found, Error> {
        let ladder = ladder(measure)?;
        if !self.labels.is_complete() {
            let document_of: HashMap<u32, u32> =
                id_of.iter().enumerate().filter_map(|(document, id)| Some(((*id)?, document as u32))).collect();
            let pairs = self.labels.pairs().filter_map(|(a, b, _)| {
                let (a, b) = (*document_of.get(&a)?, *document_of.get(&b)?);
                let (one, two) = (collection.store.set(a), collection.store.set(b));
                let sizes = (one.len() as u32, two.len() as u32);
                let rung = if sizes.0.min(sizes.1) == 0 { None } else { rung(&ladder, common(one, two), sizes) };
                Some(Reached { a, b, rung: rung? })
            });
            return Ok(Found { pairs: pairs.collect(), lowest: 0, cut: None });
        }
        let mut found = Found { pairs: Vec::new(), lowest: LADDER.len() as u8 - 1, cut: None };
        let mut best = 0.0_f64;
        for place in STAGES {
            let Some(pairs) = join(store, &ladder[usize::from(place)], self.linked.then_some(*split), &stage.quiet())?
            else {
                let at = LADDER[usize::from(place)];
                found.cut =
                    Some(format!("too many pairs at {at} (more than {MOST}); only higher thresholds were tried"));
                break;
            };
            let size = |document: u32| store.size(document);
            let reached = pairs.iter().filter_map(|pair| {
                let rung = rung(&ladder, pair.common, (size(pair.a), size(pair.b)))?;
                Some(Reached { a: documents[pair.a as usize], b: documents[pair.b as usize], rung })
            });
            found.pairs = reached.collect();
            found.lowest = place;
            let is_same = |pair: &Reached| self.is_same(id_of, pair.a, pair.b) == Some(true);
            let right = found.pairs.iter().filter(|pair| is_same(pair)).count() as f64;
            let precision = right / found.pairs.len().max(1) as f64;
            // What it could reach at best if it found all.
            let hope = 2.0 * precision / (1.0 + precision);
            if !found.pairs.is_empty() && precision < HOPELESS && hope < best {
                break;
            }
            best = best.max(hope);
        }
        Ok(found)
    }

    fn is_same(&self, id_of: &[Option<u32>], a: u32, b: u32) -> Option<bool> {
        self.labels.is_same(id_of[a as usize]?, id_of[b as usize]?)
    }

    /// The pairs with a label that agree in these fields.
    fn scored(
        &self,
        reached: &[Reached],
        id_of: &[Option<u32>],
        values: &HashMap<String, FieldValues>,
        fields: &[String],
    ) -> Vec<Scored> {
        let agree = |pair: &&Reached| {
            fields.iter().all(|field| {
                values.get(field).is_some_and(|values| values.of.get(pair.a as usize) == values.of.get(pair.b as usize))
            })
        };
        let scored = |pair: &Reached| {
            let is_same = self.is_same(id_of, pair.a, pair.b)?;
            let unit = |document: u32| id_of[document as usize].map(|id| self.labels.unit(id));
            Some(Scored { rung: pair.rung, is_same, units: [unit(pair.a)?, unit(pair.b)?] })
        };
        reached.iter().filter(agree).filter_map(scored).collect()
    }
}

/// The pairs that one way to compare finds.
struct Found {
    pairs: Vec<Reached>,
    /// The lowest threshold, as a place in the ladder.
    lowest: u8,
    /// Why lower thresholds were not tried.
    cut: Option<String>,
}

/// The thresholds of a measure.
pub(super) fn ladder(measure: Measure) -> Result<Vec<Threshold>, Error> {
    LADDER.iter().map(|value| Threshold::new(measure, value).map_err(Error::usage)).collect()
}

/// The place of the highest threshold that a pair reaches, exactly.
pub(super) fn rung(ladder: &[Threshold], common: u32, (a, b): (u32, u32)) -> Option<u8> {
    ladder.partition_point(|threshold| threshold.reaches(common, a, b)).checked_sub(1).map(|rung| rung as u8)
}

/// Every pair that reaches a threshold; `None` if there are too many.
pub(super) fn join(
    store: &Arc<SetStore>,
    threshold: &Threshold,
    split: Option<u32>,
    stage: &Stage,
) -> Result<Option<Vec<SetPair>>, Error> {
    let join = Join::new(*threshold);
    let join = split.map_or(join.clone(), |split| join.across(split));
    let mut joinable = join.prepare(store.clone(), stage)?;
    if joinable.may_reach(MOST, Counted::Documents)
        && joinable.estimate(SAMPLE, Counted::Documents).is_none_or(|pairs| pairs > MOST)
    {
        return Ok(None);
    }
    let all = Mutex::new(Vec::new());
    joinable.pairs(stage, &|some: &[SetPair]| {
        all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
    })?;
    let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Some(joinable.expand_groups(found, stage)?))
}
