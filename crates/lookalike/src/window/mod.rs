//! A sliding window over a stream: which documents in it does each new one resemble?
//!
//! Time is divided into *segments*, by default of one hour. A document is compared with those of its own segment and of
//! a number of segments before and after it. Older segments are dropped as a whole. This is the window of Montanari and
//! Puglisi's *Near Duplicate Document Detection for Large Information Flows* (2012).
//!
//! Two [indexes](WindowIndex) give the same results: `bitmaps`, the paper's (with the feature of that name), and
//! `prefix`, which reads far fewer postings.
//!
//! ```
//! use lookalike::engine::{Recipe, SetMaker, SetWindow, Span};
//! use lookalike::{Measure, Threshold, VerdictKind};
//!
//! let mut sets = SetMaker::new(Recipe { tokens: "letters:4".parse()?, ..Recipe::default() });
//! let hour = 3_600_000;
//! let mut window = SetWindow::new(Threshold::new(Measure::Max, "0.8")?, Span::new(24 * hour, hour)?)?;
//! let first = window.add(sets.set("The ferry to the island leaves at nine."), 0);
//! assert_eq!(first.kind, VerdictKind::New);
//! let second = window.add(sets.set("the ferry to the island leaves at nine"), 2 * hour);
//! assert_eq!(second.kind, VerdictKind::Exact);
//! assert_eq!((second.matches[0].document, second.matches[0].age), (first.document.unwrap(), 2 * hour));
//! let next_week = window.add(sets.set("The ferry to the island leaves at nine."), 200 * hour);
//! assert_eq!(next_week.kind, VerdictKind::New);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod candidate;
mod compare_with;
mod error;
mod id_window;
mod index;
mod judge;
mod numbers;
mod saved;
mod segment;
mod set_window;
mod span;
#[cfg(all(test, feature = "bitmaps"))]
mod tests;
mod verdict;

pub use answer::{Verdict, WindowMatch};
pub use compare_with::CompareWith;
pub use error::WindowError;
pub use id_window::IdWindow;
pub use index::WindowIndex;
pub use set_window::SetWindow;
pub use span::{Span, SpanError};
pub use verdict::{DocumentRef, SetMatch, SetVerdict, VerdictKind};
