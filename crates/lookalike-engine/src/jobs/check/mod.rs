//! The job of `check`: tests the promises on the output of a run, of lookalike or another tool.
//!
//! 1. Every input row is either kept or removed, and no other row is.
//! 2. No two kept documents reach the threshold, and no kept document reaches it with a reference document.
//! 3. The twin of every removed document is kept (or in the reference collection) and as similar as stated. If no twin is stated, there
//!    is one.

mod ledger;
mod removed;

use std::borrow::Cow;
use std::sync::Arc;

use lookalike::Threshold;
use lookalike::engine::{Join, PairSource, Progress, SetStore, Stage};
use lookalike_io::Source as Input;
use lookalike_io::spill::Space;

use crate::error::{Error, pool};
use crate::pairs::{Expansion, GroupMembers, Partners, Source};
use crate::read::{Collection, Collector, Keep, Sides};
use crate::report::{Failure, Verdict};
use ledger::{Ledger, State};
use removed::read_removed;

/// What to check.
pub struct Check {
    /// The inputs of the run.
    pub inputs: Vec<Input>,
    /// Its reference collection.
    pub against: Vec<Input>,
    /// The rows that the run kept.
    pub kept: Vec<Input>,
    /// The table of the documents that the run removed.
    pub removed: Vec<Input>,
    /// How the run read its inputs.
    pub collector: Collector,
    /// The measure and the threshold of the run.
    pub threshold: Threshold,
}

impl Check {
    /// Runs the check.
    pub fn run(self, progress: &dyn Progress) -> Result<Verdict, Error> {
        self.collector.check_within(&self.threshold)?;
        let pool = pool(self.collector.threads)?;
        let collector = Collector { hash_texts: true, ..self.collector.clone() };
        // One collection: the inputs, the references, and the kept rows, which are copies of inputs.
        let parts = [&self.inputs[..], &self.against, &self.kept];
        let sources: Vec<Input> = parts.concat();
        let all = collector.collect(&sources, self.inputs.len(), &Keep::First, progress)?;
        let removed = read_removed(&self.removed)?;

        let first_kept_source = self.inputs.len() + self.against.len();
        let mut ledger = Ledger::new(&all, first_kept_source, sources.len())?;
        ledger.settle(&removed, &self.threshold)?;
        let twins = ledger.check_twins(&removed, &self.threshold);
        let kept: Vec<u32> = ledger.documents_that_are(State::Kept);
        let references: Vec<u32> = ledger.references.clone().collect();
        let mut failures = ledger.failures;
        let unnamed = pool.install(|| {
            let found = kept_pairs(&all, &references, &kept, self.threshold, progress)?;
            let unnamed = found.count - found.named.len() as u64;
            failures.extend(found.named);
            failures.extend(without_twin(&all, &references, &kept, &twins, self.threshold, progress)?);
            Ok::<u64, Error>(unnamed)
        })?;
        Ok(Verdict {
            documents: u64::from(all.documents.inputs()),
            kept: kept.len() as u64,
            removed: removed.len() as u64,
            bad_rows: all.tally.unusable + all.tally.unreadable,
            breaches: failures.len() as u64 + unnamed,
            failures,
        })
    }
}

/// Pairs that break promise 2.
#[derive(Default)]
struct KeptPairs {
    count: u64,
    /// The first pairs.
    named: Vec<Failure>,
}

/// Bytes of memory for sorting pairs.
const SORT: usize = 64 << 20;

/// The most pairs to list. A run that removed nothing may have very many.
const NAMED: usize = 10_000;

/// Every pair of two kept documents, or of a kept document and a reference.
fn kept_pairs(
    all: &Collection,
    references: &[u32],
    kept: &[u32],
    threshold: Threshold,
    progress: &dyn Progress,
) -> Result<KeptPairs, Error> {
    // `Sides` expects inputs before references.
    let documents: Vec<u32> = kept.iter().chain(references).copied().collect();
    let source = source(all, &documents, kept.len(), threshold, progress)?;
    let id = |document: u32| all.documents.id(documents[document as usize]).map(Cow::into_owned);
    let mut found = KeptPairs::default();
    for_each_document(
        source,
        Sides::all(kept.len() as u32, documents.len() as u32),
        progress,
        |source, a, partners| {
            found.count += partners.count();
            let room = NAMED - found.named.len();
            if room > 0 {
                for (b, common) in partners.iter().take(room) {
                    found.named.push(Failure::KeptPair(id(a)?, id(b)?, source.similarity(a, b, common)));
                }
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// The removed documents that resemble no kept document.
fn without_twin(
    all: &Collection,
    references: &[u32],
    kept: &[u32],
    removed: &[u32],
    threshold: Threshold,
    progress: &dyn Progress,
) -> Result<Vec<Failure>, Error> {
    if removed.is_empty() {
        return Ok(Vec::new());
    }
    let documents: Vec<u32> = removed.iter().chain(kept).chain(references).copied().collect();
    let inputs = removed.len() as u32;
    let source = source(all, &documents, removed.len(), threshold, progress)?;
    let mut lost = Vec::new();
    for_each_document(source, Sides::across(inputs, documents.len() as u32), progress, |_, a, partners| {
        if partners.count() == 0 {
            lost.push(Failure::NoTwin(all.documents.id(documents[a as usize])?.into_owned()));
        }
        Ok(())
    })?;
    Ok(lost)
}

/// Calls `each` with every document that may be the first of a pair, and its partners, which all come after it.
fn for_each_document(
    mut source: Source,
    sides: Sides,
    progress: &dyn Progress,
    mut each: impl FnMut(&dyn PairSource, u32, &Partners) -> Result<(), Error>,
) -> Result<(), Error> {
    let members = GroupMembers::of(&source.as_pairs().keep_order().groups, sides.b.end, |_| true);
    let pairs = Expansion::new(members, sides, SORT, &Space::default());
    let stage = Stage::begin(progress, "joining", source.as_pairs().work());
    source.pairs().pairs(&stage, &|some| pairs.add(some))?;
    drop(stage);
    let source = source.as_pairs();
    pairs
        .finish(true)?
        .for_each_document(|document| source.common(document, document), |a, partners| each(source, a, partners))
}

/// A source of pairs of these documents, renumbered. Those from index `inputs` on are references.
fn source(
    all: &Collection,
    documents: &[u32],
    inputs: usize,
    threshold: Threshold,
    progress: &dyn Progress,
) -> Result<Source<'static>, Error> {
    let store = SetStore::of_sets(documents.iter().map(|&document| all.store.set(document)))?;
    let (inputs, total) = (inputs as u32, documents.len() as u32);
    let order = (inputs..total).chain(0..inputs).collect();
    let join = Join::new(threshold).keep_order(order, (total - inputs) as usize);
    Source::of_sets(Arc::new(store), join, &[], progress)
}
