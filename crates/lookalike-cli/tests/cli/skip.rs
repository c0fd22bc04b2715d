//! How does a test report that it is skipped?
//!
//! Rust has no skipped tests: one that returns early passes, and `cargo test` hides what it prints. So the reason also goes to the file
//! that `LOOKALIKE_SKIPPED` names, which `scripts/test` shows at its end. Where nothing may be skipped, as in CI, `LOOKALIKE_NO_SKIP=1`
//! makes it a failure. (Without dependencies: other crates' tests include this file by its path.)

use std::env::var_os;
use std::fmt::Display;
use std::io::Write;

/// Reports that the calling test skips something on this machine, and why.
#[track_caller]
pub fn skip(why: impl Display) {
    let place = std::panic::Location::caller();
    // On one thread, tests run on the main thread, which does not have the name of the test.
    let name = std::thread::current().name().filter(|&name| name != "main").map(String::from);
    let name = name.unwrap_or_else(|| format!("{}:{}", place.file(), place.line()));
    // The output of a program may have several lines.
    let line = format!("skipped: {name}: {}", why.to_string().lines().next().unwrap_or_default());
    assert!(var_os("LOOKALIKE_NO_SKIP").is_none_or(|value| value != "1"), "{line}");
    eprintln!("{line}");
    if let Some(path) = var_os("LOOKALIKE_SKIPPED") {
        let file = std::fs::File::options().append(true).create(true).open(path);
        // One write, so that tests on several threads do not mix their lines.
        file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes())).unwrap();
    }
}
