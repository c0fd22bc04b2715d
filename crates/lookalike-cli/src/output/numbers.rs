//! How are counts, sizes and shares written for people?

pub use lookalike_engine::count;

/// Formats a count of things: `1 pair`, `2 pairs`, `3 exact copies`, `4 matches`.
pub fn counted(n: u64, thing: &str) -> String {
    match thing.strip_suffix('y') {
        _ if n == 1 => format!("1 {thing}"),
        Some(stem) => format!("{} {stem}ies", count(n)),
        None if thing.ends_with("ch") => format!("{} {thing}es", count(n)),
        None => format!("{} {thing}s", count(n)),
    }
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
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}
