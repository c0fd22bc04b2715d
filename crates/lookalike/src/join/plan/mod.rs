//! Which algorithms are there, and which one was chosen?

mod algorithm;
mod chosen;

pub use algorithm::Algorithm;
pub use chosen::Plan;
