use crate::collect::Problem;

/// Why a job did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something with a file.
    #[error(transparent)]
    Io(#[from] lookalike_io::Error),
    /// A bad row, under `--strict`.
    #[error("{0} (--strict stops here; nothing was written)")]
    Strict(Problem),
    /// The same where rows are answered as they come.
    #[error("{0} (--strict stops here)")]
    Stopped(Problem),
    /// Something that the user asked for cannot be.
    #[error("{0}")]
    Usage(String),
}

/// Temporary space that cannot be used.
pub(crate) fn no_space(source: std::io::Error) -> Error {
    lookalike_io::Error::Spool { path: std::env::temp_dir(), source }.into()
}
