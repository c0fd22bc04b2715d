//! The candidates of others, compared exactly.

use std::collections::HashMap;

use crate::brute::{Random, counts, rows, sets};
use crate::fixture::{CHAIN, Folder, numbered};

#[test]
fn as_brute_force() {
    for seed in 0..8 {
        let sets = sets(40, seed);
        let mut random = Random(seed);
        let mut candidates = String::from("left,right,score\n");
        for _ in 0..120 {
            let (a, b) = (random.below(40), random.below(40));
            candidates += &format!("d{a},d{b},0.5\n");
        }
        let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd')), ("candidates.csv", candidates)]);
        let command = "verify in.jsonl --candidates candidates.csv --tokens raw -t 0.6 -o out.jsonl --json";
        let it = folder.printing(command, "").ends(0).json();
        let mut short = 0;
        for row in folder.rows("out.jsonl") {
            let number = |name: &str| row[name].as_str().unwrap()[1..].parse::<usize>().unwrap();
            let (common, a, b) = counts(&sets[number("a")], &sets[number("b")]);
            let union = a + b - common;
            let exact = if union == 0 { 0.0 } else { common as f64 / union as f64 };
            assert_eq!(row["similarity"].as_f64().unwrap(), exact, "{row}");
            let reaches = union > 0 && 10 * common >= 6 * union;
            assert_eq!(row["reaches"].as_bool().unwrap(), reaches, "{row}");
            short += u64::from(!reaches);
        }
        assert_eq!(it["short"].as_u64(), Some(short));
    }
}

/// Three documents, each like the next; the first and the last are not alike.
#[test]
fn a_chain_is_taken_apart() {
    let names = ["a", "b", "c"];
    let documents: String = names.iter().zip(CHAIN).map(|(name, range)| numbered(name, range)).collect();
    let folder = Folder::with(&[("in.jsonl", documents.as_str()), ("c.csv", "id,group\nc,1\nb,1\na,1\nz,1\n")]);
    let it = folder.printing("verify in.jsonl --candidates c.csv -t 0.8 -o parts.jsonl --json", "").ends(0).json();
    let names = ["clusters", "parts", "removals", "wrong_removals", "unknown"];
    assert_eq!(names.map(|name| it[name].as_u64().unwrap()), [1, 2, 2, 1, 1]);
    let parts: HashMap<String, String> =
        folder.field("parts.jsonl", "id").into_iter().zip(folder.field("parts.jsonl", "part")).collect();
    assert_eq!((&*parts["a"], &*parts["b"], &*parts["c"]), ("1", "1", "2"));
    folder.run("verify in.jsonl --candidates c.csv -t 0.8 --fail-if-short").ends(1).says("1 of them wrongly");
    folder.run("verify in.jsonl --candidates c.csv -t 0.7 --fail-if-short").ends(0).says("0 of them wrongly");
}

#[test]
fn what_dedup_removed_is_right() {
    let documents: String = ["a", "b", "c"].iter().zip(CHAIN).map(|(name, range)| numbered(name, range)).collect();
    let folder = Folder::with(&[("in.jsonl", documents)]);
    folder.run("dedup in.jsonl --removed removed.csv").ends(0);
    let it = folder.printing("verify in.jsonl --candidates removed.csv --json", "").ends(0).json();
    assert_eq!((it["short"].as_u64(), it["misstated"].as_u64(), it["pairs"].as_u64()), (Some(0), Some(0), Some(1)));
    folder.run("dedup in.jsonl --components --removed loose.csv").ends(0);
    folder.run("verify in.jsonl --candidates loose.csv -o in.jsonl --force").ends(2);
}

/// The columns that other tools write.
#[test]
fn columns_of_other_tools() {
    let documents: String = ["1", "2", "3"].iter().zip(CHAIN).map(|(name, range)| numbered(name, range)).collect();
    let tables = [
        (
            "nemo.jsonl",
            "{\"_curator_dedup_id\":1,\"_duplicate_group_id\":7}\n{\"_curator_dedup_id\":2,\"_duplicate_group_id\":7}\n",
            "",
        ),
        ("splink.csv", "match_probability,unique_id_l,unique_id_r\n0.99,1,2\n", ""),
        ("textdedup.csv", "id,__cluster__\n1,0\n2,0\n", ""),
        ("datatrove.csv", "id,minhash_cluster_id\n1,0\n2,0\n", ""),
        ("own.csv", "doc,bucket\n1,0\n2,0\n", "--clusters --columns doc,bucket"),
        ("two.csv", "p,q\n1,2\n", ""),
    ];
    for (name, table, options) in tables {
        let folder = Folder::with(&[("in.jsonl", documents.as_str()), (name, table)]);
        let it = folder.printing(&format!("verify in.jsonl --candidates {name} {options} --json"), "").ends(0).json();
        assert_eq!((it["reaching"].as_u64(), it["short"].as_u64()), (Some(1), Some(0)), "{name}");
    }
}
