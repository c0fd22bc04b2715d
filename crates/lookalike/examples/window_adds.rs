//! Adds every line of a file to a window, one second after another, and prints the seconds that takes:
//! `cargo run --release --example window_adds -- FILE`. `bench/python` compares the Python package with it.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use lookalike::{VerdictKind, Window};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: window_adds FILE")?;
    let lines = std::fs::read_to_string(path)?;
    let mut window =
        Window::builder().reach(Duration::from_secs(24 * 3600)).segment(Duration::from_secs(3600)).build()?;
    let start = Instant::now();
    let mut new = 0;
    for (second, line) in lines.lines().enumerate() {
        new += u64::from(window.add(&second.to_string(), line, 1000 * second as i64).kind == VerdictKind::New);
    }
    println!("{{\"seconds\": {}, \"new\": {new}}}", start.elapsed().as_secs_f64());
    Ok(())
}
