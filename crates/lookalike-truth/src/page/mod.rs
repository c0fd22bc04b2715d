//! Pages for people: one HTML file each, that asks nothing of anybody else.
//!
//! A [`Report`] says what is on the page, and [`Report::render`] writes it. All text is escaped, the page has no script, and its
//! Content-Security-Policy allows nothing but its own styles.

mod calibration;
mod chart;
mod content;
mod diff;
mod escape;
mod evaluation;
mod render;

pub use calibration::calibration_page;
pub use content::{Bar, ClusterCard, MemberCard, PairCard, Report, Section, Tile};
pub use diff::{Piece, compare_texts};
pub use evaluation::evaluation_page;
