//! Does `pairs` find every pair with its exact similarity, for every measure, algorithm and format?

use crate::brute::{all_pairs, expected, printed, reaches, rows, sets, value};
use crate::fixture::{Folder, SIXTEEN_DIGITS, numbered, row, sixteen_digits};

/// Thresholds, as typed and as fractions.
const THRESHOLDS: [(&str, &str, (u64, u64)); 14] = [
    ("jaccard", "0.8", (4, 5)),
    ("jaccard", "1/3", (1, 3)),
    ("jaccard", "1", (1, 1)),
    ("cosine", "0.75", (3, 4)),
    ("cosine", "0.1", (1, 10)),
    ("dice", "0.9", (9, 10)),
    ("dice", "2/3", (2, 3)),
    ("max", "0.6", (3, 5)),
    ("containment", "0.9", (9, 10)),
    ("overlap", "1", (1, 1)),
    ("overlap", "7", (7, 1)),
    ("hamming", "0", (0, 1)),
    ("hamming", "2", (2, 1)),
    ("hamming", "9", (9, 1)),
];

const METHODS: [&str; 8] = ["auto", "sparse", "light", "heavy", "allpairs", "ppjoin", "ppjoin+", "brute"];

#[test]
fn those_of_brute_force_for_every_measure_and_method() {
    let sets = sets(120, 1);
    let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd'))]);
    for (measure, typed, threshold) in THRESHOLDS {
        let pairs = all_pairs(&sets).into_iter().filter(|(_, _, counts)| reaches(measure, threshold, *counts));
        let pairs: Vec<String> =
            pairs.map(|(a, b, counts)| expected(measure, &format!("d{a}"), &format!("d{b}"), counts)).collect();
        assert!(pairs.len() > 20, "{measure} {typed}: {} pairs prove nothing", pairs.len());
        for method in METHODS {
            let arguments =
                format!("pairs in.jsonl --tokens raw --measure {measure} -t {typed} --algorithm {method} -q");
            assert!(printed(&folder, &arguments) == pairs, "{arguments}");
        }
    }
}

#[test]
fn between_two_collections_for_every_measure_and_method() {
    let (one, two) = (sets(60, 2), sets(90, 2));
    let folder = Folder::with(&[("one.jsonl", rows(&one, 'a')), ("two.jsonl", rows(&two, 'b'))]);
    let both = [&one[..], &two].concat();
    for (measure, typed, threshold) in THRESHOLDS {
        let across = all_pairs(&both).into_iter().filter(|(a, b, _)| *a < one.len() && *b >= one.len());
        let pairs: Vec<String> = across
            .filter(|(_, _, counts)| reaches(measure, threshold, *counts))
            .map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("b{}", b - one.len()), counts))
            .collect();
        assert!(pairs.len() > 20, "{measure} {typed}: {} pairs prove nothing", pairs.len());
        for method in METHODS {
            let arguments = format!(
                "pairs one.jsonl --with two.jsonl --tokens raw --measure {measure} -t {typed} --algorithm {method} -q"
            );
            assert!(printed(&folder, &arguments) == pairs, "{arguments}");
        }
    }
}

/// Both collections have both texts: copies must not hide other similar documents.
#[test]
fn copies_in_both_collections() {
    let [a, b] = sixteen_digits();
    let folder = Folder::with(&[
        ("one.jsonl", [row("a1", &a), row("b1", &b)].concat()),
        ("two.jsonl", [row("a2", &a), row("b2", &b)].concat()),
    ]);
    let line =
        |a: &str, b: &str, similarity: f64| format!("{{\"a\":\"{a}\",\"b\":\"{b}\",\"similarity\":{similarity:?}}}");
    let (near, across) = (SIXTEEN_DIGITS, "pairs one.jsonl --with two.jsonl -q");
    let all = [line("a1", "a2", 1.0), line("a1", "b2", near), line("b1", "a2", near), line("b1", "b2", 1.0)];
    assert_eq!(printed(&folder, across), all);
    assert_eq!(printed(&folder, &format!("{across} --distinct")), all[1..3]);
    let mut expected = all.to_vec();
    expected.insert(0, line("a1", "b1", near));
    assert_eq!(printed(&folder, "dedup one.jsonl --against two.jsonl --pairs - -q"), expected);
}

/// One document for each set: the first in input order.
#[test]
fn distinct_sets() {
    let (one, two) = (sets(80, 3), sets(80, 4));
    let folder = Folder::with(&[("one.jsonl", rows(&one, 'a')), ("two.jsonl", rows(&two, 'b'))]);
    let both = [&one[..], &two].concat();
    let is_first = |at: usize, from: usize| !both[from..at].contains(&both[at]);
    for (measure, typed, threshold) in THRESHOLDS {
        let distinct = |a: usize, b: usize| both[a] != both[b];
        let keep = |(_, _, counts): &(usize, usize, _)| reaches(measure, threshold, *counts);
        let arguments = format!("--tokens raw --measure {measure} -t {typed} --distinct -q");
        let single = all_pairs(&one).into_iter().filter(keep);
        let single = single.filter(|(a, b, _)| is_first(*a, 0) && is_first(*b, 0) && distinct(*a, *b));
        let single: Vec<String> =
            single.map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("a{b}"), counts)).collect();
        assert_eq!(printed(&folder, &format!("pairs one.jsonl {arguments}")), single, "{arguments}");

        let n = one.len();
        let across = all_pairs(&both).into_iter().filter(keep).filter(|(a, b, _)| *a < n && *b >= n);
        let across = across.filter(|(a, b, _)| is_first(*a, 0) && is_first(*b, n) && distinct(*a, *b));
        let across: Vec<String> =
            across.map(|(a, b, counts)| expected(measure, &format!("a{a}"), &format!("b{}", b - n), counts)).collect();
        assert_eq!(printed(&folder, &format!("pairs one.jsonl --with two.jsonl {arguments}")), across, "{arguments}");
    }
}

#[test]
fn with_the_numbers_behind_a_similarity() {
    let sets = sets(100, 5);
    let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd'))]);
    for (measure, typed, threshold) in THRESHOLDS {
        folder.run(&format!(
            "pairs in.jsonl --tokens raw --measure {measure} -t {typed} --counts -o pairs.csv --force -q"
        ));
        let header = if measure == "hamming" { "distance" } else { "similarity" };
        let mut csv = format!("a,b,{header},common,size_a,size_b\n");
        for (a, b, counts @ (common, size_a, size_b)) in all_pairs(&sets) {
            if reaches(measure, threshold, counts) {
                let value = value(measure, counts);
                let value = if measure == "hamming" { format!("{value}") } else { format!("{value:?}") };
                csv += &format!("d{a},d{b},{value},{common},{size_a},{size_b}\n");
            }
        }
        assert_eq!(folder.text("pairs.csv"), csv);
    }
}

/// The same pairs in every format, and from `dedup --pairs`.
#[test]
fn in_every_format() {
    let [a, b] = sixteen_digits();
    let input = [row("x", "alone"), row("a", &a), row("b", &b), row("empty", ""), row("a2", &a), row("b2", &b)];
    let folder = Folder::with(&[("in.jsonl", input.concat())]);
    let near = SIXTEEN_DIGITS;
    let csv = format!("a,b,similarity\na,b,{near}\na,a2,1.0\na,b2,{near}\nb,a2,{near}\nb,b2,1.0\na2,b2,{near}\n");
    for name in ["pairs.csv", "pairs.tsv", "pairs.jsonl", "pairs.jsonl.gz", "pairs.csv.zst", "pairs.parquet"] {
        folder.run(&format!("pairs in.jsonl -o {name}")).ends(0).says("6 pairs, 2 of them identical");
        folder.run(&format!("dedup in.jsonl --pairs dedup-{name}")).ends(0);
        assert!(folder.read(name) == folder.read(&format!("dedup-{name}")), "{name}");
    }
    assert_eq!(folder.text("pairs.csv"), csv);
    assert_eq!(folder.text("pairs.tsv"), csv.replace(',', "\t"));
    assert_eq!(crate::input::compressed::unzstd(&folder.read("pairs.csv.zst")), csv);
    let run = folder.printing("pairs in.jsonl", "").ends(0);
    assert_eq!(run.stdout, folder.text("pairs.jsonl"));
    assert_eq!(folder.printing("pairs in.jsonl -o -", "").ends(0).stdout, run.stdout);
    assert_eq!(folder.printing("pairs -", folder.text("in.jsonl")).ends(0).stdout, run.stdout);
    assert_eq!(crate::input::parquet::read_parquet(&folder.path("pairs.parquet")).len(), 6);
}

/// Byte for byte, on any number of threads.
#[test]
fn the_same_answer_every_time() {
    let sets = sets(1500, 6);
    let folder = Folder::with(&[("in.jsonl", rows(&sets, 'd')), ("other.jsonl", rows(&sets[500..], 'e'))]);
    for options in [
        "-t 0.6",
        "-t 0.6 --with other.jsonl",
        "--measure hamming -t 3 --distinct",
        "--top 1000",
        "--top 1000 --with other.jsonl --distinct",
        "-t 0.5 --limit-per-document 3",
    ] {
        let run = |threads: u32| {
            let arguments = format!("pairs in.jsonl --tokens raw {options} --counts -q --threads {threads}");
            folder.printing(&arguments, "").ends(0).stdout
        };
        let expected = run(1);
        assert!(expected.lines().count() > 500, "{options}: {}", expected.lines().count());
        for threads in [1, 2, 3] {
            assert!(run(threads) == expected, "{options} on {threads} threads");
        }
    }
}

#[test]
fn rows_without_an_id_or_a_usable_text() {
    let text = crate::fixture::words(0..54);
    let line = format!("{{\"text\":\"{text}\"}}\n");
    let folder = Folder::with(&[("in.jsonl", format!("{line}{{\"text\":7}}\nbad\n\n{line}"))]);
    let run = folder.printing("pairs in.jsonl", "").ends(3);
    assert_eq!(run.stdout, "{\"a\":\"in.jsonl:1\",\"b\":\"in.jsonl:5\",\"similarity\":1.0}\n");
    run.says("in.jsonl, row 2: field 'text' is not a string").says("in.jsonl, row 3: ").says("1 unreadable");
    folder.run("pairs in.jsonl --strict -o pairs.csv").ends(2).says("row 2");
    assert_eq!(folder.list(), ["in.jsonl"]);
}

#[test]
fn nothing_to_find() {
    let folder = Folder::with(&[("none.jsonl", String::new()), ("one.jsonl", numbered("a", 0..54))]);
    for arguments in ["none.jsonl", "one.jsonl", "none.jsonl --with one.jsonl", "one.jsonl --with none.jsonl"] {
        for options in ["", "--top 5", "--distinct", "--measure hamming -t 3", "--measure hamming --top 3"] {
            let run = folder.printing(&format!("pairs {arguments} {options}"), "").ends(0).says("0 pairs");
            assert_eq!(run.stdout, "");
        }
    }
}
