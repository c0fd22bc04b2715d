//! The streaming service: documents come in over HTTP, each is judged by a [window](lookalike::window), and none that was acknowledged is
//! ever forgotten before its time.
//!
//! | module | question |
//! |---|---|
//! | [`log`] | what was acknowledged, on disk? |
//! | [`stock`] | what is in the window, by its users' ids? |
//! | [`desk`] | who does one thing after another, and syncs? |
//! | [`api`] | what can clients ask? |

pub mod api;
mod books;
pub mod desk;
mod entry;
pub mod log;
mod replay;
pub mod stock;

pub use entry::{Added, Entry};
