//! The job of `dedup`: removes near-duplicates.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use lookalike::Threshold;
use lookalike::engine::{Algorithm, Clusters, Fate, Join, Progress};
use lookalike_io::Source as Input;
use lookalike_io::write::{commit, discard_folders};

use super::index::{Batch, GrowIndex, Growing};
use crate::decide::{Decision, Rule};
use crate::error::{Error, pool};
use crate::external::{External, Run, RunOptions, RunPlan, few_partners, groups_equal_sets};
use crate::pairs::{Order, Selection, Source};
use crate::read::{Collection, Collector, Keep, Sides};
use crate::report::{ComparedReport, DedupReport, DedupSeconds, ReadReport, peak_memory};
use crate::sign::{SignedJob, Verify};
use crate::write::{Findings, Outputs, PairTable};

/// A job that removes near-duplicates.
pub struct Dedup {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// A reference collection. Its documents are always kept and never written.
    pub against: Vec<Input>,
    /// How to read.
    pub collector: Collector,
    /// The measure and the threshold of a pair.
    pub threshold: Threshold,
    /// Which document of a pair is kept.
    pub keep: Keep,
    /// Which documents are kept.
    pub rule: Rule,
    /// What to do with candidates, if the collector keeps signatures instead of sets.
    pub verify: Verify,
    /// The index to compare with, and to add the survivors to.
    pub index: Option<GrowIndex>,
    /// What to write.
    pub outputs: Outputs,
    /// Where to keep what is done, to go on after a crash.
    pub run: Option<RunOptions>,
}

impl Dedup {
    /// Says what the job will need, from a sample of the inputs.
    pub fn plan(&self) -> Result<RunPlan, Error> {
        RunPlan::of(&self.collector, &[&self.inputs[..], &self.against].concat())
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
        self.collector.check_within(&self.threshold)?;
        let run = self.run.as_ref().map(|run| Run::open(run, &sources, self.parameters(inputs))).transpose()?;
        // A run that was stopped while its outputs got their names replaces those that have one.
        self.outputs.force |= run.as_ref().is_some_and(Run::was_writing);
        self.outputs.check(&sources[..inputs], &sources)?;

        let groups_equal = groups_equal_sets(&self.threshold);
        let mut external = External::plan(
            &self.collector,
            &sources,
            inputs,
            groups_equal,
            few_partners(&self.threshold),
            run.as_ref(),
        )?;
        if self.index.is_some() && external.is_some() {
            return Err(Error::Usage(
                "--index holds the sets of its inputs in memory, and these do not fit; add fewer files at a time, or \
                 allow more with --memory"
                    .to_string(),
            ));
        }
        let growing = self.open_index()?;
        let mut collection =
            External::collect(external.as_mut(), &self.collector, (&sources, inputs), &self.keep, progress)?;
        let read = start.elapsed();

        let threads = self.collector.threads;
        let pool = pool(threads)?;
        let (mut decision, memory, mut batch) = pool.install(|| {
            let needs_pairs = self.outputs.pairs.is_some();
            let begin = |growing: Growing| growing.begin(&mut collection, &self.keep, needs_pairs, progress);
            let batch = growing.map(begin).transpose()?;
            let source = self.source(&sources, inputs, external, &mut collection, batch.as_ref(), progress)?;
            let memory = source.memory(&self.collector);
            let wanted = needs_pairs.then(|| self.sides(&collection));
            let amend = |fates: &mut [Fate]| batch.as_ref().map_or(Ok(()), |batch| batch.amend(fates));
            let decision = Decision::new(source, self.rule, wanted, amend, &self.collector, progress)?;
            Ok::<_, Error>((decision, memory, batch))
        })?;
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
        let mut finished = findings.write(&self.outputs, progress)?;
        let mut pair_count = None;
        if let (Some(path), Some(found)) = (&self.outputs.pairs, decision.found.take()) {
            decision.histogram = found.histogram();
            let mut table = PairTable::create(path, documents, found.values.columns(), false)?;
            let mut count = 0;
            pool.install(|| {
                found.for_each(&mut Selection::default(), |row| {
                    decision.histogram.add(row.value);
                    count += 1;
                    table.put(&row)
                })
            })?;
            finished.push(table.finish()?);
            pair_count = Some(count);
        }
        // The outputs are in place before the index names the batch: a run that is stopped between can be repeated.
        if let Some(batch) = &mut batch {
            pool.install(|| batch.stage(documents, &decision.fates))?;
        }
        run.as_ref().map_or(Ok(()), Run::begin_writing)?;
        commit(finished)?;
        run.as_ref().map_or(Ok(()), Run::finish)?;
        let index = batch.map(|batch| pool.install(|| batch.commit())).transpose()?;

        let total = start.elapsed();
        let is = |wanted: fn(&Fate) -> bool| {
            decision.fates[..documents.inputs() as usize].iter().filter(|fate| wanted(fate)).count() as u64
        };
        let read_report = ReadReport::new(&collection.tally, &sources);
        Ok(DedupReport {
            documents: u64::from(documents.inputs()),
            references: if index.is_some() { 0 } else { documents.len() as u64 - u64::from(documents.inputs()) },
            identical: is(|fate| matches!(fate, Fate::Removed { identical: true, .. })),
            near: is(|fate| matches!(fate, Fate::Removed { identical: false, .. })),
            kept: is(Fate::is_kept),
            clusters: clusters.count(),
            pairs: pair_count,
            compared: ComparedReport {
                measure: self.threshold.measure().to_string(),
                threshold: self.verify.bound(self.collector.signing.as_ref(), &self.threshold),
                is_distance: self.threshold.is_distance(),
                tokens: self.collector.recipe.tokens.to_string(),
                within: self.collector.fields.within.clone(),
                method: decision.method,
            },
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
            memory: memory.finish(self.collector.space.written()),
            signatures: decision.signed,
            index,
            histogram: decision.histogram.bins(),
        })
    }

    /// Every document of the inputs with every later one, which may be a reference.
    fn sides(&self, collection: &Collection) -> Sides {
        Sides::all(collection.documents.inputs(), collection.documents.len() as u32)
    }

    /// Opens the index, if there is one.
    fn open_index(&self) -> Result<Option<Growing>, Error> {
        let Some(index) = &self.index else { return Ok(None) };
        if self.collector.signing.is_some() || self.rule != Rule::Survivors {
            return Err(Error::Usage("--index works only with --method exact, and without --components".to_string()));
        }
        Growing::open(index, &self.threshold, &self.collector).map(Some)
    }

    /// What the result depends on, besides the contents of the inputs.
    fn parameters(&self, inputs: usize) -> BTreeMap<String, String> {
        let mut parameters = self.collector.parameters();
        parameters.extend([
            ("command".to_string(), "dedup".to_string()),
            ("measure".to_string(), self.threshold.measure().to_string()),
            ("threshold".to_string(), self.threshold.value().to_string()),
            ("keep".to_string(), self.keep.to_string()),
            ("rule".to_string(), self.rule.to_string()),
            ("input files".to_string(), inputs.to_string()),
            ("outputs".to_string(), self.outputs.names()),
        ]);
        parameters
    }

    /// The source of pairs.
    fn source<'a>(
        &self,
        sources: &[Input],
        inputs: usize,
        external: Option<External<'a>>,
        collection: &mut Collection,
        batch: Option<&Batch>,
        progress: &dyn Progress,
    ) -> Result<Source<'a>, Error> {
        // The reference collection comes first, then the inputs in keep order.
        let (own, all) = (collection.documents.inputs(), collection.documents.len() as u32);
        let (mut order, pinned): (Vec<u32>, usize) = ((own..all).collect(), (all - own) as usize);
        order.extend(self.keep.order(own, &collection.keys));
        if let Some(mut external) = external {
            let join = (self.threshold, Algorithm::Auto);
            return Source::of_parts(&mut external, collection, join, Order::Keep(order, pinned), true, progress);
        }
        let Some(signing) = self.collector.signing else {
            let own = std::mem::take(&mut collection.store);
            let store = batch.map_or_else(|| Arc::new(own), |batch| batch.sets.clone());
            let join = Join::new(self.threshold).keep_order(order, pinned);
            return Source::of_sets(store, join, &[], progress);
        };
        let sides = &self.sides(collection);
        let (collector, threshold, verify) = (&self.collector, self.threshold, self.verify);
        let job = SignedJob { collector, signing, sources, inputs, sides, threshold, verify, progress };
        Ok(Source::Signatures(Box::new(job.prepare(collection, order, pinned)?)))
    }
}
