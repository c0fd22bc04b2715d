//! Do the limits, statistics, summaries and exit statuses of `pairs` hold?

use crate::brute::{all_pairs, expected, reaches, rows, sets};
use crate::fixture::{Folder, numbered};

fn folder() -> Folder {
    Folder::with(&[("in.jsonl", rows(&sets(100, 21), 'd'))])
}

/// In input order, a pair is left out if one of its documents has reached the limit.
#[test]
fn so_many_pairs_of_each_document() {
    let sets = sets(100, 21);
    let folder = folder();
    let pairs: Vec<_> =
        all_pairs(&sets).into_iter().filter(|(_, _, counts)| reaches("jaccard", (1, 2), *counts)).collect();
    for most in [1, 2, 5, 1000] {
        let mut of = vec![0; sets.len()];
        let mut written = String::new();
        for (a, b, counts) in &pairs {
            if of[*a] < most && of[*b] < most {
                of[*a] += 1;
                of[*b] += 1;
                written += &format!("{}\n", expected("jaccard", &format!("d{a}"), &format!("d{b}"), *counts));
            }
        }
        let arguments = format!("pairs in.jsonl --tokens raw -t 0.5 --limit-per-document {most}");
        let run = folder.printing(&arguments, "").ends(0);
        assert_eq!(run.stdout, written);
        let left_out = pairs.len() - written.lines().count();
        assert!(left_out > 0 || most == 1000);
        if left_out > 0 {
            run.says(&format!("{left_out} pairs left out"));
        }
        let report = folder.printing(&format!("{arguments} --json -o pairs.csv --force"), "").ends(0).json();
        assert_eq!(report["left_out"], left_out);
        assert_eq!(report["pairs"], written.lines().count());
    }
}

#[test]
fn a_summary_for_machines() {
    let [a, b, c] = [numbered("a", 0..54), numbered("b", 4..58), numbered("c", 0..54)];
    let folder = Folder::with(&[("in.jsonl", a + &b + &c + "{\"id\":\"e\",\"text\":\"\"}\n"), ("more.jsonl", b)]);
    let report = folder.printing("pairs in.jsonl -o pairs.csv --json", "").ends(0).json();
    assert_eq!(report["documents"], 4);
    assert_eq!(report["others"], 0);
    assert_eq!(report["pairs"], 3);
    assert_eq!(report["identical_pairs"], 1);
    assert_eq!(report["distinct_sets"], 2);
    assert_eq!(report["empty"], 1);
    assert_eq!(report["measure"], "jaccard");
    assert_eq!(report["threshold"], 0.8);
    for stage in ["read", "prepare", "join", "write", "total"] {
        assert!(report["seconds"][stage].is_number(), "{stage}");
    }
    let histogram = report["histogram"].as_array().unwrap();
    assert_eq!(histogram.iter().map(|bin| bin["count"].as_u64().unwrap()).sum::<u64>(), 3);
    assert_eq!(histogram.last().unwrap()["count"], 1);

    let report = folder.printing("pairs in.jsonl --with more.jsonl --top 2 -o top.csv --json", "").ends(0).json();
    assert_eq!((&report["documents"], &report["others"], &report["pairs"]), (&4.into(), &1.into(), &2.into()));
    assert_eq!(report["threshold"], serde_json::Value::Null);
    folder.run("pairs in.jsonl --json").ends(2).says("--json and the pairs or --stats both write to stdout");
    folder.run("pairs in.jsonl --json -o x.csv --stats -").ends(2).says("both write to stdout");
}

#[test]
fn a_summary_for_people() {
    let folder = folder();
    let run = folder.run("pairs in.jsonl --tokens raw -o pairs.csv").ends(0);
    run.says("100 documents, ")
        .says("jaccard ≥ 0.8 on raw, exact")
        .says(" of them identical")
        .says("\nsimilarity   pairs\n");
    let run = folder.run("pairs in.jsonl --tokens raw --measure hamming -t 3 -o near.csv").ends(0);
    let run =
        run.says("hamming ≤ 3 on raw").says("\ndistance     pairs\n").says("\n          0  ").says("\n          3  ");
    let summary = run.stderr.split("\n\n").next().unwrap();
    assert!(summary.lines().count() <= 6, "{summary}");
    assert_eq!(folder.run("pairs in.jsonl --tokens raw -q -o quiet.csv").ends(0).stderr, "");
}

#[test]
fn how_and_why() {
    let folder = folder();
    for method in ["sparse", "light", "heavy", "allpairs", "ppjoin", "ppjoin+", "brute"] {
        let arguments = format!("pairs in.jsonl --tokens raw --algorithm {method} --explain -q -o pairs.csv --force");
        assert!(folder.run(&arguments).ends(0).stderr.starts_with(method));
    }
    assert!(!folder.run("pairs in.jsonl --explain -q -o pairs.csv --force").ends(0).stderr.is_empty());
    folder.run("pairs in.jsonl --algorithm nonsense").ends(2).says("nonsense");
}

#[test]
fn statistics() {
    let folder = folder();
    let stats = |options: &str| {
        let arguments = format!("pairs in.jsonl --tokens raw -t 0.6 {options} --stats stats.json -o pairs.csv --force");
        folder.run(&arguments).ends(0);
        serde_json::from_str::<serde_json::Value>(&folder.text("stats.json")).unwrap()
    };
    let results: Vec<u64> = ["allpairs", "ppjoin", "ppjoin+"]
        .map(|method| {
            let stats = stats(&format!("--algorithm {method}"));
            assert_eq!((&stats["algorithm"], &stats["measure"]), (&method.into(), &"jaccard".into()));
            assert_eq!((&stats["threshold"], &stats["documents"]), (&0.6.into(), &100.into()));
            let count = |name: &str| stats[name].as_u64().unwrap_or_else(|| panic!("{name} in {stats}"));
            assert!(count("index_entries") > 0 && count("distinct_sets") < 100);
            assert!(count("candidates_by_prefix") >= count("after_positional"));
            assert!(count("after_positional") >= count("after_suffix"));
            assert!(count("after_suffix") >= count("verified") && count("verified") >= count("results"));
            assert_eq!(count("pairs"), folder.text("pairs.csv").lines().count() as u64 - 1);
            assert!(stats["seconds"]["join"].is_number());
            count("results")
        })
        .to_vec();
    assert_eq!(results, [results[0]; 3]);
    let counts = folder.run("pairs in.jsonl --tokens raw -t 0.6 --distinct -o distinct.csv").ends(0);
    counts.says(&format!("{} pairs, 0 of them identical", results[0]));
    // Outputs that are refused.
    folder.run("pairs in.jsonl --stats pairs.csv -o pairs.csv --force").ends(2).says("is used for two outputs");
    folder.run("pairs in.jsonl --stats stats.json -o new.csv").ends(2).says("stats.json: it already exists");
    folder.run("pairs in.jsonl --stats in.jsonl -o new.csv --force").ends(2).says("it is one of the inputs");
}

#[test]
fn fails_if_asked_to() {
    let folder = Folder::with(&[("in.jsonl", [numbered("a", 0..54), numbered("b", 4..58)].concat())]);
    folder.run("pairs in.jsonl --fail-if-found -o pairs.csv").ends(1);
    assert_eq!(folder.text("pairs.csv").lines().count(), 2);
    folder.run("pairs in.jsonl --fail-if-found -t 0.9 -o none.csv").ends(0);
    folder.write("bad.jsonl", numbered("a", 0..54) + "bad\n");
    folder.run("pairs bad.jsonl --fail-if-found -o bad.csv").ends(3);
}

#[test]
fn outputs_that_would_destroy_something() {
    let folder = folder();
    let before = folder.text("in.jsonl");
    folder.run("pairs in.jsonl -o in.jsonl --force").ends(2).says("it is one of the inputs");
    folder.write("other.csv", "id,text\n1,x\n");
    folder.run("pairs in.jsonl --with other.csv -o other.csv --force").ends(2).says("it is one of the inputs");
    folder.run("pairs in.jsonl -o other.csv").ends(2).says("it already exists. Use --force to replace it");
    folder.run("pairs in.jsonl -o pairs.txt").ends(2).says("its name must end in .jsonl, .csv, .tsv or .parquet");
    folder.run("pairs in.jsonl -o none/pairs.csv").ends(2).says("the folder none does not exist");
    assert_eq!(folder.text("in.jsonl"), before);
    assert_eq!(folder.list(), ["in.jsonl", "other.csv"]);
    folder.run("pairs in.jsonl -o other.csv --force").ends(0);
    assert!(folder.text("other.csv").starts_with("a,b,similarity\n"));
    folder.printing("pairs - --with -", before).ends(2).says("stdin (-) is given more than once");
}

#[test]
fn thresholds() {
    let folder = folder();
    let cases = [
        ("jaccard -t 0", 2),
        ("jaccard -t 1.5", 2),
        ("jaccard -t=-0.5", 2),
        ("jaccard -t 1", 0),
        ("cosine -t 0", 2),
        ("dice -t 2", 2),
        ("max -t 0", 2),
        ("containment -t 1.01", 2),
        ("containment -t 1", 0),
        ("overlap -t 0", 2),
        ("overlap -t 0.5", 2),
        ("overlap", 2),
        ("overlap -t 3", 0),
        ("hamming -t=-1", 2),
        ("hamming -t -1", 2),
        ("hamming -t 1.5", 2),
        ("hamming", 2),
        ("hamming -t 0", 0),
        ("nonsense -t 0.5", 2),
    ];
    for (arguments, code) in cases {
        let run = folder.run(&format!("pairs in.jsonl --measure {arguments} -o pairs.csv --force")).ends(code);
        assert!(code == 0 || !run.stderr.is_empty());
        assert_eq!(folder.path("pairs.csv").exists(), code == 0, "{arguments}");
        let _ = std::fs::remove_file(folder.path("pairs.csv"));
    }
    folder.run("pairs in.jsonl --measure hamming -t 1.5").ends(2).says("must be a whole number, 0 or more");
    folder.run("pairs in.jsonl -t 0").ends(2).says("threshold 0 is out of range for jaccard");
    folder.run("pairs in.jsonl --limit-per-document 0").ends(2).says("--limit-per-document");
}
