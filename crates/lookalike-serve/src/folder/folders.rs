//! The folders of a watch, and what can be wrong with them.

use std::io;
use std::path::{Path, PathBuf};

use crate::log::LogError;
use crate::stock::StockError;

/// Where files come from and go to.
#[derive(Clone, Debug)]
pub struct Folders {
    /// Where they come.
    pub input: PathBuf,
    /// Where those go that are no duplicates.
    pub accept: PathBuf,
    /// Where duplicates go.
    pub reject: PathBuf,
    /// Where it is written down what was judged.
    pub data: PathBuf,
}

/// Why a folder can be watched no longer. What was judged is written down, and the next run goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The disk.
    #[error("{path}: {source}")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// What was judged cannot be read, or written down.
    #[error(transparent)]
    Stock(#[from] StockError),
    /// The same of what was linked.
    #[error(transparent)]
    Log(#[from] LogError),
    /// One folder for two things.
    #[error("{0} cannot be this folder: {1}")]
    Same(PathBuf, &'static str),
}

/// The error of a place.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> FolderError {
    move |source| FolderError::Io { path: path.to_path_buf(), source }
}

impl Folders {
    /// Makes those that are not there, but for the first, and finds out whether they can be what they are to be.
    pub(super) fn prepare(&self) -> Result<(), FolderError> {
        let real = |path: &PathBuf| path.canonicalize().map_err(at(path));
        let input = real(&self.input)?;
        for path in [&self.accept, &self.reject, &self.data] {
            std::fs::create_dir_all(path).map_err(at(path))?;
        }
        let [accept, reject, data] = [real(&self.accept)?, real(&self.reject)?, real(&self.data)?];
        for (path, real) in [(&self.accept, &accept), (&self.reject, &reject)] {
            if *real == input {
                return Err(FolderError::Same(path.clone(), "what was judged would be judged again"));
            }
        }
        if [&input, &accept, &reject].contains(&&data) {
            return Err(FolderError::Same(self.data.clone(), "what is remembered needs a folder of its own"));
        }
        Ok(())
    }
}
