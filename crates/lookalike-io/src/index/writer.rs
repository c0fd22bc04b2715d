//! How is an index changed? Files are written first, then one manifest names them all.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::ops::{Deref, Range};
use std::path::Path;

use lookalike::PartError;
use lookalike::engine::{NewPart, Part, Parts, Progress, Stage, due_for_merging, merge, merge_needs};

use super::answer::Answer;
use super::error::IndexError;
use super::files;
use super::folder::{IndexFolder, key_text, removed_bytes};
use super::lock::Lock;
use super::manifest::{self, BatchEntry, Manifest, PartEntry};
use super::settings::Settings;

/// An index that this process alone may change.
pub struct IndexWriter {
    index: IndexFolder,
    _lock: Lock,
}

/// The least bytes for a merge, besides what follows from the number of documents.
const LEAST: u64 = 1 << 20;

/// A batch whose files are written, and that no manifest names yet.
#[must_use]
pub struct Staged {
    /// `None` if the batch adds nothing.
    part: Option<PartEntry>,
    batch: BatchEntry,
}

impl Deref for IndexWriter {
    type Target = IndexFolder;

    fn deref(&self) -> &IndexFolder {
        &self.index
    }
}

impl IndexWriter {
    /// Opens an index to change it.
    pub fn open(folder: &Path) -> Result<IndexWriter, IndexError> {
        if Manifest::read(folder)?.is_none() {
            return Err(IndexError::NoIndex(folder.to_path_buf()));
        }
        let lock = Lock::take(folder)?;
        match Manifest::read(folder)? {
            Some(manifest) => IndexWriter::of(folder, manifest, lock),
            None => Err(IndexError::NoIndex(folder.to_path_buf())),
        }
    }

    /// Opens an index to add documents with these settings. Makes the folder, if there is none: the index is there after the first batch.
    pub fn open_or_create(folder: &Path, settings: Settings) -> Result<IndexWriter, IndexError> {
        fs::create_dir_all(folder).map_err(|error| IndexError::write(folder, error))?;
        if Manifest::read(folder)?.is_none() {
            check_empty(folder)?;
        }
        let lock = Lock::take(folder)?;
        let manifest = match Manifest::read(folder)? {
            Some(manifest) => manifest,
            None => Manifest::new(settings.clone()),
        };
        if let Some((made, asked)) = manifest.settings.differences(&settings) {
            return Err(IndexError::Differs { folder: folder.to_path_buf(), made, asked });
        }
        IndexWriter::of(folder, manifest, lock)
    }

    fn of(folder: &Path, manifest: Manifest, lock: Lock) -> Result<IndexWriter, IndexError> {
        let writer = IndexWriter { index: IndexFolder::of(folder, manifest, HashMap::new())?, _lock: lock };
        writer.remove_leftovers();
        Ok(writer)
    }

    /// Sets how many bytes work on the index may hold, as [`IndexFolder::limit`] does.
    pub fn limit(&mut self, memory: Option<u64>) {
        self.index.limit(memory);
    }

    /// How many bytes merging all parts holds at least.
    pub fn merge_needs(&self) -> u64 {
        merge_needs(&self.index.parts, 0..self.index.parts.parts().len()) + LEAST
    }

    /// The next serial number.
    pub fn next_serial(&self) -> u64 {
        self.index.manifest.next_serial
    }

    /// Takes documents out. Only [`commit`](IndexWriter::commit) makes it known to others.
    pub fn take_out(&mut self, serials: &[u64]) -> Result<(), IndexError> {
        let taken = self.index.parts.take_out(serials);
        taken.map_err(|error| self.index.error(error))
    }

    /// Writes the files of a batch: its survivors, whose first has the next serial number, and its answer.
    pub fn stage(
        &mut self,
        key: u128,
        part: &NewPart,
        answer: &Answer,
        progress: &dyn Progress,
    ) -> Result<Staged, IndexError> {
        let kept = part.documents();
        let stage = Stage::begin(progress, "writing index", kept as usize);
        let IndexFolder { folder, manifest, .. } = &mut self.index;
        let written = (!part.is_empty()).then(|| write_part(folder, manifest, part, &stage)).transpose();
        let part = written.map_err(|error| self.index.of_part(error))?;
        let IndexFolder { folder, manifest, .. } = &mut self.index;
        let file = manifest.next_name("batch");
        let bytes = answer.to_bytes();
        files::write_new(&folder.join(&file), |out| out.write_all(&bytes))?;
        let batch = BatchEntry {
            key: key_text(key),
            file,
            bytes: bytes.len() as u64,
            documents: answer.documents.into(),
            kept,
            first: manifest.next_serial,
        };
        Ok(Staged { part, batch })
    }

    /// Names everything in a new manifest: a batch, and documents that were taken out.
    pub fn commit(&mut self, staged: Option<Staged>) -> Result<(), IndexError> {
        let mut manifest = self.index.manifest.clone();
        if let Some(Staged { part, batch }) = staged {
            manifest.next_serial += batch.kept;
            manifest.parts.extend(part);
            manifest.batches.push(batch);
        }
        let gone = self.index.parts.gone().to_vec();
        self.put(manifest, &gone)
    }

    /// Merges parts, as long as there are many of a size. Leaves them if merging them needs more memory than there is, or is cancelled: the
    /// index is as good with them.
    pub fn merge_if_due(&mut self, progress: &dyn Progress) -> Result<(), IndexError> {
        loop {
            let bytes: Vec<u64> = self.index.manifest.parts.iter().map(|part| part.bytes).collect();
            match due_for_merging(&bytes) {
                Some(range) if self.fits(&range) => match self.merge(range, progress) {
                    Err(error) if error.is_cancelled() => return Ok(()),
                    merged => merged?,
                },
                _ => return Ok(()),
            }
        }
    }

    fn fits(&self, range: &Range<usize>) -> bool {
        self.index.memory.is_none_or(|memory| merge_needs(&self.index.parts, range.clone()) + LEAST <= memory)
    }

    /// Merges all parts into one. What was taken out is gone for good.
    pub fn merge_all(&mut self, progress: &dyn Progress) -> Result<(), IndexError> {
        let parts = self.index.manifest.parts.len();
        if parts > 1 || !self.index.parts.gone().is_empty() { self.merge(0..parts, progress) } else { Ok(()) }
    }

    fn merge(&mut self, range: Range<usize>, progress: &dyn Progress) -> Result<(), IndexError> {
        let memory = self.index.memory;
        let needs = merge_needs(&self.index.parts, range.clone());
        self.index.limit(memory.map(|memory| memory.saturating_sub(needs).max(LEAST)));
        let merged = self.merged(range, progress);
        self.index.limit(memory);
        match merged {
            Ok((manifest, gone)) => self.put(manifest, &gone),
            Err(error) => {
                // The index is as it was: no manifest names the new part.
                self.remove_leftovers();
                Err(error)
            }
        }
    }

    /// Writes a part of these parts. Returns a manifest that names it, and the documents that were taken out and are still in a part.
    fn merged(&self, range: Range<usize>, progress: &dyn Progress) -> Result<(Manifest, Vec<u64>), IndexError> {
        let IndexFolder { folder, manifest, parts, .. } = &self.index;
        let documents = parts.parts()[range.clone()].iter().map(|part| part.len() as usize).sum();
        let stage = Stage::begin(progress, "merging", documents);
        let mut manifest = manifest.clone();
        let made = merge(parts, range.clone(), &stage, |part| write_part(folder, &mut manifest, part, &stage));
        let entry = made.map_err(|error| self.index.error(error))?.map_err(|error| self.index.of_part(error))?;
        // The new part is without them.
        let mut gone = Vec::new();
        for &serial in parts.gone() {
            stage.check().map_err(PartError::from).map_err(IndexError::Part)?;
            let is_in = |part: &Part<_>| part.find_serial(serial).map(|found| found.is_some());
            let mut merged = parts.parts()[range.clone()].iter().map(is_in);
            if !merged.try_fold(false, |any, one| one.map(|one| any | one)).map_err(IndexError::Part)? {
                gone.push(serial);
            }
        }
        manifest.parts.splice(range, [entry]);
        Ok((manifest, gone))
    }

    /// Puts a manifest in place, and opens what it names. `gone` are the documents that were taken out and are still in a part.
    fn put(&mut self, mut manifest: Manifest, gone: &[u64]) -> Result<(), IndexError> {
        let folder = self.index.folder.clone();
        manifest.removed = None;
        if !gone.is_empty() {
            let file = manifest.next_name("removed");
            let bytes = removed_bytes(gone);
            files::write_new(&folder.join(&file), |out| out.write_all(&bytes))?;
            manifest.removed = Some(file);
        }
        manifest.put(&folder)?;
        let memory = self.index.memory;
        let threshold = *self.index.parts.threshold();
        let parts =
            std::mem::replace(&mut self.index.parts, Parts::new(threshold, Vec::new(), Vec::new())).into_parts();
        let files = self.index.manifest.parts.iter().map(|entry| entry.file.clone());
        self.index = IndexFolder::of(&folder, manifest, files.zip(parts).collect())?;
        self.index.limit(memory);
        self.remove_leftovers();
        Ok(())
    }

    /// Removes files that the manifest does not name: merged parts, and what a run that was killed left behind.
    fn remove_leftovers(&self) {
        let Ok(entries) = fs::read_dir(&self.index.folder) else { return };
        let named = self.index.manifest.files();
        for name in entries.flatten().map(|entry| entry.file_name()) {
            let Some(name) = name.to_str() else { continue };
            let is_ours = manifest::is_own(name) && name.contains('-');
            if is_ours && !named.contains(name) {
                // If this fails, the next writer tries again.
                let _ = fs::remove_file(self.index.folder.join(name));
            }
        }
    }
}

fn write_part(folder: &Path, manifest: &mut Manifest, part: &NewPart, stage: &Stage) -> Result<PartEntry, IndexError> {
    let file = manifest.next_name("part");
    let bytes = files::write_new(&folder.join(&file), |out| Ok(part.write(out, stage)?.1))?;
    Ok(PartEntry { file, bytes, documents: part.documents() })
}

/// Fails if a folder has files that are not of an index.
fn check_empty(folder: &Path) -> Result<(), IndexError> {
    let entries = fs::read_dir(folder).map_err(|error| IndexError::read(folder, error))?;
    for entry in entries.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        if !manifest::is_own(&file) {
            return Err(IndexError::OtherFiles { folder: folder.to_path_buf(), file });
        }
    }
    Ok(())
}
