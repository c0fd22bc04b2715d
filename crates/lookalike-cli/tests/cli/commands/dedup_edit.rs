//! Does `dedup --measure edit` keep what brute force keeps?

use super::pairs_edit::{distance, rows, texts};
use crate::fixture::{Folder, row};

/// The rows of `--removed`: in keep order, a text is kept unless a kept one is near. References are always kept. Equal texts share the
/// fate of the first of them.
fn removed(references: &[String], inputs: &[String], order: &[usize], most: usize) -> Vec<String> {
    let mut kept: Vec<(String, &str)> =
        references.iter().enumerate().map(|(n, text)| (format!("b{n}"), text.as_str())).collect();
    kept.retain(|(_, text)| !text.is_empty());
    let mut gone = vec![None; inputs.len()];
    for &n in order {
        let text = inputs[n].as_str();
        let near = kept.iter().map(|(id, other)| (distance(text, other), id)).filter(|(found, _)| *found <= most);
        // The first of the nearest.
        let twin = near.min_by_key(|(found, _)| *found).map(|(found, id)| (found, id.clone()));
        let equal = order.iter().take_while(|&&other| other != n).find(|&&other| inputs[other] == text);
        gone[n] = match equal {
            _ if text.is_empty() => None,
            Some(&first) => Some(gone[first].clone().unwrap_or((0, format!("a{first}")))),
            None => twin,
        };
        if gone[n].is_none() && !text.is_empty() {
            kept.push((format!("a{n}"), text));
        }
    }
    let line = |(n, gone): (usize, Option<(usize, String)>)| {
        gone.map(|(found, twin)| format!("{{\"id\":\"a{n}\",\"twin\":\"{twin}\",\"similarity\":{found}.0}}"))
    };
    gone.into_iter().enumerate().filter_map(line).collect()
}

#[test]
fn those_of_brute_force() {
    let (inputs, references) = (texts(150, 51), texts(60, 52));
    let folder = Folder::with(&[("in.jsonl", rows(&inputs, 'a')), ("old.jsonl", rows(&references, 'b'))]);
    let first: Vec<usize> = (0..inputs.len()).collect();
    let last: Vec<usize> = first.iter().rev().copied().collect();
    for most in [0, 1, 2, 5] {
        for (keep, order) in [("first", &first), ("last", &last)] {
            for (against, references) in [("", &[][..]), ("--against old.jsonl", &references[..])] {
                let options =
                    format!("--measure edit -t {most} --keep {keep} {against} --removed removed.jsonl --force -q");
                folder.run(&format!("dedup in.jsonl {options}")).ends(0);
                let expected = removed(references, &inputs, order, most);
                assert!(expected.len() > 20);
                assert_eq!(folder.text("removed.jsonl").lines().collect::<Vec<_>>(), expected, "{options}");
            }
        }
    }
}

#[test]
fn the_summary_and_keys() {
    let rows = [("1", "kitten", "x"), ("2", "sitting", "x"), ("3", "mitten", "y"), ("4", "kitten", "x")];
    let lines: String = rows
        .iter()
        .map(|(id, text, kind)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"kind\":\"{kind}\"}}\n"))
        .collect();
    let folder = Folder::with(&[("in.jsonl", &lines)]);
    folder
        .run("dedup in.jsonl --measure edit -t 3 --pairs pairs.jsonl")
        .ends(0)
        .says("edit ≤ 3 on characters, exact")
        .says("removed 3: 1 identical to an earlier document, 2 near; 1 cluster; kept 1");
    assert_eq!(folder.text("pairs.jsonl").lines().count(), 6);
    let within = folder.printing("dedup in.jsonl --measure edit -t 3 --within kind --json", "").ends(0).json();
    assert_eq!((&within["kept"], &within["measure"]), (&2.into(), &"edit".into()));
}

#[test]
fn what_cannot_be() {
    let folder = Folder::with(&[("in.jsonl", row("a", "x"))]);
    let refused = [
        ("", "--measure edit has no default threshold; set one with -t, a whole number"),
        ("-t 1 --tokens words", "--tokens does not work with --measure edit, which compares texts"),
        ("-t 1 --bag", "--bag does not work with --measure edit, which compares texts"),
        ("-t 1 --method minhash", "--measure edit works only with --method exact"),
        ("-t 1 --index index", "--index works with sets, not with --measure edit"),
    ];
    for (options, reason) in refused {
        folder.run(&format!("dedup in.jsonl --measure edit {options}")).ends(2).says(reason);
    }
}
