//! The candidates of others, compared exactly.

use std::collections::HashMap;

use crate::brute::{Random, Words, compare, counts, reaches, rows, sets, value};
use crate::fixture::{CHAIN, Folder, numbered};

/// A measure, and thresholds as they are written and as a fraction.
type Target = (&'static str, &'static [(&'static str, (u64, u64))]);

const TARGETS: [Target; 7] = [
    ("jaccard", &[("0.6", (3, 5)), ("1/3", (1, 3)), ("1", (1, 1))]),
    ("cosine", &[("0.7", (7, 10)), ("0.25", (1, 4))]),
    ("dice", &[("0.75", (3, 4)), ("0.5", (1, 2))]),
    ("max", &[("0.5", (1, 2)), ("0.9", (9, 10))]),
    ("containment", &[("0.8", (4, 5)), ("1", (1, 1))]),
    ("overlap", &[("3", (3, 1)), ("8", (8, 1))]),
    ("hamming", &[("4", (4, 1)), ("9", (9, 1))]),
];

#[test]
fn as_brute_force() {
    for (seed, (measure, thresholds)) in (0..).zip(TARGETS) {
        let sets = sets(40, seed);
        let mut random = Random(seed);
        let mut candidates = String::from("left,right,score\n");
        for _ in 0..120 {
            let (a, b) = (random.below(40), random.below(40));
            candidates += &format!("d{a},d{b},0.5\n");
        }
        let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd')), ("candidates.csv", candidates)]);
        for ((threshold, fraction), tokens) in thresholds.iter().zip(["raw", "words", "raw"]) {
            let command = format!(
                "verify in.jsonl --candidates candidates.csv --tokens {tokens} --measure {measure} -t {threshold} -o out.jsonl --force --json"
            );
            let it = folder.printing(&command, "").ends(0).json();
            let mut short = 0;
            for row in folder.rows("out.jsonl") {
                let number = |name: &str| row[name].as_str().unwrap()[1..].parse::<usize>().unwrap();
                let counts @ (_, a, b) = counts(&sets[number("a")], &sets[number("b")]);
                let is_empty = a.min(b) == 0;
                let exact = if is_empty && measure != "hamming" { 0.0 } else { value(measure, counts) };
                assert_eq!(row["similarity"].as_f64().unwrap(), exact, "{command}: {row}");
                let reaches = !is_empty && reaches(measure, *fraction, counts);
                assert_eq!(row["reaches"].as_bool().unwrap(), reaches, "{command}: {row}");
                short += u64::from(!reaches);
            }
            assert_eq!(it["short"].as_u64(), Some(short), "{command}");
        }
    }
}

/// A member as it should be written: its part, whether it is kept, its twin and the similarity to that.
type Expected = (u64, bool, Option<(usize, f64)>);

/// Who stays of a cluster, and in which part everybody is. A document without words resembles nothing.
fn taken_apart(sets: &[Words], members: &[usize], measure: &str, fraction: (u64, u64)) -> Vec<Expected> {
    let mut found: Vec<Expected> = Vec::new();
    let mut parts = 0;
    for (at, &member) in members.iter().enumerate() {
        let first = members[..at].iter().position(|&other| !sets[member].is_empty() && sets[other] == sets[member]);
        let mut best: Option<(usize, u64)> = None;
        for (&other, &(part, is_kept, _)) in members.iter().zip(&found) {
            let pair = |other: usize| counts(&sets[other], &sets[member]);
            let is_similar =
                !sets[member].is_empty() && !sets[other].is_empty() && reaches(measure, fraction, pair(other));
            let is_better = best.is_none_or(|(known, _)| compare(measure, pair(other), pair(known)).is_gt());
            if is_kept && is_similar && is_better {
                best = Some((other, part));
            }
        }
        // A copy has the twin of the first of its kind, or that one itself if it stays.
        let twin = match first {
            Some(first) => Some((found[first].2.map_or(members[first], |(twin, _)| twin), found[first].0)),
            None => best,
        };
        found.push(match twin {
            Some((twin, part)) => (part, false, Some((twin, value(measure, counts(&sets[twin], &sets[member]))))),
            None => {
                parts += 1;
                (parts, true, None)
            }
        });
    }
    found
}

/// Small clusters, and one that is large enough to be joined.
#[test]
fn clusters_as_brute_force() {
    for (seed, (measure, thresholds)) in (0..).zip(&TARGETS[..5]) {
        let sets = sets(160, seed);
        let mut random = Random(seed);
        // The first eighty are one cluster, the others are of clusters drawn by lot.
        let cluster: Vec<u64> = (0..160).map(|n| if n < 80 { 0 } else { 1 + random.below(12) }).collect();
        let table: String = cluster.iter().enumerate().map(|(n, cluster)| format!("d{n},{cluster}\n")).collect();
        let table = format!("id,cluster\n{table}");
        let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd')), ("clusters.csv", table)]);
        for (threshold, fraction) in *thresholds {
            let command = format!(
                "verify in.jsonl --candidates clusters.csv --tokens raw --measure {measure} -t {threshold} -o out.jsonl --force --json"
            );
            let it = folder.printing(&command, "").ends(0).json();
            let rows: HashMap<String, serde_json::Value> = folder
                .rows("out.jsonl")
                .into_iter()
                .map(|row| (row["id"].as_str().unwrap().to_string(), row))
                .collect();
            let (mut removals, mut wrong) = (0, 0);
            for number in 0..=12 {
                let members: Vec<usize> = (0..160).filter(|&n| cluster[n] == number).collect();
                if members.len() < 2 {
                    continue;
                }
                for (&member, (part, is_kept, twin)) in
                    members.iter().zip(taken_apart(&sets, &members, measure, *fraction))
                {
                    let row = &rows[&format!("d{member}")];
                    assert_eq!(row["part"].as_u64(), Some(part), "{command}: {row}");
                    assert_eq!(row["kept"].as_bool(), Some(is_kept), "{command}: {row}");
                    let name = twin.map(|(twin, _)| format!("d{twin}"));
                    assert_eq!(row["twin"].as_str(), name.as_deref(), "{command}: {row}");
                    assert_eq!(row["similarity"].as_f64(), twin.map(|(_, value)| value), "{command}: {row}");
                    let is_first = member == members[0];
                    let counts @ (_, a, b) = counts(&sets[members[0]], &sets[member]);
                    removals += u64::from(!is_first);
                    wrong += u64::from(!is_first && (a.min(b) == 0 || !reaches(measure, *fraction, counts)));
                }
            }
            assert_eq!((it["removals"].as_u64(), it["wrong_removals"].as_u64()), (Some(removals), Some(wrong)));
            let share = ["value", "low", "high"].map(|name| it["wrong_share"][name].as_f64().unwrap());
            let (p, n, z) = (wrong as f64 / removals as f64, removals as f64, 1.959_963_984_540_054_f64);
            // Wilson's interval holds the shares from which this one is less than z standard errors away.
            assert!((share[0] - p).abs() < 1e-12, "{command}: {share:?}");
            for end in &share[1..] {
                assert!(((p - end).powi(2) - z * z * end * (1.0 - end) / n).abs() < 1e-9, "{command}: {share:?}");
            }
            assert!(share[1] <= p && p <= share[2] && share[1] < share[2], "{command}: {share:?}");
        }
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

/// Clusters keep the names that the other tool gave them. Those that share a document are one, with the name that comes first.
#[test]
fn clusters_keep_their_names() {
    let documents: String = ["a", "b", "c", "d", "e"].iter().map(|name| numbered(name, 0..30)).collect();
    let tables = [
        (
            "names.csv",
            "id,cluster\ne,bucket-9\nd,bucket-9\nc,17\nb,17\nz,0\ny,0\n",
            vec!["17", "17", "bucket-9", "bucket-9"],
        ),
        ("shared.csv", "id,cluster\nd,late\nc,late\nb,early\nc,early\n", vec!["late"; 3]),
    ];
    for (name, table, expected) in tables {
        let folder = Folder::with(&[("in.jsonl", documents.as_str()), (name, table)]);
        folder.run(&format!("verify in.jsonl --candidates {name} -o parts.jsonl")).ends(0);
        assert_eq!(folder.field("parts.jsonl", "cluster"), expected, "{name}");
    }
}

/// The second id of a pair is one of the second collection, though the ids of both are equal.
#[test]
fn between_two_collections() {
    let own = sets(30, 21);
    // Every other one is like one of the first collection, but not like the one of its name.
    let mut others = sets(30, 22);
    (0..30).step_by(2).for_each(|n| others[n] = own[(n + 3) % 30].clone());
    let mut random = Random(5);
    let drawn = (0..90).map(|_| (random.below(30) as usize, random.below(30) as usize));
    let pairs: Vec<(usize, usize)> = drawn.chain((0..30).flat_map(|n| [((n + 3) % 30, n), (n, n)])).collect();
    let table: String = pairs.iter().map(|(a, b)| format!("d{a},d{b}\n")).collect();
    let (own_rows, other_rows) = (rows(&own, 'd'), rows(&others, 'd'));
    let folder =
        Folder::with(&[("own.jsonl", own_rows), ("other.jsonl", other_rows), ("c.csv", format!("a,b\n{table}"))]);
    let command = "verify own.jsonl --with other.jsonl --candidates c.csv --tokens raw -t 0.5 -o out.jsonl --json";
    let it = folder.printing(command, "").ends(0).json();
    let number = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap()[1..].parse::<usize>().unwrap();
    let mut similar = 0;
    let found = folder.rows("out.jsonl");
    for row in &found {
        let counts @ (_, a, b) = counts(&own[number(row, "a")], &others[number(row, "b")]);
        let is_similar = a.min(b) > 0 && reaches("jaccard", (1, 2), counts);
        assert_eq!(row["reaches"].as_bool(), Some(is_similar), "{row}");
        assert_eq!(
            row["similarity"].as_f64(),
            Some(if a.min(b) == 0 { 0.0 } else { value("jaccard", counts) }),
            "{row}"
        );
        similar += u64::from(is_similar);
    }
    // A pair of one document with itself is a pair here, because there are two.
    assert!(found.iter().any(|row| row["a"] == row["b"]) && similar > 0);
    assert_eq!((it["reaching"].as_u64(), it["unknown"].as_u64()), (Some(similar), Some(0)));
}

/// Documents that do not agree in the field resemble each other in nothing.
#[test]
fn within_a_field() {
    let sets = sets(40, 31);
    let text = |set: &Words| set.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let row = |(n, set): (usize, &Words)| {
        serde_json::json!({"id": format!("d{n}"), "text": text(set), "year": n % 3}).to_string() + "\n"
    };
    let documents: String = sets.iter().enumerate().map(row).collect();
    let table: String = (0..40).flat_map(|a| (0..a).map(move |b| format!("d{a},d{b}\n"))).collect();
    let folder = Folder::with(&[("in.jsonl", documents), ("c.csv", format!("a,b\n{table}"))]);
    folder.run("verify in.jsonl --within year --candidates c.csv --tokens raw -t 0.5 -o out.jsonl").ends(0);
    let (mut agree, mut differ) = (0, 0);
    for row in folder.rows("out.jsonl") {
        let [a, b] = ["a", "b"].map(|name| row[name].as_str().unwrap()[1..].parse::<usize>().unwrap());
        let counts @ (_, size, other) = counts(&sets[a], &sets[b]);
        let is_similar = size.min(other) > 0 && reaches("jaccard", (1, 2), counts);
        assert_eq!(row["reaches"].as_bool(), Some(is_similar && a % 3 == b % 3), "{row}");
        let counted = if a % 3 == b % 3 { &mut agree } else { &mut differ };
        *counted += u64::from(is_similar);
    }
    assert!(agree > 0 && differ > 0);
    folder.run("verify in.jsonl --within year --candidates c.csv --measure hamming -t 3").ends(2).says("--within");
}
