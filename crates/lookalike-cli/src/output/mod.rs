//! What does the command print, and how does it look?

#[macro_use]
pub mod messages;

pub mod caller;
pub mod finish;
pub mod histogram;
pub mod numbers;
pub mod plain;
pub mod plan;
pub mod progress;
pub mod signatures;
pub mod stdout;
pub mod summary;
pub mod svg;
