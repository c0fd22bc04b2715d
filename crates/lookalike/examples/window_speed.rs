//! How fast is a window, and how much memory does it take, as it fills? `cargo run --release --example window_speed --
//! --help`.
//!
//! Prints a line of JSON when the window reaches certain sizes. A latency is the time to make a document's set, compare
//! it and add it; with `--ask`, to make it and compare it.
#![allow(clippy::print_stdout)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::time::Instant;

use lookalike::engine::{Recipe, SetMaker, SetWindow, Span};
use lookalike::{Measure, Threshold, VerdictKind, WindowIndex};

const HELP: &str = "\
window_speed [--index prefix|bitmaps] [--tokens letters:4] [--threshold 0.8] [--upto 100000] [--passes 0] [--ask N]
             [--rows FILE.csv] [FILE.jsonl]
window_speed --print 1000

FILE.jsonl has {text, epoch} on each line. Without it, the feed is generated: documents of about 5 kB of pseudo-words, every
tenth of them a near-duplicate of an earlier one.
--passes: windows of documents to add after the window is full.
--ask: add documents without comparing them, and compare N more, without adding them, before each report.
--rows: write a line for each compared document: its hour, the bytes of its text, the nanoseconds.
--print: print N documents of the generated feed as JSON lines, and nothing else.";

const DAY: i64 = 24 * 3_600_000;
const MARKS: [usize; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut index, mut tokens, mut value, mut passes) =
        (WindowIndex::Prefix, "letters:4".to_string(), "0.8".to_string(), 0);
    let (mut up_to, mut file, mut ask, mut rows) = (None, None, None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().ok_or(HELP);
        match argument.as_str() {
            "--index" => index = if next()? == "bitmaps" { WindowIndex::Bitmaps } else { WindowIndex::Prefix },
            "--tokens" => tokens = next()?,
            "--threshold" => value = next()?,
            "--upto" => up_to = Some(next()?.parse::<usize>()?),
            "--passes" => passes = next()?.parse::<usize>()?,
            "--ask" => ask = Some(next()?.parse::<usize>()?),
            "--rows" => rows = Some(BufWriter::new(File::create(next()?)?)),
            "--print" => {
                let (mut feed, count) = (Feed::new(), next()?.parse::<usize>()?);
                (0..count).for_each(|id| {
                    println!("{}", serde_json::json!({"id": id, "time": id, "text": feed.next_document()}))
                });
                return Ok(());
            }
            name if !name.starts_with('-') => file = Some(argument),
            _ => return Err(HELP.into()),
        }
    }
    let most = up_to.unwrap_or(if index == WindowIndex::Bitmaps { 10_000 } else { 100_000 });
    let threshold = Threshold::new(Measure::Max, &value)?;
    let maker = SetMaker::new(Recipe { tokens: tokens.parse()?, ..Recipe::default() });
    let window = SetWindow::new(threshold, Span::new(DAY, DAY / 24)?)?.with_index(index);
    let mut run = Run {
        index,
        maker,
        window,
        rows,
        latencies: Vec::new(),
        text_bytes: 0,
        stopped: 0,
        judged: 0,
        before: resident(),
    };
    match file {
        Some(path) => {
            let documents = documents(&path)?;
            run.before = resident();
            for (text, time) in &documents {
                run.judge(text, *time)?;
            }
            run.report("file", 0);
        }
        None => {
            let mut feed = Feed::new();
            run.before = resident();
            // A window of 24 hours plus the current one is full after this many documents.
            let step = DAY as f64 / most as f64;
            for number in 0..most * (1 + passes) {
                let (text, time) = (feed.next_document(), (number as f64 * step) as i64);
                match ask {
                    Some(_) => run.restore(&text, time),
                    None => run.judge(&text, time)?,
                }
                if MARKS.contains(&(number + 1)) || (number + 1) % most == 0 {
                    for _ in 0..ask.unwrap_or(0) {
                        run.ask(&feed.next_document(), time);
                    }
                    run.report(if number < most { "filling" } else { "passing" }, feed.held());
                }
            }
        }
    }
    Ok(())
}

struct Run {
    index: WindowIndex,
    maker: SetMaker,
    window: SetWindow,
    rows: Option<BufWriter<File>>,
    /// Latencies of the compared documents, in nanoseconds.
    latencies: Vec<u64>,
    text_bytes: usize,
    stopped: usize,
    judged: usize,
    before: usize,
}

impl Run {
    fn judge(&mut self, text: &str, time: i64) -> std::io::Result<()> {
        let start = Instant::now();
        let verdict = self.window.add(self.maker.set(text), time);
        let nanoseconds = start.elapsed().as_nanos() as u64;
        self.count(text, nanoseconds, verdict.kind);
        match &mut self.rows {
            Some(rows) => writeln!(rows, "{},{},{nanoseconds}", time.div_euclid(DAY / 24), text.len()),
            None => Ok(()),
        }
    }

    fn restore(&mut self, text: &str, time: i64) {
        self.window.restore(self.maker.set(text), time, true);
    }

    fn ask(&mut self, text: &str, time: i64) {
        let start = Instant::now();
        let verdict = self.window.query(self.maker.set(text), time);
        self.count(text, start.elapsed().as_nanos() as u64, verdict.kind);
    }

    fn count(&mut self, text: &str, nanoseconds: u64, kind: VerdictKind) {
        self.latencies.push(nanoseconds);
        self.stopped += usize::from(matches!(kind, VerdictKind::Exact | VerdictKind::Near));
        self.text_bytes += text.len();
        self.judged += 1;
    }

    /// The latencies of the last thousand, or the last tenth, of the documents compared since the last report.
    fn report(&mut self, phase: &str, held: usize) {
        let documents = self.window.len();
        let some = 1_000.max(self.latencies.len() / 10).min(self.latencies.len());
        let mut last = self.latencies[self.latencies.len() - some..].to_vec();
        last.sort_unstable();
        let at = |share: f64| last[((last.len() - 1) as f64 * share) as usize] as f64 / 1e6;
        let seconds = last.iter().sum::<u64>() as f64 / 1e9;
        println!(
            "{{\"index\": \"{}\", \"phase\": \"{phase}\", \"documents\": {documents}, \"median_ms\": {:.3}, \"p99_ms\": {:.3}, \
             \"most_ms\": {:.1}, \"documents_per_second\": {:.0}, \"bytes_per_document\": {}, \"text_bytes_per_document\": {}, \
             \"stopped\": {:.4}}}",
            if self.index == WindowIndex::Prefix { "prefix" } else { "bitmaps" },
            at(0.5),
            at(0.99),
            at(1.0),
            some as f64 / seconds,
            resident().saturating_sub(self.before + held) / documents.max(1),
            self.text_bytes / self.judged,
            self.stopped as f64 / self.judged as f64,
        );
        self.latencies.clear();
    }
}

/// Resident memory, in bytes.
fn resident() -> usize {
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// The texts of a file with their times in milliseconds, or a minute apart if it has no times.
fn documents(path: &str) -> Result<Vec<(String, i64)>, Box<dyn std::error::Error>> {
    let mut documents = Vec::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let time = row["epoch"].as_f64().map_or(documents.len() as i64 * 60_000, |seconds| (seconds * 1e3) as i64);
        documents.push((row["text"].as_str().unwrap_or_default().to_string(), time));
    }
    Ok(documents)
}

/// Documents of pseudo-words. Syllables, words and the words of a topic follow Zipf's law. One word in fifty is an
/// unseen name or number. Such documents have as many distinct q-grams as real news and mails of that length, and as
/// many in common.
struct Feed {
    state: u64,
    syllables: Vec<String>,
    words: Vec<String>,
    /// Some earlier documents.
    past: Vec<String>,
}

/// The document that a near-duplicate is made from.
const PAST: usize = 1_000;
const SYLLABLES: usize = 9_000;
const VOCABULARY: usize = 100_000;
const ONSETS: [&str; 32] = [
    "", "t", "s", "r", "n", "c", "p", "m", "d", "l", "f", "b", "h", "g", "v", "w", "k", "j", "z", "th", "st", "pr",
    "tr", "ch", "sh", "pl", "gr", "br", "qu", "sp", "cl", "fr",
];
const NUCLEI: [&str; 12] = ["e", "a", "i", "o", "u", "ea", "io", "ou", "y", "ee", "ai", "au"];
const CODAS: [&str; 24] = [
    "", "", "n", "r", "s", "t", "l", "d", "c", "m", "ng", "nt", "st", "rs", "nd", "ss", "p", "ck", "rt", "x", "g",
    "mp", "ll", "ght",
];

impl Feed {
    fn new() -> Feed {
        let mut feed = Feed { state: 7, syllables: Vec::new(), words: Vec::new(), past: Vec::new() };
        for _ in 0..SYLLABLES {
            let parts = [ONSETS[feed.below(32)], NUCLEI[feed.below(12)], CODAS[feed.below(24)]];
            feed.syllables.push(parts.concat());
        }
        for rank in 0..VOCABULARY {
            // Frequent words are short.
            let syllables = 1 + usize::from(rank > 60) * feed.below(2) + usize::from(rank > 2_000) * feed.below(2);
            let word = (0..syllables).map(|_| feed.syllable()).collect();
            feed.words.push(word);
        }
        feed
    }

    fn next_document(&mut self) -> String {
        let words = if !self.past.is_empty() && self.below(10) == 0 {
            let of = self.below(self.past.len());
            let mut words: Vec<String> = self.past[of].split(' ').map(String::from).collect();
            // Up to one word in sixteen is replaced.
            for _ in 0..self.below(words.len() / 16 + 1) {
                let (at, word) = (self.below(words.len()), self.word());
                words[at] = word;
            }
            words
        } else {
            let topic: Vec<String> = (0..100).map(|_| self.known_word(10_000.0)).collect();
            (0..400 + self.below(400))
                .map(|_| match self.below(100) {
                    0..60 => topic[self.below_by_zipf(topic.len(), 5.0)].clone(),
                    _ => self.word(),
                })
                .collect()
        };
        let text = words.join(" ");
        if self.past.len() == PAST {
            let at = self.below(PAST);
            self.past[at].clone_from(&text);
        } else {
            self.past.push(text.clone());
        }
        text
    }

    /// Bytes that do not belong to the window.
    fn held(&self) -> usize {
        self.past.iter().map(String::capacity).sum()
    }

    fn syllable(&mut self) -> String {
        let at = self.below_by_zipf(SYLLABLES, 60.0);
        self.syllables[at].clone()
    }

    fn known_word(&mut self, flat: f64) -> String {
        let at = self.below_by_zipf(VOCABULARY, flat);
        self.words[at].clone()
    }

    fn word(&mut self) -> String {
        match self.below(100) {
            0..2 => self.below(1_000_000).to_string(),
            2..5 => (0..4 + self.below(5)).map(|_| char::from(b'a' + self.below(26) as u8)).collect(),
            _ => self.known_word(2.0),
        }
    }

    /// Returns a number below another, r about as often as 1 / (r + flat).
    fn below_by_zipf(&mut self, n: usize, flat: f64) -> usize {
        let share = self.below(1 << 52) as f64 / (1u64 << 52) as f64;
        let drawn = flat * (((n as f64 + flat) / flat).powf(share) - 1.0);
        (drawn as usize).min(n - 1)
    }

    /// Returns a number below another, by SplitMix64.
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    }
}
