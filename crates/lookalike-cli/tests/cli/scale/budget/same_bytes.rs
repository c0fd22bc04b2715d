//! Do `dedup` and `pairs` write the same files under any budget, with all of their options?

use super::{ALL, DISK, OUTPUTS, SIEVE, collection, documents, least, rows, same, same_under};
use crate::fixture::Folder;

/// Bytes of text of a small collection.
const SMALL: usize = 5_500_000;
const BOTH: [&str; 2] = [SIEVE, DISK];

#[test]
fn a_larger_collection() {
    let folder = collection(24_000_000);
    let budgets = [(0, 1), (4, 3), (16, 1), (24, 3), (200, 1)];
    same_under(&folder, &format!("dedup in.jsonl {OUTPUTS}"), &budgets, &[ALL, SIEVE, DISK]);
    same_under(&folder, "pairs in.jsonl -o out/pairs.csv", &budgets, &[ALL, SIEVE, DISK]);
}

#[test]
fn dedup_with_every_rule() {
    let folder = collection(SMALL);
    for options in ["", "--components", "--keep longest", "--keep last", "--keep max:score", "--within language -t 0.5"]
    {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} {options}"), &BOTH);
    }
    same(&folder, &format!("dedup in.jsonl {OUTPUTS} -t 0.6"), &[DISK]);
}

#[test]
fn dedup_against_references() {
    let folder = collection(SMALL);
    for options in ["", "--components --within language", "--keep longest", "--measure containment -t 0.9"] {
        same(&folder, &format!("dedup in.jsonl --against other.jsonl {OUTPUTS} {options}"), &[DISK]);
    }
}

#[test]
fn dedup_with_every_measure() {
    let folder = collection(SMALL);
    for (measure, plans) in [
        ("cosine -t 0.85", &BOTH[..]),
        ("dice -t 0.9", &BOTH),
        ("max -t 0.8", &BOTH),
        ("containment -t 0.9", &[DISK]),
        ("overlap -t 40", &[DISK]),
        ("overlap -t 40 --components", &[DISK]),
        ("hamming -t 20", &BOTH),
        ("hamming -t 20 --components", &BOTH),
    ] {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} --measure {measure}"), plans);
    }
}

#[test]
fn pairs_with_every_option() {
    let folder = collection(SMALL);
    for options in ["", "--counts", "--distinct", "--limit-per-document 2"] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv {options}"), &BOTH);
    }
    same(&folder, "pairs in.jsonl -o out/pairs.csv --measure overlap -t 40 --distinct", &[DISK]);
    same(&folder, "pairs in.jsonl -o out/pairs.csv --within language --measure hamming -t 40", &BOTH);
}

#[test]
fn pairs_of_two_collections() {
    let folder = collection(SMALL);
    for options in ["", "--distinct --counts", "--measure overlap -t 60 --limit-per-document 3"] {
        same(&folder, &format!("pairs in.jsonl --with other.jsonl -o out/pairs.jsonl {options}"), &[DISK]);
    }
}

/// The sets are read again for every threshold that is tried.
#[test]
fn the_most_similar_pairs() {
    let folder = collection(SMALL);
    for (options, plans) in [
        ("--top 50", &[SIEVE][..]),
        ("--top 5000", &[DISK]),
        ("--top 50 --with other.jsonl", &[SIEVE]),
        ("--top 50 --measure overlap", &[DISK]),
    ] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv {options}"), plans);
    }
}

#[test]
fn ids_that_do_not_fit() {
    let mut documents = documents(SMALL, 'd');
    // 2 kB and more each, with characters of several bytes that may lie across the ends of blocks.
    documents.iter_mut().for_each(|one| one.id = format!("{}-{}", one.id, "né日".repeat(300 + one.id.len() * 31)));
    let ids: usize = documents.iter().map(|one| one.id.len()).sum();
    let folder = Folder::with(&[("in.jsonl", rows(&documents))]);
    let job = format!("dedup in.jsonl {OUTPUTS}");
    same(&folder, &job, &BOTH);
    assert!(least(&folder, &job, 1) < (ids >> 20) as u32 + 25, "of {ids} bytes of ids");
    same(&folder, "pairs in.jsonl -o out/pairs.csv", &BOTH);
}
