//! Estimates similarities from sketches of a few bytes: `cargo run --example sketch`.
#![allow(clippy::print_stdout)]

use lookalike::engine::{Recipe, SetMaker};
use lookalike::sketch::{Features, FilterNeeds, MinHash, Plan, SimHash, agreeing_bits, shared_features};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut maker = SetMaker::new(Recipe { tokens: "words:2".parse()?, ..Recipe::default() });
    let a = maker.set("the ferry to the island leaves at nine in the morning and returns at six").to_vec();
    let b = maker.set("the ferry to the island leaves at nine in the morning and returns at ten").to_vec();

    let minhash = MinHash::new(256);
    let estimate = MinHash::resemblance(&minhash.sketch(&a), &minhash.sketch(&b));
    println!("min-wise sketch: {:.3} ± {:.3}", estimate.value, estimate.error);

    // A filter that finds 99 % of the pairs at 0.8, in at most 128 bytes.
    let plan = Plan::choose(&FilterNeeds::new(0.8, 0.99))?;
    let features = Features::new(plan.filter);
    let of = |set: &[u64]| {
        let (mut sketch, mut found) = (Vec::new(), Vec::new());
        features.push(set, &mut sketch, &mut found);
        found
    };
    let shared = shared_features(&of(&a), &of(&b));
    println!("features {}: {shared} shared, {} needed", plan.filter, plan.filter.r());

    let mut simhash = SimHash::new(128)?;
    let (mut one, mut two) = ([0; 2], [0; 2]);
    simhash.of(&a, &mut one);
    simhash.of(&b, &mut two);
    println!("simhash: {} of 128 bits agree", agreeing_bits(&one, &two));
    Ok(())
}
