//! The command `lookalike` as a library, for programs that bring it along: `args` describe what can be typed, `settings` what it
//! means, `commands` do it, `output` shows it.

// First, for its macro.
#[macro_use]
mod output;

mod args;
mod commands;
mod outcome;
mod process;
mod program;
mod settings;
mod tips;

use std::ffi::OsString;
use std::io::{self, Write};

use args::{Cli, Command, IndexAction};
use clap::Parser;
use lookalike_engine::Error;
use outcome::{FATAL, INTERRUPTED, Outcome};
use process::{limits, memory};

pub use output::caller::Watcher;
pub use process::memory::Allocator;
pub use program::{Printed, SignedMethod, dedup_job, signed_method};

/// Runs a command with these arguments, of which the first is the name of the program, and returns its exit status. Call it once in a
/// process: it sets handlers for signals.
pub fn run_command(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    memory::watch_aborts();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return print_usage(&tips::of_usage(error, &arguments)),
    };
    memory::set_advice(&cli.command);
    // `serve` finishes what it has accepted, and `watch` its current file.
    if !matches!(cli.command, Command::Serve(_) | Command::Watch(_)) {
        // Without a handler, an interrupted run leaves unfinished files behind, and nothing worse.
        let _ = ctrlc::set_handler(|| {
            // If the outputs are in place already, only the summary is missing: let it come.
            if lookalike_io::discard_unfinished() {
                std::process::exit(INTERRUPTED);
            }
        });
    }
    if matches!(cli.command, Command::Stream(_) | Command::Serve(_) | Command::Watch(_)) || has_budget(&cli.command) {
        limits::give_memory_back();
    }
    if matches!(cli.command, Command::Serve(_) | Command::Watch(_)) {
        limits::survive_file_limits();
    }
    match run(cli.command) {
        Ok(outcome) => outcome.status(),
        Err(error) => {
            let advice = if error.is_out_of_memory() { memory::advice() } else { "" };
            let stop = if advice.is_empty() { "" } else { ". " };
            message!("lookalike: {error}{}{stop}{advice}", tips::of_field(&error, &arguments));
            FATAL
        }
    }
}

/// Whether the user limits the memory of a command. The limit is for what the kernel counts, which includes freed memory that the allocator keeps.
fn has_budget(command: &Command) -> bool {
    let memory = match command {
        Command::Dedup(args) => args.memory.budget.memory,
        Command::Pairs(args) => args.memory.budget.memory,
        Command::Check(args) => args.budget.memory,
        Command::Sketch(args) => args.memory,
        Command::Boilerplate(args) => args.memory,
        Command::Index(args) => match &args.action {
            IndexAction::Query(args) => args.memory.memory,
            IndexAction::Merge(args) => args.memory.memory,
            _ => None,
        },
        _ => None,
    };
    memory.is_some()
}

/// Runs a command with these arguments, of which the first is the name of the command, for a program that watches it and can
/// cancel it. The command writes files, but nothing to the terminal. Do not name `-` as an output.
pub fn print_for_program(arguments: Vec<OsString>, watcher: Watcher) -> Result<Printed, Error> {
    program::print(arguments, watcher, run)
}

fn run(command: Command) -> Result<Outcome, Error> {
    match command {
        Command::Dedup(args) => commands::dedup::run(*args),
        Command::Pairs(args) => commands::pairs::run(*args),
        Command::Index(args) => commands::index::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Check(args) => commands::check::run(*args),
        Command::Evaluate(args) => commands::truth::evaluate::run(*args),
        Command::Verify(args) => commands::truth::verify::run(*args),
        Command::Calibrate(args) => commands::truth::calibrate::run(*args),
        Command::Boilerplate(args) => commands::boilerplate::run(*args),
        Command::Sketch(args) => commands::sketch::run(*args),
        Command::Stream(args) => commands::stream::run(*args),
        #[cfg(unix)]
        Command::Serve(args) => commands::serve::run(*args),
        #[cfg(unix)]
        Command::Watch(args) => commands::watch::run(*args),
        #[cfg(not(unix))]
        Command::Serve(_) | Command::Watch(_) => Err(Error::Usage(
            "serve and watch run on Unix only; `lookalike stream` gives the same verdicts".to_string(),
        )),
        Command::Filter(args) => commands::filter::run(&args),
        Command::Compare(args) => commands::compare::run(*args),
        Command::Graph(args) => commands::graph::run(&args),
        Command::Tokens(args) => commands::tokens::run(args),
        Command::Completions(args) => commands::completions::run(&args),
    }
}

/// Prints help and version to standard output, and errors in the arguments to standard error.
fn print_usage(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failed) if !error.use_stderr() && failed.kind() != io::ErrorKind::BrokenPipe => {
            message!("lookalike: cannot write to stdout: {failed}");
            FATAL
        }
        _ => error.exit_code() as u8,
    }
}
