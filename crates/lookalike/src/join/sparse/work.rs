//! How much work did the searches take?

/// What searches had to do, as far as it takes time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Entries of lists.
    pub(crate) walked: u64,
    /// Sets met at one entry or more.
    pub(crate) met: u64,
    /// Elements that were compared.
    pub(crate) compared: u64,
}
