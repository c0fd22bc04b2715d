//! Words and charts that pages share.

use std::collections::BTreeMap;
use std::path::Path;

use lookalike::Bin;
use lookalike_io::Source;
use lookalike_truth::page::{Bar, count};

use crate::report::ComparedReport;

/// The program and its version.
pub(crate) fn version() -> String {
    format!("lookalike {}", env!("CARGO_PKG_VERSION"))
}

/// The name of a file on the page. Data that a program passed in a temporary file is named after that file, without its folder.
pub(crate) fn called(source: &Source) -> String {
    let path = source.path();
    let folder = path.parent().filter(|folder| folder.parent() == Some(&std::env::temp_dir()));
    let is_handed_over = folder
        .and_then(|folder| folder.file_name())
        .is_some_and(|name| name.to_string_lossy().starts_with("lookalike-"));
    let shown = if is_handed_over { path.file_name().map(Path::new) } else { None };
    shown.unwrap_or(path).display().to_string()
}

/// The names of the inputs, of which a few are shown.
pub(super) fn names(sources: &[Source]) -> String {
    let shown: Vec<String> = sources.iter().take(3).map(called).collect();
    let rest = sources.len() - shown.len();
    let more = if rest > 0 { format!(" and {} more", count(rest as u64)) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// `jaccard at least 0.8 on words:5`.
pub(super) fn comparison(compared: &ComparedReport) -> String {
    let bound = compared.threshold.map_or(String::new(), |threshold| {
        format!(" {} {threshold}", if compared.is_distance { "at most" } else { "at least" })
    });
    let within = if compared.within.is_empty() {
        String::new()
    } else {
        format!(", within equal {}", compared.within.join(", "))
    };
    format!("{}{bound} on {}{within}", compared.measure, compared.tokens)
}

/// The settings that all pages show.
pub(super) fn settings(compared: &ComparedReport, sources: &[Source]) -> Vec<(String, String)> {
    let row = |name: &str, value: String| (name.to_string(), value);
    vec![
        row("inputs", names(sources)),
        row("measure", compared.measure.clone()),
        row("threshold", compared.threshold.map_or("none".to_string(), |threshold| threshold.to_string())),
        row("tokens", compared.tokens.clone()),
        row("within", if compared.within.is_empty() { "–".to_string() } else { compared.within.join(", ") }),
        row("method", compared.method.to_string()),
    ]
}

/// The bars of a histogram, the most similar first.
pub(super) fn bars(bins: &[Bin], is_distance: bool) -> Vec<Bar> {
    let label = |bin: &Bin| match bin {
        Bin { from, to, .. } if from == to => format!("{from}"),
        Bin { from, to, .. } if is_distance && to - from == 1.0 => format!("{from}"),
        Bin { from, to, .. } if is_distance => format!("{from} to {}", to - 1.0),
        Bin { from, to, .. } if *to > 1.0 => format!("{from:.0} to {to:.0}"),
        Bin { from, to, .. } => format!("{from:.2} to {to:.2}"),
    };
    let mut bars: Vec<Bar> = bins.iter().map(|bin| Bar { label: label(bin), count: bin.count }).collect();
    if !is_distance {
        bars.reverse();
    }
    bars
}

/// How many clusters have how many documents: one bar each for small ones, then up to 8, 16 and so on.
pub(super) fn sizes(sizes: impl Iterator<Item = u64>) -> Vec<Bar> {
    let mut counts: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for size in sizes {
        let range = if size <= 4 { (size, size) } else { (size.next_power_of_two() / 2 + 1, size.next_power_of_two()) };
        *counts.entry(range).or_default() += 1;
    }
    let label = |(from, to): (u64, u64)| {
        if from == to { format!("{from} documents") } else { format!("{} to {}", count(from), count(to)) }
    };
    counts.into_iter().map(|(range, count)| Bar { label: label(range), count }).collect()
}
