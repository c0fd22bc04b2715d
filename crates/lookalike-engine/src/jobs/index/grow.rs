//! How does `dedup` compare its documents with an index, and add the survivors?
//!
//! The documents of the index that resemble a document of the batch become a reference collection. Everything else is as without an
//! index. The outputs are put in place before the manifest names the batch, and a batch that is already in gets the same answer again:
//! whenever a run is stopped, it can be repeated.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use lookalike::engine::{
    Elements, Fate, Growth, IndexReference, NewDocument, NewPart, PartError, Place, Progress, SetStore, Stage,
    find_references, hash_set, hash_token, share_fates,
};
use lookalike::{NameError, Threshold};
use lookalike_io::Source;
use lookalike_io::index::{Answer, AnswerRow, AnswerTwin, IndexFolder, IndexWriter, Settings, Staged};

use crate::error::Error;
use crate::external::{IndexBudget, few_partners};
use crate::read::{Collection, Collector, Documents, Keep};
use crate::report::GrownReport;

/// The index that a run adds its survivors to.
#[derive(Clone, Debug)]
pub struct GrowIndex {
    /// The folder.
    pub folder: PathBuf,
    /// What to do with an id that is already there.
    pub existing: Existing,
}

/// What to do with a document whose id is already in the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to add it, and with it the whole batch.
    #[default]
    Refuse,
    /// Take the old document out first.
    Replace,
    /// Let both have the id.
    Allow,
}

impl Existing {
    const NAMES: [(&'static str, Existing); 3] =
        [("refuse", Existing::Refuse), ("replace", Existing::Replace), ("allow", Existing::Allow)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Existing::Refuse => "refuse",
            Existing::Replace => "replace",
            Existing::Allow => "allow",
        }
    }
}

impl FromStr for Existing {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Existing, NameError> {
        let known = Existing::NAMES.into_iter().find(|(name, _)| *name == text);
        known.map(|(_, existing)| existing).ok_or_else(|| NameError::new(text, Existing::NAMES.map(|(name, _)| name)))
    }
}

impl std::fmt::Display for Existing {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// An index that is open for a run.
pub(crate) struct Growing {
    writer: IndexWriter,
    existing: Existing,
    budget: Option<IndexBudget>,
}

impl Growing {
    /// Opens the index of a run. Fails if it was made with other settings, or if the memory that the sets of the batch leave is too little.
    pub(crate) fn open(
        options: &GrowIndex,
        threshold: &Threshold,
        collector: &Collector,
        sources: &[Source],
    ) -> Result<Growing, Error> {
        if threshold.is_distance() {
            return Err(Error::Usage(format!(
                "an index needs a similarity, but {} is a distance; use another measure",
                threshold.measure()
            )));
        }
        if !options.folder.exists() {
            // No folder is made for a batch that does not fit.
            Growing::check_fits(options, threshold, collector, sources)?;
        }
        let settings = Settings::new(threshold, &collector.extraction(), &collector.fields.within);
        let mut writer = IndexWriter::open_or_create(&options.folder, settings)?;
        let size = (writer.parts().len(), writer.bytes());
        let budget = IndexBudget::of(collector, sources, few_partners(threshold), size)?;
        writer.limit(budget.as_ref().map(IndexBudget::asking));
        Ok(Growing { writer, existing: options.existing, budget })
    }

    /// Fails if a batch does not fit in memory beside the index.
    pub(crate) fn check_fits(
        options: &GrowIndex,
        threshold: &Threshold,
        collector: &Collector,
        sources: &[Source],
    ) -> Result<(), Error> {
        // If the index cannot be opened, the run says why.
        let index = IndexFolder::open(&options.folder);
        let size = index.map_or((0, 0), |index| (index.parts().len(), index.bytes()));
        IndexBudget::of(collector, sources, few_partners(threshold), size).map(|_| ())
    }

    /// Finds the documents of the index that a document of the collection resembles, and appends them to it as a reference collection.
    /// `needs_pairs` is whether all pairs are wanted. Works on the threads of the current pool.
    pub(crate) fn begin(
        mut self,
        collection: &mut Collection,
        keep: &Keep,
        needs_pairs: bool,
        progress: &dyn Progress,
    ) -> Result<Batch, Error> {
        let inputs = collection.documents.inputs();
        let stage = Stage::begin(progress, "asking index", inputs as usize);
        let key = self.key(collection, keep)?;
        let known = self.writer.answer(key)?;
        if known.is_none() && self.existing == Existing::Replace {
            self.take_out_existing(&collection.documents)?;
        }
        let mut below = u64::MAX;
        let mut twins: Vec<(u64, String)> = Vec::new();
        if let Some((answer, first)) = &known {
            below = *first;
            twins.extend(answer.removed.iter().filter_map(|row| match &row.twin {
                AnswerTwin::Indexed { serial, id } => Some((*serial, id.clone())),
                AnswerTwin::Own(_) => None,
            }));
            twins.sort_unstable();
            twins.dedup();
        }
        let parts = self.writer.parts();
        // The error names the file of the part.
        let named = |error| self.writer.error(error);
        let mut references = match known.is_none() || needs_pairs {
            true => find_references(parts, &collection.store, below, &stage).map_err(named)?,
            false => Vec::new(),
        };
        if let Some(budget) = &self.budget {
            // The pages make way for the sets that were found.
            let elements = parts.elements_of(&references).map_err(named)?;
            let left = budget.beside(references.len() as u64, elements)?;
            self.writer.limit(Some(left));
        }
        let parts = self.writer.parts();
        let named = |error| self.writer.error(error);
        let found = parts.sets_of(&references).map_err(named)?;
        let mut ids = Vec::with_capacity(references.len());
        for reference in &references {
            ids.push(parts.id(reference.place).map_err(named)?.to_string());
        }
        // Twins of an earlier answer that may have been taken out since: only their ids are needed.
        twins.retain(|(serial, _)| references.binary_search_by_key(serial, |one| one.serial).is_err());
        let missing = SetStore::of_sets(twins.iter().map(|_| Vec::new()))?;
        references.extend(twins.iter().map(|(serial, _)| IndexReference { serial: *serial, place: NOWHERE }));
        ids.extend(twins.into_iter().map(|(_, id)| id));
        let sets = SetStore::joined(&SetStore::joined(&collection.store, &found)?, &missing)?;
        collection.documents.push_references(&ids)?;
        let sets = Arc::new(sets);
        Ok(Batch {
            growing: self,
            key,
            inputs,
            references,
            sets,
            answer: known.map(|(answer, _)| answer),
            staged: None,
        })
    }

    /// A hash of the documents, their order and the options. A batch with the same one gets the same answer.
    fn key(&self, collection: &Collection, keep: &Keep) -> Result<u128, Error> {
        let inputs = collection.documents.inputs();
        let mut numbers = vec![hash_token(keep.to_string().as_bytes()), hash_token(self.existing.name().as_bytes())];
        for document in 0..inputs {
            let set = collection.store.set_hash(document);
            numbers.extend([set as u64, (set >> 64) as u64, hash_token(collection.documents.id(document)?.as_bytes())]);
        }
        if *keep != Keep::First {
            numbers.extend(keep.order(inputs, &collection.keys).into_iter().map(u64::from));
        }
        Ok(hash_set(&numbers))
    }

    /// Takes the documents out whose ids are those of the batch.
    fn take_out_existing(&mut self, documents: &Documents) -> Result<(), Error> {
        let mut serials = Vec::new();
        for document in 0..documents.inputs() {
            let found = self.writer.parts().find_id(&documents.id(document)?, &mut serials);
            found.map_err(|error| self.writer.error(error))?;
        }
        Ok(self.writer.take_out(&serials)?)
    }
}

/// The place of a reference that is no longer in the index.
const NOWHERE: Place = Place { part: usize::MAX, document: u32::MAX };

/// A batch of documents that is compared with an index.
pub(crate) struct Batch {
    growing: Growing,
    key: u128,
    inputs: u32,
    references: Vec<IndexReference>,
    /// The sets of the batch, then those of the references.
    pub(crate) sets: Arc<SetStore>,
    /// The answer, if the batch is already in.
    answer: Option<Answer>,
    staged: Option<Staged>,
}

impl Batch {
    /// Gives copies of documents that were removed earlier the fate of those. If the batch is already in, gives all documents the fate they
    /// had then.
    pub(crate) fn amend(&self, fates: &mut [Fate]) -> Result<(), Error> {
        let writer = &self.growing.writer;
        let Some(answer) = &self.answer else {
            let shared = share_fates(writer.parts(), &self.sets, self.inputs, &self.references, fates);
            return Ok(shared.map_err(|error| writer.error(error))?);
        };
        if answer.documents != self.inputs {
            return Err(Error::Usage("the index already stores a different batch under this name".to_string()));
        }
        fates.fill(Fate::Kept);
        let places: HashMap<u64, u32> = self.references.iter().map(|one| one.serial).zip(self.inputs..).collect();
        for AnswerRow { document, twin, similarity, identical } in &answer.removed {
            let twin = match twin {
                AnswerTwin::Own(twin) => *twin,
                AnswerTwin::Indexed { serial, .. } => places[serial],
            };
            let (similarity, identical) = (*similarity, *identical);
            fates[*document as usize] = Fate::Removed { twin, similarity, identical };
        }
        Ok(())
    }

    /// Writes the survivors and the answer into files that the manifest does not name yet.
    pub(crate) fn stage(
        &mut self,
        documents: &Documents,
        fates: &[Fate],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        if self.answer.is_some() {
            return Ok(());
        }
        let Batch { growing: Growing { writer, existing, .. }, inputs, references, sets, .. } = self;
        let threshold = *writer.parts().threshold();
        let first = writer.next_serial();
        let growth = Growth::new(&threshold, sets, *inputs, references, fates, first);
        let owned = |document: u32| documents.id(document).map(Cow::into_owned);
        let ids: Vec<String> = growth.kept.iter().map(|&document| owned(document)).collect::<Result<_, Error>>()?;
        if *existing != Existing::Allow {
            check_ids(writer, &ids)?;
        }
        let mut answer = Answer { documents: *inputs, removed: Vec::new() };
        for document in 0..*inputs {
            let Fate::Removed { twin, similarity, identical } = fates[document as usize] else { continue };
            let twin = match twin.checked_sub(*inputs) {
                None => AnswerTwin::Own(twin),
                Some(reference) => {
                    AnswerTwin::Indexed { serial: references[reference as usize].serial, id: owned(twin)? }
                }
            };
            answer.removed.push(AnswerRow { document, twin, similarity, identical });
        }
        let new: Vec<NewDocument> = (first..)
            .zip(growth.kept.iter().zip(&ids))
            .map(|(serial, (&document, id))| NewDocument { id, serial, set: Elements::Numbers(sets.set(document)) })
            .collect();
        let part = NewPart::new(&new, growth.removed, &threshold).map_err(|error| writer.error(error))?;
        let part = part.limited(*writer.parts().limits());
        self.staged = Some(writer.stage(self.key, &part, &answer, progress)?);
        Ok(())
    }

    /// Names the batch in the manifest, and merges parts if there are many.
    pub(crate) fn commit(self, progress: &dyn Progress) -> Result<GrownReport, Error> {
        let Batch { growing: Growing { mut writer, budget, .. }, answer, staged, sets, references, .. } = self;
        let before = writer.parts().len();
        // They make way for what is merged.
        drop((sets, references));
        writer.limit(budget.map(|budget| budget.merging()));
        if let Some(staged) = staged {
            writer.commit(Some(staged))?;
            writer.merge_if_due(progress)?;
        }
        Ok(GrownReport {
            folder: writer.folder().display().to_string(),
            documents: writer.parts().len(),
            added: writer.parts().len().saturating_sub(before),
            was_in: answer.is_some(),
            parts: writer.parts().parts().len() as u64,
            bytes: writer.part_summaries().iter().map(|part| part.bytes).sum(),
        })
    }
}

/// Fails if an id is already in the index, or is there twice.
fn check_ids(writer: &IndexWriter, ids: &[String]) -> Result<(), Error> {
    let (mut seen, mut serials) = (HashSet::with_capacity(ids.len()), Vec::new());
    let folder = writer.folder().display();
    for id in ids {
        writer.parts().find_id(id, &mut serials).map_err(|error: PartError| writer.error(error))?;
        let reason = if !serials.is_empty() {
            format!("the index in {folder} has a document with this id; --existing replace takes that one out first")
        } else if !seen.insert(id) {
            "another document of the inputs has this id".to_string()
        } else {
            continue;
        };
        return Err(Error::Usage(format!(
            "'{id}' cannot be added: {reason}. Use --id to name a field with ids of their own, or --existing allow"
        )));
    }
    Ok(())
}
