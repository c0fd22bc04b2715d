//! The page of `pairs`: which pairs there are, and some of them side by side.

use std::collections::{BTreeSet, HashMap};

use lookalike::engine::{Progress, Roots};
use lookalike_io::Source;
use lookalike_io::write::Finished;
use lookalike_truth::Random;
use lookalike_truth::page::{PairCard, Report, Section, Tile, count};

use super::again::{FieldValues, texts_of};
use super::dedup::short;
use super::output::{PageOutput, write_page};
use super::words::{bars, comparison, names, settings, sizes, version};
use crate::error::Error;
use crate::pairs::PairRow;
use crate::read::{Collector, Documents};
use crate::report::PairsReport;

/// How many pairs nearest to the threshold are shown, and how many of each range of similarity.
const NEAREST: usize = 15;
const EACH: usize = 2;
/// The ranges of similarity of which examples are shown.
const RANGES: usize = 21;
/// How many values of a field have a row.
const ROWS: usize = 30;

/// Pairs for the page, chosen as they pass by.
pub(crate) struct PairSample {
    is_distance: bool,
    nearest: Vec<PairRow>,
    /// By range of similarity, how many pairs there were, and some of them.
    ranges: Vec<(u64, Vec<PairRow>)>,
    random: Random,
    roots: Roots,
    values: Option<FieldValues>,
    /// By value, pairs within it; and pairs between two values.
    within: HashMap<u32, u64>,
    between: u64,
}

impl PairSample {
    /// No pairs yet of this many documents.
    pub(crate) fn new(documents: usize, is_distance: bool, values: Option<FieldValues>) -> PairSample {
        PairSample {
            is_distance,
            nearest: Vec::new(),
            ranges: vec![(0, Vec::new()); RANGES],
            random: Random::new(1),
            roots: Roots::new(documents),
            values,
            within: HashMap::new(),
            between: 0,
        }
    }

    /// Takes a pair into account.
    pub(crate) fn add(&mut self, row: &PairRow) {
        self.roots.join(row.a, row.b);
        if let Some(values) = &self.values {
            let value = |document: u32| values.of.get(document as usize).copied().unwrap_or(0);
            if value(row.a) == value(row.b) {
                *self.within.entry(value(row.a)).or_default() += 1;
            } else {
                self.between += 1;
            }
        }
        if row.is_identical() {
            return;
        }
        self.nearest.push(*row);
        if self.nearest.len() >= 8 * NEAREST {
            self.keep_nearest();
        }
        let place = if self.is_distance { row.value.min(20.0) } else { (row.value.clamp(0.0, 1.0) * 20.0).floor() };
        let (seen, kept) = &mut self.ranges[place as usize];
        *seen += 1;
        // Each pair of a range has the same chance to be shown.
        if kept.len() < EACH {
            kept.push(*row);
        } else {
            let at = self.random.below(*seen as usize);
            if at < EACH {
                kept[at] = *row;
            }
        }
    }

    fn keep_nearest(&mut self) {
        let sign = if self.is_distance { -1.0 } else { 1.0 };
        self.nearest.sort_by(|one, two| {
            (sign * one.value).total_cmp(&(sign * two.value)).then((one.a, one.b).cmp(&(two.a, two.b)))
        });
        self.nearest.truncate(NEAREST);
    }
}

/// The data of the page.
pub(crate) struct PairsPage<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) collector: &'a Collector,
    pub(crate) documents: &'a Documents,
    pub(crate) report: &'a PairsReport,
    pub(crate) sample: PairSample,
}

impl PairsPage<'_> {
    /// Writes the page under a temporary name.
    pub(crate) fn write(mut self, output: &PageOutput, progress: &dyn Progress) -> Result<Finished, Error> {
        self.sample.keep_nearest();
        let page = self.page(output.by.as_deref(), progress)?;
        write_page(&output.path, &page)
    }

    fn page(&self, by: Option<&str>, progress: &dyn Progress) -> Result<Report, Error> {
        let PairsPage { sources, report, sample, .. } = self;
        let spread: Vec<PairRow> = sample.ranges.iter().rev().flat_map(|(_, kept)| kept.iter().copied()).collect();
        let wanted: BTreeSet<u32> = sample.nearest.iter().chain(&spread).flat_map(|row| [row.a, row.b]).collect();
        let texts = texts_of(sources, self.collector, &wanted, progress)?;
        let mut components: HashMap<u32, u64> = HashMap::new();
        for document in 0..self.documents.len() as u32 {
            *components.entry(sample.roots.find(document)).or_default() += 1;
        }
        let in_pairs = components.values().copied().filter(|&size| size > 1);
        let clusters = in_pairs.clone().count() as u64;
        let mut sections = vec![
            Section::Bars {
                title: "Similarity".to_string(),
                note: "All pairs, by their similarity.".to_string(),
                bars: bars(&report.histogram, report.compared.is_distance),
            },
            Section::Bars {
                title: "Groups of connected documents".to_string(),
                note: "Documents that pairs connect, directly or through others.".to_string(),
                bars: sizes(in_pairs),
            },
        ];
        sections.extend(by.map(|field| self.by_field(field)));
        sections.push(self.cards(
            "Nearest to the threshold",
            "The pairs that barely reach the threshold. If these are not near-duplicates, raise it. Pairs that just miss it are not here: a run \
             does not compare most of them. Run again with a lower threshold to see them.",
            &sample.nearest,
            &texts,
        )?);
        sections.push(self.cards(
            "From all levels",
            "Up to two pairs of each level of similarity, chosen at random, the most similar first. Identical documents are left out.",
            &spread,
            &texts,
        )?);
        Ok(Report {
            title: format!("Similar documents of {}", names(sources)),
            summary: format!("{} pairs with {}.", count(report.pairs), comparison(&report.compared)),
            tiles: vec![
                Tile::new("Documents", count(report.documents + report.others), ""),
                Tile::new("Pairs", count(report.pairs), ""),
                Tile::new("Identical", count(report.identical_pairs), "of the pairs"),
                Tile::new("Groups", count(clusters), "of connected documents"),
            ],
            sections,
            settings: settings(&report.compared, sources),
            version: version(),
        })
    }

    fn cards(&self, title: &str, note: &str, rows: &[PairRow], texts: &HashMap<u32, String>) -> Result<Section, Error> {
        let text = |document: u32| texts.get(&document).cloned().unwrap_or_default();
        let mut pairs = Vec::new();
        for row in rows {
            let id = |document: u32| Ok::<_, Error>((self.documents.id(document)?.into_owned(), String::new()));
            let (ids, texts) = ([id(row.a)?, id(row.b)?], [text(row.a), text(row.b)]);
            pairs.push(PairCard { ids, similarity: short(row.value), texts });
        }
        let note = format!("{note} {} of {} pairs.", count(pairs.len() as u64), count(self.report.pairs));
        Ok(Section::Pairs { title: title.to_string(), note, pairs })
    }

    fn by_field(&self, field: &str) -> Section {
        let sample = &self.sample;
        let names = sample.values.as_ref().map_or(&[][..], |values| &values.names);
        let mut rows: Vec<(u64, &str)> = sample
            .within
            .iter()
            .map(|(&value, &pairs)| (pairs, names.get(value as usize).map_or("", |name| name.as_str())))
            .collect();
        rows.sort_by(|one, two| two.0.cmp(&one.0).then(one.1.cmp(two.1)));
        let shown = rows.iter().take(ROWS).map(|(pairs, name)| vec![name.to_string(), count(*pairs)]);
        let different = [vec!["(different values)".to_string(), count(sample.between)]];
        Section::Table {
            title: format!("By {field}"),
            note: format!(
                "Pairs of documents with the same {field}, the {ROWS} most frequent, and pairs with different ones."
            ),
            head: vec![field.to_string(), "pairs".to_string()],
            rows: shown.chain(different).collect(),
        }
    }
}
