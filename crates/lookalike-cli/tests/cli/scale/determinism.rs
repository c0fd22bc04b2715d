//! Is the output the same, byte for byte, on any number of threads?

use crate::brute::Random;
use crate::fixture::{Folder, row};

/// Two thousand documents, most of them in clusters: copies, and copies with a few words changed, so that similarities lie on both
/// sides of the threshold and chains are long.
fn corpus() -> String {
    let mut random = Random(42);
    let mut texts: Vec<Vec<u64>> = Vec::new();
    let mut rows = String::new();
    for n in 0..2000 {
        let text = match random.below(4) {
            0 => (0..60 + random.below(120)).map(|_| random.below(100_000)).collect(),
            _ if texts.is_empty() => vec![n],
            changed => {
                let mut text = texts[random.below(texts.len() as u64) as usize].clone();
                for _ in 0..(changed - 1) * random.below(4) {
                    let at = random.below(text.len() as u64) as usize;
                    text[at] = random.below(100_000);
                }
                text
            }
        };
        let words: Vec<String> = text.iter().map(|word| format!("word{word}")).collect();
        let line = row(&format!("d{n}"), &words.join(" "));
        rows += &format!("{},\"stars\":{}}}\n", line.trim_end().strip_suffix('}').unwrap(), random.below(20));
        texts.push(text);
    }
    rows
}

const OUTPUTS: [&str; 5] = ["kept.jsonl", "removed.jsonl", "pairs.csv", "clusters.tsv", "rows.jsonl"];

#[track_caller]
fn outputs(folder: &Folder, options: &str) -> [Vec<u8>; 5] {
    let [kept, removed, pairs, clusters, rows] = OUTPUTS;
    let outputs =
        format!("-o {kept} --removed {removed} --pairs {pairs} --clusters {clusters} --annotate {rows} --force");
    folder.run(&format!("dedup {options} {outputs}")).ends(0);
    OUTPUTS.map(|name| folder.read(name))
}

#[track_caller]
fn same_on_any_number_of_threads(folder: &Folder, options: &str) {
    let expected = outputs(folder, &format!("{options} --threads 1"));
    for threads in [1, 2, 3] {
        let found = outputs(folder, &format!("{options} --threads {threads}"));
        for (name, (found, expected)) in OUTPUTS.iter().zip(found.iter().zip(&expected)) {
            assert!(found == expected, "{name} differs: {options} on {threads} threads");
        }
    }
}

#[test]
fn for_every_keep_order() {
    let folder = Folder::with(&[("in.jsonl", corpus())]);
    for keep in ["first", "last", "longest", "shortest", "max:stars", "min:stars"] {
        same_on_any_number_of_threads(&folder, &format!("in.jsonl --keep {keep}"));
        assert!(folder.rows("removed.jsonl").len() > 500, "a corpus without near-duplicates proves nothing");
        folder.run("check in.jsonl --kept kept.jsonl --removed removed.jsonl").ends(0);
        assert_in_input_order(&folder.text("pairs.csv"));
    }
}

/// Pairs by their first document and then their second, each once.
#[track_caller]
fn assert_in_input_order(pairs: &str) {
    let number = |id: &str| -> u32 { id.strip_prefix('d').unwrap().parse().unwrap() };
    let pairs: Vec<(u32, u32)> = pairs
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(a, rest)| (number(a), number(rest.split_once(',').unwrap().0)))
        .collect();
    assert!(pairs.is_sorted_by(|one, two| one < two) && pairs.iter().all(|(a, b)| a < b));
}

#[test]
fn for_components_measures_and_reference_collections() {
    let corpus = corpus();
    let half = corpus.len() / 2 + corpus[corpus.len() / 2..].find('\n').unwrap() + 1;
    let folder = Folder::with(&[("1.jsonl", &corpus[..half]), ("2.jsonl", &corpus[half..])]);
    same_on_any_number_of_threads(&folder, "1.jsonl 2.jsonl --components");
    same_on_any_number_of_threads(&folder, "2.jsonl --against 1.jsonl");
    same_on_any_number_of_threads(&folder, "1.jsonl 2.jsonl --tokens words -t 0.7 --measure cosine");
    same_on_any_number_of_threads(&folder, "1.jsonl 2.jsonl --bag --measure overlap -t 40");
}

/// Cut into files, or through a pipe, compressed or not: only the names of the rows differ.
#[test]
fn however_the_rows_come() {
    let corpus = corpus();
    let half = corpus.len() / 3 + corpus[corpus.len() / 3..].find('\n').unwrap() + 1;
    let folder = Folder::with(&[("in.jsonl", corpus.as_bytes()), ("1.jsonl", &corpus.as_bytes()[..half])]);
    folder.write("2.jsonl.zst", crate::fixture::zstd(&corpus[half..]));
    let whole = outputs(&folder, "in.jsonl");
    let parts = outputs(&folder, "1.jsonl 2.jsonl.zst");
    assert!(whole == parts);
    let run = folder.printing("dedup - -o - --quiet", corpus).ends(0);
    assert!(run.stdout.as_bytes() == whole[0]);
}
