//! The job of `check`: tests the promises on the output of a run, of lookalike or another tool.
//!
//! 1. Every input row is either kept or removed, and no other row is.
//! 2. No two kept documents reach the threshold, and no kept document reaches it with a reference document.
//! 3. The twin of every removed document is kept (or in the reference collection) and as similar as stated. If no twin is stated, there
//!    is one.

mod ids;
mod ledger;
mod pairs;
mod removed;
mod sets;

use lookalike::Threshold;
use lookalike::engine::Progress;
use lookalike_io::Source;
use lookalike_io::spill::SpilledText;

use crate::error::{Error, pool};
use crate::external::{ReadRequest, WasRead, few_partners};
use crate::read::{Collector, Keep};
use crate::report::Verdict;
use ids::Ids;
use ledger::{Ledger, State};
use pairs::Roles;
use removed::Removed;
use sets::SetsOfTwins;

/// What to check.
pub struct Check {
    /// The inputs of the run.
    pub inputs: Vec<Source>,
    /// Its reference collection.
    pub against: Vec<Source>,
    /// The rows that the run kept.
    pub kept: Vec<Source>,
    /// The table of the documents that the run removed.
    pub removed: Vec<Source>,
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
        let (sources, inputs): (Vec<Source>, usize) = (parts.concat(), self.inputs.len());
        let reading = ReadRequest {
            collector: &collector,
            sources: &sources,
            inputs,
            groups_equal: self.threshold.groups_equal_sets(),
            few_partners: few_partners(&self.threshold),
            threshold: None,
            run: None,
            keeps_digests: false,
            only_in_memory: None,
        };
        let WasRead { collection, mut external, planned } = reading.read(&Keep::First, progress)?;
        // The kept rows are not compared, but the inputs that they are copies of.
        let first_kept = inputs + self.against.len();
        if let Some(external) = &mut external {
            external.only_first(first_kept);
        }
        let documents = &collection.documents;
        let compared =
            if first_kept < sources.len() { documents.of_source(first_kept).start } else { documents.len() as u32 };
        let references = documents.inputs()..compared;

        let ids = Ids::new(documents, compared)?;
        let most = collector.most_ids(external.is_some());
        let removed = Removed::read(&self.removed, SpilledText::new(&collector.space, most), progress)?;
        let sets = match &external {
            None => SetsOfTwins::InMemory(&collection.store),
            Some(external) => {
                let is_named = documents_in(&removed, &ids, compared)?;
                SetsOfTwins::on_disk(&collection, external, self.threshold, &is_named, progress)?
            }
        };
        let mut ledger = Ledger::new(
            (documents, &collection.text_hashes),
            references.clone(),
            &ids,
            &removed,
            sets,
            &self.threshold,
        );
        ledger.settle(progress)?;
        let without = ledger.check_twins(progress)?;
        let kept = ledger.documents_that_are(State::Kept);
        let mut failures = ledger.failures;

        let roles =
            Roles { collection: &collection, references, kept: &kept, without: &without, threshold: self.threshold };
        let (unnamed, memory) = pool.install(|| {
            let to_compare = roles.read_kept(external.as_ref(), progress)?;
            let with_twins = roles.read_removed(external.as_ref(), progress)?;
            // The sieve makes room for what is compared.
            drop(external);
            let source = to_compare.source(progress)?;
            let mut memory = source.memory(&collector);
            memory.passes += u32::from(memory.passes > 1) * (1 + u32::from(with_twins.is_some()));
            let found = roles.kept_pairs(source, &collector, progress)?;
            let unnamed = found.count - found.named.len() as u64;
            failures.extend(found.named);
            if let Some(with_twins) = with_twins {
                failures.extend(roles.without_twin(with_twins.source(progress)?, progress)?);
            }
            Ok::<_, Error>((unnamed, memory))
        })?;
        Ok(Verdict {
            documents: u64::from(documents.inputs()),
            kept: kept.len() as u64,
            removed: removed.len() as u64,
            bad_rows: collection.tally.unusable + collection.tally.unreadable,
            breaches: failures.len() as u64 + unnamed,
            failures,
            memory: memory.finish(collector.space.written(), planned),
        })
    }
}

/// By document, whether a row of the table names it, as removed or as a twin.
fn documents_in(removed: &Removed, ids: &Ids, documents: u32) -> Result<Vec<bool>, Error> {
    let mut named = vec![false; documents as usize];
    for at in 0..removed.len() {
        let row = removed.row(at)?;
        if let Some(twin) = row.twin {
            let both = [ids.called(&row.id)?, ids.called(&twin)?];
            both.into_iter().flatten().for_each(|document| named[document as usize] = true);
        }
    }
    Ok(named)
}
