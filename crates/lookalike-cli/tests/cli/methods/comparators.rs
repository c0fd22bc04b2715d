//! Do the methods that papers compare with work with all commands and options?

use std::collections::BTreeSet;

use super::{corpus, pairs, rows};
use crate::fixture::{Folder, row};

#[test]
fn i_match_in_dedup_and_between_collections() {
    let texts = corpus(300);
    let folder =
        Folder::with(&[("1.jsonl", rows(&texts[..150])), ("2.jsonl", rows(&texts[150..]).replace("\"d", "\"e"))]);
    folder.run("pairs 1.jsonl --with 2.jsonl --method i-match --unverified -o pairs.jsonl").ends(0).says("UNVERIFIED");
    assert!(folder.rows("pairs.jsonl").iter().all(|row| row["unverified_similarity"] == 1.0));
    let found = pairs(&folder, "pairs.jsonl");
    assert!(found.len() > 20 && found.iter().all(|(a, b)| a.starts_with('d') && b.starts_with('e')));
    let run = "dedup 1.jsonl --against 2.jsonl --method i-match -o kept.jsonl --removed removed.jsonl --json";
    let report = folder.printing(run, "").ends(0).json();
    let kept: BTreeSet<String> = folder.field("kept.jsonl", "id").into_iter().collect();
    assert!(found.iter().all(|(a, _)| !kept.contains(a)));
    assert_eq!(report["signatures"]["verified"], true);
    assert!(folder.field("removed.jsonl", "twin").iter().all(|twin| twin.starts_with('e') || kept.contains(twin)));
    // The inputs are read three times, standard input too.
    folder.printing("pairs - --method i-match -o piped.jsonl", rows(&texts)).ends(0);
    folder.write("all.jsonl", rows(&texts));
    folder.run("pairs all.jsonl --method i-match -o whole.jsonl").ends(0);
    assert_eq!(folder.read("piped.jsonl"), folder.read("whole.jsonl"));
}

/// Bands are features of which one must be equal.
#[test]
fn lsh_is_bands_of_min_wise_values() {
    let folder = Folder::with(&[("in.jsonl", rows(&corpus(500)))]);
    folder.run("pairs in.jsonl -t 0.6 --tokens words -o exact.jsonl").ends(0);
    let (run, common) = ("pairs in.jsonl -t 0.6 --tokens words --force", "--json -o found.jsonl");
    for more in ["", "--unverified"] {
        let report = folder.printing(&format!("{run} --method lsh --bands 14,4 {more} {common}"), "").ends(0).json();
        let found = folder.read("found.jsonl");
        assert_eq!((&report["method"], &report["signatures"]["signature_bytes"]), (&"lsh".into(), &112.into()));
        folder.printing(&format!("{run} --method minhash --features 14,4,1 {more} {common}"), "").ends(0);
        assert!(found == folder.read("found.jsonl") && found.len() > 1000);
    }
    let chosen = folder.run("pairs in.jsonl --method lsh -t 0.8 --force -o found.jsonl").ends(0);
    chosen.says("lsh, 1 of 9 bands of 13 values in common").says("designed for 0.3988 at the threshold");
    folder.run(&format!("{run} --method lsh --functions 256 -o found.jsonl")).ends(0).says("each compared exactly");
    assert!(pairs(&folder, "found.jsonl").is_subset(&pairs(&folder, "exact.jsonl")));
}

/// Documents share a mega-shingle if and only if they share two super-shingles.
#[test]
fn mega_shingles_are_pairs_of_super_shingles() {
    let folder = Folder::with(&[("in.jsonl", rows(&corpus(500)))]);
    for features in ["6,14,2", "8,2,3", "5,3,1"] {
        let run = format!("pairs in.jsonl --tokens words --features {features} --unverified --force");
        let report = folder.printing(&format!("{run} --method mega-shingles --json -o mega.jsonl"), "").ends(0).json();
        folder.run(&format!("{run} --method minhash -o super.jsonl")).ends(0);
        let mega = pairs(&folder, "mega.jsonl");
        assert!(mega == pairs(&folder, "super.jsonl") && mega.len() > 50, "{features}: {}", mega.len());
        assert_eq!(report["method"], "mega-shingles");
    }
    let verified = "pairs in.jsonl --tokens words --method mega-shingles --force -o mega.jsonl";
    folder.run(verified).ends(0).says("1 of 15 in common: 2 of 6 super-shingles of 14 values: 120 bytes per document");
    let reaching = folder.rows("mega.jsonl").iter().filter(|row| row["similarity"].as_f64().unwrap() >= 0.9).count();
    folder.run(&format!("{verified} -t 0.9")).ends(0);
    assert_eq!(folder.rows("mega.jsonl").len(), reaching);
}

/// Of the pairs that reach the threshold, those with enough common bigrams.
#[test]
fn ddebit_compares_in_two_steps() {
    let texts: Vec<Vec<String>> = corpus(300).into_iter().map(|text| text.into_iter().take(12).collect()).collect();
    let folder = Folder::with(&[("in.jsonl", rows(&texts)), ("other.jsonl", rows(&texts[..80]).replace("\"d", "\"e"))]);
    for inputs in ["in.jsonl", "in.jsonl --with other.jsonl --distinct"] {
        let run = format!("pairs {inputs} --force -o");
        folder.run(&format!("{run} light.jsonl --tokens chars:2 --measure max -t 0.7")).ends(0);
        folder.run(&format!("{run} accurate.jsonl --tokens words -t 0.5")).ends(0);
        let lines = |name: &str| folder.text(name).lines().map(String::from).collect::<BTreeSet<_>>();
        let (light, accurate) = (pairs(&folder, "light.jsonl"), pairs(&folder, "accurate.jsonl"));
        let run = format!("{run} found.jsonl --method ddebit --light 0.7 --tokens words -t 0.5");
        let report = folder.printing(&format!("{run} --json"), "").ends(0).json();
        assert_eq!(report["method"], "ddebit");
        let found = pairs(&folder, "found.jsonl");
        assert_eq!(found, accurate.intersection(&light).cloned().collect::<BTreeSet<_>>());
        assert!(found.len() > 50 && found.len() < accurate.len() && found.len() < light.len(), "{}", found.len());
        assert!(lines("found.jsonl").is_subset(&lines("accurate.jsonl")));
        folder.run(&format!("{run} --unverified")).ends(0).says("UNVERIFIED");
        assert_eq!(pairs(&folder, "found.jsonl"), light);
    }
    let run = "dedup in.jsonl --method ddebit --light 0.7 --tokens words -t 0.5 -o kept.jsonl --removed removed.jsonl";
    folder.run(run).ends(0).says("ddebit, a light similarity of bigrams of 0.7 or more");
    let kept: BTreeSet<String> = folder.field("kept.jsonl", "id").into_iter().collect();
    assert!(folder.field("removed.jsonl", "twin").iter().all(|twin| kept.contains(twin)) && kept.len() < 250);
}

/// SpotSigs' own matching finds what the exact method finds on the same spots.
#[test]
fn spotsigs_is_exact_on_spots() {
    let mut texts = corpus(400);
    // Every fourth word or so is an article.
    for (n, text) in texts.iter_mut().enumerate() {
        (0..text.len())
            .rev()
            .step_by(4)
            .for_each(|at| text.insert(at, ["the", "a", "of", "is"][(n + at) % 4].to_string()));
    }
    let folder = Folder::with(&[("in.jsonl", rows(&texts)), ("other.jsonl", rows(&texts[..90]).replace("\"d", "\"e"))]);
    let outputs = ["kept.jsonl", "removed.csv", "pairs.csv"];
    for (tokens, threshold) in [("spots:2:3", "0.44"), ("spots:1:1", "0.8")] {
        for (command, output) in [
            ("pairs in.jsonl --counts", "-o pairs.csv"),
            ("pairs in.jsonl --with other.jsonl", "-o pairs.csv"),
            ("dedup in.jsonl --against other.jsonl", "-o kept.jsonl --removed removed.csv --pairs pairs.csv"),
            ("dedup in.jsonl --keep longest", "-o kept.jsonl --removed removed.csv --pairs pairs.csv"),
        ] {
            let run = format!("{command} --tokens {tokens} -t {threshold} --force --json {output}");
            folder.printing(&format!("{run} --bag"), "").ends(0);
            let written = |name: &&str| folder.list().contains(&name.to_string()).then(|| folder.read(name));
            let exact = outputs.each_ref().map(written);
            assert!(exact[2].as_ref().unwrap().len() > 500, "{run}");
            let report = folder.printing(&format!("{run} --method spotsigs"), "").ends(0).json();
            assert!(exact == outputs.each_ref().map(written), "{run}");
            assert_eq!((&report["method"], &report["tokens"]), (&"spotsigs".into(), &tokens.into()), "{run}");
            assert!(report["signatures"].is_null());
        }
    }
    folder.run("pairs in.jsonl --method spotsigs -t 0.44 --force -o spots.csv").ends(0).says("on spots:2:3, exact");
    folder.printing("pairs in.jsonl --tokens spots:2:3 --bag -t 0.44 --force --json -o pairs.csv", "").ends(0);
    assert_eq!(folder.read("spots.csv"), folder.read("pairs.csv"));
    let stats = "pairs in.jsonl --method spotsigs -t 0.44 --memory 64MiB --stats stats.json --force -o spots.csv";
    folder.run(stats).ends(0);
    assert_eq!(folder.read("spots.csv"), folder.read("pairs.csv"));
}

/// Every method finds the pairs that it has according to `compare`.
#[test]
fn as_compare_judges() {
    let words = |n: u32| {
        ["the", "ferry", "to", "an", "island", "is", "late"][n as usize % 7].to_string()
            + &"x".repeat(n as usize / 7 % 5)
    };
    let text = |changed: u32| {
        (0..120).map(|n| if n < changed { format!("c{n}") } else { words(n) }).collect::<Vec<_>>().join(" ")
    };
    let rows: String =
        [0, 2, 5, 9, 14, 30, 80].iter().map(|&changed| row(&format!("d{changed}"), &text(changed))).collect();
    let folder = Folder::with(&[("in.jsonl", rows)]);
    let ids = folder.field("in.jsonl", "id");
    for method in ["spotsigs", "lsh", "mega-shingles", "ddebit"] {
        let run = format!("pairs in.jsonl --method {method} --force -o found.jsonl");
        folder.run(&format!("{run}{}", if method == "mega-shingles" { "" } else { " -t 0.6" })).ends(0);
        let found = pairs(&folder, "found.jsonl");
        for (at, b) in ids.iter().enumerate() {
            for a in &ids[..at] {
                let run = format!("compare {a} {b} --in in.jsonl -t 0.6 --json");
                let comparison = folder.printing(&run, "").ends(0).json();
                let of = comparison["verdicts"].as_array().unwrap().iter().find(|one| one["method"] == method).unwrap();
                assert_eq!(of["pair"] == true, found.contains(&(a.clone(), b.clone())), "{method} {a} {b} {of}");
            }
        }
        assert!((1..21).contains(&found.len()), "{method}: {found:?}");
    }
}

/// The PPJoin paper's way with edit distance finds the same pairs as ours, and counts its candidates.
#[test]
fn edit_distance_by_the_papers_algorithms() {
    let texts: Vec<Vec<String>> = corpus(300).into_iter().map(|text| text.into_iter().take(9).collect()).collect();
    let folder = Folder::with(&[("in.jsonl", rows(&texts)), ("other.jsonl", rows(&texts[..50]))]);
    for inputs in ["in.jsonl", "in.jsonl --with other.jsonl"] {
        let run = format!("pairs {inputs} --measure edit -t 4 --force");
        folder.run(&format!("{run} -o own.csv")).ends(0).says("joined by edit");
        let mut candidates = Vec::new();
        for algorithm in ["allpairs", "ppjoin", "ppjoin+", "ppjoin+:4"] {
            folder.run(&format!("{run} --algorithm {algorithm} --q 3 --stats stats.json -o theirs.csv")).ends(0);
            assert_eq!(folder.read("own.csv"), folder.read("theirs.csv"), "{algorithm}");
            let stats: serde_json::Value = serde_json::from_str(&folder.text("stats.json")).unwrap();
            assert_eq!(stats["algorithm"], algorithm.split(':').next().unwrap());
            candidates.push(stats["after_suffix"].as_u64().unwrap());
        }
        assert!(candidates.is_sorted_by(|one, two| one >= two) && candidates[0] > 0, "{candidates:?}");
    }
}

#[test]
fn refused() {
    let folder = Folder::with(&[("in.jsonl", row("a", "one"))]);
    for (options, message) in [
        ("--method lsh --bands 9", "give two numbers like 14,8"),
        ("--method lsh --bands 2000,1", "both must be from 1 to 1024"),
        ("--method lsh --functions 0", "use 1 to 1024"),
        ("--method lsh --measure max", "--method lsh works only with --measure jaccard"),
        ("--method lsh --recall 0.9", "--recall works only with --method minhash"),
        ("--method minhash --bands 9,13", "--bands works only with --method lsh"),
        ("--method i-match --idf 0.9,0.2", "is not a range like 0.2,0.85"),
        ("--method i-match --lexica 0", "0 is not in 1..=1024"),
        ("--method lsh --lexica 2", "--lexica works only with --method i-match"),
        ("--method i-match --measure overlap -t 3", "a count"),
        ("--method mega-shingles --features 100,2,2", "makes 4950 mega-shingles of 4 values: use fewer"),
        ("--method ddebit --light 2", "--light: threshold 2 is out of range"),
        ("--method exact --light 0.5", "--light works only with --method ddebit"),
        ("--method spotsigs --measure cosine", "--method spotsigs works only with --measure jaccard"),
        ("--method spotsigs --tokens words:3", "compares spots, not words:3"),
        ("--method spotsigs --algorithm ppjoin", "has an algorithm of its own"),
        ("--method spotsigs --unverified", "--unverified works only with --method minhash"),
        ("--method spotsigs --measure edit -t 2", "works only with"),
        ("--measure edit -t 2 --algorithm sparse", "use auto, allpairs, ppjoin or ppjoin+"),
        ("--measure edit -t 2 --algorithm spotsigs", "use auto, allpairs, ppjoin or ppjoin+"),
        ("--measure edit --top 2 --algorithm ppjoin", "does not work with --measure edit and --top"),
        ("--tokens spots:2", "is not one of words"),
    ] {
        folder.run(&format!("pairs in.jsonl {options} -o out.csv")).ends(2).says(message);
    }
    folder
        .run("dedup in.jsonl --method i-match --index archive")
        .ends(2)
        .says("--index works only with --method exact");
    assert_eq!(folder.list(), ["in.jsonl"]);
}
