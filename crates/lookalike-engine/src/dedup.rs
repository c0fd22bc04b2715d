use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lookalike::{Fate, Join, Joinable, Pair, Threshold, components, survivors};
use lookalike_io::Source;
use lookalike_io::write::{commit, discard_folders};

use crate::clusters::Clusters;
use crate::collect::{Collection, Collector};
use crate::error::Error;
use crate::expand::{Expansion, Sides};
use crate::histogram::Histogram;
use crate::keep::Keep;
use crate::members::Members;
use crate::outputs::Outputs;
use crate::pair_table::{PairTable, Row};
use crate::report::{Report, Seconds, peak_memory};
use crate::watch::{Progress, Unit, Watch, announce};
use crate::write::Findings;

/// A job that removes near-duplicates.
pub struct Dedup {
    /// What to remove them from.
    pub inputs: Vec<Source>,
    /// What is kept as it is, and never written.
    pub against: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// What makes a pair.
    pub threshold: Threshold,
    /// Which of a pair stays.
    pub keep: Keep,
    /// Whether of each connected component one document stays, instead of the survivors.
    pub components: bool,
    /// What to write.
    pub outputs: Outputs,
}

impl Dedup {
    /// Does it.
    pub fn run(self, watch: &dyn Watch) -> Result<Report, Error> {
        self.run_through(watch).inspect_err(|_| discard_folders())
    }

    fn run_through(mut self, watch: &dyn Watch) -> Result<Report, Error> {
        let start = Instant::now();
        let inputs = self.inputs.len();
        let mut sources = std::mem::take(&mut self.inputs);
        sources.append(&mut self.against);
        self.collector.check_within(&self.threshold)?;
        self.outputs.check(&sources[..inputs], &sources)?;

        let mut collection = self.collector.collect(&sources, inputs, &self.keep, watch)?;
        let read = start.elapsed();

        let threads = self.collector.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}")))?;
        let mut compared = pool.install(|| self.compare(&mut collection, watch));
        let clusters = Clusters::of(&compared.fates);
        let compare = start.elapsed() - read;

        let documents = &collection.documents;
        let findings = Findings {
            inputs: &sources[..inputs],
            documents,
            fates: &compared.fates,
            clusters: &clusters,
            unreadable: &collection.unreadable,
        };
        let mut finished = findings.write(&self.outputs, watch)?;
        let mut pair_count = None;
        if let (Some(path), Some(pairs)) = (&self.outputs.pairs, compared.pairs) {
            compared.histogram = Histogram::of(&self.threshold);
            let mut table = PairTable::create(path, documents, self.threshold.is_distance(), false, false)?;
            let size = |document| compared.joinable.size(document);
            let mut count = 0;
            pairs.finish(true)?.for_each(size, |a, b, common| {
                let value = compared.joinable.similarity(a, b, common);
                compared.histogram.add(value);
                count += 1;
                table.put(&Row { a, b, value, common, size_a: size(a), size_b: size(b), agree: None })
            })?;
            finished.push(table.finish()?);
            pair_count = Some(count);
        }
        commit(finished)?;

        let total = start.elapsed();
        let input_bytes: u64 = sources.iter().map(Source::size).sum();
        let is = |wanted: fn(&Fate) -> bool| {
            compared.fates[..documents.inputs() as usize].iter().filter(|fate| wanted(fate)).count() as u64
        };
        let tally = collection.tally;
        Ok(Report {
            documents: u64::from(documents.inputs()),
            references: documents.len() as u64 - u64::from(documents.inputs()),
            input_bytes,
            text_bytes: tally.text_bytes,
            identical: is(|fate| matches!(fate, Fate::Removed { identical: true, .. })),
            near: is(|fate| matches!(fate, Fate::Removed { identical: false, .. })),
            kept: is(Fate::is_kept),
            clusters: clusters.count(),
            pairs: pair_count,
            empty: tally.empty,
            unusable: tally.unusable,
            unreadable: tally.unreadable,
            problems: tally.problems.iter().map(ToString::to_string).collect(),
            measure: self.threshold.measure().to_string(),
            threshold: self.threshold.value().to_f64(),
            is_distance: self.threshold.is_distance(),
            tokens: self.collector.recipe.tokens.to_string(),
            within: self.collector.fields.within.clone(),
            method: if self.components { "components" } else { "survivors" },
            keep: self.keep.to_string(),
            threads,
            seconds: Seconds {
                read: read.as_secs_f64(),
                compare: compare.as_secs_f64(),
                write: (total - read - compare).as_secs_f64(),
                total: total.as_secs_f64(),
            },
            megabytes_per_second: tally.text_bytes as f64 / 1e6 / total.as_secs_f64(),
            peak_memory_bytes: peak_memory(),
            histogram: compared.histogram.bins(),
        })
    }

    fn compare(&self, collection: &mut Collection, watch: &dyn Watch) -> Compared {
        let inputs = collection.documents.inputs();
        let references = collection.documents.len() as u32 - inputs;
        let mut order: Vec<u32> = (inputs..inputs + references).collect();
        order.extend(self.keep.order(inputs, &collection.keys));
        let pinned = references as usize;

        let store = std::mem::take(&mut collection.store);
        watch.begin("indexing", 0, Unit::Documents);
        let settled = order.len();
        let fingerprints = std::mem::take(&mut collection.fingerprints);
        let mut joinable = Join::new(self.threshold).keep_order(order, pinned).prepare(store, fingerprints);
        watch.end();
        let wants_pairs = self.components || self.outputs.pairs.is_some();
        let (pairs, linked) =
            wants_pairs.then(|| self.find_pairs(&mut joinable, inputs, inputs + references, watch)).unzip();
        let fates = if self.components {
            components(&joinable, &linked.unwrap_or_default())
        } else {
            let progress = Progress::begin(watch, "comparing", settled);
            survivors(&mut joinable, |more| progress.add(more))
        };
        let mut histogram = Histogram::of(&self.threshold);
        for fate in &fates {
            if let Fate::Removed { similarity, .. } = fate {
                histogram.add(*similarity);
            }
        }
        Compared { joinable, pairs, fates, histogram }
    }

    /// All pairs: to be written, and to be linked to components, as far as that is wanted.
    fn find_pairs(
        &self,
        joinable: &mut Joinable,
        inputs: u32,
        documents: u32,
        watch: &dyn Watch,
    ) -> (Expansion, Vec<Pair>) {
        let members = Members::of(joinable.groups(), documents, |_| true);
        let pairs = Expansion::new(members, Sides::all(inputs, documents), self.collector.threads);
        let linked = Mutex::new(Vec::new());
        announce(joinable, u64::MAX, watch);
        let progress = Progress::begin(watch, "finding pairs", joinable.work());
        joinable.run(
            |more| progress.add(more),
            |some| {
                if self.outputs.pairs.is_some() {
                    pairs.add(some);
                }
                if self.components {
                    linked.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
                }
            },
        );
        (pairs, linked.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Compared {
    joinable: Joinable,
    pairs: Option<Expansion>,
    fates: Vec<Fate>,
    histogram: Histogram,
}
