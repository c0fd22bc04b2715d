//! The command as its users meet it: every test runs the binary in a fresh folder and looks at exit code, messages and files.
#![cfg(unix)]
// A test that is skipped says why.
#![allow(clippy::print_stderr)]

mod brute;
mod commands;
mod commands_page;
mod fixture;
mod help;
mod input;
mod output;
mod scale;
mod seeds;
mod service;
mod skip;
