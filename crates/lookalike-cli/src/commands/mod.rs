//! What does each command do? One file or folder a command, each with a function `run`.

pub mod boilerplate;
pub mod check;
pub mod compare;
pub mod completions;
pub mod dedup;
pub mod filter;
pub mod graph;
pub mod index;
pub mod pairs;
pub mod run;
#[cfg(unix)]
pub mod serve;
pub mod sketch;
pub mod stream;
pub mod tokens;
pub mod truth;
#[cfg(unix)]
pub mod watch;
