//! Compares each document of a stream with those of the last hours: `cargo run --example window`.
#![allow(clippy::print_stdout)]

use std::time::Duration;

use lookalike::{Measure, VerdictKind, Window};

const HOUR: i64 = 3_600_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut window = Window::builder()
        .reach(Duration::from_secs(24 * 3600))
        .tokens("letters:4".parse()?)
        .measure(Measure::Max)
        .threshold(0.8)
        .build()?;
    let stream = [
        ("a1", 0, "The ferry to the island leaves at nine."),
        ("b1", HOUR, "Rain is expected in the north."),
        ("a2", 2 * HOUR, "The ferry to the island leaves at nine!"),
        ("a3", 3 * HOUR, "The ferry to the island leaves at ten."),
        ("a4", 40 * HOUR, "The ferry to the island leaves at nine."),
    ];
    for (id, time, text) in stream {
        let verdict = window.add(id, text, time);
        match (verdict.kind, verdict.of, verdict.similarity) {
            (VerdictKind::Near | VerdictKind::Exact, Some(of), Some(similarity)) => {
                println!("{id} resembles {of} ({similarity:.3})");
            }
            _ => println!("{id} is new"),
        }
    }
    println!("{} documents in the window", window.len());
    Ok(())
}
