//! Are sets of a few frequent elements, which cannot be divided, compared in tiles with the same result?

use super::{DISK, OUTPUTS, collection, same_under};

#[test]
fn few_distinct_elements() {
    let folder = collection(1_200_000);
    for (options, plans) in [
        ("--tokens chars:3 -t 0.85", &[DISK][..]),
        ("--tokens chars:3 -t 0.9 --components", &[DISK]),
        ("--tokens chars:2 --measure containment -t 0.95", &[DISK]),
        ("--tokens chars:3 -t 0.85 --against other.jsonl", &[DISK]),
        ("--tokens chars:3 -t 60 --measure hamming", &[DISK]),
    ] {
        same_under(&folder, &format!("dedup in.jsonl {OUTPUTS} {options}"), &[(2, 1), (3, 3)], plans);
    }
    for options in ["", "--with other.jsonl", "--limit-per-document 1"] {
        let job = format!("pairs in.jsonl -o out/pairs.csv --tokens chars:3 -t 0.85 {options}");
        same_under(&folder, &job, &[(2, 1), (3, 3)], &[DISK]);
    }
}

#[test]
fn single_words() {
    let folder = collection(2_500_000);
    for options in ["-t 0.7", "-t 0.7 --keep longest --against other.jsonl", "-t 0.5 --components"] {
        let job = format!("dedup in.jsonl {OUTPUTS} --tokens words:1 {options}");
        same_under(&folder, &job, &[(0, 1), (1, 3)], &[DISK]);
    }
    same_under(&folder, "pairs in.jsonl -o out/pairs.csv --tokens words:1 -t 0.7", &[(0, 1), (1, 3)], &[DISK]);
}
