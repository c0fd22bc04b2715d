//! The caller's data, as columns, sets, files or rows for a job of the command.

pub mod capsule;
pub mod column;
pub mod documents;
pub mod files;
pub mod passages;
pub mod rows;
pub mod sets;
