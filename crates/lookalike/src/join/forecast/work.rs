//! How much work did the searches take?

/// The work of searches, as far as it takes time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Entries of lists walked.
    pub(crate) walked: u64,
    /// Sets met at one or more entries.
    pub(crate) met: u64,
    /// Elements compared.
    pub(crate) compared: u64,
}
