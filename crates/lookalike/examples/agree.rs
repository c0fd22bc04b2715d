//! Times the join of fingerprints, a scan of all pairs, and the grouping of equal fingerprints. Prints JSON.
//!
//! ```sh
//! cargo run --release --example agree -- --count 1000000 --scanned 200000
//! ```
//!
//! Half of the fingerprints are random. The others are in clusters of 2 to 20 that differ from their centre in 0 to 12
//! random bits each, in random order. So many pairs differ in at most 12 bits, and many in slightly more. The scan is
//! quadratic, so it runs on the first `--scanned` fingerprints and its time for all is extrapolated. Set `--scanned` to
//! `--count` to measure it. Times are the best of `--runs`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use lookalike::engine::{AgreeJoin, Fingerprints, Stage};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut count, mut scanned, mut bits, mut differ, mut runs) = (1_000_000, 100_000, 384, 12, 3);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value: u32 = arguments.next().ok_or(format!("{name} needs a number"))?.parse()?;
        match name.as_str() {
            "--count" => count = value,
            "--scanned" => scanned = value,
            "--bits" => bits = value,
            "--differ" => differ = value,
            "--runs" => runs = value,
            _ => return Err(format!("{name} is none of --count, --scanned, --bits, --differ, --runs").into()),
        }
    }
    let scanned = scanned.min(count);
    let words = generate(count as usize, (bits / 64) as usize);
    let part = Fingerprints::new(bits, words[..scanned as usize * (bits / 64) as usize].to_vec())?;
    let fingerprints = Fingerprints::new(bits, words)?;

    let join = AgreeJoin::new(differ);
    let (scan_seconds, scan_found) = timed(AgreeJoin { scan: true, ..join }, &part, runs);
    let (_, join_found) = timed(join, &part, 1);
    if scan_found != join_found {
        return Err(format!("the scan found {scan_found:?}, the join {join_found:?}").into());
    }
    let start = Instant::now();
    let groups = fingerprints.groups(0..count);
    let group_seconds = start.elapsed().as_secs_f64();
    let distinct = (0..count).filter(|&document| groups.is_first(document)).count();
    let (join_seconds, found) = timed(join, &fingerprints, runs);
    let of_all = scan_seconds * (f64::from(count) / f64::from(scanned.max(1))).powi(2);
    println!(
        "{{\"fingerprints\": {count}, \"bits\": {bits}, \"differ\": {differ}, \"threads\": {}, \"pairs\": {}, \
         \"distinct\": {distinct}, \"group_seconds\": {group_seconds:.4}, \"join_seconds\": {join_seconds:.4}, \"scanned\": {scanned}, \"scan_seconds\": {scan_seconds:.4}, \
         \"scan_seconds_of_all\": {of_all:.2}, \"times_faster\": {:.1}}}",
        rayon::current_num_threads(),
        found.pairs,
        of_all / join_seconds,
    );
    Ok(())
}

/// The number of pairs, and the total number of bits in which they agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    pairs: u64,
    agree: u64,
}

/// Returns the shortest time of the runs, and what they found.
fn timed(join: AgreeJoin, fingerprints: &Fingerprints, runs: u32) -> (f64, Found) {
    let (mut shortest, mut found) = (f64::INFINITY, Found::default());
    for _ in 0..runs.max(1) {
        let (pairs, agree) = (AtomicU64::new(0), AtomicU64::new(0));
        let start = Instant::now();
        join.pairs(fingerprints, &Stage::silent(), |some| {
            pairs.fetch_add(some.len() as u64, Ordering::Relaxed);
            agree.fetch_add(some.iter().map(|pair| u64::from(pair.agree)).sum(), Ordering::Relaxed);
        });
        shortest = shortest.min(start.elapsed().as_secs_f64());
        found = Found { pairs: pairs.into_inner(), agree: agree.into_inner() };
    }
    (shortest, found)
}

fn generate(count: usize, width: usize) -> Vec<u64> {
    let mut random = Random(42);
    let mut words: Vec<u64> = Vec::with_capacity(count * width);
    while words.len() < count / 2 * width {
        let centre: Vec<u64> = (0..width).map(|_| random.next()).collect();
        for _ in 0..(2 + random.below(19)).min(count / 2 - words.len() / width) {
            let start = words.len();
            words.extend_from_slice(&centre);
            for _ in 0..random.below(13) {
                let bit = random.below(width * 64);
                words[start + bit / 64] ^= 1 << (bit % 64);
            }
        }
    }
    words.resize_with(count * width, || random.next());
    for at in (1..count).rev() {
        let other = random.below(at + 1);
        (0..width).for_each(|word| words.swap(at * width + word, other * width + word));
    }
    words
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
