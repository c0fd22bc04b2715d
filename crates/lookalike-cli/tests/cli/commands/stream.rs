//! Does `stream` give the right verdict for each line, without delay?

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::fixture::{Folder, gzip, words};

/// A JSON line with an id, a time and a text.
fn at(id: &str, time: impl Into<Value>, text: &str) -> String {
    format!("{}\n", json!({"id": id, "time": time.into(), "text": text}))
}

/// The lines of standard output.
fn verdicts(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Each id with its verdict, in order.
fn kinds(stdout: &str) -> Vec<(String, String)> {
    let plain = |value: &Value| value.as_str().unwrap().to_string();
    verdicts(stdout).iter().map(|verdict| (plain(&verdict["id"]), plain(&verdict["verdict"]))).collect()
}

fn named(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, kind)| (id.to_string(), kind.to_string())).collect()
}

/// Elements by word, so that they can be counted: a and b share 9 of 10 words.
const BY_WORDS: &str = "--tokens words -q";

#[test]
fn every_kind_of_verdict() {
    let folder = Folder::with(&[(
        "feed.jsonl",
        [
            at("a", "2024-02-29T10:00:00Z", &words(0..10)),
            at("b", "2024-02-29T11:30:00.5Z", &words(1..11)),
            at("c", "2024-02-29T12:00:00+01:00", &words(0..10)),
            at("late", "2024-02-28T11:00:00Z", &words(2..12)),
            at("old", "2024-02-28T10:59:59Z", &words(0..10)),
            at("far", "2024-03-01T12:00:00Z", &words(0..10)),
        ]
        .concat(),
    )]);
    let run = folder.printing(&format!("stream feed.jsonl {BY_WORDS}"), "").ends(0);
    let lines = verdicts(&run.stdout);
    assert_eq!(lines[0], json!({"id": "a", "verdict": "new", "of": null, "similarity": null, "matches": []}));
    let match_of = |id: &str, similarity: f64, age: Value| json!({"id": id, "similarity": similarity, "age": age});
    assert_eq!(
        lines[1],
        json!({"id": "b", "verdict": "near", "of": "a", "similarity": 0.9, "matches": [match_of("a", 0.9, json!(5400.5))]})
    );
    assert_eq!(
        lines[2],
        json!({"id": "c", "verdict": "exact", "of": "a", "similarity": 1.0,
            "matches": [match_of("a", 1.0, json!(3600)), match_of("b", 0.9, json!(-1800.5))]})
    );
    // A late document in the window is also compared with later ones: b is within its reach.
    let ages: Vec<&Value> = lines[3]["matches"].as_array().unwrap().iter().map(|found| &found["age"]).collect();
    assert_eq!((&lines[3]["verdict"], ages), (&json!("near"), vec![&json!(-88200.5), &json!(-82800), &json!(-86400)]));
    assert_eq!(lines[4]["verdict"], "old");
    assert_eq!(lines[5]["verdict"], "new");
    assert!(
        run.stdout.starts_with("{\"id\":\"a\",\"verdict\":\"new\",\"of\":null,\"similarity\":null,\"matches\":[]}\n")
    );
    // Both indexes give the same verdicts.
    let bitmaps = folder.printing(&format!("stream feed.jsonl {BY_WORDS} --index bitmaps"), "").ends(0);
    assert_eq!(bitmaps.stdout, run.stdout);
}

#[test]
fn a_verdict_comes_before_the_next_line() {
    let folder = Folder::new();
    let mut command = folder.command("stream -q");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for (number, kind) in ["new", "exact", "exact"].iter().enumerate() {
        stdin.write_all(at(&number.to_string(), number, &words(0..50)).as_bytes()).unwrap();
        // Half a line gets no verdict yet.
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(kinds(&line), named(&[(&number.to_string(), kind)]));
    }
    stdin.write_all(b"{\"id\": \"half\", \"time\": 9, ").unwrap();
    stdin.flush().unwrap();
    stdin.write_all(b"\"text\": \"a text without an end of line\"}").unwrap();
    drop(stdin);
    let mut rest = String::new();
    stdout.read_line(&mut rest).unwrap();
    assert_eq!(kinds(&rest), named(&[("half", "new")]));
    assert!(child.wait().unwrap().success());
}

#[test]
fn only_some_verdicts() {
    let feed =
        [at("a", 0, &words(0..10)), at("b", 1, &words(0..10)), at("c", 2, &words(50..60)), at("d", 3, &words(51..61))];
    let folder = Folder::with(&[("feed.jsonl", feed.concat())]);
    let kinds_with =
        |options: &str| kinds(&folder.printing(&format!("stream {BY_WORDS} {options} feed.jsonl"), "").ends(0).stdout);
    assert_eq!(kinds_with("--only new"), named(&[("a", "new"), ("c", "new")]));
    assert_eq!(kinds_with("--only duplicates"), named(&[("b", "exact"), ("d", "near")]));
    assert_eq!(kinds_with("--only duplicates -t 0.95"), named(&[("b", "exact")]));
    assert_eq!(kinds_with("--only duplicates --measure jaccard"), named(&[("b", "exact"), ("d", "near")]));
    assert_eq!(kinds_with("--only duplicates --measure jaccard -t 9/10"), named(&[("b", "exact")]));
    assert_eq!(kinds_with("--only duplicates --measure overlap -t 10"), named(&[("b", "exact")]));
}

#[test]
fn compared_with_accepted_ones_only() {
    // b resembles a, and c resembles b but not a.
    let feed = [at("a", 0, &words(0..10)), at("b", 1, &words(2..12)), at("c", 2, &words(4..14))];
    let folder = Folder::with(&[("feed.jsonl", feed.concat())]);
    let all = folder.printing(&format!("stream feed.jsonl {BY_WORDS}"), "").ends(0);
    assert_eq!(kinds(&all.stdout), named(&[("a", "new"), ("b", "near"), ("c", "near")]));
    let accepted = folder.printing(&format!("stream feed.jsonl {BY_WORDS} --compare-with accepted"), "").ends(0);
    assert_eq!(kinds(&accepted.stdout), named(&[("a", "new"), ("b", "near"), ("c", "new")]));
}

#[test]
fn windows_and_segments() {
    let feed = [at("a", "0", &words(0..10)), at("b", 150, &words(0..10)), at("c", 331.5, &words(0..10))];
    let folder = Folder::with(&[("feed.jsonl", feed.concat())]);
    let kinds_with =
        |options: &str| kinds(&folder.printing(&format!("stream feed.jsonl {BY_WORDS} {options}"), "").ends(0).stdout);
    let (new, exact) = ("new", "exact");
    assert_eq!(kinds_with(""), named(&[("a", new), ("b", exact), ("c", exact)]));
    assert_eq!(kinds_with("--window 2m --segment 1m"), named(&[("a", new), ("b", exact), ("c", new)]));
    assert_eq!(kinds_with("--window 90s --segment 30s"), named(&[("a", new), ("b", new), ("c", new)]));
    assert_eq!(kinds_with("--window 0s --segment 1d"), named(&[("a", new), ("b", exact), ("c", exact)]));
}

#[test]
fn bad_rows() {
    let rows = [
        at("a", 0, &words(0..10)),
        "{\"id\": \"no time\", \"text\": \"x\"}\n".to_string(),
        at("odd", "yesterday", "x"),
        "{\"id\": 7, \"time\": 3}\n".to_string(),
        "nonsense\n".to_string(),
        at("b", 1, &words(0..10)),
    ];
    let folder = Folder::with(&[("feed.jsonl", rows.concat())]);
    let run = folder.printing("stream feed.jsonl", "").ends(3);
    assert_eq!(
        kinds(&run.stdout),
        named(&[("a", "new"), ("no time", "new"), ("odd", "new"), ("7", "new"), ("b", "exact")])
    );
    let run = run
        .says("lookalike: feed.jsonl, row 2: no field 'time' (fields: id, text). Use --time to name the time field.\n")
        .says("feed.jsonl, row 3: field 'time' is not a time (RFC 3339, or a number of seconds since 1970)")
        .says("feed.jsonl, row 4: no field 'text'")
        .says("feed.jsonl, row 5: malformed JSON");
    run.says("3 without usable text or time (new, not compared); 1 unreadable (left out)");
    let strict = folder.printing("stream feed.jsonl --strict", "").ends(2);
    assert_eq!(kinds(&strict.stdout), named(&[("a", "new")]));
    strict.says("feed.jsonl, row 2: no field 'time' (fields: id, text). Use --time to name the time field. (--strict stops here)");
}

#[test]
fn a_summary_and_its_json() {
    let feed = [at("a", 0, &words(0..10)), at("b", 1, &words(0..10)), at("c", 2, "")];
    let folder = Folder::with(&[("feed.jsonl", feed.concat())]);
    folder
        .printing("stream feed.jsonl", "")
        .ends(0)
        .says("max ≥ 0.8 on letters:4, a window of 24h in segments of 1h, exact\n")
        .says("2 new; stopped 1 (33.3 %): 1 exact copy, 0 near-duplicates; 2 in the window at the end\n")
        .says("1 empty (new, not compared)\n");
    let run = folder.printing("stream feed.jsonl --json -o verdicts.jsonl", "").ends(0);
    let report = run.json();
    assert_eq!((&report["documents"], &report["exact"], &report["new"]), (&json!(3), &json!(1), &json!(2)));
    assert_eq!((&report["index"], &report["window_seconds"]), (&json!("prefix"), &json!(86400.0)));
    assert_eq!(folder.field("verdicts.jsonl", "verdict"), ["new", "exact", "new"]);
    folder.run("stream feed.jsonl -o verdicts.jsonl").ends(2).says("it already exists. Use --force to replace it");
    folder.run("stream feed.jsonl --json").ends(2).says("both write to stdout");
}

#[test]
fn other_inputs() {
    let pages = [("a", 0), ("b", 1)].map(|(id, time)| {
        format!("{}\n", json!({"name": id, "when": time, "page": format!("<p>{}<b>!</b>", words(0..50))}))
    });
    let folder = Folder::with(&[("pages.jsonl", pages.concat())]);
    let run = folder.printing("stream pages.jsonl --html page --id name --time when -q", "").ends(0);
    assert_eq!(kinds(&run.stdout), named(&[("a", "new"), ("b", "exact")]));
    folder.write(
        "feed.csv",
        format!("id,time,text\na,2024-01-01T00:00:00Z,{0}\nb,2024-01-01T00:30:00Z,{0}\n", words(0..9)),
    );
    let run = folder.printing("stream feed.csv -q", "").ends(0);
    assert_eq!(kinds(&run.stdout), named(&[("a", "new"), ("b", "exact")]));
    folder.run("stream feed.csv --time when").ends(2).says("no column 'when'");
    // Compressed, and without ids, through standard input.
    let rows = [0, 1].map(|time| format!("{}\n", json!({"time": time, "text": words(0..9)}))).concat();
    let run = folder.printing("stream -q", gzip(rows)).ends(0);
    assert_eq!(kinds(&run.stdout), named(&[("-:1", "new"), ("-:2", "exact")]));
    assert_eq!(folder.printing("stream -q", "").ends(0).stdout, "");
}

#[test]
fn what_is_refused() {
    let folder = Folder::with(&[("feed.jsonl", at("a", 0, "x"))]);
    for (options, message) in [
        ("--measure hamming -t 3", "hamming is a distance"),
        ("--measure edit -t 3", "--measure edit compares texts"),
        ("-t 1.5", "threshold 1.5 is out of range"),
        ("--segment 0s", "a segment must be longer than 0"),
        ("--window 24", "is not a span like 90s, 15m, 24h or 7d"),
        ("--window 99999999999999d", "is out of range"),
        ("--window é", "is not a span"),
        ("-", "stdin (-) is given more than once"),
    ] {
        let inputs = if options == "-" { "-" } else { "feed.jsonl" };
        folder.run(&format!("stream {inputs} {options}")).ends(2).says(message);
    }
}
