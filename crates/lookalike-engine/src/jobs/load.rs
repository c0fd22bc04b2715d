//! The job of programs that hold a collection: reads files into sets, once for many questions.

use std::borrow::Cow;

use lookalike::engine::{Progress, SetStore};
use lookalike_io::Source;

use crate::error::Error;
use crate::read::{Collector, Documents, Keep, pick_two};
use crate::report::ReadReport;

/// A job that reads files into memory.
#[derive(Clone, Debug)]
pub struct Load {
    /// The inputs.
    pub inputs: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// Which document of a pair is kept.
    pub keep: Keep,
}

/// Documents in memory.
pub struct Loaded {
    /// Their sets. If the collector has keys, only documents with equal keys share elements.
    pub sets: SetStore,
    /// The numbers of the documents, in keep order.
    pub order: Vec<u32>,
    /// Hashes of the values that must be equal for documents to be compared, if there are any.
    pub within: Vec<u64>,
    /// What was read.
    pub read: ReadReport,
    documents: Documents,
}

impl Load {
    /// Runs the job.
    pub fn run(&self, progress: &dyn Progress) -> Result<Loaded, Error> {
        let collection = self.collector.collect(&self.inputs, self.inputs.len(), &self.keep, progress)?;
        Ok(Loaded {
            order: self.keep.order(collection.documents.len() as u32, &collection.keys),
            read: ReadReport::new(&collection.tally, &self.inputs),
            sets: collection.store,
            within: collection.within,
            documents: collection.documents,
        })
    }

    /// Reads the texts of two documents by their ids.
    pub fn texts(&self, ids: [&str; 2], progress: &dyn Progress) -> Result<[String; 2], Error> {
        Ok(pick_two(ids, &self.inputs, &self.collector, progress)?.map(|picked| picked.text))
    }
}

impl Loaded {
    /// The number of documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a document: the user's, or else its file and row.
    pub fn id(&self, document: u32) -> Result<Cow<'_, str>, Error> {
        self.documents.id(document)
    }
}
