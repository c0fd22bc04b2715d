//! What a run did, in plain words.

use lookalike_engine::{Bin, Report};

/// The bad rows: the first few by name.
pub fn problems(report: &Report) {
    for problem in &report.problems {
        eprintln!("lookalike: {problem}");
    }
    let more = report.unusable + report.unreadable - report.problems.len() as u64;
    if more > 0 {
        eprintln!("lookalike: … and {} more bad rows", count(more));
    }
}

/// The summary, at most six lines, and a histogram.
pub fn report(report: &Report) {
    let against = match report.references {
        0 => String::new(),
        references => format!(" against {}", count(references)),
    };
    eprintln!(
        "{} documents{against}, {} with {} of text; {} ≥ {} on {}, exact",
        count(report.documents),
        bytes(report.input_bytes),
        bytes(report.text_bytes),
        report.measure,
        report.threshold,
        report.tokens
    );
    eprintln!(
        "removed {}: {} identical, {} near; {} clusters; kept {} ({})",
        count(report.identical + report.near),
        count(report.identical),
        count(report.near),
        count(report.clusters),
        count(report.kept),
        percent(report.kept, report.documents)
    );
    if report.method == "components" {
        eprintln!("by connected components: a removed document may resemble nothing that is kept");
    }
    let kept_as_they_are = [
        (report.empty, "empty: kept, and resemble nothing"),
        (report.unusable, "without usable text: kept, and resemble nothing"),
        (report.unreadable, "rows unreadable: left out"),
    ];
    let special: Vec<String> =
        kept_as_they_are.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n))).collect();
    if !special.is_empty() {
        eprintln!("{}", special.join("; "));
    }
    if let Some(pairs) = report.pairs {
        eprintln!("{} pairs", count(pairs));
    }
    let seconds = report.seconds;
    let memory = match report.peak_memory_bytes {
        0 => String::new(),
        peak => format!(", peak memory {}", bytes(peak)),
    };
    eprintln!(
        "{:.2} s on {} (read {:.2}, compare {:.2}, write {:.2}), {:.0} MB/s{memory}",
        seconds.total,
        if report.threads == 1 { "1 thread".to_string() } else { format!("{} threads", report.threads) },
        seconds.read,
        seconds.compare,
        seconds.write,
        report.megabytes_per_second
    );
    histogram(report);
}

/// Widest bar, in characters.
const WIDTH: usize = 40;

fn histogram(report: &Report) {
    let most = report.histogram.iter().map(|bin| bin.count).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let of_what = if report.pairs.is_some() { "pairs" } else { "removed documents" };
    eprintln!("\nsimilarity   {of_what}");
    for bin in &report.histogram {
        let bar = "█".repeat((bin.count as usize * WIDTH).div_ceil(most as usize));
        eprintln!("{:>11}  {bar}{}{}", label(bin), if bar.is_empty() { "" } else { " " }, count(bin.count));
    }
}

fn label(bin: &Bin) -> String {
    match bin {
        Bin { from, to, .. } if from == to && *from > 1.0 => format!("{from}+"),
        Bin { from, to, .. } if from == to => format!("{from}"),
        Bin { from, to, .. } if *to > 1.0 => format!("{from:.0} to {to:.0}"),
        Bin { from, to, .. } => format!("{from:.2}–{to:.2}"),
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

fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.2} GB", n as f64 / 1e9),
    }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "of none".to_string() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}
