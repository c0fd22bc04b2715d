//! Compares labelled documents in many ways, each way once for all thresholds.

use std::collections::HashMap;
use std::sync::Arc;

use lookalike::engine::{SetStore, Stage, common};
use lookalike::{Measure, Tokens};
use lookalike_io::Source;
use lookalike_truth::choose::{LADDER, Others, Scored, Settings, Trial, hopeless};
use lookalike_truth::{Ids, Labels};

use super::thresholds::{MOST, join, ladder, rung};
use crate::error::{Error, check_cancelled};
use crate::html::{FieldValues, values_of};
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
pub(super) struct Tried {
    pub(super) trials: Vec<Trial>,
    /// By group, pairs that are the same and whose documents are there.
    pub(super) same: Vec<f64>,
    /// What is known of pairs of two groups.
    pub(super) others: Others,
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
        let mut tried = Tried {
            trials: Vec::new(),
            same: Vec::new(),
            others: Others::Labelled(Vec::new()),
            documents: 0,
            unknown: 0,
            skipped: Vec::new(),
        };
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
                    let ways = Ways { within: &search.within, values: &within, same: tried.same.iter().sum() };
                    let (found, cut) = self.found(&collection, &store, &id_of, measure, &ways, stage)?;
                    tried.skipped.extend(cut.map(|why| format!("{name}: {why}")));
                    for (fields, Found { pairs, lowest }) in search.within.iter().zip(found) {
                        let (text, tokens, measure) = (text.clone(), tokens.to_string(), measure.to_string());
                        let settings = Settings { text, within: fields.clone(), tokens, measure };
                        tried.trials.push(Trial { settings, pairs, lowest });
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
        tried.others = self.others(&id_of, &document_of, own);
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

    /// The pairs of two groups that are known to be different.
    fn others(&self, id_of: &[Option<u32>], document_of: &HashMap<u32, u32>, own: u32) -> Others {
        let labels = self.labels;
        if !labels.is_complete() {
            let is_there = |id: u32| document_of.contains_key(&id);
            let pairs = labels.pairs().filter(|&(a, b, is_same)| !is_same && is_there(a) && is_there(b));
            let units = pairs.map(|(a, b, _)| [labels.unit(a), labels.unit(b)]);
            return Others::Labelled(units.filter(|[a, b]| a != b).collect());
        }
        let mut members = vec![[0.0; 2]; self.ids.len()];
        for (document, id) in id_of.iter().enumerate().filter_map(|(document, id)| Some((document as u32, (*id)?))) {
            let side = usize::from(self.linked && document >= own);
            members[labels.unit(id) as usize][side] += 1.0;
        }
        Others::All(members)
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

    /// What one way to compare finds, for each list of fields that must be equal; and why lower thresholds were not tried, if so.
    fn found(
        &self,
        collection: &Collection,
        (store, documents, split): &(Arc<SetStore>, Vec<u32>, u32),
        id_of: &[Option<u32>],
        measure: Measure,
        ways: &Ways,
        stage: &Stage,
    ) -> Result<(Vec<Found>, Option<String>), Error> {
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
            let reached: Vec<Reached> = pairs.collect();
            let found = |fields: &Vec<String>| Found { pairs: self.scored(&reached, id_of, ways, fields), lowest: 0 };
            return Ok((ways.within.iter().map(found).collect(), None));
        }
        let none = || Found { pairs: Vec::new(), lowest: LADDER.len() as u8 - 1 };
        let mut found: Vec<Found> = ways.within.iter().map(|_| none()).collect();
        let mut goes_on = vec![true; found.len()];
        for place in STAGES {
            let Some(pairs) = join(store, &ladder[usize::from(place)], self.linked.then_some(*split), &stage.quiet())?
            else {
                let at = LADDER[usize::from(place)];
                let cut = format!("too many pairs at {at} (more than {MOST}); only higher thresholds were tried");
                return Ok((found, Some(cut)));
            };
            let size = |document: u32| store.size(document);
            let reached = pairs.iter().filter_map(|pair| {
                let rung = rung(&ladder, pair.common, (size(pair.a), size(pair.b)))?;
                Some(Reached { a: documents[pair.a as usize], b: documents[pair.b as usize], rung })
            });
            let reached: Vec<Reached> = reached.collect();
            for (at, fields) in ways.within.iter().enumerate().filter(|(at, _)| goes_on[*at]).collect::<Vec<_>>() {
                check_cancelled(stage)?;
                let mut pairs = self.scored(&reached, id_of, ways, fields);
                // Where documents must agree in a field, lower thresholds may be good that are hopeless without.
                let hopeless = hopeless(&pairs, place, ways.same);
                let lowest = hopeless.map_or(place, |rung| (rung + 1).min(STAGES[0]));
                pairs.retain(|pair| pair.rung >= lowest);
                goes_on[at] = hopeless.is_none();
                found[at] = Found { pairs, lowest };
            }
            if !goes_on.contains(&true) {
                break;
            }
        }
        Ok((found, None))
    }

    fn is_same(&self, id_of: &[Option<u32>], a: u32, b: u32) -> Option<bool> {
        self.labels.is_same(id_of[a as usize]?, id_of[b as usize]?)
    }

    /// The pairs with a label that agree in these fields.
    fn scored(&self, reached: &[Reached], id_of: &[Option<u32>], ways: &Ways, fields: &[String]) -> Vec<Scored> {
        let agree = |pair: &&Reached| {
            fields.iter().all(|field| {
                ways.values
                    .get(field)
                    .is_some_and(|values| values.of.get(pair.a as usize) == values.of.get(pair.b as usize))
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

/// The fields that must be equal, for one text, unit and measure.
struct Ways<'a> {
    within: &'a [Vec<String>],
    values: &'a HashMap<String, FieldValues>,
    /// All pairs that are the same.
    same: f64,
}

/// The labelled pairs that one way to compare finds.
struct Found {
    pairs: Vec<Scored>,
    /// The lowest threshold, as a place in the ladder.
    lowest: u8,
}
