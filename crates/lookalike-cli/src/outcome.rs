//! How can a command end, and with which exit status?

/// Exit status after wrong usage or an error that stops the run.
pub const FATAL: u8 = 2;
/// Exit status after Ctrl-C.
pub const INTERRUPTED: i32 = 130;

/// How a command ended, if not in an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// `check` or `--fail-if-found` found what it looks for.
    Failed,
    DoneWithBadRows,
    #[cfg(unix)]
    Interrupted,
}

impl Outcome {
    /// Returns the exit status.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Failed => 1,
            Outcome::DoneWithBadRows => 3,
            #[cfg(unix)]
            Outcome::Interrupted => INTERRUPTED as u8,
        }
    }
}
