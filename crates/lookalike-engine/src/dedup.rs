use std::time::Instant;

use lookalike::cluster::Links;
use lookalike::join::Counted;
use lookalike::sets::Groups;
use lookalike::{Fate, Join, Pair, Threshold, components, survivors};
use lookalike_io::Source;
use lookalike_io::write::{commit, discard_folders};

use crate::clusters::Clusters;
use crate::collect::{Collection, Collector};
use crate::error::{Error, pool};
use crate::expand::{Expansion, InOrder, Sides};
use crate::found::{By, Found, Hits};
use crate::histogram::Histogram;
use crate::keep::Keep;
use crate::limit::Selection;
use crate::members::Members;
use crate::outputs::Outputs;
use crate::pair_table::PairTable;
use crate::report::{Report, Seconds, peak_memory};
use crate::signed::{SignedReport, Verify};
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
    /// If the collector keeps signatures instead of sets, what becomes of candidates.
    pub verify: Verify,
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
        let pool = pool(threads)?;
        let mut compared = pool.install(|| match self.collector.signing {
            None => self.compare(&mut collection, watch),
            Some(signing) => self.compare_signed(signing, &sources, inputs, &mut collection, watch),
        })?;
        let clusters = Clusters::of(&compared.fates);
        let compare = start.elapsed() - read;

        let documents = &collection.documents;
        let findings = Findings {
            inputs: &sources[..inputs],
            documents,
            fates: &compared.fates,
            verified: compared.signed.as_ref().is_none_or(|signed| signed.verified),
            clusters: &clusters,
            unreadable: &collection.unreadable,
        };
        let mut finished = findings.write(&self.outputs, watch)?;
        let mut pair_count = None;
        if let (Some(path), Some(found)) = (&self.outputs.pairs, compared.found) {
            compared.histogram = found.histogram();
            let mut table = PairTable::create(path, documents, found.by.telling(), false)?;
            let mut count = 0;
            pool.install(|| {
                found.for_each(&mut Selection::default(), |row| {
                    compared.histogram.add(row.value);
                    count += 1;
                    table.put(&row)
                })
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
            threshold: self.verify.bound(self.collector.signing.as_ref(), &self.threshold),
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
            signatures: compared.signed,
            histogram: compared.histogram.bins(),
        })
    }

    /// Every document, the reference collection first and then in keep order, and how many are of that collection.
    pub(crate) fn order(&self, collection: &Collection) -> (Vec<u32>, usize) {
        let (inputs, all) = (collection.documents.inputs(), collection.documents.len() as u32);
        let mut order: Vec<u32> = (inputs..all).collect();
        order.extend(self.keep.order(inputs, &collection.keys));
        (order, (all - inputs) as usize)
    }

    fn compare(&self, collection: &mut Collection, watch: &dyn Watch) -> Result<Compared, Error> {
        let (order, pinned) = self.order(collection);
        let documents = order.len();
        let store = std::mem::take(&mut collection.store);
        watch.begin("indexing", 0, Unit::Documents);
        let fingerprints = std::mem::take(&mut collection.fingerprints);
        let mut joinable = Join::new(self.threshold).keep_order(order, pinned).prepare(store, fingerprints)?;
        watch.end();
        let pairs = PairsTaken::new(self, joinable.order(), joinable.groups(), collection);
        if pairs.are_wanted() {
            if self.outputs.pairs.is_some() {
                announce(&mut joinable, Counted::Documents, watch);
            }
            let progress = Progress::begin(watch, "finding pairs", joinable.work());
            joinable.run(|more| progress.add(more), |some| pairs.add(some));
        }
        let (written, links) = pairs.finish()?;
        let fates = match links {
            Some(links) => links.fates_of(&joinable),
            None if self.components => {
                let progress = Progress::begin(watch, "comparing", 2 * documents);
                components(&mut joinable, |more| progress.add(more))
            }
            None => {
                let progress = Progress::begin(watch, "comparing", documents);
                survivors(&mut joinable, |more| progress.add(more))
            }
        };
        let found = written.map(|written| {
            let sizes = (0..documents as u32).map(|document| joinable.size(document)).collect();
            Found { pairs: Hits::InOrder(written), by: By::Sets { threshold: self.threshold, sizes } }
        });
        Ok(Compared::new(fates, found, Histogram::of(&self.threshold), None))
    }
}

/// Takes all pairs in, from any thread, if they are to be written; and links them on the way, if components are wanted.
pub(crate) struct PairsTaken {
    written: Option<Expansion>,
    links: Option<Links>,
}

impl PairsTaken {
    pub(crate) fn new(job: &Dedup, order: &[u32], groups: &Groups, collection: &Collection) -> PairsTaken {
        let (inputs, all) = (collection.documents.inputs(), collection.documents.len() as u32);
        let written = job.outputs.pairs.as_ref().map(|_| {
            let members = Members::of(groups, all, |_| true);
            Expansion::new(members, Sides::all(inputs, all), job.collector.threads)
        });
        // Without all pairs, what belongs together is found with fewer.
        let links = (job.components && written.is_some()).then(|| Links::new(order, groups));
        PairsTaken { written, links }
    }

    pub(crate) fn are_wanted(&self) -> bool {
        self.written.is_some()
    }

    pub(crate) fn add(&self, some: &[Pair]) {
        if let Some(written) = &self.written {
            written.add(some);
        }
        if let Some(links) = &self.links {
            some.iter().for_each(|pair| links.link(pair.a, pair.b));
        }
    }

    /// Those to be written, in order, and what they link.
    pub(crate) fn finish(self) -> Result<(Option<InOrder>, Option<Links>), Error> {
        let written = self.written.map(|written| written.finish(true)).transpose()?;
        Ok((written, self.links))
    }
}

/// Who stays, and why.
pub(crate) struct Compared {
    fates: Vec<Fate>,
    /// All pairs, if they are to be written.
    found: Option<Found>,
    /// The similarities of removed documents to their twins.
    histogram: Histogram,
    /// What signatures did, if they were used.
    signed: Option<SignedReport>,
}

impl Compared {
    pub(crate) fn new(
        fates: Vec<Fate>,
        found: Option<Found>,
        mut histogram: Histogram,
        signed: Option<SignedReport>,
    ) -> Compared {
        for fate in &fates {
            if let Fate::Removed { similarity, .. } = fate {
                histogram.add(*similarity);
            }
        }
        Compared { fates, found, histogram, signed }
    }
}
