//! What a run did, in plain words.

use lookalike_engine::{Bin, DedupReport};

use crate::method;

/// The bad rows, so many: the first few by name.
pub fn problems(named: &[String], all: u64) {
    for problem in named {
        message!("lookalike: {problem}");
    }
    let more = all - named.len() as u64;
    if more > 0 {
        message!("lookalike: … and {} more bad rows", count(more));
    }
}

/// The most memory that was resident, where the system tells.
pub fn peak_memory(peak: u64) -> String {
    if peak == 0 { String::new() } else { format!(", peak memory {}", bytes(peak)) }
}

/// The summary, at most six lines, and a histogram.
pub fn report(report: &DedupReport) {
    let against = match report.references {
        0 => String::new(),
        references => format!(" against {}", count(references)),
    };
    message!(
        "{} documents{against}, {} with {} of text; {}{} on {}{}, {}",
        count(report.documents),
        bytes(report.read.input_bytes),
        bytes(report.read.text_bytes),
        report.compared.measure,
        bound(report.compared.threshold, report.compared.is_distance),
        report.compared.tokens,
        within(&report.compared.within),
        method::certainty(report.signatures.as_ref())
    );
    if let Some(signatures) = &report.signatures {
        method::summarise(signatures);
    }
    message!(
        "removed {}: {} identical to an earlier document, {} near; {} clusters; kept {} ({})",
        count(report.identical + report.near),
        count(report.identical),
        count(report.near),
        count(report.clusters),
        count(report.kept),
        percent(report.kept, report.documents)
    );
    if report.rule == "components" {
        message!("by connected components: a removed document may resemble nothing that is kept");
    }
    special(&[
        (report.read.empty, "empty: kept, and resemble nothing"),
        (report.read.unusable, "without usable text: kept, and resemble nothing"),
        (report.read.unreadable, "rows unreadable: left out"),
    ]);
    if let Some(pairs) = report.pairs {
        message!("{} pairs", count(pairs));
    }
    let seconds = report.seconds;
    let memory = peak_memory(report.peak_memory_bytes);
    message!(
        "{:.2} s on {} (read {:.2}, compare {:.2}, write {:.2}), {:.0} MB/s{memory}",
        seconds.total,
        of_threads(report.threads),
        seconds.read,
        seconds.compare,
        seconds.write,
        report.megabytes_per_second
    );
    let values = if report.compared.is_distance { Values::Distances } else { Values::Similarities };
    histogram(
        &report.histogram,
        values,
        if report.pairs.is_some() { "pairs" } else { "removed documents, compared with their twins" },
    );
}

/// What there is to say of documents that are not as others, on one line.
pub fn special(counts: &[(u64, &str)]) {
    let special: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n))).collect();
    if !special.is_empty() {
        message!("{}", special.join("; "));
    }
}

/// What must be reached, if anything.
pub fn bound(threshold: Option<f64>, is_distance: bool) -> String {
    let sign = if is_distance { '≤' } else { '≥' };
    threshold.map_or(String::new(), |threshold| format!(" {sign} {threshold}"))
}

/// ` within lang, site`, or nothing.
pub fn within(fields: &[String]) -> String {
    if fields.is_empty() { String::new() } else { format!(" within {}", fields.join(", ")) }
}

pub fn of_threads(threads: usize) -> String {
    if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") }
}

/// What a histogram counts.
#[derive(Clone, Copy)]
pub enum Values {
    Similarities,
    /// Whole numbers.
    Distances,
}

/// Widest bar, in characters.
const WIDTH: usize = 40;

pub fn histogram(bins: &[Bin], values: Values, of_what: &str) {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let heading = match values {
        Values::Similarities => "similarity",
        Values::Distances => "distance",
    };
    message!("\n{heading:<10}   {of_what}");
    for bin in bins {
        let label = match values {
            Values::Similarities => similarity_label(bin),
            Values::Distances => distance_label(bin),
        };
        let bar = "█".repeat((bin.count as usize * WIDTH).div_ceil(most as usize));
        message!("{label:>11}  {bar}{}{}", if bar.is_empty() { "" } else { " " }, count(bin.count));
    }
}

fn similarity_label(bin: &Bin) -> String {
    match bin {
        Bin { from, to, .. } if from == to && *from > 1.0 => format!("{from}+"),
        Bin { from, to, .. } if from == to => format!("{from}"),
        Bin { from, to, .. } if *to > 1.0 => format!("{from:.0} to {to:.0}"),
        Bin { from, to, .. } => format!("{from:.2}–{to:.2}"),
    }
}

fn distance_label(bin: &Bin) -> String {
    match bin.to - bin.from {
        1.0 => format!("{}", bin.from),
        _ => format!("{} to {}", bin.from, bin.to - 1.0),
    }
}

/// `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.2} GB", n as f64 / 1e9),
    }
}

pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "of none".to_string() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}
