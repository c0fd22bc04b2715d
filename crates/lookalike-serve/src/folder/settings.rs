//! Which folders are there, and how are they watched?

use std::path::PathBuf;
use std::time::Duration;

use lookalike_io::Format;
use lookalike_io::extract::Extraction;

use super::error::{FolderError, at};

/// How a folder is watched.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folders.
    pub folders: Folders,
    /// Whether files stay in the input folder and are hard-linked, instead of moved.
    pub link: bool,
    /// How new files are noticed.
    pub how: How,
    /// How long a file must stay the same, if the operating system does not report that it is complete.
    pub interval: Duration,
    /// How a text or a page becomes a set.
    pub extraction: Extraction,
    /// The format of every file, HTML or text; by default, name and content decide.
    pub format: Option<Format>,
    /// The maximum size of a file, in bytes.
    pub max_document: usize,
}

/// How new files are noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// The folder is listed once, and again an interval later.
    Once,
    /// The folder is listed at every interval.
    Polling,
    /// The operating system reports them.
    Notified,
}

/// Where files come from and go to.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The folder that is watched.
    pub input: PathBuf,
    /// The folder for documents that are not duplicates.
    pub accept: PathBuf,
    /// The folder for duplicates.
    pub reject: PathBuf,
    /// The folder of the store.
    pub data: PathBuf,
}

impl Folders {
    /// Creates the missing folders, except the input, and checks that no folder has two roles.
    pub(super) fn prepare(&self) -> Result<(), FolderError> {
        let real = |path: &PathBuf| path.canonicalize().map_err(at(path));
        if !self.input.exists() {
            return Err(FolderError::NoFolder(self.input.clone()));
        }
        let input = real(&self.input)?;
        for path in [&self.accept, &self.reject, &self.data] {
            std::fs::create_dir_all(path).map_err(at(path))?;
        }
        let [accept, reject, data] = [real(&self.accept)?, real(&self.reject)?, real(&self.data)?];
        for (path, real) in [(&self.accept, &accept), (&self.reject, &reject)] {
            if *real == input {
                return Err(FolderError::Same(
                    path.clone(),
                    "it is the watched folder, and files in it would be judged again",
                ));
            }
        }
        if [&input, &accept, &reject].contains(&&data) {
            return Err(FolderError::Same(self.data.clone(), "--data must be a folder of its own"));
        }
        Ok(())
    }
}
