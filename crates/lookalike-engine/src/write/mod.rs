//! Writes decisions and pairs to files: tables, and rows of the inputs unchanged.

mod findings;
mod input_rows;
mod outputs;
mod pair_table;
mod write_findings;

pub(crate) use findings::Findings;
pub use outputs::{KeptTarget, Outputs};
pub(crate) use outputs::{check_apart, check_paths};
pub(crate) use pair_table::PairTable;
