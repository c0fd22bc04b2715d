//! Settings from labels.

use std::collections::HashSet;

use crate::fixture::{Folder, row};

/// Thirty groups of two titles that differ in one word of six. Titles of neighbouring groups share three words.
fn titles() -> (String, String, String) {
    let (mut documents, mut groups, mut mapping) =
        (String::new(), String::from("id,cluster\n"), String::from("idA,idB\n"));
    for n in 0..30 {
        let shared = format!("the harbour of {} town{n}", ["north", "south"][n % 2]);
        documents += &row(&format!("a{n}"), &format!("{shared} old{n} wall{n}"));
        documents += &row(&format!("b{n}"), &format!("{shared} new{n} wall{n}"));
        groups += &format!("a{n},g{n}\nb{n},g{n}\n");
        mapping += &format!("a{n},b{n}\n");
    }
    (documents, groups, mapping)
}

#[test]
fn a_setting_that_reaches_what_it_says() {
    let (documents, groups, mapping) = titles();
    let folder = Folder::with(&[("in.jsonl", documents), ("groups.csv", groups), ("mapping.csv", mapping)]);
    for labels in ["groups.csv", "mapping.csv"] {
        let it = folder.printing(&format!("calibrate in.jsonl --labels {labels} --json"), "").ends(0).json();
        assert_eq!(it["f1"]["value"], 1.0, "{labels}: {it}");
        assert_eq!(it["default"]["f1"], 0.0, "five words are never equal");
        assert_eq!(it["splits"].as_array().unwrap().len(), 200);
        assert_eq!(it["enough"]["is_enough"], true);
        // The command does what was promised.
        let command = it["command"].as_str().unwrap().strip_prefix("lookalike ").unwrap().to_string();
        folder.run(&format!("{command} --force -q")).ends(0);
        let judged = folder.printing(&format!("evaluate pairs.csv --labels {labels} --json"), "").ends(0).json();
        assert_eq!(judged["f1"]["value"], it["f1"]["value"]);
    }
    let text = folder.printing("calibrate in.jsonl --labels groups.csv", "").ends(0).stdout;
    assert!(text.contains("how much each choice matters") && text.contains("expected F1"), "{text}");
}

#[test]
fn pairs_with_labels() {
    let (documents, ..) = titles();
    let mut labels = String::from("a,b,label\n");
    for n in 0..25 {
        labels += &format!("a{n},b{n},1\na{n},b{},0\n", n + 2);
    }
    let folder = Folder::with(&[("in.jsonl", documents), ("labels.csv", labels)]);
    let it = folder.printing("calibrate in.jsonl --labels labels.csv --json", "").ends(0).json();
    assert_eq!((it["f1"]["value"].as_f64(), it["enough"]["same"].as_u64()), (Some(1.0), Some(25)));
}

#[test]
fn too_few_labels_are_said_to_be_too_few() {
    let (documents, ..) = titles();
    let labels = "a,b,label\na1,b1,1\na2,b2,1\na1,b3,0\na9,nobody,1\n";
    let folder =
        Folder::with(&[("in.jsonl", documents.as_str()), ("labels.csv", labels), ("none.csv", "a,b,label\na1,b2,0\n")]);
    let text = folder.printing("calibrate in.jsonl --labels labels.csv", "").ends(0).stdout;
    assert!(text.contains("too few labels") && text.contains("more pairs that are the same would settle it"), "{text}");
    assert!(text.contains("labelled pairs with a document that is not in the inputs: 1\n"), "{text}");
    folder.run("calibrate in.jsonl --labels none.csv").ends(2).says("--label N");
    folder.run("calibrate in.jsonl").ends(2).says("--labels");
    folder.run("calibrate in.jsonl --labels labels.csv --measures overlap").ends(2).says("similarities from 0 to 1");
}

#[test]
fn within_and_fields() {
    let mut documents = String::new();
    let mut groups = String::from("id,cluster\n");
    for n in 0..24 {
        for (letter, year) in [("a", 2000), ("b", 2000), ("c", 2001)] {
            // The third is another edition, which only the year tells apart.
            documents += &format!(
                "{{\"id\":\"{letter}{n}\",\"title\":\"tides of bay{n}\",\"year\":{year},\"note\":\"x{letter}{n}\"}}\n"
            );
            groups += &format!("{letter}{n},g{n}-{year}\n");
        }
    }
    let folder = Folder::with(&[("in.jsonl", documents), ("groups.csv", groups)]);
    let command = "calibrate in.jsonl --labels groups.csv --try-text title --try-text note --within year --json";
    let it = folder.printing(command, "").ends(0).json();
    assert_eq!((&it["chosen"]["text"][0], &it["chosen"]["within"][0]), (&"title".into(), &"year".into()));
    assert!(it["command"].as_str().unwrap().contains("--within year"));
    let best: HashSet<&str> =
        it["influences"].as_array().unwrap().iter().map(|one| one["choice"].as_str().unwrap()).collect();
    assert!(best.contains("within") && best.contains("text"));
}

#[test]
fn proposed_pairs_come_back_as_labels() {
    let (documents, ..) = titles();
    let folder = Folder::with(&[("in.jsonl", documents)]);
    let command = "calibrate in.jsonl --tokens words --label 20 -t 0.7 -o ask.csv";
    folder.run(command).ends(0).says("20 pairs to label");
    folder.run(command).ends(2).says("--force");
    let asked = folder.text("ask.csv");
    assert_eq!(asked.lines().next(), Some("a,b,label,similarity,text_a,text_b"));
    let answered: String = asked
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let mut fields: Vec<String> = line.split(',').map(String::from).collect();
            if at > 0 {
                fields[2] = u8::from(fields[0][1..] == fields[1][1..]).to_string();
            }
            fields.join(",") + "\n"
        })
        .collect();
    folder.write("answered.csv", answered);
    let it = folder.printing("calibrate in.jsonl --labels answered.csv --json", "").ends(0).json();
    assert_eq!(it["f1"]["value"], 1.0);
    // What is labelled is not asked again.
    folder.run("calibrate in.jsonl --tokens words --label 20 -t 0.7 -o more.csv --labels answered.csv -q").ends(0);
    let pairs = |text: &str| {
        text.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect::<HashSet<_>>()
    };
    assert!(pairs(&asked).is_disjoint(&pairs(&folder.text("more.csv"))));
    folder.run("calibrate in.jsonl --label 3 --labels new.csv").ends(2).says("not a terminal");
    folder.run("calibrate in.jsonl --label 3").ends(2).says("-o FILE");
}

/// Enough pairs that are the same, but hardly one that looks similar and is not: what is lacking is said, and how many.
#[test]
fn different_pairs_that_are_lacking() {
    let (documents, ..) = titles();
    let mut labels = String::from("a,b,label\na0,b2,0\na1,b3,0\n");
    (0..25).for_each(|n| labels += &format!("a{n},b{n},1\n"));
    let folder = Folder::with(&[("in.jsonl", documents), ("labels.csv", labels)]);
    let text = folder.printing("calibrate in.jsonl --labels labels.csv", "").ends(0).stdout;
    assert!(text.contains("about 8 more different pairs that look similar would settle it"), "{text}");
    assert!(!text.contains("more pairs that are the same"), "{text}");
    let it = folder.printing("calibrate in.jsonl --labels labels.csv --json", "").ends(0).json();
    assert_eq!((it["enough"]["more_different"].as_u64(), it["enough"]["more"].as_u64()), (Some(8), None));
}

#[test]
fn contradictions_are_named() {
    let (documents, ..) = titles();
    let labels = "a,b,label\na1,b1,1\nb1,a2,1\na1,a2,0\na4,b4,1\nb4,a4,0\na5,b5,1\n";
    let folder = Folder::with(&[("in.jsonl", documents.as_str()), ("labels.csv", labels)]);
    let text = folder.printing("calibrate in.jsonl --labels labels.csv", "").ends(0).stdout;
    assert!(text.contains("labels that contradict each other: 2\n"), "{text}");
    assert!(text.contains("a1 and a2 are labelled different, but the same by way of b1"), "{text}");
    assert!(text.contains("a4 and b4 are labelled both the same and different"), "{text}");
    let it = folder.printing("calibrate in.jsonl --labels labels.csv --json", "").ends(0).json();
    assert_eq!(it["conflict_count"].as_u64(), Some(2));
}

/// One split says nothing about another, and none says nothing at all.
#[test]
fn a_floor_needs_splits() {
    let (documents, groups, _) = titles();
    let folder = Folder::with(&[("in.jsonl", documents), ("groups.csv", groups)]);
    for (splits, floor) in [(0, None), (1, None), (4, Some(0.0))] {
        let command = format!("calibrate in.jsonl --labels groups.csv --splits {splits}");
        let it = folder.printing(&format!("{command} --json"), "").ends(0).json();
        assert_eq!(it["floor"].as_f64(), floor, "{splits} splits");
        let text = folder.printing(&command, "").ends(0).stdout;
        assert_eq!(
            text.contains("\nfloor              0.0000 (what even the best one setting loses; +0.0000 above it)\n"),
            floor.is_some(),
            "{text}"
        );
    }
}

/// Labels of enough groups say around which setting more pairs are proposed, unless a threshold is named.
#[test]
fn proposals_follow_the_labels() {
    let (documents, ..) = titles();
    let labels = |groups: usize| {
        let rows: String = (0..groups).map(|n| format!("a{n},b{n},1\na{n},b{},0\n", n + 2)).collect();
        format!("a,b,label\n{rows}")
    };
    let folder = Folder::with(&[("in.jsonl", documents), ("many.csv", labels(20)), ("few.csv", labels(19))]);
    let said = |options: &str| {
        folder.run(&format!("calibrate in.jsonl --label 6 -o next.csv --force --labels {options}")).ends(0).stderr
    };
    let called_for =
        "proposing pairs around what the labels call for: --text text --tokens words --measure jaccard -t 0.7\n";
    assert!(said("many.csv").contains(called_for));
    // The pairs next to that threshold which have no label yet.
    let next = folder.text("next.csv");
    assert!((20..30).any(|n| next.contains(&format!("a{n},b{n},,0.75,"))), "{next}");
    for options in ["many.csv -t 0.8", "few.csv"] {
        assert!(!said(options).contains("call for"), "{options}");
    }
}

/// Without the year, low thresholds find nearly nothing but wrong pairs; with it, they find all that is the same and nothing else.
#[test]
fn low_thresholds_are_tried_where_a_field_must_agree() {
    let words = |letter: &str, count: u32| (0..count).map(|n| format!("{letter}{n} ")).collect::<String>();
    let (mut documents, mut groups) = (String::new(), String::from("id,cluster\n"));
    let mut add = |id: String, text: String, year: u32| {
        documents += &format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"year\":{year}}}\n");
        groups += &format!("{id},{year}\n");
    };
    for n in 0..30 {
        let (first, second) = if n < 2 { ("own", "own") } else { ("first", "second") };
        for (letter, part) in [("a", first), ("b", second)] {
            add(format!("{letter}{n}"), format!("{}{}{letter}{n}", words(part, 8), words("shared", 8)), n);
        }
        // At 0.5, still more is wrong than at 0.7.
        add(format!("c{n}"), format!("{}{}c{n} d{n} e{n}", words("first", 8), words("shared", 4)), 100 + n);
    }
    let folder = Folder::with(&[("in.jsonl", documents), ("groups.csv", groups)]);
    let command =
        "calibrate in.jsonl --labels groups.csv --within year --tokens words --measures jaccard --splits 0 --json";
    let it = folder.printing(command, "").ends(0).json();
    assert_eq!((it["f1"]["value"].as_f64(), &it["chosen"]["within"][0]), (Some(1.0), &"year".into()), "{it}");
}

/// Labels of all pairs of a collection are used as complete labels are, between the halves of the groups too.
#[test]
fn labels_of_all_pairs_are_complete_labels() {
    let (documents, groups, _) = titles();
    let names: Vec<String> = (0..60).map(|n| format!("{}{}", ["a", "b"][n % 2], n / 2)).collect();
    let mut labels = String::from("a,b,label\n");
    for (at, a) in names.iter().enumerate() {
        for b in &names[..at] {
            labels += &format!("{a},{b},{}\n", u8::from(a[1..] == b[1..]));
        }
    }
    let folder = Folder::with(&[("in.jsonl", documents), ("groups.csv", groups), ("pairs.csv", labels)]);
    let [groups, pairs] = ["groups.csv", "pairs.csv"].map(|labels| {
        let command = format!("calibrate in.jsonl --labels {labels} --tokens words,chars:3 --splits 40 --json");
        folder.printing(&command, "").ends(0).json()
    });
    for name in ["f1", "expected", "median_loss", "floor"] {
        assert_eq!(groups[name], pairs[name], "{name}");
    }
    let chosen = |it: &serde_json::Value| {
        let splits = it["splits"].as_array().unwrap().iter();
        splits.map(|split| split["chosen"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&groups), chosen(&pairs));
}
