//! Do the methods that papers compare with find what their papers define? Each definition is a few lines here.

use std::collections::{BTreeMap, BTreeSet};

use super::{corpus, pairs, rows};
use crate::fixture::Folder;

type Pairs = BTreeSet<(String, String)>;

/// All pairs of documents for which something holds.
fn all_pairs(documents: usize, is_pair: impl Fn(usize, usize) -> bool) -> Pairs {
    let of_one = |b| (0..b).map(move |a| (a, b));
    let found = (0..documents).flat_map(of_one).filter(|&(a, b)| is_pair(a, b));
    found.map(|(a, b)| (format!("d{a}"), format!("d{b}"))).collect()
}

/// Two documents are a pair if they have the same words with an idf in the range, and at least four of them, or the same set.
fn i_match_by_definition(texts: &[Vec<String>], (least, greatest): (f64, f64)) -> BTreeSet<(String, String)> {
    let sets: Vec<BTreeSet<&String>> = texts.iter().map(|text| text.iter().collect()).collect();
    let mut frequencies: BTreeMap<&String, f64> = BTreeMap::new();
    sets.iter().flatten().for_each(|word| *frequencies.entry(word).or_default() += 1.0);
    let all = (texts.len() + 1) as f64;
    let telling = |set: &BTreeSet<&String>| -> Vec<String> {
        let idf = |word: &String| (all / frequencies[word]).ln() / all.ln();
        set.iter().filter(|word| (least..=greatest).contains(&idf(word))).map(|word| word.to_string()).collect()
    };
    let own: Vec<Vec<String>> = sets.iter().map(telling).collect();
    let mut found = BTreeSet::new();
    for b in 0..texts.len() {
        for a in (0..b).filter(|&a| own[a] == own[b] && own[a].len() >= 4 || texts[a] == texts[b]) {
            found.insert((format!("d{a}"), format!("d{b}")));
        }
    }
    found
}

#[test]
fn i_match_by_its_definition() {
    let texts = corpus(400);
    let folder = Folder::with(&[("in.jsonl", rows(&texts))]);
    let run = "pairs in.jsonl --method i-match --force -o found.jsonl";
    for (options, range) in [("", (0.2, 0.85)), (" --idf 0,1", (0.0, 1.0)), (" --idf 0.3,0.6 --threads 3", (0.3, 0.6))]
    {
        folder.run(&format!("{run}{options}")).ends(0).says("every pair by this method, at any similarity");
        let expected = i_match_by_definition(&texts, range);
        assert!(expected.len() > 50, "{options}: {}", expected.len());
        assert_eq!(pairs(&folder, "found.jsonl"), expected, "{options}");
    }
    folder.run(&format!("{run} --idf 0.1,1 --lexica 1")).ends(0);
    let one = pairs(&folder, "found.jsonl");
    let report = folder.printing(&format!("{run} --idf 0.1,1 --lexica 10 --json"), "").ends(0).json();
    assert_eq!((&report["method"], &report["signatures"]["signature_bytes"]), (&"i-match".into(), &80.into()));
    let ten = pairs(&folder, "found.jsonl");
    assert!(one.is_subset(&ten) && ten.len() > one.len() + 20, "{} {}", one.len(), ten.len());
    // With a threshold, only those that reach it.
    let reaching = folder.rows("found.jsonl").iter().filter(|row| row["similarity"].as_f64().unwrap() >= 0.8).count();
    folder.run(&format!("{run} --idf 0.1,1 --lexica 10 -t 0.8")).ends(0).says("recall measured");
    assert_eq!(folder.rows("found.jsonl").len(), reaching);
}

/// By document, its min-wise values, in hexadecimal.
fn min_wise_values(folder: &Folder, functions: usize) -> Vec<Vec<String>> {
    let run =
        format!("sketch in.jsonl --method minhash --functions {functions} --tokens words --force -o values.jsonl");
    folder.run(&run).ends(0);
    let digits = |signature: String| {
        signature.as_bytes().chunks(8).map(|some| String::from_utf8_lossy(some).to_string()).collect()
    };
    let found: Vec<Vec<String>> = folder.field("values.jsonl", "signature").into_iter().map(digits).collect();
    assert!(found.iter().all(|values| values.len() == functions));
    found
}

/// How many groups of this many min-wise values two documents share.
fn shared_groups(a: &[String], b: &[String], size: usize) -> usize {
    a.chunks(size).zip(b.chunks(size)).filter(|(a, b)| a == b).count()
}

/// Two documents are candidates if all values of a band are equal.
#[test]
fn lsh_by_its_definition() {
    let texts = corpus(400);
    let folder = Folder::with(&[("in.jsonl", rows(&texts))]);
    for (bands, size) in [(14, 4), (5, 9), (32, 6)] {
        let values = min_wise_values(&folder, bands * size);
        let expected = all_pairs(texts.len(), |a, b| shared_groups(&values[a], &values[b], size) >= 1);
        let run =
            format!("pairs in.jsonl --method lsh --bands {bands},{size} --tokens words -t 0.5 --unverified --force");
        folder.run(&format!("{run} -o found.jsonl")).ends(0);
        assert!(expected.len() > 300, "{}", expected.len());
        assert_eq!(pairs(&folder, "found.jsonl"), expected, "{bands} {size}");
    }
}

/// Two documents are candidates if two of six super-shingles are equal, each of 14 min-wise values.
#[test]
fn mega_shingles_by_their_definition() {
    let texts = corpus(400);
    let folder = Folder::with(&[("in.jsonl", rows(&texts))]);
    for (features, size, least) in [(6, 14, 2), (8, 2, 3), (5, 3, 1)] {
        let values = min_wise_values(&folder, features * size);
        let expected = all_pairs(texts.len(), |a, b| shared_groups(&values[a], &values[b], size) >= least);
        let run = "pairs in.jsonl --method mega-shingles --tokens words --unverified --force -o found.jsonl";
        folder.run(&format!("{run} --features {features},{size},{least}")).ends(0);
        assert!(expected.len() > 50, "{}", expected.len());
        assert_eq!(pairs(&folder, "found.jsonl"), expected, "{features} {size} {least}");
    }
}

/// The common bigrams of two records, over those of the larger set, must reach the light threshold; the words of the pairs that are
/// left, the other one.
#[test]
fn ddebit_by_its_definition() {
    let mut texts: Vec<Vec<String>> = corpus(300).into_iter().map(|text| text.into_iter().take(12).collect()).collect();
    // Other words, the same bigrams.
    texts.extend(["aaaa bbb cc", "aaa bbbb cc"].map(|text| text.split(' ').map(String::from).collect()));
    let folder = Folder::with(&[("in.jsonl", rows(&texts))]);
    let bigrams: Vec<BTreeSet<[char; 2]>> = texts
        .iter()
        .map(|text| {
            let letters: Vec<char> = text.join(" ").chars().collect();
            letters.windows(2).map(|two| [two[0], two[1]]).collect()
        })
        .collect();
    let words: Vec<BTreeSet<&String>> = texts.iter().map(|text| text.iter().collect()).collect();
    let light = |a: usize, b: usize| {
        10 * bigrams[a].intersection(&bigrams[b]).count() >= 7 * bigrams[a].len().max(bigrams[b].len())
    };
    let accurate =
        |a: usize, b: usize| 4 * words[a].intersection(&words[b]).count() >= words[a].union(&words[b]).count();
    let expected = all_pairs(texts.len(), |a, b| light(a, b) && accurate(a, b));
    assert!(expected.len() > 50 && expected.len() < all_pairs(texts.len(), accurate).len());
    assert!(light(300, 301) && bigrams[300] == bigrams[301]);
    for threads in [1, 3] {
        let run = format!(
            "pairs in.jsonl --method ddebit --light 0.7 --tokens words --threads {threads} --force -o found.jsonl"
        );
        folder.run(&format!("{run} -t 0.25")).ends(0);
        assert_eq!(pairs(&folder, "found.jsonl"), expected, "{threads}");
        folder.run(&format!("{run} -t 0.25 --unverified")).ends(0);
        assert_eq!(pairs(&folder, "found.jsonl"), all_pairs(texts.len(), light), "{threads}");
    }
}

/// An antecedent and up to three content words, each two words on, or the next that is no stop word.
fn spots(text: &[String]) -> BTreeMap<Vec<&str>, u32> {
    let mut found = BTreeMap::new();
    for (start, _) in text.iter().enumerate().filter(|(_, word)| ["the", "a", "is"].contains(&word.as_str())) {
        let (mut spot, mut at) = (vec![text[start].as_str()], start);
        while spot.len() < 4 {
            at += 2;
            while text.get(at).is_some_and(|word| ["the", "a", "is", "of"].contains(&word.as_str())) {
                at += 1;
            }
            let Some(word) = text.get(at) else { break };
            spot.push(word);
        }
        if spot.len() > 1 {
            *found.entry(spot).or_default() += 1;
        }
    }
    found
}

/// Two documents are a pair if the lesser counts of their spots, over the greater ones, reach the threshold.
#[test]
fn spotsigs_by_its_definition() {
    let mut texts = corpus(250);
    for (n, text) in texts.iter_mut().enumerate() {
        let places: Vec<usize> = (0..text.len()).rev().step_by(4).collect();
        places.iter().for_each(|&at| text.insert(at, ["the", "a", "of", "is"][(n + at) % 4].to_string()));
        // Some spots are repeated.
        if n % 5 == 0 {
            text.extend_from_within(..);
        }
    }
    let of: Vec<BTreeMap<Vec<&str>, u32>> = texts.iter().map(|text| spots(text)).collect();
    let folder = Folder::with(&[("in.jsonl", rows(&texts))]);
    for percent in [30, 44, 50, 80, 100] {
        let expected = all_pairs(texts.len(), |a, b| {
            let all: BTreeSet<&Vec<&str>> = of[a].keys().chain(of[b].keys()).collect();
            let count = |document: usize, spot: &Vec<&str>| of[document].get(spot).copied().unwrap_or(0);
            let lesser: u32 = all.iter().map(|spot| count(a, spot).min(count(b, spot))).sum();
            let greater: u32 = all.iter().map(|spot| count(a, spot).max(count(b, spot))).sum();
            greater > 0 && 100 * lesser >= percent * greater
        });
        let threshold = f64::from(percent) / 100.0;
        folder.run(&format!("pairs in.jsonl --method spotsigs -t {threshold} --force -o found.jsonl")).ends(0);
        assert!(expected.len() > 5, "{percent}: {}", expected.len());
        assert_eq!(pairs(&folder, "found.jsonl"), expected, "{percent}");
    }
}

/// The q-grams that the DDD paper prints, of which a document has as many as characters less q - 1.
#[test]
fn the_ddd_papers_grams() {
    let folder = Folder::new();
    for (tokens, text, grams) in [
        ("chars:2", "tom smith", "to|om|m | s|sm|mi|it|th"),
        ("letters:3", "A rose is a flower", "aro|ros|ose|sei|eis|isa|saf|afl|flo|low|owe|wer"),
    ] {
        let seen = folder.printing(&format!("tokens - --format text --json --tokens {tokens}"), text).ends(0).json();
        let of = |one: &serde_json::Value| one["shingle"].as_str().unwrap().to_string();
        let found: BTreeSet<String> = seen["shingles"].as_array().unwrap().iter().map(of).collect();
        assert_eq!(found, grams.split('|').map(String::from).collect(), "{text}");
    }
}
