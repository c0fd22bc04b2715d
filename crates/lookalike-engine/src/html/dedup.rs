//! The page of `dedup`: what is removed, where, and because of what.

use std::collections::{BTreeSet, HashMap};

use lookalike::Bin;
use lookalike::engine::{Clusters, Fate, Progress};
use lookalike_io::Source;
use lookalike_io::write::Finished;
use lookalike_truth::page::{ClusterCard, MemberCard, PairCard, Report, Section, Tile, count};

use super::again::{texts_of, values_of};
use super::output::{PageOutput, write_page};
use super::words::{bars, comparison, names, settings, sizes, version};
use crate::error::Error;
use crate::read::{Collector, Documents};
use crate::report::ComparedReport;

/// The data of the page.
pub(crate) struct DedupPage<'a> {
    /// All files: the inputs, then the reference collection.
    pub(crate) sources: &'a [Source],
    /// How many of them are inputs.
    pub(crate) inputs: usize,
    pub(crate) collector: &'a Collector,
    pub(crate) documents: &'a Documents,
    pub(crate) fates: &'a [Fate],
    pub(crate) clusters: &'a Clusters,
    pub(crate) histogram: &'a [Bin],
    /// Whether the histogram is of all pairs, not of removed documents and their twins.
    pub(crate) of_pairs: bool,
    pub(crate) compared: &'a ComparedReport,
    pub(crate) keep: String,
    pub(crate) rule: &'static str,
}

/// How many clusters are shown, and how many removed members of each.
const CLUSTERS: usize = 10;
const MEMBERS: usize = 4;
/// How many pairs around the threshold are shown.
const PAIRS: usize = 20;
/// How many values of a field, or files, have a row.
const ROWS: usize = 30;

impl DedupPage<'_> {
    /// Writes the page under a temporary name.
    pub(crate) fn write(&self, output: &PageOutput, progress: &dyn Progress) -> Result<Finished, Error> {
        write_page(&output.path, &self.page(output.by.as_deref(), progress)?)
    }

    fn page(&self, by: Option<&str>, progress: &dyn Progress) -> Result<Report, Error> {
        let inputs = self.documents.inputs();
        let fates = &self.fates[..inputs as usize];
        let is = |wanted: fn(&Fate) -> bool| fates.iter().filter(|fate| wanted(fate)).count() as u64;
        let (kept, removed) = (is(Fate::is_kept), is(|fate| !fate.is_kept()));
        let identical = is(|fate| matches!(fate, Fate::Removed { identical: true, .. }));
        let mut of_cluster: HashMap<i64, u64> = HashMap::new();
        for document in (0..self.fates.len() as u32).filter_map(|document| self.clusters.number(document)) {
            *of_cluster.entry(document).or_default() += 1;
        }
        let clusters = self.largest(&of_cluster);
        let pairs = self.around();
        let sample: BTreeSet<u32> =
            clusters.iter().flatten().copied().chain(pairs.iter().flat_map(|&(a, b, _)| [a, b])).collect();
        let texts = texts_of(self.sources, self.collector, &sample, progress)?;

        let share = |part: u64| format!("{:.1} % of all", part as f64 * 100.0 / f64::from(inputs.max(1)));
        let mut sections = vec![
            Section::Bars {
                title: "Similarity".to_string(),
                note: (if self.of_pairs {
                    "All pairs, by their similarity."
                } else {
                    "Removed documents, by the similarity to the kept document that they resemble."
                })
                .to_string(),
                bars: bars(self.histogram, self.compared.is_distance),
            },
            Section::Bars {
                title: "Sizes of clusters".to_string(),
                note: "A cluster is a kept document and the documents removed because of it.".to_string(),
                bars: sizes(of_cluster.values().copied()),
            },
        ];
        sections.extend(self.by_file());
        sections.extend(by.map(|field| self.by_field(field, progress)).transpose()?);
        sections.push(self.cluster_cards(&clusters, &of_cluster, &texts)?);
        sections.push(self.pair_cards(&pairs, &texts)?);
        let mut settings = settings(self.compared, &self.sources[..self.inputs]);
        settings.push(("which document stays".to_string(), self.keep.clone()));
        settings.push(("rule".to_string(), self.rule.to_string()));
        if self.inputs < self.sources.len() {
            settings.push(("reference collection".to_string(), names(&self.sources[self.inputs..])));
        }
        Ok(Report {
            title: format!("Near-duplicates of {}", names(&self.sources[..self.inputs])),
            summary: format!(
                "{} of {} documents are near-duplicates of another ({}) and can be removed; {} stay. Each removed document has a kept twin that it resembles.",
                count(removed),
                count(inputs.into()),
                comparison(self.compared),
                count(kept)
            ),
            tiles: vec![
                Tile::new("Documents", count(inputs.into()), ""),
                Tile::new("Kept", count(kept), share(kept)),
                Tile::new("Removed", count(removed), share(removed)),
                Tile::new("Identical", count(identical), "of the removed"),
                Tile::new("Similar", count(removed - identical), "of the removed"),
                Tile::new("Clusters", count(self.clusters.count()), ""),
            ],
            sections,
            settings,
            version: version(),
        })
    }

    /// The largest clusters: the kept document, then some of the removed ones.
    fn largest(&self, sizes: &HashMap<i64, u64>) -> Vec<Vec<u32>> {
        let mut largest: Vec<(u64, i64)> = sizes.iter().map(|(&number, &size)| (size, -number)).collect();
        largest.sort_unstable_by(|one, two| two.cmp(one));
        largest.truncate(CLUSTERS);
        let places: HashMap<i64, usize> = largest.iter().enumerate().map(|(at, (_, number))| (-number, at)).collect();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); largest.len()];
        for document in 0..self.fates.len() as u32 {
            let Some(&place) = self.clusters.number(document).and_then(|number| places.get(&number)) else { continue };
            match self.fates[document as usize] {
                Fate::Kept => members[place].insert(0, document),
                Fate::Removed { .. } => members[place].push(document),
            }
        }
        // The least similar members tell most. A copy tells nothing.
        for cluster in members.iter_mut().filter(|cluster| cluster.len() > 1) {
            let near = |document: &u32| self.nearness(*document);
            cluster[1..].sort_by(|one, two| near(one).total_cmp(&near(two)).then(one.cmp(two)));
            cluster.truncate(1 + MEMBERS);
        }
        members
    }

    /// How similar a document is to its twin; for a distance, minus that.
    fn nearness(&self, document: u32) -> f64 {
        match self.fates[document as usize] {
            Fate::Removed { similarity, .. } if self.compared.is_distance => -similarity,
            Fate::Removed { similarity, .. } => similarity,
            Fate::Kept => f64::INFINITY,
        }
    }

    /// The removed documents nearest to the threshold, each with its twin.
    fn around(&self) -> Vec<(u32, u32, f64)> {
        let mut nearest: Vec<(u32, u32, f64)> = Vec::new();
        for document in 0..self.documents.inputs() {
            if let Fate::Removed { twin, similarity, identical: false } = self.fates[document as usize] {
                nearest.push((twin, document, similarity));
                if nearest.len() >= 8 * PAIRS {
                    self.keep_nearest(&mut nearest);
                }
            }
        }
        self.keep_nearest(&mut nearest);
        nearest
    }

    fn keep_nearest(&self, nearest: &mut Vec<(u32, u32, f64)>) {
        nearest.sort_by(|one, two| self.nearness(one.1).total_cmp(&self.nearness(two.1)).then(one.1.cmp(&two.1)));
        nearest.truncate(PAIRS);
    }

    fn cluster_cards(
        &self,
        clusters: &[Vec<u32>],
        sizes: &HashMap<i64, u64>,
        texts: &HashMap<u32, String>,
    ) -> Result<Section, Error> {
        let text = |document: u32| texts.get(&document).cloned().unwrap_or_default();
        let mut cards = Vec::new();
        for cluster in clusters {
            let Some((&kept, removed)) = cluster.split_first() else { continue };
            let mut members = Vec::new();
            for &document in removed {
                let similarity = match self.fates[document as usize] {
                    Fate::Removed { similarity, .. } => short(similarity),
                    Fate::Kept => String::new(),
                };
                members.push(MemberCard {
                    id: self.documents.id(document)?.into_owned(),
                    similarity,
                    text: text(document),
                });
            }
            let size = self.clusters.number(kept).and_then(|number| sizes.get(&number)).copied().unwrap_or(0);
            cards.push(ClusterCard { size, kept: self.documents.id(kept)?.into_owned(), text: text(kept), members });
        }
        Ok(Section::Clusters {
            title: "The largest clusters".to_string(),
            note: format!(
                "{} of {} clusters, of each the kept document and up to {MEMBERS} of the removed ones: those that resemble it least. Differences are marked.",
                count(cards.len() as u64),
                count(self.clusters.count())
            ),
            clusters: cards,
        })
    }

    fn pair_cards(&self, pairs: &[(u32, u32, f64)], texts: &HashMap<u32, String>) -> Result<Section, Error> {
        let text = |document: u32| texts.get(&document).cloned().unwrap_or_default();
        let mut cards = Vec::new();
        for &(twin, document, similarity) in pairs {
            cards.push(PairCard {
                ids: [
                    (self.documents.id(twin)?.into_owned(), "kept".to_string()),
                    (self.documents.id(document)?.into_owned(), "removed".to_string()),
                ],
                similarity: short(similarity),
                texts: [text(twin), text(document)],
            });
        }
        Ok(Section::Pairs {
            title: "Just above the threshold".to_string(),
            note: format!(
                "The {} removed documents that are nearest to the threshold. To keep these, raise it. Documents that just miss it are not here: a \
                 run does not compare most of them. Run again with a lower threshold to see what it would remove.",
                count(cards.len() as u64)
            ),
            pairs: cards,
        })
    }

    /// How many documents are removed from each file, if there are several.
    fn by_file(&self) -> Option<Section> {
        if self.inputs < 2 {
            return None;
        }
        let rows = (0..self.inputs).map(|source| {
            let range = self.documents.of_source(source);
            let removed = range.clone().filter(|&document| !self.fates[document as usize].is_kept()).count() as u64;
            (self.sources[source].path().display().to_string(), range.len() as u64, removed)
        });
        Some(counted("file", rows.collect()))
    }

    fn by_field(&self, field: &str, progress: &dyn Progress) -> Result<Section, Error> {
        let values = values_of(&self.sources[..self.inputs], self.collector, field, progress)?;
        let mut rows: Vec<(String, u64, u64)> = values.names.into_iter().map(|name| (name, 0, 0)).collect();
        for (document, &value) in values.of.iter().enumerate().take(self.documents.inputs() as usize) {
            rows[value as usize].1 += 1;
            rows[value as usize].2 += u64::from(!self.fates[document].is_kept());
        }
        Ok(counted(field, rows))
    }
}

/// Documents and removed ones by value, those with the most removed first.
fn counted(field: &str, mut rows: Vec<(String, u64, u64)>) -> Section {
    rows.retain(|(_, documents, _)| *documents > 0);
    rows.sort_by(|one, two| two.2.cmp(&one.2).then(two.1.cmp(&one.1)).then(one.0.cmp(&two.0)));
    let all = rows.len();
    let row = |(name, documents, removed): &(String, u64, u64)| {
        let share = format!("{:.1} %", *removed as f64 * 100.0 / *documents as f64);
        vec![name.clone(), count(*documents), count(*removed), share]
    };
    let shown: Vec<Vec<String>> = rows.iter().take(ROWS).map(row).collect();
    let note = if all > shown.len() {
        format!("The {} values with the most removed documents, of {}.", shown.len(), count(all as u64))
    } else {
        String::new()
    };
    let head = [field, "documents", "removed", "share"].map(String::from).to_vec();
    Section::Table { title: format!("What is removed, by {field}"), note, head, rows: shown }
}

/// A similarity with four decimal places, or a distance unchanged.
pub(super) fn short(similarity: f64) -> String {
    if similarity >= 2.0 || similarity == 1.0 || similarity == 0.0 {
        format!("{similarity}")
    } else {
        format!("{similarity:.4}")
    }
}
