use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;

use lookalike::join::Method;
use lookalike::{EditJoin, Measure, Threshold};
use lookalike_io::write::{Finished, Table, commit};
use lookalike_io::{Output, Source};

use crate::collect::{Collection, Collector};
use crate::error::{Error, pool};
use crate::expand::Sides;
use crate::find::Finder;
use crate::found::Found;
use crate::histogram::Histogram;
use crate::keep::Keep;
use crate::limit::{Limit, Selection};
use crate::outputs::{check_apart, check_paths};
use crate::pair_table::PairTable;
use crate::pairs_report::{PairsReport, StageSeconds};
use crate::report::peak_memory;
use crate::signed::{SignedJob, Verify};
use crate::stats;
use crate::watch::{Progress, Watch};

/// A job that finds pairs.
pub struct Pairs {
    /// Where to find them.
    pub inputs: Vec<Source>,
    /// A second collection: pairs are then between the two.
    pub with: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// Which pairs.
    pub wanted: Wanted,
    /// How they are found.
    pub method: Method,
    /// Whether equal sets are taken for one.
    pub distinct: bool,
    /// Whether the numbers behind a similarity are written too.
    pub counts: bool,
    /// Most pairs of one document.
    pub limit: Option<u32>,
    /// Where the pairs go; `-` is standard output.
    pub output: PathBuf,
    /// Where it is written what the join had to do.
    pub stats: Option<PathBuf>,
    /// Whether existing files are replaced.
    pub force: bool,
}

/// Which pairs are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// All that reach a threshold, in input order.
    Reaching(Threshold),
    /// Those that the collector's signatures find, in input order.
    Signed {
        /// What is measured.
        threshold: Threshold,
        /// What becomes of candidates.
        verify: Verify,
    },
    /// So many most similar ones, the most similar first.
    Top(Measure, usize),
    /// All texts within an edit distance, in input order. The collector must keep the texts.
    Edit(EditJoin),
    /// So many of the texts that are nearest to each other, the nearest first. The collector must keep the texts.
    TopEdit {
        /// Characters of a gram.
        q: Option<NonZeroU32>,
        /// How many.
        most: usize,
    },
}

/// What came of writing.
struct Written {
    table: Finished,
    pairs: u64,
    identical: u64,
    left_out: u64,
    histogram: Histogram,
}

impl Pairs {
    /// Does it.
    pub fn run(mut self, watch: &dyn Watch) -> Result<PairsReport, Error> {
        let start = Instant::now();
        let input_files = self.inputs.len();
        let mut sources = std::mem::take(&mut self.inputs);
        let is_two = !self.with.is_empty();
        sources.append(&mut self.with);
        Table::check(&self.output)?;
        let outputs: Vec<PathBuf> = [&self.output].into_iter().chain(&self.stats).cloned().collect();
        check_paths(outputs.iter(), self.force, &sources)?;
        check_apart(&outputs)?;

        let mut collection = self.collector.collect(&sources, input_files, &Keep::First, watch)?;
        let read = start.elapsed();

        let threads = self.collector.threads;
        let pool = pool(threads)?;
        let (inputs, all) = (collection.documents.inputs(), collection.documents.len() as u32);
        let sides = if is_two { Sides::across(inputs, all) } else { Sides::all(inputs, all) };
        let finder = Finder { sides, is_two, method: self.method, distinct: self.distinct, limit: self.limit, watch };
        let (found, work) = pool.install(|| match self.wanted {
            Wanted::Reaching(threshold) => finder.find(&mut collection, threshold),
            Wanted::Signed { threshold, verify } => {
                let Some(signing) = self.collector.signing else {
                    return finder.find(&mut collection, threshold);
                };
                let (collector, sources, inputs, sides) = (&self.collector, &sources[..], input_files, &finder.sides);
                let job = SignedJob { collector, signing, sources, inputs, sides, threshold, verify, watch };
                finder.find_signed(&job, &mut collection)
            }
            Wanted::Top(measure, most) => finder.find_top(&mut collection, measure, most),
            Wanted::Edit(join) => finder.find_edit(&collection, join),
            Wanted::TopEdit { q, most } => Ok(finder.find_top_edit(&collection, q, most)),
        })?;
        let is_distance = found.by.is_distance();

        let written = pool.install(|| self.write(&collection, found, watch))?;
        let tally = collection.tally;
        let (measure, threshold) = match self.wanted {
            Wanted::Reaching(threshold) => (threshold.measure().name(), Some(threshold.value().to_f64())),
            Wanted::Signed { threshold, verify } => {
                (threshold.measure().name(), verify.bound(self.collector.signing.as_ref(), &threshold))
            }
            Wanted::Top(measure, _) => (measure.name(), None),
            Wanted::Edit(join) => ("edit", Some(f64::from(join.distance))),
            Wanted::TopEdit { .. } => ("edit", None),
        };
        let total = start.elapsed();
        let report = PairsReport {
            documents: u64::from(inputs),
            others: u64::from(all - inputs),
            input_bytes: sources.iter().map(Source::size).sum(),
            text_bytes: tally.text_bytes,
            distinct_sets: work.distinct_sets,
            pairs: written.pairs,
            identical_pairs: written.identical,
            left_out: written.left_out,
            empty: tally.empty,
            unusable: tally.unusable,
            unreadable: tally.unreadable,
            problems: tally.problems.iter().map(ToString::to_string).collect(),
            measure: measure.to_string(),
            threshold,
            is_distance,
            tokens: match self.wanted {
                Wanted::Edit(_) | Wanted::TopEdit { .. } => "characters".to_string(),
                Wanted::Reaching(_) | Wanted::Signed { .. } | Wanted::Top(..) => {
                    self.collector.recipe.tokens.to_string()
                }
            },
            within: self.collector.fields.within.clone(),
            method: work.method,
            plan: work.plan,
            threads,
            seconds: StageSeconds {
                read: read.as_secs_f64(),
                prepare: work.prepare.as_secs_f64(),
                join: work.join.as_secs_f64(),
                // Sorting is part of it: the pairs come in no order.
                write: (total - read).saturating_sub(work.prepare + work.join).as_secs_f64(),
                total: total.as_secs_f64(),
            },
            peak_memory_bytes: peak_memory(),
            signatures: work.signed,
            histogram: written.histogram.bins(),
        };
        let mut finished = vec![written.table];
        if let Some(path) = &self.stats {
            let mut output = Output::create(path)?;
            output.put(stats::to_json(&report, &work.counts).as_bytes())?;
            finished.push(output.finish()?);
        }
        commit(finished)?;
        Ok(report)
    }

    fn write(&self, collection: &Collection, found: Found, watch: &dyn Watch) -> Result<Written, Error> {
        let documents = &collection.documents;
        let mut table = PairTable::create(&self.output, documents, found.by.telling(), self.counts)?;
        let mut histogram = found.histogram();
        let limit = self.limit.map(|most| Limit::new(most, documents.len()));
        let mut selection = Selection { distinct: self.distinct, limit };
        let (mut pairs, mut identical, mut last) = (0, 0, 0);
        let progress = Progress::begin(watch, "writing", documents.inputs() as usize);
        found.for_each(&mut selection, |row| {
            pairs += 1;
            identical += u64::from(row.is_identical());
            histogram.add(row.value);
            if row.a != last {
                last = row.a;
                progress.reach(u64::from(last));
            }
            table.put(&row)
        })?;
        let left_out = selection.limit.map_or(0, |limit| limit.left_out());
        Ok(Written { table: table.finish()?, pairs, identical, left_out, histogram })
    }
}
