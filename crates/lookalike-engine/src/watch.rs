/// What a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of files.
    Bytes,
    /// Documents.
    Documents,
}

/// Looks on while a job runs: a progress bar, a log, nothing.
pub trait Watch: Sync {
    /// A stage begins that has so much to do.
    fn begin(&self, stage: &'static str, total: u64, unit: Unit);
    /// So much is done since the stage began.
    fn reach(&self, done: u64);
    /// The stage is over.
    fn end(&self);
    /// Something the user should know before it goes on.
    fn warn(&self, message: &str);
}

/// Sees nothing.
pub struct Silent;

impl Watch for Silent {
    fn begin(&self, _: &'static str, _: u64, _: Unit) {}
    fn reach(&self, _: u64) {}
    fn end(&self) {}
    fn warn(&self, _: &str) {}
}
