//! Does `pairs --top K` find exactly the most similar pairs?

use crate::brute::{all_pairs, compare, expected, printed, rows, sets};
use crate::fixture::Folder;

const MEASURES: [&str; 7] = ["jaccard", "cosine", "dice", "max", "containment", "overlap", "hamming"];

/// Pairs by similarity, ties in input order, without those that share nothing.
fn ranked(sets: &[crate::brute::Words], measure: &str) -> Vec<(usize, usize, (u64, u64, u64))> {
    let mut pairs = all_pairs(sets);
    pairs.retain(|(_, _, (common, ..))| *common > 0);
    // The sort is stable, so ties stay in input order.
    pairs.sort_by(|(_, _, one), (_, _, two)| compare(measure, *two, *one));
    pairs
}

#[test]
fn those_of_brute_force() {
    let sets = sets(90, 11);
    let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd'))]);
    for measure in MEASURES {
        let all: Vec<String> = ranked(&sets, measure)
            .into_iter()
            .map(|(a, b, counts)| expected(measure, &format!("d{a}"), &format!("d{b}"), counts))
            .collect();
        // The last K is more than the number of pairs.
        for most in [1, 2, 10, 60, 200, 1000, 100_000] {
            let found = printed(&folder, &format!("pairs in.jsonl --tokens raw --measure {measure} --top {most} -q"));
            assert!(found == all[..most.min(all.len())], "{measure} {most}");
        }
    }
}

#[test]
fn of_different_sets_and_of_two_collections() {
    let (one, two) = (sets(50, 12), sets(70, 12));
    let folder = Folder::with(&[("one.jsonl", rows(&one, 'a')), ("two.jsonl", rows(&two, 'b'))]);
    let both = [&one[..], &two].concat();
    let n = one.len();
    let is_first = |at: usize| {
        let from = if at < n { 0 } else { n };
        !both[from..at].contains(&both[at])
    };
    for measure in MEASURES {
        let across = ranked(&both, measure).into_iter().filter(|(a, b, _)| *a < n && *b >= n);
        let all: Vec<_> = across.collect();
        let different =
            all.iter().filter(|(a, b, _)| is_first(*a) && is_first(*b) && both[*a] != both[*b]).cloned().collect();
        for (option, pairs) in [("", all), ("--distinct", different)] {
            let rows: Vec<String> = pairs
                .into_iter()
                .map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("b{}", b - n), counts))
                .collect();
            for most in [1, 25, 300, 3000] {
                let options = format!("--tokens raw --measure {measure} --top {most} {option} -q");
                let found = printed(&folder, &format!("pairs one.jsonl --with two.jsonl {options}"));
                assert!(found == rows[..most.min(rows.len())], "{options}");
            }
        }
    }
}

#[test]
fn excludes_a_threshold() {
    let folder = Folder::with(&[("in.jsonl", rows(&sets(5, 1), 'd'))]);
    folder.run("pairs in.jsonl --top 5 -t 0.8").ends(2).says("cannot be used with");
    folder.run("pairs in.jsonl --top 5 --limit-per-document 2").ends(2).says("cannot be used with");
    folder.run("pairs in.jsonl --top 0").ends(2).says("--top");
    folder.run("pairs in.jsonl --top x").ends(2).says("--top");
}
