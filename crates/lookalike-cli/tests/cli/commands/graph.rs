//! Does `graph` count degrees, components and values correctly?

use serde_json::{Value, json};

use crate::fixture::{CHAIN, Folder, numbered};

fn graph(folder: &Folder, arguments: &str) -> Value {
    folder.printing(&format!("graph {arguments} --json"), "").ends(0).json()
}

/// A star of three pairs, a chain of two, a single pair; one pair is repeated, and one document is paired with itself.
const PAIRS: &str = "a,b,similarity,label\n\
    s,t,0.8,2\ns,u,0.9,2\ns,v,1.0,6\nv,s,1.0,6\nc,d,0.85,3\nd,e,0.85,3\nx,y,0.99,2\nz,z,1.0,6\n";

#[test]
fn degrees_and_components() {
    let folder = Folder::with(&[("pairs.csv", PAIRS)]);
    let report = graph(&folder, "pairs.csv");
    assert_eq!((&report["rows"], &report["pairs"], &report["documents"]), (&8.into(), &6.into(), &9.into()));
    assert_eq!((&report["repeated"], &report["with_itself"]), (&1.into(), &1.into()));
    assert_eq!(
        report["degrees"],
        json!([{"value": 1, "count": 7}, {"value": 2, "count": 1}, {"value": 3, "count": 1}])
    );
    assert_eq!(
        report["component_sizes"],
        json!([{"value": 2, "count": 1}, {"value": 3, "count": 1}, {"value": 4, "count": 1}])
    );
    assert_eq!((&report["components"], &report["largest_component"]), (&3.into(), &4.into()));
    assert_eq!((&report["greatest_degree"], &report["by"]), (&3.into(), &"similarity".into()));
    let bins = report["values"]["ranges"].as_array().unwrap();
    assert_eq!(bins.iter().map(|bin| bin["count"].as_u64().unwrap()).sum::<u64>(), 8);
    assert_eq!(bins[10]["count"], 3);
    let labels = graph(&folder, "pairs.csv --by label");
    let expected = json!([{"value": 2, "count": 3}, {"value": 3, "count": 2}, {"value": 6, "count": 3}]);
    assert_eq!(labels["values"]["numbers"], expected);
    let tables = folder.printing("graph pairs.csv", "").ends(0).stdout;
    assert!(tables.starts_with("9 documents in 6 pairs; 1.33 pairs per document on average, at most 3\n"), "{tables}");
}

#[test]
fn what_pairs_writes_in_any_format() {
    let rows: String = CHAIN.into_iter().enumerate().map(|(n, range)| numbered(&n.to_string(), range)).collect();
    let folder = Folder::with(&[("all.jsonl", rows)]);
    for name in ["p.jsonl", "p.csv", "p.tsv.gz", "p.parquet"] {
        folder.run(&format!("pairs all.jsonl --counts -q -o {name}")).ends(0);
        let report = graph(&folder, name);
        assert_eq!((&report["pairs"], &report["components"]), (&2.into(), &1.into()), "{name}");
        assert_eq!(report["degrees"], json!([{"value": 1, "count": 2}, {"value": 2, "count": 1}]), "{name}");
        assert_eq!(report["by"], "similarity", "{name}");
        assert_eq!(
            graph(&folder, &format!("{name} --by common"))["values"]["numbers"],
            json!([{"value": 46, "count": 2}])
        );
    }
    folder.run("pairs all.jsonl --measure hamming -t 8 -q -o far.jsonl").ends(0);
    assert_eq!(graph(&folder, "far.jsonl")["by"], "distance");
    // Ids of other tools may be numbers.
    let stdin = "{\"a\":1,\"b\":2}\n{\"a\":2,\"b\":\"x\"}\n";
    let report = folder.printing("graph - --json", stdin).ends(0).json();
    assert_eq!((&report["documents"], &report["by"]), (&3.into(), &Value::Null));
}

#[test]
fn no_pairs_are_a_graph_too() {
    let folder = Folder::with(&[("none.jsonl", "")]);
    assert_eq!(graph(&folder, "none.jsonl --svg plots")["documents"], 0);
    assert!(!folder.printing("graph none.jsonl", "").ends(0).stdout.contains("NaN"));
    assert!(!folder.text("plots/degrees.svg").contains("NaN"));
}

#[test]
fn bad_rows_are_counted_and_bad_tables_refused() {
    let folder = Folder::with(&[
        ("some.jsonl", "{\"a\":\"x\",\"b\":\"y\"}\n{\"a\":\"x\"}\nnonsense\n"),
        ("other.csv", "id,twin\nx,y\n"),
        ("text.txt", "words"),
    ]);
    let run = folder.printing("graph some.jsonl --json", "").ends(3).says("some.jsonl, row 2: no field 'b'");
    assert_eq!((&run.json()["pairs"], &run.json()["unreadable"]), (&1.into(), &2.into()));
    folder.run("graph some.jsonl --strict").ends(2).says("row 2");
    folder.run("graph other.csv").ends(2).says("no column 'a'");
    folder.run("graph some.jsonl missing.csv").ends(2).says("missing.csv");
    folder.run("graph text.txt").ends(2).says("text.txt is not a table");
    folder.write("pairs.csv", PAIRS);
    folder.run("graph pairs.csv --by color").ends(2).says("no column 'color'");
}

#[test]
fn pictures() {
    let folder = Folder::with(&[("pairs.csv", PAIRS), ("odd.csv", "a,b,<i>\nx,y,<&>\n")]);
    folder.printing("graph pairs.csv --svg plots/new", "").ends(0);
    for name in ["degrees", "components", "values"] {
        let svg = folder.text(&format!("plots/new/{name}.svg"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    }
    assert_eq!(folder.text("plots/new/degrees.svg").matches("<circle").count(), 3);
    folder.run("graph pairs.csv --svg plots/new").ends(2).says("--force");
    folder.printing("graph odd.csv --by <i> --svg plots/new --force", "").ends(0);
    let svg = folder.text("plots/new/values.svg");
    assert!(svg.contains("&lt;&amp;&gt;") && svg.contains("&lt;i&gt;") && !svg.contains("<i>"), "{svg}");
}
