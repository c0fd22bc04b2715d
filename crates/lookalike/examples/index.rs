//! Adds documents day by day to a collection without near-duplicates, and asks what a text resembles: `cargo run --example index`.
#![allow(clippy::print_stdout)]

use lookalike::{Error, Index, Settled};

fn main() -> Result<(), Error> {
    let mut index = Index::new()?;
    let days = [
        [("a1", "The ferry to the island leaves at nine in the morning."), ("a2", "Rain is expected in the north.")],
        [("b1", "the ferry to the island leaves at nine in the morning"), ("b2", "Snow is expected in the south.")],
    ];
    for day in days {
        let ids = day.map(|(id, _)| id);
        for (id, settled) in ids.iter().zip(index.add(day)?) {
            match settled {
                Settled::Removed { twin, similarity, .. } => println!("{id} resembles {twin} ({similarity:.3})"),
                _ => println!("{id} is new"),
            }
        }
    }
    for found in index.query("The ferry to the island leaves at nine in the morning!")? {
        println!("the text resembles {} ({:.3})", found.id, found.similarity);
    }
    index.remove("a1")?;
    println!("{} documents are left", index.len());
    Ok(())
}
