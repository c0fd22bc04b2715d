//! The job of `dedup`: removes near-duplicates.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use lookalike::Threshold;
use lookalike::engine::{Algorithm, Clusters, Fate, Join, Progress, Quiet};
use lookalike_io::Source;
use lookalike_io::write::{commit, discard_folders};

use super::index::{Batch, GrowIndex, Growing};
use crate::decide::{Decision, Rule};
use crate::error::{Error, check_cancelled, pool};
use crate::external::{Besides, Digested, External, ReadRequest, Run, RunOptions, RunPlan, WasRead, few_partners};
use crate::html::{DedupPage, PageOutput, check_page};
use crate::pairs::{JobSource, Order, Selection};
use crate::read::{Collection, Collector, Keep, Sides};
use crate::report::{ComparedReport, DedupReport, DedupSeconds, ReadReport, peak_memory};
use crate::sign::{SignedJob, Verify};
use crate::write::{Findings, Outputs, PairTable, check_paths};

/// A job that removes near-duplicates.
pub struct Dedup {
    /// The inputs.
    pub inputs: Vec<Source>,
    /// A reference collection. Its documents are always kept and never written.
    pub against: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// When two documents are a pair.
    pub bound: Bound,
    /// Which document of a pair is kept.
    pub keep: Keep,
    /// Which documents are kept.
    pub rule: Rule,
    /// The algorithm of an exact join of sets.
    pub algorithm: Algorithm,
    /// What to do with candidates, if the collector keeps signatures instead of sets.
    pub verify: Verify,
    /// The index to compare with, and to add the survivors to.
    pub index: Option<GrowIndex>,
    /// What to write.
    pub outputs: Outputs,
    /// The page to write for people.
    pub report: Option<PageOutput>,
    /// Where to keep what is done, to continue after a crash.
    pub run: Option<RunOptions>,
}

/// When two documents are a pair.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// Sets that reach a threshold.
    Sets(Threshold),
    /// Texts within this edit distance. The collector must name the distance.
    Texts(u32),
}

impl Dedup {
    /// Says what the job will need, from a sample of the inputs.
    pub fn plan(&self) -> Result<RunPlan, Error> {
        let threshold = match &self.bound {
            Bound::Sets(threshold) => Some(threshold),
            Bound::Texts(_) => None,
        };
        let sources = [&self.inputs[..], &self.against].concat();
        if let Some(index) = &self.index {
            if let Some(threshold) = threshold {
                Growing::check_fits(index, threshold, &self.collector, &sources)?;
            }
            self.reading((&sources, self.inputs.len()), None, false).check_fits()?;
        }
        let Outputs { kept, removed, clusters, annotate, .. } = &self.outputs;
        let besides = Besides {
            has_run: self.run.is_some() && self.index.is_none(),
            copies: u64::from(kept.is_some()) + u64::from(annotate.is_some()),
            tables: u64::from(removed.is_some()) + u64::from(clusters.is_some()) + u64::from(annotate.is_some()),
        };
        let plan = RunPlan::of(&self.collector, &sources, threshold, besides)?;
        Ok(plan.with_digests(self.keeps_digests(&sources)?))
    }

    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<DedupReport, Error> {
        self.run_through(progress).inspect_err(|_| discard_folders())
    }

    fn run_through(mut self, progress: &dyn Progress) -> Result<DedupReport, Error> {
        let start = Instant::now();
        let inputs = self.inputs.len();
        let mut sources = std::mem::take(&mut self.inputs);
        sources.append(&mut self.against);
        if let Bound::Sets(threshold) = &self.bound {
            self.collector.check_within(threshold)?;
        }
        let run = self.run.as_ref().map(|run| Run::open(run, &sources, self.parameters(inputs))).transpose()?;
        // A run that was stopped while its outputs got their names replaces those that have one.
        self.outputs.force |= run.as_ref().is_some_and(Run::was_writing);
        self.outputs.check(&sources[..inputs], &sources)?;
        if let Some(page) = &self.report {
            check_page(&page.path)?;
            check_paths([&page.path].into_iter(), self.outputs.force, &sources)?;
        }

        let keeps_digests = self.keeps_digests(&sources)?;
        let growing = self.open_index(&sources)?;
        let reading = self.reading((&sources, inputs), run.as_ref(), keeps_digests);
        let WasRead { mut collection, external, planned } = reading.read(&self.keep, progress)?;
        let digested =
            (external.is_none() && keeps_digests).then(|| Digested { collector: &self.collector, sources: &sources });
        let read = start.elapsed();

        let threads = self.collector.threads;
        let pool = pool(threads)?;
        let (mut decision, mut batch) = pool.install(|| {
            if let (Some(digested), Bound::Sets(threshold)) = (digested, self.bound) {
                let order = self.order(&collection);
                let fates = digested.fates(&mut collection, (threshold, self.algorithm), order, progress)?;
                return Ok((Decision::of_fates(fates, threshold, digested.report()), None));
            }
            let needs_pairs = self.outputs.pairs.is_some();
            let begin = |growing: Growing| growing.begin(&mut collection, &self.keep, needs_pairs, progress);
            let batch = growing.map(begin).transpose()?;
            let source = self.source(&sources, inputs, external, &mut collection, batch.as_ref(), progress)?;
            let wanted = needs_pairs.then(|| self.sides(&collection));
            let mut decision = Decision::new(source, self.rule, wanted, &self.collector, progress)?;
            if let Some(batch) = &batch {
                batch.amend(&mut decision.fates)?;
            }
            Ok::<_, Error>((decision, batch))
        })?;
        decision.count_similarities();
        let clusters = Clusters::of(&decision.fates);
        let compare = start.elapsed() - read;

        let documents = &collection.documents;
        let findings = Findings {
            inputs: &sources[..inputs],
            documents,
            fates: &decision.fates,
            verified: decision.is_verified(),
            clusters: &clusters,
            unreadable: &collection.unreadable,
        };
        // The outputs are in place before the index names the batch: a run that is stopped between can be repeated.
        let mut finished = thread::scope(|scope| {
            let stage = |batch: &mut Batch| pool.install(|| batch.stage(documents, &decision.fates, &Quiet(progress)));
            let start = |batch| thread::Builder::new().spawn_scoped(scope, move || stage(batch));
            let staged =
                batch.as_mut().map(start).transpose().map_err(|source| Error::Threads { threads: 1, source })?;
            let finished = findings.write(&self.outputs, progress);
            let staged = staged.map_or(Ok(()), |staged| staged.join().unwrap_or_else(|panic| resume_unwind(panic)));
            finished.and_then(|finished| staged.map(|()| finished))
        })?;
        let mut pair_count = None;
        if let (Some(path), Some(found)) = (&self.outputs.pairs, decision.found.take()) {
            decision.histogram = found.histogram();
            let mut table = PairTable::create(path, documents, found.values.columns(), false)?;
            let mut count = 0;
            pool.install(|| {
                found.for_each(&mut Selection::default(), |row| {
                    check_cancelled(progress)?;
                    decision.histogram.add(row.value);
                    count += 1;
                    table.put(&row)
                })
            })?;
            finished.push(table.finish()?);
            pair_count = Some(count);
        }
        let compared = self.compared(decision.method);
        if let Some(page) = &self.report {
            let (clusters, histogram) = (&clusters, &decision.histogram.bins());
            finished.push(
                DedupPage {
                    sources: &sources,
                    inputs,
                    collector: &self.collector,
                    documents,
                    fates: &decision.fates,
                    clusters,
                    histogram,
                    of_pairs: pair_count.is_some(),
                    compared: &compared,
                    keep: self.keep.to_string(),
                    rule: self.rule.name(),
                }
                .write(page, progress)?,
            );
        }
        run.as_ref().map_or(Ok(()), Run::begin_writing)?;
        commit(finished)?;
        let index = batch.map(|batch| pool.install(|| batch.commit(progress))).transpose()?;
        run.as_ref().map_or(Ok(()), Run::finish)?;

        let total = start.elapsed();
        let is = |wanted: fn(&Fate) -> bool| {
            decision.fates[..documents.inputs() as usize].iter().filter(|fate| wanted(fate)).count() as u64
        };
        let read_report = ReadReport::new(&collection.tally, &sources);
        let compared = self.compared(decision.method);
        Ok(DedupReport {
            documents: u64::from(documents.inputs()),
            references: if index.is_some() { 0 } else { documents.len() as u64 - u64::from(documents.inputs()) },
            identical: is(|fate| matches!(fate, Fate::Removed { identical: true, .. })),
            near: is(|fate| matches!(fate, Fate::Removed { identical: false, .. })),
            kept: is(Fate::is_kept),
            clusters: clusters.count(),
            pairs: pair_count,
            compared,
            rule: self.rule.name(),
            keep: self.keep.to_string(),
            threads,
            seconds: DedupSeconds {
                read: read.as_secs_f64(),
                compare: compare.as_secs_f64(),
                write: (total - read - compare).as_secs_f64(),
                total: total.as_secs_f64(),
            },
            megabytes_per_second: read_report.speed(total),
            read: read_report,
            peak_memory_bytes: peak_memory(),
            memory: decision.memory.finish(self.collector.space.written(), planned),
            signatures: decision.signed,
            index,
            histogram: decision.histogram.bins(),
            fates: decision.fates,
        })
    }

    /// What to read.
    fn reading<'a>(
        &'a self,
        (sources, inputs): (&'a [Source], usize),
        run: Option<&'a Run>,
        keeps_digests: bool,
    ) -> ReadRequest<'a> {
        let threshold = match self.bound {
            Bound::Sets(threshold) => Some(threshold),
            Bound::Texts(_) => None,
        };
        // The survivors become a part of the index, which is made in memory.
        let way_out = ", or add fewer files at a time: --index holds the sets of its inputs in memory";
        ReadRequest {
            collector: &self.collector,
            sources,
            inputs,
            groups_equal: threshold.as_ref().is_some_and(Threshold::groups_equal_sets),
            few_partners: threshold.as_ref().is_some_and(few_partners),
            threshold,
            run,
            keeps_digests,
            only_in_memory: self.index.is_some().then_some(way_out),
        }
    }

    /// How documents were compared.
    fn compared(&self, method: &'static str) -> ComparedReport {
        let recipe = &self.collector.recipe;
        let (measure, threshold, is_distance, tokens) = match &self.bound {
            Bound::Sets(threshold) => (
                threshold.measure().to_string(),
                self.verify.bound(self.collector.signing.as_ref(), threshold),
                threshold.is_distance(),
                recipe.tokens.to_string(),
            ),
            Bound::Texts(distance) => ("edit".to_string(), Some(f64::from(*distance)), true, "characters".to_string()),
        };
        ComparedReport { measure, threshold, is_distance, tokens, within: self.collector.fields.within.clone(), method }
    }

    /// Every document of the inputs with every later one, which may be a reference.
    fn sides(&self, collection: &Collection) -> Sides {
        Sides::all(collection.documents.inputs(), collection.documents.len() as u32)
    }

    /// The reference collection, then the inputs in keep order; and how many documents the former has.
    fn order(&self, collection: &Collection) -> (Vec<u32>, usize) {
        let (own, all) = (collection.documents.inputs(), collection.documents.len() as u32);
        let mut order: Vec<u32> = (own..all).collect();
        order.extend(self.keep.order(own, &collection.keys));
        (order, (all - own) as usize)
    }

    /// Whether digests are kept instead of sets, if there is memory for either. Nothing but the fates of documents is wanted, by the rule of
    /// survivors.
    fn keeps_digests(&self, sources: &[Source]) -> Result<bool, Error> {
        let Bound::Sets(threshold) = &self.bound else { return Ok(false) };
        let needs_sets = self.outputs.pairs.is_some() || self.index.is_some() || self.run.is_some();
        if needs_sets || self.rule != Rule::Survivors {
            return Ok(false);
        }
        Digested::pays(&self.collector, sources, threshold)
    }

    /// Opens the index, if there is one.
    fn open_index(&self, sources: &[Source]) -> Result<Option<Growing>, Error> {
        let Some(index) = &self.index else { return Ok(None) };
        if self.collector.signing.is_some() || self.rule != Rule::Survivors {
            return Err(Error::Usage("--index works only with --method exact, and without --components".to_string()));
        }
        match &self.bound {
            Bound::Sets(threshold) => Growing::open(index, threshold, &self.collector, sources).map(Some),
            Bound::Texts(_) => Err(Error::Usage("--index works with sets, not with --measure edit".to_string())),
        }
    }

    /// Everything that the result depends on, except the contents of the inputs.
    fn parameters(&self, inputs: usize) -> BTreeMap<String, String> {
        let mut parameters = self.collector.parameters();
        if self.collector.signing.is_some() {
            parameters.insert("candidates".to_string(), format!("{:?}", self.verify));
        }
        if let Some(index) = &self.index {
            parameters.insert("index".to_string(), format!("{} {}", index.folder.display(), index.existing));
        }
        let (measure, threshold) = match &self.bound {
            Bound::Sets(threshold) => (threshold.measure().to_string(), threshold.value().to_string()),
            Bound::Texts(distance) => ("edit".to_string(), distance.to_string()),
        };
        parameters.extend([
            ("command".to_string(), "dedup".to_string()),
            ("measure".to_string(), measure),
            ("threshold".to_string(), threshold),
            ("keep".to_string(), self.keep.to_string()),
            ("rule".to_string(), self.rule.to_string()),
            ("input files".to_string(), inputs.to_string()),
            ("outputs".to_string(), format!("{} {:?}", self.outputs.names(), self.report)),
        ]);
        parameters
    }

    /// The source of pairs.
    fn source<'a>(
        &self,
        sources: &[Source],
        inputs: usize,
        external: Option<External<'a>>,
        collection: &mut Collection,
        batch: Option<&Batch>,
        progress: &dyn Progress,
    ) -> Result<JobSource<'a>, Error> {
        let (order, pinned) = self.order(collection);
        let threshold = match self.bound {
            Bound::Sets(threshold) => threshold,
            Bound::Texts(distance) => {
                let order = Order::Keep(order, pinned);
                return JobSource::of_texts((distance, None, None), external, collection, order, progress);
            }
        };
        let Some(signing) = self.collector.signing else {
            if let Some(mut external) = external {
                let join = (threshold, self.algorithm);
                return JobSource::of_parts(
                    &mut external,
                    collection,
                    join,
                    Order::Keep(order, pinned),
                    true,
                    progress,
                );
            }
            let own = std::mem::take(&mut collection.store);
            let store = batch.map_or_else(|| Arc::new(own), |batch| batch.sets.clone());
            let join = Join::new(threshold).algorithm(self.algorithm).keep_order(order, pinned);
            return JobSource::of_sets(store, join, &[], progress);
        };
        let sides = &self.sides(collection);
        let (collector, verify) = (&self.collector, self.verify);
        let job = SignedJob { collector, signing, sources, inputs, sides, threshold, verify, progress };
        let file = external.and_then(External::into_signatures);
        Ok(JobSource::Signatures(Box::new(job.prepare(collection, file, order, pinned)?)))
    }
}
