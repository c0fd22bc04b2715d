//! Removes near-duplicates from a few texts, and lists the similar pairs: `cargo run --example corpus`.
#![allow(clippy::print_stdout)]

use lookalike::{Corpus, Error};

fn main() -> Result<(), Error> {
    let texts = [
        "The ferry to the island leaves at nine in the morning and returns at six.",
        "Rain is expected in the north, with strong winds on the coast.",
        "The ferry to the island leaves at nine in the morning and returns at seven.",
        "the ferry to the island leaves at nine in the morning and returns at six",
    ];
    let corpus = Corpus::from_texts(texts)?;

    let result = corpus.dedup(0.8)?;
    for document in result.kept() {
        println!("keep   {document}: {}", texts[document]);
    }
    for removed in result.removed() {
        println!("remove {}: it resembles {} ({:.3})", removed.document, removed.twin, removed.similarity);
    }

    for pair in corpus.pairs("4/5")? {
        println!("pair   {} and {}: {:.3}, {} shingles in common", pair.a, pair.b, pair.similarity, pair.common);
    }
    Ok(())
}
