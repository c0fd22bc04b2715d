//! Brute force: every pair, found by comparing every document with every other.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::fixture::{Folder, row};

/// Pseudo-random numbers, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

pub type Words = BTreeSet<u64>;

/// Sets of up to some twenty words, many of them copies or near copies, some empty.
pub fn sets(count: usize, seed: u64) -> Vec<Words> {
    let mut random = Random(seed);
    let mut sets: Vec<Words> = Vec::new();
    for _ in 0..count {
        let mut set = match random.below(4) {
            0 if !sets.is_empty() => Words::new(),
            1 | 2 if !sets.is_empty() => sets[random.below(sets.len() as u64) as usize].clone(),
            _ => (0..1 + random.below(20)).map(|_| random.below(60)).collect(),
        };
        if random.below(3) > 0 {
            for _ in 0..random.below(3) {
                set.insert(random.below(60));
            }
        }
        sets.push(set);
    }
    sets
}

/// Writes sets as rows for `--tokens raw`; an id is a letter and a number.
pub fn rows(sets: &[Words], letter: char) -> String {
    let text = |set: &Words| set.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    sets.iter().enumerate().map(|(n, set)| row(&format!("{letter}{n}"), &text(set))).collect()
}

/// A pair: (common, size, size).
type Counts = (u64, u64, u64);

pub fn counts(one: &Words, two: &Words) -> Counts {
    (one.intersection(two).count() as u64, one.len() as u64, two.len() as u64)
}

/// How similar, as a fraction of squares for the cosine, whose root is then taken.
fn fraction(measure: &str, (c, a, b): Counts) -> (u64, u64) {
    match measure {
        "jaccard" => (c, a + b - c),
        "cosine" => (c * c, a * b),
        "dice" => (2 * c, a + b),
        "max" => (c, a.max(b)),
        "containment" => (c, a.min(b)),
        "overlap" => (c, 1),
        "hamming" => (a + b - 2 * c, 1),
        _ => panic!("{measure}"),
    }
}

pub fn reaches(measure: &str, (p, q): (u64, u64), counts: Counts) -> bool {
    let (x, y) = fraction(measure, counts);
    match measure {
        "hamming" => x * q <= p * y,
        "cosine" => x * q * q >= p * p * y,
        _ => x * q >= p * y,
    }
}

pub fn value(measure: &str, counts @ (c, a, b): Counts) -> f64 {
    match measure {
        "cosine" if c == a && c == b => 1.0,
        "cosine" => c as f64 / ((a * b) as f64).sqrt(),
        _ => {
            let (x, y) = fraction(measure, counts);
            x as f64 / y as f64
        }
    }
}

/// Compares two pairs by similarity.
pub fn compare(measure: &str, one: Counts, two: Counts) -> Ordering {
    let ((x, y), (v, w)) = (fraction(measure, one), fraction(measure, two));
    let more = (x * w).cmp(&(v * y));
    if measure == "hamming" { more.reverse() } else { more }
}

/// All pairs of documents that are not empty, in input order: places and counts.
pub fn all_pairs(sets: &[Words]) -> Vec<(usize, usize, Counts)> {
    let each = (0..sets.len()).flat_map(|a| (a + 1..sets.len()).map(move |b| (a, b)));
    let full = each.filter(|&(a, b)| !sets[a].is_empty() && !sets[b].is_empty());
    full.map(|(a, b)| (a, b, counts(&sets[a], &sets[b]))).collect()
}

/// The expected row of the output, as text: a number that is read back may differ.
pub fn expected(measure: &str, a: &str, b: &str, counts: Counts) -> String {
    if measure == "hamming" {
        format!("{{\"a\":\"{a}\",\"b\":\"{b}\",\"distance\":{}}}", value(measure, counts))
    } else {
        format!("{{\"a\":\"{a}\",\"b\":\"{b}\",\"similarity\":{:?}}}", value(measure, counts))
    }
}

/// The rows that a command prints.
#[track_caller]
pub fn printed(folder: &Folder, arguments: &str) -> Vec<String> {
    folder.printing(arguments, "").ends(0).stdout.lines().map(String::from).collect()
}
