//! Which records survive a crash: an append-only log in a folder of files.
//!
//! A record is durable once [`Log::commit`] has returned: it has been synced to disk (`fdatasync`) and survives a power loss. Records
//! appended between two commits are synced together. A record that cannot be written is not appended, and earlier records stay
//! readable (see `tail.rs`). Opening a log reads all of it:
//!
//! * An incomplete record at the end of the last file was being written when the process ended. It was never acknowledged, and is cut
//!   off.
//! * A record with a wrong checksum and whole records behind it was damaged on disk. It is skipped and reported.
//!
//! Each file begins with a line that names the format. When a file has grown large, a new one is started, so that old files can be
//! deleted as time passes.

mod error;
mod files;
mod frame;
mod layout;
mod lock;
mod place;
mod recover;
mod tail;
#[cfg(test)]
mod tests;

pub use error::LogError;
pub use files::Log;
pub use lock::Lock;
pub use place::{Place, Position};
pub use recover::Recovered;
#[cfg(test)]
pub(crate) use tail::faults::{self, Faults};
