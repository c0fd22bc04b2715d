//! Does `sketch` write the right signature for every document, in input order?

use std::fs::File;

use lookalike::engine::{Recipe, SetMaker};
use lookalike::sketch::{Features, Filter, MinHash, SimHash};
use parquet::basic::Type;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::brute::Random;
use crate::fixture::{Folder, numbered, row, words};

const TEXT: &str = "The ferry to the island leaves at nine in the morning";

fn hexadecimal(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

fn maker(tokens: &str) -> SetMaker {
    SetMaker::new(Recipe { tokens: tokens.parse().unwrap(), ..Recipe::default() })
}

/// Known answers, and the library's own.
#[test]
fn as_the_library_has_them() {
    let folder = Folder::with(&[("in.jsonl", row("a", TEXT) + &numbered("b", 0..300))]);
    let texts = [TEXT.to_string(), words(0..300)];

    folder.run("sketch in.jsonl -o minhash.jsonl --tokens words:2").ends(0).says("2 documents");
    let minhash = MinHash::new(128);
    let expected: Vec<String> = texts
        .iter()
        .map(|text| {
            hexadecimal(minhash.sketch(maker("words:2").set(text)).iter().flat_map(|value| value.to_be_bytes()))
        })
        .collect();
    assert_eq!(folder.field("minhash.jsonl", "signature"), expected);
    assert!(expected[0].starts_with("0746344f357dc5e521e2ab451a117f27"));
    assert_eq!(folder.field("minhash.jsonl", "id"), ["a", "b"]);

    folder.run("sketch in.jsonl -o features.csv --method features").ends(0).says("features of 48 bytes on words:5");
    let features = Features::new(Filter::new(6, 14, 2).unwrap());
    let mut csv = "id,signature\n".to_string();
    for (id, text) in ["a", "b"].iter().zip(&texts) {
        let mut found = Vec::new();
        features.push(maker("words:5").set(text), &mut Vec::new(), &mut found);
        csv += &format!("{id},{}\n", hexadecimal(found.iter().flat_map(|feature| feature.to_be_bytes())));
    }
    assert_eq!(folder.text("features.csv"), csv);

    folder.run("sketch in.jsonl -o simhash.tsv --method simhash --tokens words").ends(0);
    let mut fingerprint = [0; 6];
    SimHash::new(384).unwrap().of(maker("words").sequence(&texts[1]), &mut fingerprint);
    let b = hexadecimal(fingerprint.iter().flat_map(|word| word.to_be_bytes()));
    let lines = folder.text("simhash.tsv");
    assert!(lines.contains("\na\tad14f26a0da9535a") && lines.ends_with(&format!("\nb\t{b}\n")), "{lines}");

    // To standard output.
    let run = folder.printing("sketch in.jsonl --functions 1 --tokens words:2", "").ends(0);
    assert!(run.stdout.starts_with("{\"id\":\"a\",\"signature\":\"0746344f\"}\n"), "{}", run.stdout);
}

/// In a bag, the second occurrence is another element; a simhash counts every occurrence anyway.
#[test]
fn bags() {
    let folder = Folder::with(&[("in.jsonl", row("once", "a b") + &row("twice", "a b a b"))]);
    let signatures = |options: &str| {
        folder.run(&format!("sketch in.jsonl --tokens words -o out.jsonl --force {options}")).ends(0);
        folder.field("out.jsonl", "signature")
    };
    let same = |pair: Vec<String>| pair[0] == pair[1];
    assert!(same(signatures("--functions 16")));
    assert!(!same(signatures("--functions 16 --bag")));
    assert!(same(signatures("--method simhash")));
    folder.run("sketch in.jsonl --method simhash --bag -o out.jsonl --force").ends(2).says("--bag");
}

#[test]
fn documents_without_tokens_have_no_signature() {
    let bad = "{\"id\":\"none\"}\nnot json\n";
    let folder = Folder::with(&[("in.jsonl", row("a", TEXT) + &row("empty", " … ") + bad + &row("z", TEXT))]);
    for method in ["minhash", "features", "simhash"] {
        let run = folder.run(&format!("sketch in.jsonl --method {method} -o out.jsonl --force")).ends(3);
        run.says("1 empty (no signature); 1 without usable text (no signature); 1 unreadable (left out)")
            .says("in.jsonl, row 3")
            .says("in.jsonl, row 4");
        let rows = folder.rows("out.jsonl");
        assert_eq!(folder.field("out.jsonl", "id"), ["a", "empty", "none", "z"]);
        assert!(rows[1]["signature"].is_null() && rows[2]["signature"].is_null());
        assert!(rows[0]["signature"].is_string() && rows[0]["signature"] == rows[3]["signature"]);
    }
    folder.run("sketch in.jsonl -o out.csv").ends(3);
    assert!(folder.text("out.csv").contains("\nempty,\nnone,\nz,"));
    folder.run("sketch in.jsonl -o strict.jsonl --strict").ends(2).says("row 3");
    assert!(!folder.path("strict.jsonl").exists());
}

#[test]
fn bytes_in_parquet() {
    let folder = Folder::with(&[("in.jsonl", row("a", TEXT) + &row("empty", "") + &row("b", &words(0..50)))]);
    folder.run("sketch in.jsonl -o out.parquet --functions 3").ends(0);
    folder.run("sketch in.jsonl -o out.jsonl --functions 3").ends(0);
    let reader = SerializedFileReader::new(File::open(folder.path("out.parquet")).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr().column(1);
    assert_eq!((schema.physical_type(), schema.type_length()), (Type::FIXED_LEN_BYTE_ARRAY, 12));
    let found: Vec<String> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| match row.unwrap().get_column_iter().nth(1).unwrap().1 {
            Field::Bytes(bytes) => hexadecimal(bytes.data().iter().copied()),
            Field::Null => "null".to_string(),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(found, folder.field("out.jsonl", "signature"));
    assert_eq!(found[1], "null");
}

/// Many blocks of several files, compressed or not, give the same bytes on any number of threads. Rows without ids get names.
#[test]
fn the_same_on_any_number_of_threads() {
    let mut random = Random(9);
    let mut text = |n: u64| (0..n).map(|_| format!("word{}", random.below(5000))).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = (0..2500).map(|n| format!("{{\"text\":\"{}\"}}\n", text(60 + n % 200))).collect();
    let folder = Folder::with(&[("1.jsonl", lines[..900].concat())]);
    folder.write("2.jsonl.zst", crate::fixture::zstd(lines[900..].concat()));
    for (method, table) in [("minhash", "jsonl"), ("features", "parquet"), ("simhash", "csv.gz")] {
        let signatures = |threads: u32| {
            let options = format!("--method {method} --threads {threads} -o out{threads}.{table}");
            folder.run(&format!("sketch 1.jsonl 2.jsonl.zst {options}")).ends(0);
            folder.read(&format!("out{threads}.{table}"))
        };
        let expected = signatures(1);
        for threads in [2, 3, 7] {
            assert!(signatures(threads) == expected, "{method} on {threads} threads");
        }
    }
    let ids = folder.field("out1.jsonl", "id");
    assert_eq!(ids.len(), 2500);
    assert_eq!(
        (&*ids[0], &*ids[899], &*ids[900], &*ids[2499]),
        ("1.jsonl:1", "1.jsonl:900", "2.jsonl.zst:1", "2.jsonl.zst:1600")
    );
}

#[test]
fn a_report_for_machines() {
    let folder = Folder::with(&[("in.jsonl", row("a", TEXT) + &row("b", ""))]);
    let report = folder.printing("sketch in.jsonl --method simhash --bits 64 -o out.jsonl --json", "").ends(0).json();
    assert_eq!(report["documents"], 2);
    assert_eq!(report["empty"], 1);
    assert_eq!(report["signature"], "simhash");
    assert_eq!(report["signature_bytes"], 8);
    assert_eq!(report["text_bytes"], TEXT.len());
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::with(&[("in.jsonl", row("a", TEXT)), ("there.jsonl", "x".to_string())]);
    for (arguments, part) in [
        ("", "INPUT"),
        ("in.jsonl --method magic", "minhash"),
        ("in.jsonl --functions 0 -o out.jsonl", "--functions"),
        ("in.jsonl --functions 20000 -o out.jsonl", "too long"),
        ("in.jsonl --method simhash --bits 100 -o out.jsonl", "multiple of 64"),
        ("in.jsonl --method simhash --bits 0 -o out.jsonl", "multiple of 64"),
        ("in.jsonl --method features --features 6,14,7 -o out.jsonl", "r from 1 to k"),
        ("in.jsonl --bits 64 -o out.jsonl", "--bits works only with --method simhash"),
        ("in.jsonl --method simhash --functions 64 -o out.jsonl", "--functions works only with --method minhash"),
        ("in.jsonl -o there.jsonl", "--force"),
        ("in.jsonl -o in.jsonl --force", "one of the inputs"),
        ("in.jsonl -o out.txt", ".parquet"),
        ("in.jsonl --json", "stdout"),
        ("missing.jsonl -o out.jsonl", "missing.jsonl"),
    ] {
        folder.run(&format!("sketch {arguments}")).ends(2).says(part);
        assert_eq!(folder.list(), ["in.jsonl", "there.jsonl"], "{arguments}");
    }
    // A truncated file is fatal, and nothing is written.
    let whole = crate::fixture::gzip(row("a", TEXT).repeat(2000));
    folder.write("cut.jsonl.gz", &whole[..whole.len() / 2]);
    for threads in [1, 3] {
        folder.run(&format!("sketch cut.jsonl.gz -o out.jsonl --threads {threads}")).ends(2).says("cut.jsonl.gz");
        assert!(!folder.path("out.jsonl").exists());
    }
}

/// With little memory, fewer blocks wait, and the file is the same. With too little, nothing is written.
#[test]
fn the_same_in_any_memory() {
    let rows: String = (0..20_000).map(|n| row(&format!("d{n}"), &words(n..n + 9))).collect();
    let folder = Folder::with(&[("in.jsonl", &rows)]);
    for (options, name) in [("--functions 2000", "csv"), ("--functions 500", "parquet"), ("--method simhash", "jsonl")]
    {
        folder.run(&format!("sketch in.jsonl {options} -o all.{name}")).ends(0);
        let job = format!("sketch in.jsonl {options} -o some.{name} --threads 2");
        let run = folder.run(&format!("{job} --memory 20MiB")).ends(2).says("20 MiB of memory is too little for about");
        assert!(!folder.path(&format!("some.{name}")).exists());
        let least = run.stderr.split_once("use --memory ").unwrap().1.split_once("MiB").unwrap().0;
        let report = folder.printing(&format!("{job} --memory {least}MiB --json"), "").ends(0).json();
        let peak = report["peak_memory_bytes"].as_u64().unwrap();
        assert!(peak <= least.parse::<u64>().unwrap() << 20, "{options}: {peak} bytes in {least} MiB");
        assert!(folder.read(&format!("all.{name}")) == folder.read(&format!("some.{name}")));
    }
}
