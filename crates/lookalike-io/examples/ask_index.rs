//! Times the questions of one process to an index in a folder: `ask_index FOLDER FILE`, where the file has a text in each line of JSON.
//!
//! One thread asks all of them twice, and times the second round: the index is in memory then. A time is that from a set to its matches
//! with their ids. Prints the median and the 99th percentile as JSON.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use lookalike::engine::{FindScratch, Place, SetMaker};
use lookalike_io::index::IndexFolder;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ask_index FOLDER FILE".into());
    };
    let index = IndexFolder::open(Path::new(&folder))?;
    let (parts, mut maker) = (index.parts(), SetMaker::new(index.settings().recipe()?));
    let mut sets = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let row: Value = serde_json::from_str(line)?;
        sets.push(maker.set(row["text"].as_str().ok_or("a row has no text")?).to_vec());
    }
    if sets.is_empty() {
        return Err("the file has no rows".into());
    }
    let (mut scratch, mut matches, mut times) = (FindScratch::default(), 0, Vec::new());
    for _ in 0..2 {
        times.clear();
        matches = 0;
        for set in &sets {
            let (begun, mut found) = (Instant::now(), Vec::new());
            parts.find(set, parts.threshold(), u64::MAX, &mut scratch, |part, one| found.push((part, one)))?;
            for &(part, one) in &found {
                black_box(parts.id(Place { part, document: one.document })?);
            }
            matches += found.len();
            times.push(begun.elapsed());
        }
    }
    times.sort_unstable();
    let at =
        |share: f64| times[((share * times.len() as f64) as usize).min(times.len() - 1)].as_nanos() as f64 / 1000.0;
    let report =
        json!({"questions": sets.len(), "matches": matches, "median_us": at(0.5), "p99_us": at(0.99), "threads": 1});
    println!("{report}");
    Ok(())
}
