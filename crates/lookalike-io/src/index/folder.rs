//! How is an index read?

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lookalike::PartError;
use lookalike::engine::{IndexLimits, Part, Parts, Progress, Stage};
use xxhash_rust::xxh3::xxh3_64;

use super::answer::Answer;
use super::error::IndexError;
use super::files::{self, MappedFile};
use super::manifest::{Manifest, PartEntry};
use super::settings::Settings;

/// An index in a folder, as it was when it was opened.
pub struct IndexFolder {
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) parts: Parts<MappedFile>,
    /// The bytes that work on it may hold, if they are limited.
    pub(super) memory: Option<u64>,
}

/// A part of an index.
#[derive(Clone, Debug)]
pub struct PartSummary {
    /// Its file.
    pub file: String,
    /// The size of the file.
    pub bytes: u64,
    /// Its documents, those that were taken out included.
    pub documents: u64,
}

/// A batch that was added.
#[derive(Clone, Debug)]
pub struct BatchSummary {
    /// Its documents.
    pub documents: u64,
    /// The survivors.
    pub kept: u64,
}

/// How often a reader tries again if a writer replaces files meanwhile.
const TRIES: usize = 10;

impl IndexFolder {
    /// Opens an index. Reads little of it: everything else is read, and verified, when it is needed.
    pub fn open(folder: &Path) -> Result<IndexFolder, IndexError> {
        let mut tries = 0;
        loop {
            let Some(manifest) = Manifest::read(folder)? else {
                return Err(IndexError::NoIndex(folder.to_path_buf()));
            };
            let next = manifest.next_file;
            match IndexFolder::of(folder, manifest, HashMap::new()) {
                // A writer may have replaced the files between.
                Err(error) => {
                    let is_same = Manifest::read(folder)?.is_some_and(|manifest| manifest.next_file == next);
                    tries += 1;
                    if is_same || tries == TRIES {
                        return Err(error);
                    }
                }
                opened => return opened,
            }
        }
    }

    /// Opens what a manifest names. `opened` are parts that are open already, by their files.
    pub(super) fn of(
        folder: &Path,
        manifest: Manifest,
        mut opened: HashMap<String, Part<MappedFile>>,
    ) -> Result<IndexFolder, IndexError> {
        let threshold =
            manifest.settings.threshold().map_err(|reason| IndexError::damaged(&folder.join("manifest"), reason))?;
        let mut parts = Vec::with_capacity(manifest.parts.len());
        for entry in &manifest.parts {
            parts.push(opened.remove(&entry.file).map_or_else(|| open_part(folder, entry), Ok)?);
        }
        let gone = match &manifest.removed {
            Some(file) => read_removed(&folder.join(file))?,
            None => Vec::new(),
        };
        let parts = Parts::new(threshold, parts, gone);
        Ok(IndexFolder { folder: folder.to_path_buf(), manifest, parts, memory: None })
    }

    /// Sets how many bytes work on the index may hold, mapped pages included, besides what follows from the number of documents. `None` if
    /// there is no limit.
    pub fn limit(&mut self, memory: Option<u64>) {
        self.memory = memory;
        let mut limits = memory.map_or_else(IndexLimits::default, IndexLimits::within);
        // The system maps some pages more.
        if limits.pages / 2 > self.bytes() {
            limits.pages = u64::MAX;
        }
        self.parts.limit(limits);
        if limits.pages < u64::MAX {
            self.parts.release();
        }
    }

    /// The bytes of all parts.
    pub fn bytes(&self) -> u64 {
        self.manifest.parts.iter().map(|part| part.bytes).sum()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the index compares, and how.
    pub fn settings(&self) -> &Settings {
        &self.manifest.settings
    }

    /// The documents.
    pub fn parts(&self) -> &Parts<MappedFile> {
        &self.parts
    }

    /// The parts, the oldest first.
    pub fn part_summaries(&self) -> Vec<PartSummary> {
        let summary =
            |part: &PartEntry| PartSummary { file: part.file.clone(), bytes: part.bytes, documents: part.documents };
        self.manifest.parts.iter().map(summary).collect()
    }

    /// The batches, the oldest first.
    pub fn batch_summaries(&self) -> Vec<BatchSummary> {
        let summary =
            |batch: &super::manifest::BatchEntry| BatchSummary { documents: batch.documents, kept: batch.kept };
        self.manifest.batches.iter().map(summary).collect()
    }

    /// The error of reading the parts, with the name of the file.
    pub fn error(&self, error: PartError) -> IndexError {
        match error {
            PartError::In { part, error } => match self.manifest.parts.get(part) {
                Some(entry) => IndexError::damaged(&self.folder.join(&entry.file), error),
                None => IndexError::Part(*error),
            },
            other => IndexError::Part(other),
        }
    }

    /// The error of writing a part. What is wrong may be in the parts that it is made of.
    pub(super) fn of_part(&self, error: IndexError) -> IndexError {
        let IndexError::Write { path, source } = error else { return error };
        match source.downcast::<PartError>() {
            Ok(error) => self.error(error),
            Err(source) => IndexError::Write { path, source },
        }
    }

    /// Reads everything, verifies every checksum, and fails at the first file that is damaged or missing.
    pub fn check(&self, progress: &dyn Progress) -> Result<(), IndexError> {
        let documents = self.manifest.parts.iter().map(|part| part.documents as usize).sum();
        let stage = Stage::begin(progress, "checking", documents);
        for part in 0..self.parts.parts().len() {
            self.parts.check(part, &stage).map_err(|error| self.error(error))?;
        }
        for batch in &self.manifest.batches {
            stage.check().map_err(PartError::from).map_err(IndexError::Part)?;
            let path = self.folder.join(&batch.file);
            let answer = Answer::read(&path)?;
            if u64::from(answer.documents) != batch.documents
                || answer.removed.len() as u64 != batch.documents - batch.kept
            {
                return Err(IndexError::damaged(&path, "it is not the answer that the manifest names"));
            }
        }
        Ok(())
    }

    /// The answer to a batch that is already in, and the serial number of its first survivor.
    pub fn answer(&self, key: u128) -> Result<Option<(Answer, u64)>, IndexError> {
        let key = key_text(key);
        match self.manifest.batches.iter().find(|batch| batch.key == key) {
            Some(batch) => Ok(Some((Answer::read(&self.folder.join(&batch.file))?, batch.first))),
            None => Ok(None),
        }
    }
}

fn open_part(folder: &Path, entry: &PartEntry) -> Result<Part<MappedFile>, IndexError> {
    let path = folder.join(&entry.file);
    let map = files::map(&path)?;
    let length = map.as_ref().len() as u64;
    if length != entry.bytes {
        let reason = format!("it has {length} bytes, and should have {}", entry.bytes);
        return Err(IndexError::damaged(&path, reason));
    }
    let part = Part::open(map).map_err(|error| IndexError::damaged(&path, error))?;
    if u64::from(part.len()) != entry.documents {
        return Err(IndexError::damaged(&path, "it is not the part that the manifest names"));
    }
    Ok(part)
}

pub(super) fn key_text(key: u128) -> String {
    format!("{key:032x}")
}

/// The first words of a file of removed documents. Their serial numbers follow, and a checksum.
const REMOVED: &[u8] = b"lookalike removed, version 1\n";

/// The bytes of a file of removed documents.
pub(super) fn removed_bytes(serials: &[u64]) -> Vec<u8> {
    let mut bytes = REMOVED.to_vec();
    serials.iter().for_each(|serial| bytes.extend(serial.to_le_bytes()));
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

fn read_removed(path: &Path) -> Result<Vec<u64>, IndexError> {
    let bytes = files::map(path)?;
    let read = || {
        let (body, sum) = bytes.as_ref().split_last_chunk::<8>()?;
        let serials = body.strip_prefix(REMOVED)?.as_chunks::<8>();
        let is_whole = xxh3_64(body) == u64::from_le_bytes(*sum) && serials.1.is_empty();
        is_whole.then(|| serials.0.iter().map(|&serial| u64::from_le_bytes(serial)).collect())
    };
    read().ok_or_else(|| IndexError::damaged(path, "it is damaged or truncated"))
}
