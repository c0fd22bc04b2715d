//! Counts what is right, wrong and missed.

use std::collections::{HashMap, HashSet};

use lookalike::engine::{Cancelled, Stage};

use super::found_pairs::{Found, FoundPair};
use super::result::{Evaluation, Example, Slice};
use super::split::Values;
use crate::ids::Ids;
use crate::labels::Labels;
use crate::scores::{
    Cell, ClusterScores, Interval, Ranked, average_precision, by_level, compare_clusterings, f1_of, resample, wilson,
};

/// How many wrong and missed pairs are named.
const NAMED: usize = 20;
/// The most pairs between groups that are resampled.
const MOST_CELLS: usize = 4_000_000;
/// After how many pairs progress is reported.
const SOME: u64 = 1 << 10;
/// So that the intervals are the same in every run.
const SEED: u64 = 0x1001_a11e;

/// Judges what was found. A found pair whose value is below `least` does not count as found, but it is part of the ranking behind the average
/// precision, and its value is known if it is missed. `linked` is whether pairs are between two collections. The stage counts found pairs.
pub fn evaluate(
    ids: &Ids,
    found: &Found,
    labels: &Labels,
    by: Option<&Values>,
    least: Option<f64>,
    linked: bool,
    stage: &Stage,
) -> Result<Evaluation, Cancelled> {
    let counts = |value: Option<f64>| match (value, least) {
        (Some(value), Some(least)) if found.is_distance => value <= least,
        (Some(value), Some(least)) => value >= least,
        _ => true,
    };
    let (mut tally, mut seen) = (Tally::new(by), 0_u64);
    let mut values: HashMap<(u32, u32), f64> = HashMap::new();
    let mut reached: HashSet<(u32, u32)> = HashSet::new();
    found.for_each(ids, linked, |pair| {
        seen += 1;
        if seen.is_multiple_of(SOME) {
            stage.reach(seen);
        }
        let is_same = labels.is_same(pair.a, pair.b);
        let units = (labels.unit(pair.a), labels.unit(pair.b));
        tally.rank(pair, is_same, units, found.is_distance);
        if is_same == Some(true) {
            if let Some(value) = pair.value {
                values.insert(ordered(pair), value);
            }
            if counts(pair.value) {
                reached.insert(ordered(pair));
            }
        }
        if counts(pair.value) {
            tally.found(pair, is_same, units);
        }
        !stage.is_cancelled()
    });
    stage.check()?;
    let mut missed = Vec::new();
    let mut same: HashMap<u32, f64> = HashMap::new();
    labels.for_each_same(ids, linked, |a, b| {
        let pair = FoundPair { a, b, value: None };
        *same.entry(labels.unit(a)).or_default() += 1.0;
        if !reached.contains(&ordered(pair)) {
            tally.missed(pair, (labels.unit(a), labels.unit(b)));
            missed.push(FoundPair { value: values.get(&ordered(pair)).copied(), ..pair });
        }
    });
    stage.check()?;
    let clusters = labels.is_complete().then(|| found.numbers(ids.len(), counts));
    let scores = clusters.and_then(|numbers| cluster_scores(&numbers, labels));
    stage.check()?;
    Ok(Evaluation { clusters: scores, ..tally.into_evaluation(ids, found, labels, missed, &same) })
}

fn ordered(pair: FoundPair) -> (u32, u32) {
    (pair.a.min(pair.b), pair.a.max(pair.b))
}

/// Counts of right, wrong, missed and unlabelled pairs.
#[derive(Clone, Copy, Default)]
struct Counts {
    right: u64,
    wrong: u64,
    missed: u64,
    unlabelled: u64,
}

/// Everything counted so far.
struct Tally<'a> {
    all: Counts,
    by: Option<&'a Values>,
    /// Agreeing in the field, not agreeing, and unknown.
    slices: [Counts; 3],
    cells: HashMap<(u32, u32), Cell>,
    ranked: Vec<(Ranked, u32, u32)>,
    levels: Vec<(f64, Option<bool>)>,
    wrong: Vec<FoundPair>,
    has_values: bool,
}

impl<'a> Tally<'a> {
    fn new(by: Option<&'a Values>) -> Tally<'a> {
        Tally {
            all: Counts::default(),
            by,
            slices: Default::default(),
            cells: HashMap::new(),
            ranked: Vec::new(),
            levels: Vec::new(),
            wrong: Vec::new(),
            has_values: true,
        }
    }

    fn rank(&mut self, pair: FoundPair, is_same: Option<bool>, units: (u32, u32), is_distance: bool) {
        match (pair.value, is_same) {
            (None, _) => self.has_values = false,
            (Some(value), Some(is_same)) => {
                let score = if is_distance { -value } else { value };
                self.ranked.push((Ranked { score, is_same, weight: 1.0 }, units.0, units.1));
            }
            _ => {}
        }
    }

    fn cell(&mut self, (a, b): (u32, u32)) -> Option<&mut Cell> {
        let key = (a.min(b), a.max(b));
        // Without room for more, there is no interval; the counts are complete.
        if self.cells.len() >= MOST_CELLS && !self.cells.contains_key(&key) {
            return None;
        }
        Some(self.cells.entry(key).or_default())
    }

    fn each(&mut self, pair: FoundPair, add: impl Fn(&mut Counts)) {
        add(&mut self.all);
        if let Some(by) = self.by {
            let place = match by.agree(pair.a, pair.b) {
                Some(true) => 0,
                Some(false) => 1,
                None => 2,
            };
            add(&mut self.slices[place]);
        }
    }

    fn found(&mut self, pair: FoundPair, is_same: Option<bool>, units: (u32, u32)) {
        self.each(pair, |counts| match is_same {
            Some(true) => counts.right += 1,
            Some(false) => counts.wrong += 1,
            None => counts.unlabelled += 1,
        });
        match is_same {
            Some(true) => self.cell(units).into_iter().for_each(|cell| cell.right += 1.0),
            Some(false) => {
                self.cell(units).into_iter().for_each(|cell| cell.wrong += 1.0);
                self.wrong.push(pair);
            }
            None => {}
        }
        self.levels.extend(pair.value.map(|value| (value, is_same)));
    }

    fn missed(&mut self, pair: FoundPair, units: (u32, u32)) {
        self.each(pair, |counts| counts.missed += 1);
        self.cell(units).into_iter().for_each(|cell| cell.missed += 1.0);
    }

    fn into_evaluation(
        mut self,
        ids: &Ids,
        found: &Found,
        labels: &Labels,
        mut missed: Vec<FoundPair>,
        same: &HashMap<u32, f64>,
    ) -> Evaluation {
        let Counts { right, wrong, unlabelled, .. } = self.all;
        let has_ranking = self.has_values && !self.ranked.is_empty();
        if !has_ranking {
            self.ranked.clear();
        }
        self.ranked.sort_by(|one, two| two.0.score.total_cmp(&one.0.score));
        let resampled = resample(&self.cells, &self.ranked, same, SEED);
        let with = |value: f64, ends: Option<(f64, f64)>| {
            // The ends of few draws may not contain the value.
            let (low, high) = ends.unwrap_or((0.0, 1.0));
            Interval { value, low: low.min(value), high: high.max(value) }
        };
        let all_same: f64 = same.values().sum();
        let (right_f, wrong_f) = (right as f64, wrong as f64);
        let f1 = (all_same > 0.0)
            .then(|| with(f1_of(right_f, wrong_f, self.all.missed as f64), resampled.map(|resampled| resampled.f1)));
        let average = (has_ranking && all_same > 0.0).then(|| {
            let value = average_precision(self.ranked.iter().map(|(pair, ..)| *pair), all_same);
            with(value, resampled.and_then(|resampled| resampled.average_precision))
        });
        let order = |pair: &FoundPair| pair.value.map_or(f64::INFINITY, |value| value * sign(found.is_distance));
        self.wrong.sort_by(|one, two| order_desc(order(one), order(two)));
        missed.sort_by(|one, two| order(one).total_cmp(&order(two)));
        let examples = |pairs: &[FoundPair]| pairs.iter().take(NAMED).map(|pair| example(ids, pair)).collect();
        Evaluation {
            pairs: right + wrong + unlabelled,
            labelled: right + wrong,
            unlabelled,
            right,
            wrong,
            missed: self.all.missed,
            labels: labels.kind.name(),
            found: if found.is_clusters { "clusters" } else { "pairs" },
            precision: wilson(right, right + wrong),
            recall: wilson(right, right + self.all.missed),
            f1,
            average_precision: average,
            clusters: None,
            levels: by_level(&self.levels, found.is_distance),
            by: self.slices(),
            worst_wrong: examples(&self.wrong),
            worst_missed: examples(&missed),
            conflicts: labels.conflicts.iter().map(ToString::to_string).collect(),
            conflict_count: labels.conflicts.len() as u64 + labels.unnamed,
            unsure: labels.unsure,
            repeated_pairs: found.repeated,
            repeated_labels: labels.repeated,
        }
    }

    fn slices(&self) -> Vec<Slice> {
        let Some(by) = self.by else { return Vec::new() };
        let names = ["same", "different", "unknown"];
        let slice = |(counts, value): (&Counts, &'static str)| Slice {
            field: by.field.clone(),
            value,
            right: counts.right,
            wrong: counts.wrong,
            missed: counts.missed,
            unlabelled: counts.unlabelled,
            precision: wilson(counts.right, counts.right + counts.wrong),
            recall: wilson(counts.right, counts.right + counts.missed),
        };
        self.slices.iter().zip(names).map(slice).collect()
    }
}

fn sign(is_distance: bool) -> f64 {
    if is_distance { -1.0 } else { 1.0 }
}

/// The greatest first, with pairs of unknown similarity behind those.
fn order_desc(one: f64, two: f64) -> std::cmp::Ordering {
    one.is_infinite().cmp(&two.is_infinite()).then(two.total_cmp(&one))
}

fn example(ids: &Ids, pair: &FoundPair) -> Example {
    let (a, b) = (ids.name(pair.a).to_string(), ids.name(pair.b).to_string());
    Example { a, b, similarity: pair.value, texts: None }
}

/// Compares clusters with groups. `numbers` has the cluster of each document.
fn cluster_scores(numbers: &[u32], labels: &Labels) -> Option<ClusterScores> {
    let with_group = (0..numbers.len() as u32).filter_map(|id| Some((numbers[id as usize], labels.group(id)?)));
    compare_clusterings(with_group)
}
