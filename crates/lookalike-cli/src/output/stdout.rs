//! How are results written to standard output?

use std::io::{self, Write};

use lookalike_engine::Error;
use lookalike_io::write::in_place;
use serde::Serialize;

use super::caller;

/// Writes bytes to standard output. A closed pipe is no error: the reader has seen enough.
pub fn print(bytes: &[u8]) -> Result<(), Error> {
    if caller::take(|taken| taken.stdout.extend_from_slice(bytes)) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let others = if in_place() > 0 { "; the files were written" } else { "" };
            Err(Error::Usage(format!("cannot write to stdout: {error}{others}")))
        }
        _ => Ok(()),
    }
}

/// Writes a report as indented JSON.
pub fn print_json(report: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_string_pretty(report).expect("a report is plain data");
    print(format!("{json}\n").as_bytes())
}
