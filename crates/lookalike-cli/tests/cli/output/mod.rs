//! What is written, and what if it cannot be?

pub mod cancelled;
pub mod cut_short;
pub mod in_place;
pub mod outputs;
pub mod refused;
pub mod summary;
pub mod tables;
pub mod unheard;
