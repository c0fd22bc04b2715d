//! What was found against what people say.

use crate::fixture::Folder;

const FOUND: &str = "a,b,similarity\nx1,x2,0.9\nx1,x3,0.85\nx4,x5,0.7\nx6,x7,0.65\n";

#[test]
fn pairs_with_labels() {
    let labels = "a,b,label\nx1,x2,1\nx3,x1,0\nx4,x5,1\nx8,x9,1\nx8,x7,\n";
    let folder = Folder::with(&[("found.csv", FOUND), ("labels.csv", labels)]);
    let it = folder.printing("evaluate found.csv --labels labels.csv --json", "").ends(0).json();
    let counts = ["pairs", "right", "wrong", "unlabelled", "missed", "unsure"].map(|name| it[name].as_u64().unwrap());
    assert_eq!(counts, [4, 2, 1, 1, 1, 1]);
    assert_eq!(it["worst_wrong"][0]["b"], "x3");
    assert_eq!(it["worst_missed"][0]["a"], "x8");
    let text = folder.printing("evaluate found.csv --labels labels.csv -t 0.8", "").ends(0).stdout;
    assert!(text.contains("2 pairs found: 1 right, 1 wrong, 0 without a label; 2 missed"), "{text}");
    assert!(text.contains("x4 and x5  0.7000"), "a missed pair whose similarity is known: {text}");
}

#[test]
fn a_mapping_and_groups_are_complete() {
    let mapping = "idA,idB\nx1,x2\nx4,x5\n";
    let groups = "id,cluster\nx1,p\nx2,p\nx3,q\nx4,r\nx5,r\n";
    let folder = Folder::with(&[("found.csv", FOUND), ("mapping.csv", mapping), ("groups.csv", groups)]);
    let it = folder.printing("evaluate found.csv --labels mapping.csv --json", "").ends(0).json();
    assert_eq!(
        (it["labels"].as_str(), it["wrong"].as_u64(), it["unlabelled"].as_u64()),
        (Some("mapping"), Some(2), Some(0))
    );
    let it = folder.printing("evaluate found.csv --labels groups.csv --json", "").ends(0).json();
    assert_eq!(
        (it["labels"].as_str(), it["wrong"].as_u64(), it["unlabelled"].as_u64()),
        (Some("groups"), Some(1), Some(1))
    );
    assert_eq!(it["clusters"]["documents"], 5);
}

#[test]
fn two_collections_with_equal_ids() {
    let folder = Folder::with(&[("found.csv", "a,b\n1,1\n1,2\n2,1\n"), ("mapping.csv", "idA,idB\n1,2\n2,2\n")]);
    let it = folder.printing("evaluate found.csv --labels mapping.csv --linked --json", "").ends(0).json();
    let counts = ["right", "wrong", "missed"].map(|name| it[name].as_u64().unwrap());
    assert_eq!(counts, [1, 2, 1]);
}

#[test]
fn classes_and_other_columns() {
    let labels = "{\"one\":\"x1\",\"two\":\"x2\",\"kind\":0}\n{\"one\":\"x1\",\"two\":\"x3\",\"kind\":2}\n";
    let folder = Folder::with(&[("found.csv", FOUND), ("labels.jsonl", labels)]);
    folder
        .run("evaluate found.csv --labels labels.jsonl")
        .ends(2)
        .says("Use --label-columns to name two ids, or an id and a cluster");
    let command = "evaluate found.csv --labels labels.jsonl --label-columns one,two,kind --json";
    folder.printing(command, "").ends(3).says("neither 1 nor 0");
    let it = folder.printing(&format!("{command} --same 0,1"), "").ends(0).json();
    assert_eq!((it["right"].as_u64(), it["wrong"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn contradictions_are_named() {
    let labels = "a,b,label\nx1,x2,1\nx2,x3,1\nx1,x3,0\nx4,x5,1\nx5,x4,0\n";
    let folder = Folder::with(&[("found.csv", FOUND), ("labels.csv", labels)]);
    let text = folder.printing("evaluate found.csv --labels labels.csv", "").ends(0).stdout;
    assert!(text.contains("labels that contradict each other: 2"), "{text}");
    assert!(text.contains("x1 and x3 are labelled different, but the same by way of x2"), "{text}");
    assert!(text.contains("x4 and x5 are labelled both the same and different"), "{text}");
}

#[test]
fn clusters_and_what_dedup_removed() {
    let removed = "id,twin,similarity\nx2,x1,0.9\nx3,x1,0.9\n";
    let groups = "id,cluster\nx1,p\nx2,p\nx3,q\n";
    let folder = Folder::with(&[("removed.csv", removed), ("groups.csv", groups)]);
    let it = folder.printing("evaluate removed.csv --labels groups.csv --json", "").ends(0).json();
    assert_eq!(
        (it["found"].as_str(), it["pairs"].as_u64(), it["right"].as_u64()),
        (Some("clusters"), Some(3), Some(1))
    );
}

#[test]
fn by_field_and_by_site() {
    let documents = "{\"id\":\"x1\",\"url\":\"http://a.org/1\",\"lang\":\"en\",\"text\":\"one\"}\n\
                     {\"id\":\"x2\",\"url\":\"http://a.org/2\",\"lang\":\"de\",\"text\":\"two\"}\n\
                     {\"id\":\"x3\",\"url\":\"http://b.org/\",\"lang\":\"en\",\"text\":\"three \\u001b[31m\"}\n";
    let labels = "a,b,label\nx1,x2,1\nx1,x3,0\n";
    let folder = Folder::with(&[("found.csv", FOUND), ("labels.csv", labels), ("d.jsonl", documents)]);
    let base = "evaluate found.csv --labels labels.csv --documents d.jsonl";
    let it = folder.printing(&format!("{base} --by lang --json"), "").ends(0).json();
    assert_eq!((it["by"][0]["wrong"].as_u64(), it["by"][1]["right"].as_u64()), (Some(1), Some(1)));
    let it = folder.printing(&format!("{base} --by-site --url url --json"), "").ends(0).json();
    assert_eq!((it["by"][0]["right"].as_u64(), it["by"][1]["wrong"].as_u64()), (Some(1), Some(1)));
    let text = folder.printing(base, "").ends(0).stdout;
    assert!(text.contains("three") && !text.contains('\u{1b}'), "{text}");
    folder.run(&format!("{base} --by nothing")).ends(2).says("nothing");
}

#[test]
fn nothing_is_the_same() {
    let folder = Folder::with(&[("found.csv", FOUND), ("labels.csv", "a,b,label\nx1,x2,0\n")]);
    let text = folder.printing("evaluate found.csv --labels labels.csv", "").ends(0).stdout;
    assert!(text.contains("recall and F1 are unknown"), "{text}");
    folder.run("evaluate found.csv").ends(2).says("--labels");
    folder.run("evaluate found.txt --labels labels.csv").ends(2).says("no such file");
}

/// Tables in Parquet, of what was found and of labels, say what they say as text.
#[test]
fn tables_in_parquet() {
    let documents: String = (0..12)
        .map(|n| crate::fixture::row(&format!("x{n}"), &format!("tide table of bay{} in year{n}", n / 3)))
        .collect();
    let mapping = "idA,idB\nx0,x1\nx3,x4\nx6,x9\n";
    let folder = Folder::with(&[("in.jsonl", documents.as_str()), ("mapping.csv", mapping)]);
    for table in ["found.csv", "found.parquet"] {
        folder.run(&format!("pairs in.jsonl --tokens words -t 0.6 -o {table} -q")).ends(0);
    }
    let judged = |found: &str, labels: &str| {
        folder.printing(&format!("evaluate {found} --labels {labels} --json"), "").ends(0).json()
    };
    let it = judged("found.parquet", "mapping.csv");
    assert_eq!((it["pairs"].as_u64(), it["right"].as_u64(), it["missed"].as_u64()), (Some(12), Some(2), Some(1)));
    assert_eq!(it, judged("found.csv", "mapping.csv"));
    for found in ["found.csv", "found.parquet"] {
        let it = judged(found, "found.parquet --label-columns a,b");
        assert_eq!((it["labels"].as_str(), it["f1"]["value"].as_f64()), (Some("mapping"), Some(1.0)));
    }
}
