//! The command as its users meet it: every test runs the binary in a fresh folder and looks at exit code, messages and files.
#![cfg(unix)]
// A test that is skipped says why.
#![allow(clippy::print_stderr)]

mod bad_files;
mod bad_input;
mod brute;
mod changing;
mod check;
mod commands_page;
mod compare;
mod compressed;
mod cut_short;
mod determinism;
mod fields;
mod filter;
mod fixture;
mod graph;
mod help;
mod in_place;
mod inputs;
mod keep;
mod large_clusters;
mod long_lines;
// Only Linux counts address space, and keeps its limit.
#[cfg(target_os = "linux")]
mod memory;
mod methods;
mod other_formats;
mod outputs;
mod pages;
mod pairs;
mod pairs_edit;
mod pairs_options;
mod pairs_top;
mod parquet;
mod refused;
mod seeds;
mod serve_crash;
mod serve_damage;
mod serve_full;
mod serve_memory;
mod served;
mod sketch;
mod skip;
mod spill;
mod stream;
mod summary;
mod tables;
mod tokens;
mod unheard;
mod warc;
mod watch;
mod watch_killed;
mod within;
