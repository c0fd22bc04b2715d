//! Are rows read that are far longer than a block?

use std::fs::File;
use std::io::{BufWriter, Write};

use crate::fixture::{Folder, numbered, words};

/// A JSON line with a text of this many bytes: a repeated sentence, and only spaces beyond a megabyte, so that there is much to
/// read and little to compare.
fn write_long_row(out: &mut impl Write, id: &str, bytes: usize) {
    let sentence = format!("{} ", words(0..1000));
    write!(out, "{{\"id\":\"{id}\",\"text\":\"").unwrap();
    let sentences = sentence.repeat(bytes.min(1_000_000) / sentence.len());
    out.write_all(sentences.as_bytes()).unwrap();
    out.write_all(&b" ".repeat(bytes - sentences.len())).unwrap();
    out.write_all(b"\"}\n").unwrap();
}

/// Consecutive rows longer than a block, with lengths around its multiples: none is cut.
#[test]
fn rows_longer_than_a_block_stay_whole() {
    const BLOCK: usize = 1 << 20;
    for length in [BLOCK - 30, BLOCK, BLOCK + BLOCK / 2, 2 * BLOCK + 5, 5 * BLOCK / 2] {
        let folder = Folder::new();
        let mut input = Vec::new();
        for (id, extra) in [("a", 0), ("b", 1), ("c", 70_000), ("d", 0)] {
            write_long_row(&mut input, id, length + extra);
            input.extend_from_slice(numbered(&format!("short {id}"), 5000..5050).as_bytes());
        }
        write_long_row(&mut input, "e", length);
        write_long_row(&mut input, "f", length);
        folder.write("in.jsonl", &input);
        let report = folder.printing("dedup in.jsonl --removed removed.jsonl --json", "").json();
        assert_eq!(report["problems"], serde_json::json!([]), "rows of {length} bytes");
        assert_eq!(report["documents"], 10);
        assert_eq!(folder.field("removed.jsonl", "id"), ["b", "short b", "c", "short c", "d", "short d", "e", "f"]);
    }
}

const LENGTH: usize = 100_000_000;

/// By default it is too long to be compared: kept, byte for byte.
#[test]
fn a_line_of_100_megabytes_is_kept_as_it_is() {
    let folder = Folder::new();
    let mut out = BufWriter::new(File::create(folder.path("in.jsonl")).unwrap());
    write_long_row(&mut out, "a", LENGTH);
    out.write_all(numbered("b", 5000..5050).as_bytes()).unwrap();
    out.into_inner().unwrap();
    let run = folder.run("dedup in.jsonl -o kept.jsonl").ends(3);
    run.says("in.jsonl, row 1: the text has 100000000 bytes, more than --max-document allows")
        .says("1 without usable text");
    assert!(folder.read("in.jsonl") == folder.read("kept.jsonl"), "the long row changed");
}

#[test]
fn lines_of_100_megabytes_are_compared_on_demand() {
    let folder = Folder::new();
    let mut out = BufWriter::new(File::create(folder.path("in.jsonl")).unwrap());
    write_long_row(&mut out, "a", LENGTH);
    write_long_row(&mut out, "b", LENGTH);
    out.into_inner().unwrap();
    folder.run("dedup in.jsonl --max-document 200MB --removed removed.csv").ends(0).says("2 documents");
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nb,a,1.0\n");
}

/// The limit is on the text, to the byte.
#[test]
fn max_document_counts_bytes_of_text() {
    let folder = Folder::with(&[("in.txt", "1234567890\n1234567890\n12345678901\n12345678901\n")]);
    let run = folder.run("dedup in.txt --format lines --max-document 10 -o kept.txt").ends(3);
    run.says("in.txt, row 3: the text has 11 bytes").says("removed 1");
    assert_eq!(folder.text("kept.txt"), "1234567890\n12345678901\n12345678901\n");
    for (size, code) in
        [("1KB", 0), ("1KiB", 0), ("4096", 0), ("0", 2), ("x", 2), ("-1", 2), ("9999999999999GB", 2), ("1.5MB", 2)]
    {
        folder.run(&format!("dedup in.txt --format lines --max-document={size}")).ends(code);
    }
}
