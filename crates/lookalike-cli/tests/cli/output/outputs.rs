//! Are kept rows written unchanged and in order, to a file, a folder or standard output?

use std::os::unix::fs::PermissionsExt;

use crate::fixture::{CHAIN, Folder, numbered, row, words};

/// Odd but legal: spaces, key order, escapes, numbers, repeated keys, line ends.
#[test]
fn kept_rows_are_the_same_bytes_in_the_same_order() {
    let odd =
        format!("  {{ \"text\" : \"\\u0077{}\\/\" , \"n\":1.50e+3,\"n\":0, \"id\":\"odd\" }} \t\r\n", words(900..960));
    let rows =
        [numbered("a", 0..54), odd, numbered("b", 4..58), row("c", "other"), numbered("d", 0..54), row("z", "last")];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    folder.run("dedup in.jsonl -o kept.jsonl").ends(0);
    let kept = [&rows[0][..], &rows[1], &rows[3], &rows[5]].concat();
    assert_eq!(folder.text("kept.jsonl"), kept);
    assert_eq!(folder.printing("dedup in.jsonl -o -", "").ends(0).stdout, kept);
    // A temporary file is renamed, and has the permissions of any new file.
    let rights = |name: &str| folder.path(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(rights("kept.jsonl"), rights("in.jsonl"));
}

#[test]
fn a_file_for_each_input_in_a_folder() {
    let folder = Folder::with(&[
        ("in/x/1.jsonl", numbered("a", 0..54)),
        ("in/y/1.jsonl", [numbered("b", 4..58), numbered("c", 500..560)].concat()),
        ("in/y/2.jsonl", numbered("d", 0..54)),
    ]);
    folder.run("dedup in/x/1.jsonl in/y -o kept/").ends(0);
    // Named relative to the common folder of all inputs. A file whose rows are all removed is empty, not missing.
    assert_eq!(folder.text("kept/x/1.jsonl"), numbered("a", 0..54));
    assert_eq!(folder.text("kept/y/1.jsonl"), numbered("c", 500..560));
    assert_eq!(folder.text("kept/y/2.jsonl"), "");
    folder.run("dedup in/y/1.jsonl -o deep/er/").ends(0);
    assert_eq!(folder.text("deep/er/1.jsonl").lines().count(), 2);
    // Other files in the folder stay.
    folder.write("kept/other.txt", "other");
    folder.run("dedup in/x/1.jsonl in/y -o kept/ --force").ends(0);
    assert_eq!(folder.text("kept/other.txt"), "other");
}

#[test]
fn csv_headers_once_in_a_file_and_in_every_file_of_a_folder() {
    let folder = Folder::with(&[("in/1.csv", "id,text\n1,one\n2,two\n"), ("in/2.csv", "id,text\n3,one\n4,four\n")]);
    folder.run("dedup in -o kept.csv").ends(0);
    assert_eq!(folder.text("kept.csv"), "id,text\n1,one\n2,two\n4,four\n");
    folder.run("dedup in -o kept/").ends(0);
    assert_eq!(folder.text("kept/1.csv"), "id,text\n1,one\n2,two\n");
    assert_eq!(folder.text("kept/2.csv"), "id,text\n4,four\n");
}

#[test]
fn outputs_may_be_devices() {
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54))]);
    folder.run("dedup in.jsonl -o /dev/null --bad /dev/null").ends(2).says("is used for two outputs");
    folder.run("dedup in.jsonl -o /dev/null").ends(0);
    let run = folder.printing("dedup in.jsonl -o /dev/stdout", "").ends(0);
    assert_eq!(run.stdout, numbered("a", 0..54));
}

#[test]
fn empty_documents_are_kept_and_in_no_pair() {
    let empties = [row("e1", ""), row("e2", ""), row("e3", " \n\t "), row("e4", "... — !?")].concat();
    let folder = Folder::with(&[("in.jsonl", &empties), ("reference.jsonl", &row("r", ""))]);
    let all = ["", "--components", "--against reference.jsonl", "--tokens words", "-t 1", "--measure overlap -t 1"];
    for options in all {
        let outputs = "-o kept.jsonl --removed removed.csv --pairs pairs.csv --clusters clusters.csv --force";
        folder.run(&format!("dedup in.jsonl {outputs} {options}")).ends(0).says("empty (kept, not compared)");
        assert_eq!(folder.text("kept.jsonl"), empties);
        assert_eq!(folder.text("removed.csv"), "id,twin,similarity\n");
        assert_eq!(folder.text("pairs.csv"), "a,b,similarity\n");
        assert_eq!(folder.text("clusters.csv"), "cluster,id,kept\n");
        folder
            .run(&format!(
                "check in.jsonl --kept kept.jsonl --removed removed.csv {}",
                options.replace("--components", "")
            ))
            .ends(0);
    }
}

#[test]
fn short_documents_match_equal_ones_only() {
    let texts =
        ["one two three four", "One, two; three FOUR!", "one two three", "two three four", "one two three four five"];
    let input: String = texts.iter().enumerate().map(|(n, text)| row(&n.to_string(), text)).collect();
    let folder = Folder::with(&[("in.jsonl", input)]);
    folder.run("dedup in.jsonl -t 0.01 --pairs pairs.csv").ends(0);
    assert_eq!(folder.text("pairs.csv"), "a,b,similarity\n0,1,1.0\n");
    folder.run("dedup in.jsonl -t 0.01 --pairs pairs.csv --case keep --force").ends(0);
    assert_eq!(folder.text("pairs.csv"), "a,b,similarity\n");
}

/// The threshold is inclusive, however it is written, and whichever way floating point would round it.
#[test]
fn a_pair_on_the_threshold_is_in() {
    let [a, _, c] = CHAIN;
    let folder = Folder::with(&[("in.jsonl", [numbered("a", a), numbered("c", c)].concat())]);
    // 42 of 58 is 21/29 = 0.72413793…
    for (threshold, removed) in [("21/29", 1), ("42/58", 1), ("0.724137931", 1), ("0.724137932", 0), ("22/29", 0)] {
        folder.run(&format!("dedup in.jsonl -t {threshold}")).ends(0).says(&format!("removed {removed}:"));
    }
    // 9 of 10: ten shingles, nine shared, nothing else.
    let folder = Folder::with(&[("in.jsonl", [numbered("a", 0..14), numbered("b", 0..13)].concat())]);
    for (threshold, removed) in [("0.9", 1), ("0.90", 1), (".9", 1), ("9/10", 1), ("0.900000001", 0)] {
        folder.run(&format!("dedup in.jsonl -t {threshold}")).ends(0).says(&format!("removed {removed}:"));
    }
}

#[test]
fn measures_and_bags() {
    // 50 and 46 shingles, 46 of them common.
    let folder = Folder::with(&[("in.jsonl", [numbered("a", 0..54), numbered("b", 4..54)].concat())]);
    let cases = [
        ("jaccard", 46.0 / 50.0),
        ("cosine", 46.0 / (50.0_f64 * 46.0).sqrt()),
        ("dice", 92.0 / 96.0),
        ("max", 46.0 / 50.0),
        ("overlap", 46.0),
    ];
    for (measure, expected) in cases {
        let threshold = if measure == "overlap" { "46" } else { "0.9" };
        folder.run(&format!("dedup in.jsonl --measure {measure} -t {threshold} --pairs pairs.tsv --force")).ends(0);
        let pairs = folder.text("pairs.tsv");
        let similarity: f64 = pairs.lines().nth(1).unwrap().rsplit('\t').next().unwrap().parse().unwrap();
        assert!((similarity - expected).abs() < 1e-15, "{measure}: {similarity}");
    }
    folder.run("dedup in.jsonl --measure overlap -t 47").ends(0).says("removed 0");
    // A repeated word is one element of a set and several of a bag: 1/1 and 1/3.
    let folder = Folder::with(&[("in.jsonl", [row("a", "x x x"), row("b", "x")].concat())]);
    folder.run("dedup in.jsonl --tokens words").ends(0).says("removed 1:");
    folder.run("dedup in.jsonl --tokens words --bag").ends(0).says("removed 0:");
    folder.run("dedup in.jsonl --tokens words --bag -t 1/3").ends(0).says("removed 1:");
}
