//! Reads inputs a second time, for what was not kept the first time: all blocks of them, or single rows.

mod second_pass;
mod single_rows;

pub(crate) use second_pass::{Kept, SecondPass};
