//! The job of `pairs`: finds pairs.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use lookalike::engine::{Algorithm, Histogram, Progress, Stage};
use lookalike::{Measure, Threshold};
use lookalike_io::write::{Finished, Table, commit};
use lookalike_io::{Output, Source};

use crate::error::{Error, check_cancelled, pool};
use crate::external::{Besides, External, ReadRequest, Run, RunOptions, RunPlan, WasRead, few_partners};
use crate::html::{PageOutput, PairSample, PairsPage, check_page, values_of};
use crate::pairs::{Found, JobSource, Limit, Search, Searched, Selection};
use crate::read::{Collection, Collector, Keep, Sides};
use crate::report::{ComparedReport, PairsReport, ReadReport, StageSeconds, peak_memory, to_json};
use crate::sign::{SignedJob, Verify};
use crate::write::{PairTable, check_apart, check_paths};

/// A job that finds pairs.
pub struct Pairs {
    /// The inputs.
    pub inputs: Vec<Source>,
    /// A second collection. Pairs are then between the two.
    pub with: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// Which pairs to find.
    pub wanted: Wanted,
    /// The algorithm of an exact join.
    pub algorithm: Algorithm,
    /// Whether equal sets count as one.
    pub distinct: bool,
    /// Whether to write the counts behind a similarity.
    pub counts: bool,
    /// The most pairs of a document.
    pub limit: Option<u32>,
    /// The file for the pairs. `-` is standard output.
    pub output: PathBuf,
    /// The file for the counters of the join.
    pub stats: Option<PathBuf>,
    /// The page to write for people.
    pub report: Option<PageOutput>,
    /// Whether to replace existing files.
    pub force: bool,
    /// Where to keep what is done, to continue after a crash.
    pub run: Option<RunOptions>,
}

/// Which pairs to find.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// All pairs that reach a threshold, in input order.
    Reaching(Threshold),
    /// The pairs that the collector's signatures find, in input order.
    Signed {
        /// The measure and the threshold.
        threshold: Threshold,
        /// What to do with candidates.
        verify: Verify,
    },
    /// The most similar pairs, the most similar first, and how many.
    Top(Measure, usize),
    /// All pairs of texts within an edit distance, in input order. The collector must keep the texts.
    Edit {
        /// The greatest distance.
        distance: u32,
        /// Characters of a gram.
        q: Option<NonZeroU32>,
    },
    /// The pairs of texts with the smallest edit distance, the smallest first. The collector must keep the texts.
    TopEdit {
        /// Characters of a gram.
        q: Option<NonZeroU32>,
        /// The number of pairs.
        most: usize,
    },
}

/// The written table and its counts.
struct Written {
    table: Finished,
    pairs: u64,
    identical: u64,
    left_out: u64,
    histogram: Histogram,
}

impl Pairs {
    /// Says what the job will need, from a sample of the inputs.
    pub fn plan(&self) -> Result<RunPlan, Error> {
        let threshold = match &self.wanted {
            Wanted::Reaching(threshold) | Wanted::Signed { threshold, .. } => Some(threshold),
            Wanted::Top(..) | Wanted::Edit { .. } | Wanted::TopEdit { .. } => None,
        };
        let besides = Besides { has_run: self.run.is_some(), ..Besides::default() };
        RunPlan::of(&self.collector, &[&self.inputs[..], &self.with].concat(), threshold, besides)
    }

    /// Runs the job.
    pub fn run(mut self, progress: &dyn Progress) -> Result<PairsReport, Error> {
        let start = Instant::now();
        let input_files = self.inputs.len();
        let mut sources = std::mem::take(&mut self.inputs);
        let is_two = !self.with.is_empty();
        sources.append(&mut self.with);
        Table::check(&self.output)?;
        let page = self.report.as_ref().map(|page| &page.path);
        page.map_or(Ok(()), |path| check_page(path))?;
        let outputs: Vec<PathBuf> = [&self.output].into_iter().chain(&self.stats).chain(page).cloned().collect();
        let run = self.run.as_ref().map(|run| Run::open(run, &sources, self.parameters(input_files))).transpose()?;
        // A run that was stopped while its outputs got their names replaces those that have one.
        let force = self.force || run.as_ref().is_some_and(Run::was_writing);
        check_paths(outputs.iter(), force, &sources)?;
        check_apart(&outputs)?;

        let (groups_equal, few) = match self.wanted {
            Wanted::Reaching(threshold) => (threshold.groups_equal_sets(), few_partners(&threshold)),
            Wanted::Signed { threshold, .. } => (false, few_partners(&threshold)),
            Wanted::Top(measure, _) => (measure.groups_equal_sets(), false),
            Wanted::Edit { .. } | Wanted::TopEdit { .. } => (false, false),
        };
        let threshold = match self.wanted {
            Wanted::Reaching(threshold) | Wanted::Signed { threshold, .. } => Some(threshold),
            Wanted::Top(..) | Wanted::Edit { .. } | Wanted::TopEdit { .. } => None,
        };
        let inputs = (&sources[..], input_files);
        let reading = ReadRequest {
            collector: &self.collector,
            sources: &sources,
            inputs: input_files,
            groups_equal,
            few_partners: few,
            threshold,
            run: run.as_ref(),
            keeps_digests: false,
            only_in_memory: None,
        };
        let WasRead { mut collection, external, planned } = reading.read(&Keep::First, progress)?;
        let read = start.elapsed();

        let threads = self.collector.threads;
        let pool = pool(threads)?;
        let (own, all) = (collection.documents.inputs(), collection.documents.len() as u32);
        let sides = if is_two { Sides::across(own, all) } else { Sides::all(own, all) };
        let (distinct, is_limited) = (self.distinct, self.limit.is_some());
        let search = Search { collector: &self.collector, sides, is_two, distinct, is_limited, progress };
        let (found, searched) = pool.install(|| self.find(&search, inputs, external, &mut collection))?;
        let is_distance = found.values.is_distance();

        let sample = self.report.as_ref().map(|page| {
            let values_of = |field| values_of(&sources, &self.collector, field, progress);
            let values = page.by.as_deref().map(values_of).transpose()?;
            Ok::<_, Error>(PairSample::new(collection.documents.len(), is_distance, values))
        });
        let mut sample = sample.transpose()?;
        let written = pool.install(|| self.write(&collection, found, sample.as_mut(), progress))?;
        let (measure, threshold) = match self.wanted {
            Wanted::Reaching(threshold) => (threshold.measure().name(), Some(threshold.value().to_f64())),
            Wanted::Signed { threshold, verify } => {
                (threshold.measure().name(), verify.bound(self.collector.signing.as_ref(), &threshold))
            }
            Wanted::Top(measure, _) => (measure.name(), None),
            Wanted::Edit { distance, .. } => ("edit", Some(f64::from(distance))),
            Wanted::TopEdit { .. } => ("edit", None),
        };
        let tokens = match self.wanted {
            Wanted::Edit { .. } | Wanted::TopEdit { .. } => "characters".to_string(),
            Wanted::Reaching(_) | Wanted::Signed { .. } | Wanted::Top(..) => self.collector.recipe.tokens.to_string(),
        };
        let total = start.elapsed();
        let report = PairsReport {
            documents: u64::from(own),
            others: u64::from(all - own),
            read: ReadReport::new(&collection.tally, &sources),
            distinct_sets: searched.distinct_sets,
            pairs: written.pairs,
            identical_pairs: written.identical,
            left_out: written.left_out,
            compared: ComparedReport {
                measure: measure.to_string(),
                threshold,
                is_distance,
                tokens,
                within: self.collector.fields.within.clone(),
                method: searched.described.method,
            },
            algorithm: searched.described.algorithm,
            plan: searched.described.plan,
            threads,
            seconds: StageSeconds {
                read: read.as_secs_f64(),
                prepare: searched.prepare.as_secs_f64(),
                join: searched.join.as_secs_f64(),
                // Writing includes sorting, because pairs arrive in no order.
                write: (total - read).saturating_sub(searched.prepare + searched.join).as_secs_f64(),
                total: total.as_secs_f64(),
            },
            peak_memory_bytes: peak_memory(),
            memory: searched.memory.finish(self.collector.space.written(), planned),
            signatures: searched.signed,
            histogram: written.histogram.bins(),
        };
        let mut finished = vec![written.table];
        if let Some(path) = &self.stats {
            let mut output = Output::create(path)?;
            output.put(to_json(&report, &searched.counts).as_bytes())?;
            finished.push(output.finish()?);
        }
        if let (Some(output), Some(sample)) = (&self.report, sample) {
            let (collector, documents) = (&self.collector, &collection.documents);
            let page = PairsPage { sources: &sources, collector, documents, report: &report, sample };
            finished.push(page.write(output, progress)?);
        }
        run.as_ref().map_or(Ok(()), Run::begin_writing)?;
        commit(finished)?;
        run.as_ref().map_or(Ok(()), Run::finish)?;
        Ok(report)
    }

    /// Everything that the result depends on, except the contents of the inputs.
    fn parameters(&self, inputs: usize) -> BTreeMap<String, String> {
        let mut parameters = self.collector.parameters();
        let outputs = format!("{} {:?} {:?}", self.output.display(), self.stats, self.report);
        parameters.extend([
            ("command".to_string(), "pairs".to_string()),
            ("pairs".to_string(), format!("{:?}", self.wanted)),
            ("distinct".to_string(), self.distinct.to_string()),
            ("counts".to_string(), self.counts.to_string()),
            ("limit".to_string(), format!("{:?}", self.limit)),
            ("input files".to_string(), inputs.to_string()),
            ("outputs".to_string(), outputs),
        ]);
        parameters
    }

    /// Finds the pairs.
    fn find(
        &self,
        search: &Search,
        (sources, inputs): (&[Source], usize),
        external: Option<External>,
        collection: &mut Collection,
    ) -> Result<(Found, Searched), Error> {
        let start = Instant::now();
        let progress = search.progress;
        let source = match self.wanted {
            Wanted::Top(measure, most) => {
                let external = external.map(External::searched_repeatedly);
                return search.find_top(collection, external, measure, self.algorithm, most);
            }
            Wanted::TopEdit { q, most } => return search.find_top_edit(collection, external, q, most),
            Wanted::Edit { distance, q } => {
                let paper = match self.algorithm {
                    Algorithm::Paper(algorithm) => Some(algorithm),
                    _ => None,
                };
                JobSource::of_texts((distance, q, paper), external, collection, search.order(), progress)?
            }
            Wanted::Reaching(threshold) | Wanted::Signed { threshold, .. } => {
                let verify = match self.wanted {
                    Wanted::Signed { verify, .. } => verify,
                    _ => Verify::Threshold,
                };
                if let Some(signing) = self.collector.signing {
                    let (collector, sides) = (&self.collector, &search.sides);
                    let job = SignedJob { collector, signing, sources, inputs, sides, threshold, verify, progress };
                    let order = (0..collection.documents.len() as u32).collect();
                    let file = external.and_then(External::into_signatures);
                    JobSource::Signatures(Box::new(job.prepare(collection, file, order, 0)?))
                } else if let Some(mut external) = external {
                    let join = (threshold, self.algorithm);
                    JobSource::of_parts(&mut external, collection, join, search.order(), true, progress)?
                } else {
                    let store = Arc::new(std::mem::take(&mut collection.store));
                    let join = JobSource::join(threshold, self.algorithm, search.split());
                    JobSource::of_sets(store, join, &collection.within, progress)?
                }
            }
        };
        search.find_all(source, start.elapsed())
    }

    fn write(
        &self,
        collection: &Collection,
        found: Found,
        mut sample: Option<&mut PairSample>,
        progress: &dyn Progress,
    ) -> Result<Written, Error> {
        let documents = &collection.documents;
        let mut table = PairTable::create(&self.output, documents, found.values.columns(), self.counts)?;
        let mut histogram = found.histogram();
        let limit = self.limit.map(|most| Limit::new(most, documents.len()));
        let mut selection = Selection { distinct: self.distinct, limit };
        let (mut pairs, mut identical, mut last) = (0, 0, 0);
        let stage = Stage::begin(progress, "writing", documents.inputs() as usize);
        found.for_each(&mut selection, |row| {
            check_cancelled(&stage)?;
            pairs += 1;
            identical += u64::from(row.is_identical());
            histogram.add(row.value);
            if let Some(sample) = &mut sample {
                sample.add(&row);
            }
            if row.a != last {
                last = row.a;
                stage.reach(u64::from(last));
            }
            table.put(&row)
        })?;
        let left_out = selection.limit.map_or(0, |limit| limit.left_out());
        Ok(Written { table: table.finish()?, pairs, identical, left_out, histogram })
    }
}
