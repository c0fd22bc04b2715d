//! What does each command do?

pub mod check;
pub mod compare;
pub mod dedup_edit;
pub mod filter;
pub mod graph;
pub mod keep;
pub mod pairs;
pub mod pairs_edit;
pub mod pairs_options;
pub mod pairs_top;
pub mod sketch;
pub mod stream;
pub mod tokens;
pub mod within;
