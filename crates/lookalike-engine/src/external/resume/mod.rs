//! A run that can continue after a crash: what it is, and which of its units are finished.

mod manifest;
mod run;
mod saved;
mod state;
mod unchanged;

pub(crate) use run::Run;
pub use run::RunOptions;
pub use state::RunState;
pub(super) use unchanged::check_unchanged;
