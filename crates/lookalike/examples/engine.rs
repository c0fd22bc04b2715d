//! Prepares a source of pairs by hand, finds its pairs, and decides which documents survive: `cargo run --example engine`.
#![allow(clippy::print_stdout)]

use std::sync::{Arc, Mutex};

use lookalike::engine::{Fate, Join, PairSource, Recipe, SetMaker, SetStore, Stage, survivors};
use lookalike::{Measure, Threshold};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let texts = ["Jan de Vries, Utrecht", "Maria Rossi, Roma", "Jan de Fries, Utrecht", "Maria Rossi, Roma"];
    let mut maker = SetMaker::new(Recipe { tokens: "chars:3".parse()?, ..Recipe::default() });
    let store = SetStore::of_sets(texts.iter().map(|text| maker.set(text).to_vec()))?;

    let threshold = Threshold::new(Measure::Cosine, "0.7")?;
    let mut source = Join::new(threshold).prepare(Arc::new(store), &Stage::silent())?;
    println!("algorithm: {}", source.plan().algorithm);

    // Pairs arrive in batches, from any thread. Only the first of equal sets is compared.
    let found = Mutex::new(Vec::new());
    source.pairs(&Stage::silent(), &|pairs| found.lock().expect("not poisoned").extend_from_slice(pairs))?;
    for pair in source.expand_groups(found.into_inner()?, &Stage::silent())? {
        let similarity = source.similarity(pair.a, pair.b, pair.common);
        println!("{} | {} | {similarity:.3}", texts[pair.a as usize], texts[pair.b as usize]);
    }

    for (document, fate) in survivors(&mut source, &Stage::silent())?.into_iter().enumerate() {
        match fate {
            Fate::Kept => println!("keep   {document}"),
            Fate::Removed { twin, .. } => println!("remove {document}: it resembles {twin}"),
        }
    }
    Ok(())
}
