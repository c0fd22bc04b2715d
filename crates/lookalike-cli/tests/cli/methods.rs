//! Pairs by signatures: nothing false, the same bytes always, and a recall that is what it is said to be.

use std::collections::BTreeSet;

use crate::brute::Random;
use crate::fixture::{Folder, row};

/// Documents of which many are changed copies of others, at similarities on both sides of the threshold; a few equal ones.
fn corpus(documents: u64) -> String {
    let mut random = Random(7);
    let mut texts: Vec<Vec<u64>> = Vec::new();
    let mut rows = String::new();
    for n in 0..documents {
        let mut text: Vec<u64> = match random.below(2) {
            1 if !texts.is_empty() => texts[random.below(texts.len() as u64) as usize].clone(),
            _ => (0..80 + random.below(80)).map(|_| random.below(100_000)).collect(),
        };
        for _ in 0..random.below(5) {
            let at = random.below(text.len() as u64) as usize;
            text[at] = random.below(100_000);
        }
        let words: Vec<String> = text.iter().map(|word| format!("word{word}")).collect();
        rows += &row(&format!("d{n}"), &words.join(" "));
        texts.push(text);
    }
    rows
}

fn lines(folder: &Folder, name: &str) -> BTreeSet<String> {
    folder.text(name).lines().map(String::from).collect()
}

#[test]
fn minhash_reports_only_true_pairs_and_the_recall_it_has() {
    let folder = Folder::with(&[("in.jsonl", corpus(1500))]);
    folder.run("pairs in.jsonl --distinct -o exact.jsonl").ends(0);
    let exact = lines(&folder, "exact.jsonl");
    assert!(exact.len() > 300, "{}", exact.len());
    for options in ["--recall 0.99", "--recall 0.6 --bytes 64", "--features 6,14,2"] {
        let run = format!("pairs in.jsonl --distinct --method minhash {options} --json --force -o found.jsonl");
        let report = folder.printing(&run, "").ends(0).json();
        let found = lines(&folder, "found.jsonl");
        assert!(found.is_subset(&exact), "{options}");
        let recall = found.len() as f64 / exact.len() as f64;
        let signatures = &report["signatures"];
        let value = |name: &str| signatures["recall"][name].as_f64().unwrap();
        // The sample of so small a collection is all of it.
        assert_eq!(signatures["recall"]["sampled_sets"], signatures["recall"]["sets"]);
        assert!((value("measured") - recall).abs() < 1e-12, "{options}: {recall} {signatures}");
        assert!((value("low"), value("high")) == (value("measured"), value("measured")));
        assert!(recall >= signatures["designed_recall"].as_f64().unwrap() - 0.01, "{options}: {recall} {signatures}");
    }
}

#[test]
fn equal_documents_and_second_collections() {
    let corpus = corpus(600);
    let half = corpus.len() / 2 + corpus[corpus.len() / 2..].find('\n').unwrap() + 1;
    let folder = Folder::with(&[("1.jsonl", &corpus[..half]), ("2.jsonl", &corpus[half..])]);
    folder.write("all.jsonl", format!("{corpus}{}", corpus.replace("\"d", "\"e")));
    for inputs in ["all.jsonl", "1.jsonl --with 2.jsonl", "2.jsonl --with all.jsonl --distinct"] {
        folder.run(&format!("pairs {inputs} -t 0.7 --counts --force -o exact.jsonl")).ends(0);
        // A filter that misses nothing to speak of, so that the answers can be compared byte by byte.
        let run = format!("pairs {inputs} -t 0.7 --counts --force --method minhash --features 64,2,1 -o found.jsonl");
        folder.run(&run).ends(0).says("each verified");
        assert!(folder.text("exact.jsonl") == folder.text("found.jsonl"), "{inputs}");
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let folder = Folder::with(&[("in.jsonl", corpus(1000))]);
    for method in ["minhash --recall 0.9", "simhash --bits 128 --agree 110", "simhash -t 0.7 --agree 340"] {
        let of = |threads: u32| {
            let run = format!("pairs in.jsonl --method {method} --threads {threads} --json --force -o out.csv");
            let report = folder.printing(&run, "").ends(0).json();
            (folder.read("out.csv"), report["signatures"].to_string(), report["histogram"].to_string())
        };
        let one = of(1);
        assert!(one.0.len() > 100, "{method}");
        assert!(one == of(2) && one == of(3), "{method}");
    }
}

#[test]
fn simhash_tells_agreement_and_similarity() {
    let folder = Folder::with(&[("in.jsonl", corpus(300))]);
    folder.run("pairs in.jsonl --method simhash --agree 300 -o all.jsonl").ends(0);
    let rows = folder.rows("all.jsonl");
    assert!(rows.len() > 50);
    assert!(rows.iter().all(|row| row["agree"].as_u64().unwrap() >= 300));
    let reaching = rows.iter().filter(|row| row["similarity"].as_f64().unwrap() >= 0.8).count();
    let run = "pairs in.jsonl --method simhash --agree 300 -t 0.8 -o some.jsonl --json";
    let report = folder.printing(run, "").ends(0).json();
    assert_eq!(folder.rows("some.jsonl").len(), reaching);
    assert!(report["signatures"]["recall"]["measured"].as_f64().is_some());
    assert!(report["signatures"]["designed_recall"].is_null());
}

#[test]
fn nothing_to_find() {
    let folder = Folder::with(&[("none.jsonl", String::new()), ("one.jsonl", row("a", "") + &row("b", "one two"))]);
    for input in ["none.jsonl", "one.jsonl"] {
        folder.run(&format!("pairs {input} --method minhash --force -o out.csv")).ends(0).says("not measured");
        folder.run(&format!("pairs {input} --method simhash --force -o out.csv")).ends(0);
    }
}

#[test]
fn refused() {
    let folder = Folder::with(&[("in.jsonl", row("a", "one"))]);
    for (options, message) in [
        ("--recall 0.9", "--recall is for --method minhash"),
        ("--method simhash --bytes 64", "--bytes is for --method minhash"),
        ("--method minhash --agree 60", "--agree is for --method simhash"),
        ("--method minhash --measure cosine", "--method minhash is for jaccard"),
        ("--method minhash --measure edit -t 2", "--measure edit is for --method exact"),
        ("--method minhash --algorithm ppjoin", "are for --method exact"),
        ("--method minhash --recall 1", "must be above 0 and below 1"),
        ("--method minhash --recall 0.999 --bytes 8 -t 0.5", "no filter finds"),
        ("--method simhash --bits 100", "a multiple of 64"),
        ("--method simhash --bits 64 --agree 65", "more than the 64 bits"),
    ] {
        folder.run(&format!("pairs in.jsonl {options} -o out.csv")).ends(2).says(message);
    }
    assert_eq!(folder.list(), ["in.jsonl"]);
}
