//! Does `filter` choose the right filter and print the numbers of the paper?

use serde_json::Value;

use crate::fixture::{Folder, Run};

fn json(arguments: &str) -> Value {
    Folder::new().printing(&format!("filter --json {arguments}"), "").ends(0).json()
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= expected * 1e-9, "{value}, not {expected}");
}

#[test]
fn the_papers_numbers() {
    let design = json("--features 6,14,2 --at 0.975,0.77 -t 0.909");
    near(&design["at"][0]["missed"], 0.010672151627708678);
    near(&design["at"][1]["found"], 0.009286332215913583);
    assert_eq!(design["at"][0]["resemblance"], 0.975);
    near(&design["filter"]["half_at"], 0.9093662347114284);
    near(&design["filter"]["error"], 0.03412037291458986);
    assert_eq!(design["filter"]["bytes"], 48);
    assert_eq!(design["filter"]["super_features"], 15.0);
    let holds: Vec<&Value> = design["paper"].as_array().unwrap().iter().map(|claim| &claim["holds"]).collect();
    assert_eq!(holds, [false, true, true, true]);
}

#[test]
fn what_todays_settings_find() {
    let design = json("-t 0.8");
    let published = design["published"].as_array().unwrap();
    let found: Vec<String> = published
        .iter()
        .map(|row| format!("{}×{} {:.3}", row["k"], row["s"], row["recall_at_threshold"].as_f64().unwrap()))
        .collect();
    assert_eq!(found, ["14×8 0.924", "20×13 0.677", "9×13 0.399", "26×11 0.903"]);
}

#[test]
fn a_filter_for_a_wish() {
    for (threshold, recall, bytes) in [(0.8, 0.99, 128), (0.9, 0.95, 64), (0.5, 0.9, 256)] {
        let design = json(&format!("-t {threshold} --recall {recall} --bytes {bytes}"));
        let filter = &design["filter"];
        assert!(filter["recall_at_threshold"].as_f64().unwrap() >= recall);
        assert!(filter["bytes"].as_u64().unwrap() <= bytes && filter["functions"].as_u64().unwrap() <= 512);
        assert!(design.get("paper").is_none());
    }
    // With the paper's prior the choice may differ, and the share of useless candidates does.
    assert_ne!(json("--prior uniform")["filter"]["useless_share"], json("")["filter"]["useless_share"]);
}

#[test]
fn in_words_and_as_a_picture() {
    let folder = Folder::new();
    let text = folder.printing("filter --features 6,14,2 -t 0.9 --at 0.975 --svg curve.svg", "").ends(0).stdout;
    for part in [
        "[6, 14, 2]: 6 features of 14 values, 2 or more equal; 84 functions and 48 bytes per document",
        "missed at 0.975  less than 1e-2     1.067e-2   off by rounding",
        "half of the pairs are found at             0.9094",
        "found at 0.975                             0.9893, missed 0.0107",
        "14, 8, 1",
        "NeMo Curator",
        "⣀",
    ] {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 130 && line.trim_end() == line), "{text}");
    let picture = folder.text("curve.svg");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n") && picture.matches("<polyline").count() == 4);
    assert!(!picture.contains("NaN") && !picture.contains("inf") && !picture.contains("999999"));
    // An existing file is replaced only with --force.
    let again = |arguments: &str| -> Run { folder.printing(arguments, "") };
    again("filter --svg curve.svg").ends(2).says("--force");
    again("filter --svg curve.svg --force").ends(0);
    assert_ne!(folder.text("curve.svg"), picture);
}

#[test]
fn the_note_on_the_prior_is_a_sentence() {
    let folder = Folder::new();
    for (prior, note) in [
        ("falling", "\n¹ if the frequency of a resemblance falls like ρ⁻², from 0.05 on (--prior falling)\n"),
        ("uniform", "\n¹ if all resemblances are equally frequent, as the paper assumes (--prior uniform)\n"),
    ] {
        let text = folder.printing(&format!("filter --prior {prior}"), "").ends(0).stdout;
        assert!(text.ends_with(note), "{text}");
    }
}

#[test]
fn the_ends_are_filters_too() {
    for features in ["1,1,1", "1024,16,1024", "1,1024,1"] {
        for threshold in ["1", "0.000001"] {
            let run = Folder::new().printing(&format!("filter --features {features} -t {threshold}"), "").ends(0);
            assert!(!run.stdout.contains("NaN"), "{}", run.stdout);
            json(&format!("--features {features} -t {threshold} --at 0,1"));
        }
    }
}

#[test]
fn what_is_no_filter_is_refused() {
    let folder = Folder::new();
    for (arguments, part) in [
        ("--features 6,14", "6,14,2"),
        ("--features 6,14,7", "r from 1 to k"),
        ("--features 0,1,1", "k and s"),
        ("-t 0", "threshold 0"),
        ("-t 1.5", "threshold 1.5"),
        ("-t nan", "threshold NaN"),
        ("--features 6,14,2 -t 2", "threshold 2"),
        ("--recall 1", "exact"),
        ("--recall 0", "recall 0"),
        ("--bytes 7", "7 bytes"),
        ("--bytes 8 --recall 0.99", "no filter"),
        ("--at 1.5", "--at 1.5 is out of range"),
        ("--at -0.5", "-0"),
        ("--prior flat", "falling, uniform"),
        ("--features 6,14,2 --recall 0.9", "--recall"),
        ("--svg nowhere/curve.svg", "the folder nowhere does not exist"),
    ] {
        folder.run(&format!("filter {arguments}")).ends(2).says(part);
    }
}
