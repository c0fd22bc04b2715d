//! Pages for people: one HTML file each, which loads nothing from elsewhere.
//!
//! A [`Report`] says what is on the page, and [`Report::render`] writes it. All text is escaped, the page has no script, and its
//! Content-Security-Policy allows nothing but its own styles. [`question_page`] is another kind: it asks a person about pairs, one at a
//! time, and needs a server on the same machine.

mod calibration;
mod chart;
mod content;
mod diff;
mod escape;
mod evaluation;
mod labelling;
mod numbers;
mod render;

pub use calibration::calibration_page;
pub use content::{Bar, ClusterCard, MemberCard, PairCard, Report, Section, Tile};
pub use diff::{Piece, compare_texts};
pub use evaluation::evaluation_page;
pub use labelling::{LABELLING_FILES, answered_page, ended_page, failed_page, question_page};
pub use numbers::count;
