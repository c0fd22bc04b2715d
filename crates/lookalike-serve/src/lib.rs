//! The streaming service. Documents come in over HTTP, or as files in a folder. A sliding [window](lookalike::Window) judges each of them, and
//! every acknowledged document survives a crash.
//!
//! The modules follow the way of a `POST`:
//!
//! | module | question |
//! |---|---|
//! | [`api`] | which requests can clients make? |
//! | [`folder`] | which files come in, and where do they go? |
//! | [`writer`] | which thread owns the store, and when does it sync? |
//! | [`store`] | which documents are in the window, by id, and on disk? |
//! | `stats` | how many documents came, and how many were duplicates? |
//! | `log` | which records survive a crash? |
//!
//! [`labelling`] is a service of its own: it asks a person about pairs, in a page for this machine only.

pub mod api;
mod document;
pub mod folder;
pub mod labelling;
#[cfg(fuzzing)]
pub mod log;
#[cfg(not(fuzzing))]
mod log;
mod stats;
pub mod store;
pub mod writer;
