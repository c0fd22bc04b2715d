//! The inner loops of sketching, on one core: lookalike's and gaoya's, given the same elements.
//!
//! Reads JSON lines with a field `text`, and prints one JSON object: how much there was, and the processor seconds of each round by what was done.
//! With a second path it also writes the elements there, for a tool in another language: the number of documents, where each begins (one
//! more than documents), and all elements, as little-endian numbers of 64 bits.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::io::{BufWriter, Write};

use gaoya::minhash::{MinHasher, MinHasher32};
use lookalike::sets::hash_token;
use lookalike::{MinHash, Recipe, SetMaker, SimHash};

const FUNCTIONS: usize = 128;
const CHUNK: usize = 1000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, elements_file, rounds] = &arguments[..] else { panic!("FILE ELEMENTS ROUNDS") };
    let texts: Vec<String> = fs::read_to_string(file)
        .expect("a file of JSON lines")
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            row["text"].as_str().unwrap_or_default().to_string()
        })
        .collect();
    let mut maker = SetMaker::new(Recipe::default());
    let (mut elements, mut ends) = (Vec::new(), vec![0]);
    for text in &texts {
        elements.extend_from_slice(maker.sequence(text));
        ends.push(elements.len());
    }
    write(elements_file, &ends, &elements);
    let documents = || ends.windows(2).map(|ends| &elements[ends[0]..ends[1]]);

    let mut seconds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut time = |what, work: &mut dyn FnMut()| {
        let start = now();
        work();
        seconds.entry(what).or_default().push(now() - start);
    };
    let (minhash, gaoya) = (MinHash::new(FUNCTIONS), MinHasher32::new(FUNCTIONS));
    let mut sketch = Vec::new();
    let mut simhash = SimHash::new(384).expect("a width that there is");
    let mut fingerprint = [0; 6];
    let mut words =
        SetMaker::new(Recipe { tokens: "words".parse().expect("tokens that there are"), ..Recipe::default() });
    for _ in 0..rounds.parse().expect("a number of rounds") {
        time("hashing", &mut || {
            for text in &texts {
                black_box(maker.sequence(text));
            }
        });
        time("sets", &mut || {
            for text in &texts {
                black_box(maker.set(text));
            }
        });
        time("hashing and sketches", &mut || {
            for text in &texts {
                minhash.sketch_into(maker.sequence(text), &mut sketch);
                black_box(&sketch);
            }
        });
        time("sketches of elements", &mut || {
            for document in documents() {
                minhash.sketch_into(document, &mut sketch);
                black_box(&sketch);
            }
        });
        time("gaoya's of elements", &mut || {
            for document in documents() {
                black_box(gaoya.create_signature(document.iter()));
            }
        });
        time("hashing words", &mut || {
            for text in &texts {
                black_box(words.sequence(text));
            }
        });
        time("hashing words and simhashes", &mut || {
            for text in &texts {
                simhash.of(words.sequence(text), &mut fingerprint);
                black_box(&fingerprint);
            }
        });
    }

    // Shingles as strings take much memory: those of some documents are made, and thrown away.
    let (mut ours, mut theirs) = (0.0, 0.0);
    let mut hashes = Vec::new();
    for texts in texts.chunks(CHUNK) {
        let shingles = |text: &String| maker.explain(text).shingles.into_iter().map(|(shingle, _)| shingle).collect();
        let documents: Vec<Vec<String>> = texts.iter().map(shingles).collect();
        let start = now();
        for shingles in &documents {
            hashes.clear();
            hashes.extend(shingles.iter().map(|shingle| hash_token(shingle.as_bytes())));
            minhash.sketch_into(&hashes, &mut sketch);
            black_box(&sketch);
        }
        ours += now() - start;
        let start = now();
        for shingles in &documents {
            black_box(gaoya.create_signature(shingles.iter()));
        }
        theirs += now() - start;
    }
    seconds.insert("sketches of shingles", vec![ours]);
    seconds.insert("gaoya's of shingles", vec![theirs]);
    let bytes: usize = texts.iter().map(String::len).sum();
    let report = serde_json::json!({
        "documents": texts.len(), "text_bytes": bytes, "elements": elements.len(), "functions": FUNCTIONS, "seconds": seconds,
    });
    println!("{report}");
}

/// Seconds that this thread had a processor so far: a machine with other work to do slows down all that is measured, but that not so much.
fn now() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = stat.split_whitespace().next().and_then(|number| number.parse::<u64>().ok());
    nanoseconds.expect("a number of nanoseconds") as f64 / 1e9
}

fn write(path: &str, ends: &[usize], elements: &[u64]) {
    let mut out = BufWriter::new(fs::File::create(path).expect("a file to write"));
    let counts = std::iter::once(ends.len() - 1).chain(ends.iter().copied()).map(|count| count as u64);
    for number in counts.chain(elements.iter().copied()) {
        out.write_all(&number.to_le_bytes()).expect("space to write");
    }
    out.flush().expect("space to write");
}
