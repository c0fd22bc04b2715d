//! How are messages written to standard error?

use std::fmt::Arguments;
use std::io::{self, Write};

use super::caller;

/// Writes a line to standard error, like `eprintln!`, but does not panic if that fails: a run is as good without its messages.
macro_rules! message {
    ($($part:tt)*) => {
        $crate::output::messages::print(format_args!($($part)*))
    };
}

pub fn print(message: Arguments) {
    let line = format!("{message}\n");
    if caller::take(|taken| taken.messages.push_str(&line)) {
        return;
    }
    // In one write, so that lines of several programs do not mix.
    let _ = io::stderr().write_all(line.as_bytes());
}
