//! Are the summary, its JSON form and the exit status right?

use crate::fixture::{CHAIN, CHAIN_LINK, Folder, numbered, row};

fn folder() -> Folder {
    let chain: String = ["a", "b", "c"].iter().zip(CHAIN).map(|(id, range)| numbered(id, range)).collect();
    let others =
        [numbered("a2", CHAIN[0].clone()), row("e", ""), "{\"id\":\"no text\"}\n".into(), "bad\n".into()].concat();
    Folder::with(&[("in.jsonl", chain + &others)])
}

/// Every line that a summary can have.
#[test]
fn at_most_six_lines_before_the_histogram() {
    let folder = folder();
    let run = folder.run("dedup in.jsonl --pairs pairs.csv --components").ends(3);
    let summary: Vec<&str> = run.stderr.lines().skip_while(|line| line.starts_with("lookalike: ")).collect();
    let histogram = summary.iter().position(|line| line.is_empty()).unwrap();
    assert!(histogram <= 6, "{}", run.stderr);
    let text = summary[..histogram].join("\n");
    for part in [
        "6 documents",
        "jaccard ≥ 0.8 on words:5, exact",
        "removed 3: 1 identical to an earlier document, 2 near",
        "1 cluster",
        "kept 3 (50.0 %)",
        "1 empty (kept",
        "1 without usable text (kept",
        "1 unreadable (left out)",
        "4 pairs",
        "peak memory",
    ] {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
    assert!(summary[histogram + 1].starts_with("similarity"));
    let total: u64 =
        summary[histogram + 2..].iter().map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(total, 4);
}

/// A copy of a removed document counts as identical, but is compared with the twin of both. So the histogram has none at 1.
#[test]
fn a_copy_of_a_removed_document_counts_by_its_twin() {
    let rows = [numbered("a", CHAIN[0].clone()), numbered("b", CHAIN[1].clone()), numbered("b2", CHAIN[1].clone())];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    let said = folder.run("dedup in.jsonl --removed removed.jsonl").ends(0).stderr;
    let counts = "removed 2: 1 identical to an earlier document, 1 near; 1 cluster; kept 1 (33.3 %)";
    for part in [counts, "\nsimilarity   removed documents, compared with their twins\n", " 2\n", "  1  0\n"] {
        assert!(said.contains(part), "no '{part}' in:\n{said}");
    }
    assert_eq!(folder.field("removed.jsonl", "twin"), ["a", "a"]);
}

#[test]
fn no_histogram_of_nothing() {
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54))]);
    let run = folder.run("dedup in.jsonl").ends(0);
    assert!(!run.stderr.contains('\u{2588}') && !run.stderr.contains("similarity "), "{}", run.stderr);
}

#[test]
fn json_for_machines() {
    let folder = folder();
    let run = folder.printing("dedup in.jsonl --pairs pairs.csv --json --threads 2 --keep longest", "").ends(3);
    let report = run.json();
    let mut keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "clusters",
        "documents",
        "empty",
        "histogram",
        "identical",
        "input_bytes",
        "keep",
        "kept",
        "measure",
        "megabytes_per_second",
        "memory",
        "method",
        "near",
        "pairs",
        "peak_memory_bytes",
        "problems",
        "references",
        "rule",
        "seconds",
        "signatures",
        "text_bytes",
        "threads",
        "threshold",
        "tokens",
        "unreadable",
        "unusable",
        "within",
    ];
    assert_eq!(keys, expected);
    let numbers = [
        "documents",
        "references",
        "identical",
        "near",
        "kept",
        "clusters",
        "pairs",
        "empty",
        "unusable",
        "unreadable",
        "threads",
    ];
    assert_eq!(numbers.map(|key| report[key].as_u64().unwrap()), [6, 0, 1, 1, 4, 2, 4, 1, 1, 1, 2]);
    assert_eq!(report["input_bytes"], folder.read("in.jsonl").len());
    assert_eq!((&report["measure"], &report["threshold"]), (&"jaccard".into(), &0.8.into()));
    assert_eq!((&report["tokens"], &report["keep"]), (&"words:5".into(), &"longest".into()));
    assert_eq!((&report["method"], &report["rule"]), (&"exact".into(), &"survivors".into()));
    assert_eq!(report["problems"].as_array().unwrap().len(), 2);
    for key in ["read", "compare", "write", "total"] {
        assert!(report["seconds"][key].is_number());
    }
    let bins = report["histogram"].as_array().unwrap();
    let counted = |of: f64| {
        let holds = |bin: &&serde_json::Value| {
            let (from, to) = (bin["from"].as_f64().unwrap(), bin["to"].as_f64().unwrap());
            from <= of && (of < to || from == to)
        };
        bins.iter().find(holds).unwrap()["count"].as_u64().unwrap()
    };
    assert_eq!((counted(CHAIN_LINK), counted(1.0)), (3, 1));
    // Bad rows are named on standard error all the same.
    run.says("in.jsonl, row 7: malformed JSON");
    let report = folder.printing("dedup in.jsonl --json", "").json();
    assert!(report["pairs"].is_null());
}

/// On Linux a new process inherits the peak memory of its parent, so it is read in another way.
#[test]
fn peak_memory_is_its_own() {
    const LARGE: usize = 256 << 20;
    let folder = folder();
    let memory = vec![1_u8; LARGE];
    let report = folder.printing("dedup in.jsonl --json", "").json();
    assert!(memory.iter().all(|&byte| byte == 1));
    let peak = report["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak > 1 << 20 && peak < LARGE as u64 / 2, "{peak} bytes for a few rows");
}

#[test]
fn quiet_says_nothing() {
    let folder = folder();
    let run = folder.run("dedup in.jsonl --quiet -o kept.jsonl --removed removed.jsonl").ends(3);
    assert_eq!(run.stderr, "");
    // Fatal errors are still printed.
    folder.run("dedup none.jsonl --quiet").ends(2).says("none.jsonl");
    let run = folder.run("check in.jsonl --kept in.jsonl --removed removed.jsonl -q").ends(1);
    assert_eq!(run.stderr, "");
}

#[test]
fn fail_if_found() {
    let folder = folder();
    folder.run("dedup in.jsonl --fail-if-found -o kept.jsonl").ends(1);
    assert_eq!(folder.field("kept.jsonl", "id"), ["a", "c", "e", "no text"]);
    folder.run("dedup kept.jsonl --fail-if-found").ends(3);
    folder.write("clean.jsonl", [numbered("a", 0..54), row("e", "")].concat());
    folder.run("dedup clean.jsonl --fail-if-found").ends(0);
}
