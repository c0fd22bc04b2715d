//! What does the command set up in its process: memory, limits, signals?

pub mod limits;
pub mod memory;
