//! The streaming service: documents come in over HTTP, each is judged by a [window](lookalike::window), and none that was acknowledged is
//! ever forgotten before its time.
//!
//! | module | question |
//! |---|---|
//! | [`log`] | what was acknowledged, on disk? |
//! | [`stock`] | what is in the window, by its users' ids? |

mod books;
mod entry;
pub mod log;
pub mod stock;

pub use entry::{Added, Answer, Entry, MatchAnswer};
