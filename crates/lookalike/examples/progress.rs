//! Follows a long call from another thread, and cancels one: `cargo run --release --example progress`.
#![allow(clippy::print_stdout)]

use std::thread;
use std::time::Duration;

use lookalike::{Corpus, Error, Handle};

fn main() -> Result<(), Error> {
    // Sets of ten consecutive numbers: each resembles its neighbours.
    let corpus = Corpus::from_sets((0..200_000_u64).map(|start| start..start + 10))?;

    let handle = Handle::new();
    let watched = corpus.watched_by(&handle);
    let call = thread::spawn(move || watched.pairs(0.6).map(Iterator::count));
    while !call.is_finished() {
        if let Some(reached) = handle.reached() {
            println!("{}: {} of {}", reached.stage, reached.done, reached.total);
        }
        thread::sleep(Duration::from_millis(20));
    }
    println!("{} pairs", call.join().expect("the thread does not panic")?);

    let handle = Handle::new();
    handle.cancel();
    match corpus.watched_by(&handle).dedup(0.6) {
        Err(Error::Cancelled) => println!("the second call was cancelled"),
        other => println!("{} documents are kept", other?.kept().count()),
    }
    Ok(())
}
