//! The command `lookalike`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: lookalike_cli::Allocator = lookalike_cli::Allocator;

fn main() -> ExitCode {
    ExitCode::from(lookalike_cli::run_command(std::env::args_os()))
}
