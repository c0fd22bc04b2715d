//! `dedup --index` and `index`: does a collection that grows answer as one run, and survive everything?

mod damage;
mod disks;
mod format;
mod growing;
mod killed;
mod refused;

use std::ops::Range;

use crate::fixture::{Folder, numbered};

/// Batches of documents of so many families. Many resemble others, also of other batches. Copies of removed documents are among them.
pub fn batches(count: usize, size: u32, families: u64) -> Vec<String> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |bound: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % bound) as u32
    };
    let mut document = |batch: usize, number: u32| {
        let start = below(families) * 1000 + below(14);
        numbered(&format!("b{batch}-{number}"), start..start + 54)
    };
    (0..count).map(|batch| (0..size).map(|number| document(batch, number)).collect()).collect()
}

/// A folder with these batches as b0.jsonl, b1.jsonl, …, and everything in all.jsonl.
pub fn with_batches(batches: &[String]) -> Folder {
    let folder = Folder::with(&[("all.jsonl", batches.concat())]);
    for (number, batch) in batches.iter().enumerate() {
        folder.write(&format!("b{number}.jsonl"), batch);
    }
    folder
}

/// Adds batches one after another.
pub fn add(folder: &Folder, batches: Range<usize>, options: &str) {
    for number in batches {
        let outputs = format!("-o kept{number}.jsonl --removed removed{number}.jsonl");
        folder.run(&format!("dedup b{number}.jsonl --index archive {outputs} {options}")).ends(0);
    }
}

/// A file for each batch, one after another.
pub fn together(folder: &Folder, name: &str, batches: Range<usize>) -> String {
    batches.map(|number| folder.text(&format!("{name}{number}.jsonl"))).collect()
}
