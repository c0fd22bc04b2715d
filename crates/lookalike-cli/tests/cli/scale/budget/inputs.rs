//! Are inputs of every format read twice with the same result?

use super::{ALL, DISK, Document, SIEVE, documents, least, rows, same};
use crate::fixture::{Folder, gzip, zstd};
use crate::input::parquet::write_parquet;

const BYTES: usize = 5_500_000;

fn same_of(folder: &Folder, inputs: &str) {
    same(folder, &format!("dedup {inputs} --removed out/removed.csv --clusters out/clusters.csv"), &[SIEVE, DISK]);
    same(folder, &format!("pairs {inputs} -o out/pairs.csv"), &[SIEVE, DISK]);
}

#[test]
fn compressed_rows() {
    let folder = Folder::new();
    let documents = documents(BYTES, 'd');
    let (first, second) = documents.split_at(documents.len() / 2);
    folder.write("in.jsonl.gz", gzip(rows(first)));
    folder.write("in.jsonl.zst", zstd(rows(second)));
    same_of(&folder, "in.jsonl.gz in.jsonl.zst");
}

#[test]
fn csv() {
    let row = |Document { id, score, text, .. }: &Document| format!("{id},{score},\"{text}\"\n");
    let table: String = documents(BYTES, 'd').iter().map(row).collect();
    let folder = Folder::with(&[("in.csv", format!("id,score,text\n{table}"))]);
    same_of(&folder, "in.csv");
}

#[test]
fn parquet() {
    let folder = Folder::new();
    let documents = documents(BYTES, 'd');
    let rows: Vec<(Option<&str>, Option<&str>)> =
        documents.iter().map(|document| (Some(&*document.id), Some(&*document.text))).collect();
    write_parquet(&folder.path("in.parquet"), &rows);
    same_of(&folder, "in.parquet");
}

#[test]
fn a_folder_of_texts() {
    let folder = Folder::new();
    for document in documents(BYTES, 'd') {
        folder.write(&format!("texts/{}.txt", document.id), document.text);
    }
    same_of(&folder, "texts");
}

/// Standard input is copied to a temporary file, and that is read twice.
#[test]
fn standard_input() {
    let rows = rows(&documents(BYTES, 'd'));
    let folder = Folder::with(&[("in.jsonl", &rows)]);
    let little = least(&folder, "dedup in.jsonl", 1);
    let job = |memory: &str, name: &str| {
        let arguments = format!("dedup - --removed {name} --json --threads 1 --memory {memory}");
        folder.printing(&arguments, rows.as_str()).ends(0).json()["memory"]["plan"].clone()
    };
    assert_eq!(job("64GiB", "all.csv"), ALL);
    assert_eq!(job(&format!("{little}MiB"), "little.csv"), DISK);
    assert!(folder.read("all.csv") == folder.read("little.csv"));
}
