//! Tests of the command: each runs the binary in a fresh folder and checks exit status, messages and files.
#![cfg(unix)]
// A skipped test prints the reason.
#![allow(clippy::print_stderr)]

mod brute;
mod commands;
mod commands_page;
mod fixture;
mod help;
mod index;
mod input;
mod methods;
mod output;
mod scale;
mod seeds;
mod service;
mod skip;
mod truth;
