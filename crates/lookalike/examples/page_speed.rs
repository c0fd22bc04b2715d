//! How fast do pages become tokens, on one core? `page_speed FILE`, with pages separated by NUL. `bench/pages` makes
//! such a file and runs this.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use lookalike::Case;
use lookalike::engine::{PageReader, PageRule, for_each_word, normalise};

/// Runs, of which the best is reported.
const RUNS: usize = 7;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| std::io::Error::other("usage: page_speed FILE"))?;
    let all = std::fs::read_to_string(path)?;
    let pages: Vec<&str> = all.split('\0').filter(|page| !page.is_empty()).collect();
    let megabytes = pages.iter().map(|page| page.len()).sum::<usize>() as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB", pages.len());
    for rule in [PageRule::Text, PageRule::Main, PageRule::Paper] {
        let (mut reader, mut clean) = (PageReader::new(rule), String::new());
        let (mut to_text, mut to_tokens) = (f64::MAX, f64::MAX);
        let (mut bytes, mut tokens) = (0, 0);
        for _ in 0..RUNS {
            (bytes, tokens) = (0, 0);
            let start = Instant::now();
            for page in &pages {
                bytes += reader.read(page, None).len();
            }
            to_text = to_text.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            for page in &pages {
                clean.clear();
                normalise(reader.read(page, None), Case::Fold, &mut clean);
                for_each_word(&clean, |_| tokens += 1);
            }
            to_tokens = to_tokens.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{rule:5}  to text {:4.0} MB/s, to tokens {:4.0} MB/s of HTML; {:.1} MB of text, {tokens} tokens",
            megabytes / to_text,
            megabytes / to_tokens,
            bytes as f64 / 1e6
        );
    }
    Ok(())
}
