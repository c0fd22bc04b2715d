//! The errors of reading and writing files.

use std::io;
use std::path::{Path, PathBuf};

/// A failure to read or write a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened or read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The input.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An input is truncated, or its decoder refuses it.
    #[error("{} is truncated or corrupt ({reason}); nothing was written", .path.display())]
    Damaged {
        /// The input.
        path: PathBuf,
        /// The message of the decoder.
        reason: String,
    },
    /// An input is not in the format it is read as.
    #[error("{} {looks}", .path.display())]
    Misread {
        /// The input.
        path: PathBuf,
        /// The format that it seems to be in, and what to do.
        looks: String,
    },
    /// A file that an argument names does not exist.
    #[error("no such file: {0}")]
    NotFound(String),
    /// No file matches an argument that is a pattern.
    #[error("no file matches {0}")]
    NoMatch(String),
    /// A folder has no files in it.
    #[error("{} contains no files to read", .0.display())]
    EmptyFolder(PathBuf),
    /// A column that the user named is not in the file.
    #[error("{} has no column '{column}' (columns: {}){advice}", .path.display(), .available.join(", "))]
    NoColumn {
        /// The input.
        path: PathBuf,
        /// The column.
        column: String,
        /// The columns of the file.
        available: Vec<String>,
        /// What to do, if there is something: "; use --text to name the text field".
        advice: &'static str,
    },
    /// No row has a field that the user named.
    #[error("no row of {of} has a field '{field}' ({available}){advice}")]
    NoField {
        /// Where the rows come from, in words: "the inputs".
        of: String,
        /// The field.
        field: String,
        /// The fields that the rows have, in words.
        available: String,
        /// What to do, if there is something: "; use --text to name the text field".
        advice: &'static str,
    },
    /// An input changed after the job began.
    #[error("{} changed while it was being read; run again when nothing writes to it", .0.display())]
    Changed(PathBuf),
    /// An output cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The output.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An output is not possible, whatever the file system says.
    #[error("cannot write {}: {reason}", .path.display())]
    Output {
        /// The output.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A table of passages cannot be used.
    #[error("{}: {reason}", .path.display())]
    Boilerplate {
        /// The table.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Temporary space cannot be used.
    #[error("cannot use temporary space in {}: {source}", .path.display())]
    Spool {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// How zstd reports a failed allocation. Its errors have no kind.
const NO_MEMORY: [&str; 2] = ["not enough memory", "could not allocate"];

fn is_about_memory(reason: &str) -> bool {
    NO_MEMORY.iter().any(|words| reason.contains(words))
}

/// The format that a file seems to be in, if it is not the one it is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Misread {
    #[error("is UTF-16, and only UTF-8 can be read here. Convert it with: iconv -f UTF-16 -t UTF-8")]
    Utf16,
    #[error("is UTF-32, and only UTF-8 can be read here. Convert it with: iconv -f UTF-32 -t UTF-8")]
    Utf32,
    #[error("looks like one JSON array, but every line must be a JSON object of its own. Convert it with: jq -c '.[]'")]
    JsonArray,
    #[error("looks like JSON over several lines, but every line must be a JSON object. Convert it with: jq -c .")]
    JsonOverLines,
    #[error("has no line with a JSON object. Name its format with --format")]
    NoJson,
    #[error("looks like JSON lines. Name the format: --format jsonl, or --format text if the whole file is one text")]
    JsonLines,
}

impl From<Misread> for io::Error {
    fn from(misread: Misread) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, misread)
    }
}

impl Error {
    /// Whether the job ran out of memory.
    pub fn is_out_of_memory(&self) -> bool {
        let is_memory = |source: &io::Error| source.kind() == io::ErrorKind::OutOfMemory;
        matches!(self, Error::Read { source, .. } | Error::Write { source, .. } | Error::Spool { source, .. } if is_memory(source))
    }

    /// An input that its decoder refuses. A decoder that ran out of memory found no damage.
    pub(crate) fn damaged(path: &Path, reason: String) -> Error {
        let path = path.to_path_buf();
        match is_about_memory(&reason) {
            true => Error::Read { path, source: io::ErrorKind::OutOfMemory.into() },
            false => Error::Damaged { path, reason },
        }
    }

    /// A failure to read: damage if a decoder reports it, otherwise the system's error.
    pub(crate) fn read(path: &Path, source: io::Error) -> Error {
        if let Some(misread) = source.get_ref().and_then(|inner| inner.downcast_ref::<Misread>()) {
            return Error::Misread { path: path.to_path_buf(), looks: misread.to_string() };
        }
        match source.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::Other
                if source.raw_os_error().is_none() =>
            {
                Error::damaged(path, source.to_string())
            }
            _ => Error::Read { path: path.to_path_buf(), source },
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Error {
        let is_memory = source.raw_os_error().is_none() && is_about_memory(&source.to_string());
        let source = if is_memory { io::ErrorKind::OutOfMemory.into() } else { source };
        Error::Write { path: path.to_path_buf(), source }
    }

    pub(crate) fn output(path: &Path, reason: impl Into<String>) -> Error {
        Error::Output { path: path.to_path_buf(), reason: reason.into() }
    }
}

/// The error of a build without the Cargo feature that a file needs.
#[cfg(not(all(feature = "parquet", feature = "zstd")))]
pub(crate) fn missing_feature(format: &str, feature: &str) -> io::Error {
    let reason = format!("this build has no {format} support; use one with the Cargo feature '{feature}'");
    io::Error::new(io::ErrorKind::Unsupported, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoder_without_memory_has_found_no_damage() {
        let source = || io::Error::other("Allocation error : not enough memory");
        let path = Path::new("a.zst");
        for error in
            [Error::read(path, source()), Error::write(path, source()), Error::damaged(path, source().to_string())]
        {
            assert!(error.is_out_of_memory());
            assert!(error.to_string().ends_with("a.zst: out of memory"), "{error}");
        }
        let damaged = Error::read(path, io::Error::other("Unknown frame descriptor"));
        assert!(matches!(damaged, Error::Damaged { .. }));
    }
}
