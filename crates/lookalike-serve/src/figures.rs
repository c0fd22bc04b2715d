//! What there is to tell of a stock in numbers: its window by segment, its sources, and what came since a number.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::books::Books;
use crate::tally::{Brief, Share, Sources, Verdicts};

/// Rows that are told of; if there are more segments than that, some of them share a row.
const ROWS: i64 = 200;
/// Sources that are told of by name.
const NAMED: usize = 20;

/// The window in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// What a window is here, and when two documents resemble each other.
    pub window: Settings,
    /// What came in the time of the window, by verdict.
    pub came: Verdicts,
    /// By time, earliest first.
    pub segments: Vec<Row>,
    /// Those that most came from.
    pub sources: Vec<Source>,
    /// What came from all others.
    pub other_sources: Others,
}

/// How the service was started.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// Seconds that the window reaches back.
    #[serde(serialize_with = "whole")]
    pub length: f64,
    /// Seconds of a segment.
    #[serde(serialize_with = "whole")]
    pub segment: f64,
    /// How many segments have documents.
    pub segments: usize,
    /// By which documents are compared.
    pub measure: &'static str,
    /// What makes one a duplicate.
    pub threshold: f64,
}

/// A segment, or a few one after another.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Row {
    /// Its first moment, in seconds of Unix.
    #[serde(serialize_with = "whole")]
    pub start: f64,
    /// How many seconds it is long.
    #[serde(serialize_with = "whole")]
    pub length: f64,
    /// Documents that others are compared with.
    pub documents: usize,
    /// Bytes that these take.
    pub bytes: usize,
    /// What came, by verdict.
    #[serde(flatten)]
    pub came: Verdicts,
}

/// Where documents come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// What it is called; none if nothing was said.
    pub source: Option<String>,
    /// How much came from there.
    #[serde(flatten)]
    pub share: Share,
}

/// Sources that are not told of by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Others {
    /// How many there are, as far as they were told apart.
    pub sources: usize,
    /// How much came from them.
    #[serde(flatten)]
    pub share: Share,
}

/// What came since a number.
#[derive(Clone, Debug, Serialize)]
pub struct News {
    /// The number of the first.
    pub since: u64,
    /// What to ask for next time.
    pub next: u64,
    /// How many of them are duplicates.
    pub duplicates: usize,
    /// How many of these are not among the latest.
    pub left_off: usize,
    /// The latest of them, in the order in which they came.
    pub latest: Vec<Brief>,
}

/// A number without a fraction, if it has none.
pub(crate) fn whole<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 { out.serialize_i64(*number as i64) } else { out.serialize_f64(*number) }
}

impl Figures {
    pub(crate) fn of(books: &Books) -> Figures {
        let (span, threshold) = (books.window.span(), books.window.threshold());
        let together = span.segments() / ROWS + 1;
        let seconds = |milliseconds: i64| milliseconds as f64 / 1e3;
        let mut rows: BTreeMap<i64, Row> = BTreeMap::new();
        let mut row = |segment: i64, add: &dyn Fn(&mut Row)| {
            let first = segment.div_euclid(together) * together;
            let length = seconds(span.segment_length()) * together as f64;
            add(rows.entry(first).or_insert(Row { start: seconds(span.start(first)), length, ..Row::default() }));
        };
        for (number, documents) in books.window.segments() {
            let bytes = books.window.segment_bytes(number);
            row(number, &|row| {
                row.documents += documents;
                row.bytes += bytes;
            });
        }
        let mut came = Verdicts::default();
        for (number, verdicts) in books.tally.segments() {
            row(number, &|row| row.came.add(verdicts));
            came.add(verdicts);
        }
        let (sources, other_sources) = top(books.tally.sources());
        let window = Settings {
            length: seconds(span.window()),
            segment: seconds(span.segment_length()),
            segments: books.window.segments().count(),
            measure: threshold.measure().name(),
            threshold: threshold.value().to_f64(),
        };
        Figures { window, came, segments: rows.into_values().collect(), sources, other_sources }
    }
}

fn top(all: &Sources) -> (Vec<Source>, Others) {
    let mut named: Vec<(&Arc<str>, Share)> = all.named.iter().map(|(name, &share)| (name, share)).collect();
    named.sort_unstable_by(|one, two| two.1.documents.cmp(&one.1.documents).then(one.0.cmp(two.0)));
    let rest = named.split_off(named.len().min(NAMED));
    let mut others = Others { sources: rest.len(), share: all.beyond };
    rest.into_iter().for_each(|(_, share)| others.share.add(share));
    let told =
        |(name, share): (&Arc<str>, Share)| Source { source: (!name.is_empty()).then(|| name.to_string()), share };
    (named.into_iter().map(told).collect(), others)
}

impl News {
    pub(crate) fn since(books: &Books, since: u64) -> News {
        // A number that was not given yet is of a stock that is no more.
        let since = if since > books.next { 0 } else { since };
        let is_there = |brief: &&Brief| books.duplicates.contains_key(&brief.number);
        let latest: Vec<Brief> = books.tally.latest(since).filter(is_there).cloned().collect();
        let duplicates = books.duplicates.range(since..).count();
        News { since, next: books.next, duplicates, left_off: duplicates - latest.len(), latest }
    }
}
