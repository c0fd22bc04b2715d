//! How many documents are in the window, by segment and by source.

use std::collections::BTreeMap;
use std::sync::Arc;

use lookalike::engine::SetWindow;
use serde::Serialize;

use super::counters::{Counters, SourceCounters, SourceCounts, VerdictCounts};
use super::number::serialize_whole;

/// The maximum number of rows. With more segments, several share a row.
const ROWS: i64 = 200;
/// Sources that are listed by name.
const NAMED: usize = 20;

/// The window in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct WindowStats {
    /// The settings of the window.
    pub window: WindowSettings,
    /// Documents that came in the time of the window, by verdict.
    pub came: VerdictCounts,
    /// Counts by time, earliest first.
    pub segments: Vec<SegmentRow>,
    /// The sources with the most documents.
    pub sources: Vec<SourceRow>,
    /// All other sources together.
    pub other_sources: OtherSources,
}

/// The settings of the window.
#[derive(Clone, Debug, Serialize)]
pub struct WindowSettings {
    /// The length of the window in seconds.
    #[serde(serialize_with = "serialize_whole")]
    pub length: f64,
    /// The length of a segment in seconds.
    #[serde(serialize_with = "serialize_whole")]
    pub segment: f64,
    /// The number of segments that have documents.
    pub segments: usize,
    /// The name of the measure.
    pub measure: &'static str,
    /// The minimum similarity of a duplicate.
    pub threshold: f64,
}

/// One segment, or several consecutive ones.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SegmentRow {
    /// The start, in Unix seconds.
    #[serde(serialize_with = "serialize_whole")]
    pub start: f64,
    /// The length in seconds.
    #[serde(serialize_with = "serialize_whole")]
    pub length: f64,
    /// Documents with which new ones are compared.
    pub documents: usize,
    /// Bytes of memory that these take.
    pub bytes: usize,
    /// Documents that came, by verdict.
    #[serde(flatten)]
    pub came: VerdictCounts,
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceRow {
    /// The name; `None` for documents that name no source.
    pub source: Option<String>,
    /// How many documents came from it.
    #[serde(flatten)]
    pub counts: SourceCounts,
}

/// The sources that are not listed by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OtherSources {
    /// How many there are, of those that are counted separately.
    pub sources: usize,
    /// How many documents came from them.
    #[serde(flatten)]
    pub counts: SourceCounts,
}

impl WindowStats {
    pub(crate) fn new(window: &SetWindow, counters: &Counters) -> WindowStats {
        let (span, threshold) = (window.span(), window.threshold());
        let together = span.segments() / ROWS + 1;
        let seconds = |milliseconds: i64| milliseconds as f64 / 1e3;
        let mut rows: BTreeMap<i64, SegmentRow> = BTreeMap::new();
        let mut row = |segment: i64, add: &dyn Fn(&mut SegmentRow)| {
            let first = segment.div_euclid(together) * together;
            let length = seconds(span.segment_length()) * together as f64;
            let empty = SegmentRow { start: seconds(span.start(first)), length, ..SegmentRow::default() };
            add(rows.entry(first).or_insert(empty));
        };
        for (number, documents) in window.segments() {
            let bytes = window.segment_bytes(number);
            row(number, &|row| {
                row.documents += documents;
                row.bytes += bytes;
            });
        }
        let mut came = VerdictCounts::default();
        for (number, verdicts) in counters.segments() {
            row(number, &|row| row.came.add(verdicts));
            came.add(verdicts);
        }
        let (sources, other_sources) = top(counters.sources());
        let settings = WindowSettings {
            length: seconds(span.window()),
            segment: seconds(span.segment_length()),
            segments: window.segments().count(),
            measure: threshold.measure().name(),
            threshold: threshold.value().to_f64(),
        };
        WindowStats { window: settings, came, segments: rows.into_values().collect(), sources, other_sources }
    }
}

/// The sources with the most documents, and all others together.
fn top(all: &SourceCounters) -> (Vec<SourceRow>, OtherSources) {
    let mut named: Vec<(&Arc<str>, SourceCounts)> = all.named.iter().map(|(name, &counts)| (name, counts)).collect();
    named.sort_unstable_by(|one, two| two.1.documents.cmp(&one.1.documents).then(one.0.cmp(two.0)));
    let rest = named.split_off(named.len().min(NAMED));
    let mut others = OtherSources { sources: rest.len(), counts: all.beyond };
    rest.into_iter().for_each(|(_, counts)| others.counts.add(counts));
    let row = |(name, counts): (&Arc<str>, SourceCounts)| SourceRow {
        source: (!name.is_empty()).then(|| name.to_string()),
        counts,
    };
    (named.into_iter().map(row).collect(), others)
}
