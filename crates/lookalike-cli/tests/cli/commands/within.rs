//! Does `--within` compare only documents that agree in these fields?

use crate::brute::{Words, all_pairs, compare, expected, printed, reaches, sets};
use crate::fixture::{CHAIN_LINK, Folder, words};

const MEASURES: [(&str, &str, (u64, u64)); 7] = [
    ("jaccard", "0.6", (3, 5)),
    ("cosine", "0.7", (7, 10)),
    ("dice", "0.7", (7, 10)),
    ("max", "0.6", (3, 5)),
    ("containment", "0.9", (9, 10)),
    ("overlap", "4", (4, 1)),
    ("hamming", "8", (8, 1)),
];

/// Rows in one of two languages, or without one: missing or null.
fn rows(sets: &[Words], letter: char) -> String {
    let text = |set: &Words| set.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let language = ["\"lang\":\"de\",", "\"lang\":\"en\",", "", "\"lang\":null,"];
    let row = |(n, set)| format!("{{\"id\":\"{letter}{n}\",{}\"text\":\"{}\"}}\n", language[n % 4], text(set));
    sets.iter().enumerate().map(row).collect()
}

/// Missing and null are the same.
fn agree(a: usize, b: usize) -> bool {
    (a % 4).min(2) == (b % 4).min(2)
}

#[test]
fn those_of_brute_force_that_agree() {
    let (one, two) = (sets(100, 31), sets(100, 32));
    let folder = Folder::with(&[("one.jsonl", rows(&one, 'a')), ("two.jsonl", rows(&two, 'b'))]);
    let both = [&one[..], &two].concat();
    for (measure, typed, threshold) in MEASURES {
        for method in ["auto", "light", "ppjoin+", "brute"] {
            let options = format!("--tokens raw --measure {measure} -t {typed} --within lang --algorithm {method} -q");
            let pairs = all_pairs(&one).into_iter().filter(|(a, b, _)| agree(*a, *b));
            let pairs: Vec<String> = pairs
                .filter(|(_, _, counts)| reaches(measure, threshold, *counts))
                .map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("a{b}"), counts))
                .collect();
            assert!(pairs.len() > 10);
            assert_eq!(printed(&folder, &format!("pairs one.jsonl {options}")), pairs, "{options}");

            let n = one.len();
            let pairs = all_pairs(&both).into_iter().filter(|(a, b, _)| *a < n && *b >= n && agree(*a, *b - n));
            let pairs: Vec<String> = pairs
                .filter(|(_, _, counts)| reaches(measure, threshold, *counts))
                .map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("b{}", b - n), counts))
                .collect();
            assert_eq!(printed(&folder, &format!("pairs one.jsonl --with two.jsonl {options}")), pairs, "{options}");
        }
        let mut pairs = all_pairs(&one);
        pairs.retain(|(a, b, (common, ..))| agree(*a, *b) && *common > 0);
        pairs.sort_by(|(_, _, one), (_, _, two)| compare(measure, *two, *one));
        let top =
            pairs.iter().take(200).map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("a{b}"), *counts));
        let arguments = format!("pairs one.jsonl --tokens raw --measure {measure} --top 200 --within lang -q");
        assert_eq!(printed(&folder, &arguments), top.collect::<Vec<_>>(), "{measure}");
    }
}

/// The rows of one text that are pairs.
#[track_caller]
fn alike(input: &str, name: &str, fields: &str) -> Vec<(String, String)> {
    let folder = Folder::with(&[(name, input)]);
    let rows = printed(&folder, &format!("pairs {name} --within {fields} -q"));
    let id = |row: &str, key: &str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        row[key].as_str().unwrap().to_string()
    };
    rows.iter().map(|row| (id(row, "a"), id(row, "b"))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

/// Values are compared as they are written, whatever their type. A missing value is a value of its own.
#[test]
fn values_agree_if_they_are_written_the_same() {
    let values = ["1", "\"1\"", "1.0", "true", "\"true\"", "null", "\"null\"", "\"\""];
    let row = |(n, value): (usize, &&str)| format!("{{\"id\":\"{n}\",\"k\":{value},\"text\":\"same words\"}}\n");
    let mut input: String = values.iter().enumerate().map(row).collect();
    input += "{\"id\":\"none\",\"text\":\"same words\"}\n";
    assert_eq!(alike(&input, "in.jsonl", "k"), pairs(&[("0", "1"), ("3", "4"), ("5", "none")]));
    let csv = "id,k,text\na,1,same words\nb,\"1\",same words\nc,,same words\nd,\"\",same words\n";
    assert_eq!(alike(csv, "in.csv", "k"), pairs(&[("a", "b"), ("c", "d")]));
}

#[test]
fn across_formats() {
    let folder = Folder::with(&[("in.jsonl", "{\"id\":\"j\",\"stars\":\"1\",\"text\":\"same words\"}\n")]);
    let rows = ["p0", "p1", "p2"].map(|id| (Some(id), Some("same words")));
    crate::input::parquet::write_parquet(&folder.path("in.parquet"), &rows);
    let found = printed(&folder, "pairs in.jsonl --with in.parquet --within stars -q");
    assert_eq!(found, ["{\"a\":\"j\",\"b\":\"p1\",\"similarity\":1.0}"]);
}

/// Where one value ends and the next begins matters.
#[test]
fn several_fields() {
    let row = |id: &str, a: &str, b: &str| {
        format!("{{\"id\":\"{id}\",\"x\":\"{a}\",\"y\":\"{b}\",\"text\":\"same words\"}}\n")
    };
    let rows =
        [row("1", "ab", "c"), row("2", "a", "bc"), row("3", "ab", "c"), row("4", "", "abc"), row("5", "ab", "d")];
    assert_eq!(alike(&rows.concat(), "in.jsonl", "x,y"), pairs(&[("1", "3")]));
    assert_eq!(alike(&rows.concat(), "in.jsonl", "x"), pairs(&[("1", "3"), ("1", "5"), ("3", "5")]));
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    folder.run("pairs in.jsonl --within x,y -o pairs.csv").ends(0).says("on words:5 within x, y, exact");
    let report = folder.printing("dedup in.jsonl --within x,y --json", "").ends(0).json();
    assert_eq!(report["within"], serde_json::json!(["x", "y"]));
}

/// In a chain, b is removed because of a only if they agree. Copies stay in different groups, too.
#[test]
fn who_stays() {
    let row =
        |id: &str, lang: &str, text: String| format!("{{\"id\":\"{id}\",\"lang\":\"{lang}\",\"text\":\"{text}\"}}\n");
    let input = [
        row("a", "de", words(0..54)),
        row("b", "en", words(4..58)),
        row("a2", "en", words(0..54)),
        row("b2", "de", words(4..58)),
        row("a3", "fr", words(0..54)),
    ];
    let folder = Folder::with(&[("in.jsonl", input.concat())]);
    folder.run("dedup in.jsonl --within lang -o kept.jsonl --removed removed.csv --pairs pairs.csv").ends(0);
    assert_eq!(folder.field("kept.jsonl", "id"), ["a", "b", "a3"]);
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\na2,b,{CHAIN_LINK}\nb2,a,{CHAIN_LINK}\n"));
    assert_eq!(folder.text("pairs.csv"), format!("a,b,similarity\na,b2,{CHAIN_LINK}\nb,a2,{CHAIN_LINK}\n"));
    let check = "check in.jsonl --kept kept.jsonl --removed removed.csv";
    folder.run(&format!("{check} --within lang")).ends(0).says("passed");
    folder.run(check).ends(1).says("a and a3 are both kept");
    // A document of another group cannot be a twin.
    folder.write("removed.csv", "id,twin,similarity\na2,a,1.0\nb2,a,0.8518518518518519\n");
    folder
        .run(&format!("{check} --within lang"))
        .ends(1)
        .says("a2 was removed because of a, but their similarity is 0");
    folder.run("dedup in.jsonl --within lang --against kept.jsonl -o rest.jsonl").ends(0);
    assert_eq!(folder.text("rest.jsonl"), "");
}

#[test]
fn what_cannot_be() {
    let folder = Folder::with(&[
        ("in.jsonl", "{\"id\":\"a\",\"k\":[1],\"text\":\"x\"}\n{\"id\":\"b\",\"k\":[1],\"text\":\"x\"}\n"),
        ("in.csv", "id,text\n1,x\n"),
        ("in.txt", "x"),
    ]);
    let run = folder.run("dedup in.jsonl --within k --removed removed.csv").ends(3);
    run.says("in.jsonl, row 1: field 'k' is neither a string nor a number");
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\n");
    folder.run("pairs in.csv --within k").ends(2).says("in.csv has no column 'k'");
    folder.run("pairs in.jsonl --with in.csv --within k").ends(2).says("in.csv has no column 'k'");
    folder.run("pairs in.txt --within k").ends(2).says("in.txt is plain text and has no field 'k'");
    for command in ["dedup in.jsonl", "check in.jsonl --kept in.jsonl --removed in.jsonl"] {
        let run = folder.run(&format!("{command} --within k --measure hamming -t 2")).ends(2);
        run.says("--within does not work with hamming here. Use `lookalike pairs`, which supports it");
    }
}
