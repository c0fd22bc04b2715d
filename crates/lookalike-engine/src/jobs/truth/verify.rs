//! The job of `verify`: compares the candidates of others exactly.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use lookalike::Threshold;
use lookalike::engine::{Progress, Roots, Stage};
use lookalike_io::Source;
use lookalike_io::write::{Cell, Finished, Kind, Table, commit};
use lookalike_truth::{Example, Found, FoundCluster, FoundPair, Ids, wilson};
use rayon::prelude::*;

use super::verify_clusters::{Member, compare, take_apart};
use crate::error::{Error, pool};
use crate::read::{Collection, Collector, Keep};
use crate::report::{ReadReport, VerifyReport};
use crate::tables::{FoundOptions, TableRead, read_found};
use crate::write::{check_apart, check_paths};

/// A job that compares the candidates of others exactly.
pub struct VerifyCandidates {
    /// The documents.
    pub inputs: Vec<Source>,
    /// The second collection, if candidates are between two.
    pub with: Vec<Source>,
    /// The candidates.
    pub candidates: FoundOptions,
    /// How to read the documents.
    pub collector: Collector,
    /// The measure and the threshold.
    pub threshold: Threshold,
    /// Where to write each candidate with its similarity.
    pub output: Option<PathBuf>,
    /// Whether to replace an existing file.
    pub force: bool,
}

/// How many of the least similar candidates are named.
const NAMED: usize = 20;
/// Stated similarities may be rounded to three decimal places.
const ROUNDED: f64 = 0.0005 + 1e-12;

/// A candidate pair with its exact similarity.
struct Compared {
    pair: FoundPair,
    similarity: f64,
    reaches: bool,
}

impl VerifyCandidates {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<VerifyReport, Error> {
        self.collector.check_within(&self.threshold)?;
        let sources = [&self.inputs[..], &self.with].concat();
        if let Some(path) = &self.output {
            Table::check(path)?;
            let all = [&sources[..], &self.candidates.table.files].concat();
            check_paths([path].into_iter(), self.force, &all)?;
            check_apart(std::slice::from_ref(path))?;
        }
        let collection = self.collector.collect(&sources, self.inputs.len(), &Keep::First, progress)?;
        let mut ids = Ids::default();
        let (documents, repeated_ids) = self.number(&collection, &mut ids)?;
        let mut read = TableRead::default();
        let mut found = read_found(&self.candidates, &mut ids, &mut read, progress)?;
        let unknown = leave_out_unknown(&mut found, &documents);
        let to_document = |id: u32| documents[&id];
        let pool = pool(self.collector.threads)?;
        let (mut compared, clusters) = pool.install(|| self.compare(&collection, &found, to_document, progress))?;

        let finished = self.output.as_ref().map(|path| {
            if found.is_clusters {
                write_clusters(path, &collection, &clusters, &names_of(&found, to_document))
            } else {
                write_pairs(path, &ids, &compared, &found)
            }
        });
        commit(finished.transpose()?.into_iter().collect())?;

        let removed: Vec<&Member> = clusters.iter().flat_map(|cluster| &cluster[1..]).collect();
        let wrong = removed.iter().filter(|member| !member.reaches_first).count() as u64;
        let stated = compared.iter().filter_map(|one| Some((one.similarity - one.pair.value?).abs()));
        let errors: Vec<f64> = stated.collect();
        let sign = if self.threshold.is_distance() { -1.0 } else { 1.0 };
        let (reaching, pairs) = (compared.iter().filter(|one| one.reaches).count() as u64, compared.len() as u64);
        compared.retain(|one| !one.reaches);
        compared.sort_by(|one, two| (sign * one.similarity).total_cmp(&(sign * two.similarity)));
        let name = |id: u32| ids.name(id).to_string();
        let example = |one: &Compared| Example {
            a: name(one.pair.a),
            b: name(one.pair.b),
            similarity: Some(one.similarity),
            texts: None,
        };
        let removals = removed.len() as u64;
        let parts = |cluster: &Vec<Member>| u64::from(cluster.iter().map(|member| member.part).max().unwrap_or(0) + 1);
        Ok(VerifyReport {
            documents: collection.documents.len() as u64,
            read: ReadReport::new(&collection.tally, &sources),
            candidates: if found.is_clusters { "clusters" } else { "pairs" },
            pairs,
            reaching,
            short: pairs - reaching,
            misstated: errors.iter().filter(|error| **error > ROUNDED).count() as u64,
            mean_error: (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64),
            clusters: clusters.len() as u64,
            clusters_supported: clusters.iter().filter(|cluster| parts(cluster) == 1).count() as u64,
            parts: clusters.iter().map(parts).sum(),
            removals,
            wrong_removals: wrong,
            wrong_share: wilson(wrong, removals),
            unknown,
            repeated_ids,
            worst: compared.iter().take(NAMED).map(example).collect(),
            measure: self.threshold.measure().to_string(),
            threshold: self.threshold.value().to_f64(),
            bad_candidates: read.unreadable,
            candidate_problems: read.problems,
        })
    }

    /// The document of each id, and how many documents repeat an id.
    fn number(&self, collection: &Collection, ids: &mut Ids) -> Result<(HashMap<u32, u32>, u64), Error> {
        let own = collection.documents.inputs();
        let (mut documents, mut repeated) = (HashMap::new(), 0);
        for document in 0..collection.documents.len() as u32 {
            let side = u8::from(self.candidates.linked && document >= own);
            let id = ids.number(side, &collection.documents.id(document)?);
            if *documents.entry(id).or_insert(document) != document {
                repeated += 1;
            }
        }
        Ok((documents, repeated))
    }

    fn compare(
        &self,
        collection: &Collection,
        found: &Found,
        to_document: impl Fn(u32) -> u32 + Sync,
        progress: &dyn Progress,
    ) -> Result<(Vec<Compared>, Vec<Vec<Member>>), Error> {
        let (store, threshold) = (&collection.store, &self.threshold);
        let clusters = clusters_of(found, collection.documents.len(), &to_document);
        let stage = Stage::begin(progress, "comparing", clusters.len());
        let apart: Result<Vec<Vec<Member>>, Error> = clusters
            .par_iter()
            .map(|members| {
                stage.add(1);
                take_apart(store, threshold, members)
            })
            .collect();
        // Of a cluster, each member is compared with the first.
        let of_clusters =
            found.clusters.iter().map(|cluster| &cluster.members).flat_map(|members| {
                members[1..].iter().map(|&member| FoundPair { a: members[0], b: member, value: None })
            });
        let pairs: Vec<FoundPair> = found.pairs.iter().copied().chain(of_clusters).collect();
        let compared = pairs.par_iter().map(|&pair| {
            let (similarity, reaches) = compare(store, threshold, to_document(pair.a), to_document(pair.b));
            Compared { pair, similarity, reaches }
        });
        Ok((compared.collect(), apart?))
    }
}

/// Leaves out candidates that name a document that is not there. Returns how many.
fn leave_out_unknown(found: &mut Found, documents: &HashMap<u32, u32>) -> u64 {
    let before = found.pairs.len();
    found.pairs.retain(|pair| documents.contains_key(&pair.a) && documents.contains_key(&pair.b));
    let mut unknown = (before - found.pairs.len()) as u64;
    for FoundCluster { members, .. } in &mut found.clusters {
        let before = members.len();
        members.retain(|id| documents.contains_key(id));
        // In input order, so that the first of a cluster is its first document.
        members.sort_unstable_by_key(|id| documents[id]);
        unknown += (before - members.len()) as u64;
    }
    found.clusters.retain(|cluster| cluster.members.len() > 1);
    unknown
}

/// The clusters of two documents or more, in input order. Pairs are joined into connected components.
fn clusters_of(found: &Found, documents: usize, to_document: impl Fn(u32) -> u32) -> Vec<Vec<u32>> {
    let roots = Roots::new(documents);
    let mut members: HashSet<u32> = HashSet::new();
    let mut join = |a: u32, b: u32| {
        let (a, b) = (to_document(a), to_document(b));
        roots.join(a, b);
        members.extend([a, b]);
    };
    found.pairs.iter().for_each(|pair| join(pair.a, pair.b));
    for FoundCluster { members, .. } in &found.clusters {
        members.iter().for_each(|&member| join(members[0], member));
    }
    let mut members: Vec<(u32, u32)> = members.into_iter().map(|member| (roots.find(member), member)).collect();
    members.sort_unstable();
    let clusters = members.chunk_by(|one, two| one.0 == two.0);
    let mut clusters: Vec<Vec<u32>> =
        clusters.map(|cluster| cluster.iter().map(|(_, member)| *member).collect::<Vec<u32>>()).collect();
    clusters.retain(|cluster| cluster.len() > 1);
    clusters.sort_unstable_by_key(|cluster| cluster[0]);
    clusters
}

fn write_pairs(path: &Path, ids: &Ids, compared: &[Compared], found: &Found) -> Result<Finished, Error> {
    let has_stated = found.pairs.iter().any(|pair| pair.value.is_some());
    let mut columns = vec![("a", Kind::Text), ("b", Kind::Text), ("similarity", Kind::Float), ("reaches", Kind::Bool)];
    columns.extend(has_stated.then_some(("stated", Kind::Float)));
    let mut table = Table::create(path, &columns)?;
    for one in compared {
        let (a, b) = (Cell::from(ids.name(one.pair.a)), Cell::from(ids.name(one.pair.b)));
        let mut cells = vec![a, b, Cell::Float(one.similarity), Cell::Bool(one.reaches)];
        cells.extend(has_stated.then(|| one.pair.value.map_or(Cell::Null, Cell::Float)));
        table.put(&cells)?;
    }
    Ok(table.finish()?)
}

/// The names of the clusters, by their first document.
fn names_of(found: &Found, to_document: impl Fn(u32) -> u32) -> HashMap<u32, &str> {
    found.clusters.iter().map(|cluster| (to_document(cluster.members[0]), cluster.name.as_str())).collect()
}

fn write_clusters(
    path: &Path,
    collection: &Collection,
    clusters: &[Vec<Member>],
    names: &HashMap<u32, &str>,
) -> Result<Finished, Error> {
    let columns = [
        ("cluster", Kind::Text),
        ("part", Kind::Int),
        ("id", Kind::Text),
        ("kept", Kind::Bool),
        ("twin", Kind::Text),
        ("similarity", Kind::Float),
    ];
    let mut table = Table::create(path, &columns)?;
    for cluster in clusters {
        for member in cluster {
            let (twin, similarity) = match member.twin {
                None => (Cell::Null, Cell::Null),
                Some((twin, similarity)) => (Cell::Text(collection.documents.id(twin)?), Cell::Float(similarity)),
            };
            table.put(&[
                Cell::from(names[&cluster[0].document]),
                Cell::Int(i64::from(member.part) + 1),
                Cell::Text(collection.documents.id(member.document)?),
                Cell::Bool(member.twin.is_none()),
                twin,
                similarity,
            ])?;
        }
    }
    Ok(table.finish()?)
}
