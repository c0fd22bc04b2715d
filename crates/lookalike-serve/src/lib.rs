//! The streaming service: documents come in over HTTP, or as files in a folder, each is judged by a [window](lookalike::window), and none
//! that was acknowledged is ever forgotten before its time.
//!
//! | module | question |
//! |---|---|
//! | [`log`] | what was acknowledged, on disk? |
//! | [`stock`] | what is in the window, by its users' ids? |
//! | [`figures`] | and in numbers? |
//! | [`desk`] | who does one thing after another, and syncs? |
//! | [`api`] | what can clients ask? |
//! | [`folder`] | what comes as files, and where do they go? |

pub mod api;
mod books;
pub mod desk;
mod entry;
pub mod figures;
pub mod folder;
pub mod log;
mod mark;
mod replay;
mod snapshot;
pub mod stock;
mod tally;

pub use entry::{Added, Entry};
pub use tally::{Brief, Share, Verdicts};
