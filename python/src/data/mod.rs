//! The caller's data, as columns, sets, files, archives or rows for a job of the command.

pub mod archive;
pub mod blocks;
pub mod capsule;
pub mod column;
pub mod documents;
pub mod files;
pub mod rows;
pub mod sets;
