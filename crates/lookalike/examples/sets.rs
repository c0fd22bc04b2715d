//! Compares your own sets, and finds the pairs between two collections: `cargo run --example sets`.
#![allow(clippy::print_stdout)]

use lookalike::{Corpus, Error, Measure};

fn main() -> Result<(), Error> {
    // Numbers, in any order.
    let numbers = Corpus::from_sets([vec![1, 2, 3, 4], vec![4, 3, 2, 1], vec![1, 2, 3, 5], vec![8, 9]])?;
    for pair in numbers.pairs(0.6)? {
        println!("sets {} and {} have a similarity of {:.3}", pair.a, pair.b, pair.similarity);
    }

    // Tokens, with ids, compared by the number of common tokens.
    let basket = |id, basket: &[&str]| (id, basket.iter().map(ToString::to_string).collect());
    let make = |baskets: Vec<(&str, Vec<String>)>| {
        let (ids, sets): (Vec<_>, Vec<_>) = baskets.into_iter().unzip();
        Corpus::builder().measure(Measure::Overlap).ids(ids).from_token_sets(sets)
    };
    let today = make(vec![basket("monday-1", &["bread", "milk", "eggs"]), basket("monday-2", &["nails", "glue"])])?;
    let earlier = make(vec![basket("sunday-1", &["milk", "bread", "tea"]), basket("sunday-2", &["paint"])])?;
    for pair in today.pairs_between(&earlier, 2)? {
        println!("{} and {} have {} tokens in common", today.id(pair.a), earlier.id(pair.b), pair.common);
    }
    Ok(())
}
