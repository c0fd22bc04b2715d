//! What is said to the person, on standard error.

use std::fmt::Arguments;
use std::io::{self, Write};

/// A line on standard error, as `eprintln!` would print it. That panics if nobody can read it; but a message is no result, and a run is as
/// good without.
macro_rules! message {
    ($($part:tt)*) => {
        $crate::messages::print(format_args!($($part)*))
    };
}

pub fn print(message: Arguments) {
    // All at once, so that lines of several programs do not mix.
    let _ = io::stderr().write_all(format!("{message}\n").as_bytes());
}
