//! How is a graph of pairs drawn?
//!
//! Degrees and component sizes are drawn log-log, where a power law is a straight line; values as bars, or as points if there are many.

use std::fmt::Write;

use lookalike_engine::{Bin, Counted, GraphReport, Values};

use crate::output::svg::{Axis, BLUE, HEIGHT, WIDTH, escaped, open, panel, place_x, place_y, power};

pub fn degrees(report: &GraphReport) -> String {
    logarithmic("How many documents have how many pairs", "pairs of a document", "documents", &report.degrees)
}

pub fn components(report: &GraphReport) -> String {
    logarithmic("How large connected components are", "documents of a component", "components", &report.component_sizes)
}

/// Draws the values of the counted field, if there are any.
pub fn values(report: &GraphReport) -> Option<String> {
    let by = report.by.as_deref()?;
    let title = format!("How many pairs have which {by}");
    let bars: Vec<(String, u64)> = match report.values.as_ref()? {
        Values::Numbers(counts) if counts.len() > MOST_BARS => return Some(points(&title, by, counts)),
        Values::Numbers(counts) => counts.iter().map(|counted| (counted.value.to_string(), counted.count)).collect(),
        Values::Ranges(bins) => bins.iter().map(|bin| (start(bin), bin.count)).collect(),
        Values::Labels(counts) => {
            let mut bars: Vec<(String, u64)> = counts.iter().map(|one| (short(&one.value), one.count)).collect();
            bars.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            bars.truncate(MOST_BARS);
            bars
        }
    };
    Some(bar_chart(&title, by, &bars))
}

/// Formats a bin as `0.8–0.85`.
pub fn range(bin: &Bin) -> String {
    if bin.from == bin.to { start(bin) } else { format!("{}–{}", start(bin), rounded(bin.to)) }
}

fn start(bin: &Bin) -> String {
    rounded(bin.from)
}

fn rounded(number: f64) -> String {
    format!("{}", (number * 1e3).round() / 1e3)
}

/// More bars than this have no room for labels.
const MOST_BARS: usize = 12;

/// Shortens a label to the width of a bar.
fn short(label: &str) -> String {
    const MOST: usize = 6;
    match label.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label.to_string(),
    }
}

fn logarithmic(title: &str, of: &str, what: &str, counts: &[Counted<u64>]) -> String {
    let most = |of: &dyn Fn(&Counted<u64>) -> u64| counts.iter().map(of).max().unwrap_or(1);
    let (wide, high) = (decades(most(&|one| one.value)), decades(most(&|one| one.count)));
    let mut out = open(WIDTH, HEIGHT, title);
    panel(&mut out, title, &powers(of, wide), &powers(what, high));
    for one in counts {
        let (x, y) = ((one.value as f64).log10() / wide, (one.count as f64).log10() / high);
        dot(&mut out, x, y);
    }
    out + "</svg>\n"
}

/// Returns how many powers of ten an axis needs to reach a number.
fn decades(most: u64) -> f64 {
    f64::from(most.max(2).ilog10() + u32::from(!is_power(most.max(2))))
}

/// Returns an axis from 1 to a power of ten.
fn powers(name: &str, decades: f64) -> Axis {
    let ticks = (0..=decades as u32).map(|tick| (f64::from(tick) / decades, tick_label(tick))).collect();
    Axis { name: name.to_string(), ticks }
}

fn is_power(number: u64) -> bool {
    10_u64.pow(number.ilog10()) == number
}

/// Writes small powers of ten as plain numbers.
fn tick_label(exponent: u32) -> String {
    if exponent <= 3 { 10_u32.pow(exponent).to_string() } else { power(exponent.into()) }
}

/// Largest value drawn, as in the paper's figures of term differences. The axis label counts the rest.
const FURTHEST: i64 = 200;

fn points(title: &str, by: &str, counts: &[Counted<i64>]) -> String {
    let beyond: u64 = counts.iter().filter(|one| one.value > FURTHEST).map(|one| one.count).sum();
    let shown: Vec<&Counted<i64>> = counts.iter().filter(|one| (0..=FURTHEST).contains(&one.value)).collect();
    let high = decades(shown.iter().map(|one| one.count).max().unwrap_or(1));
    let furthest = nice(shown.last().map_or(1, |one| one.value.max(1)) as u64) as f64;
    let name = if beyond == 0 { by.to_string() } else { format!("{by} ({beyond} beyond {FURTHEST})") };
    let ticks = (0..=5).map(|tick| (f64::from(tick) / 5.0, rounded(furthest * f64::from(tick) / 5.0))).collect();
    let mut out = open(WIDTH, HEIGHT, title);
    panel(&mut out, title, &Axis { name, ticks }, &powers("pairs", high));
    for one in shown {
        dot(&mut out, one.value as f64 / furthest, (one.count as f64).log10() / high);
    }
    out + "</svg>\n"
}

fn bar_chart(title: &str, by: &str, bars: &[(String, u64)]) -> String {
    let top = nice(bars.iter().map(|(_, count)| *count).max().unwrap_or(1));
    let slot = 1.0 / bars.len().max(1) as f64;
    let ticks = bars.iter().enumerate();
    let ticks = ticks.map(|(at, (label, _))| ((at as f64 + 0.5) * slot, escaped(label))).collect();
    let mut out = open(WIDTH, HEIGHT, title);
    panel(&mut out, title, &Axis { name: by.to_string(), ticks }, &counts_axis(top));
    for (at, (_, count)) in bars.iter().enumerate() {
        let (left, right) = (place_x((at as f64 + 0.1) * slot), place_x((at as f64 + 0.9) * slot));
        let (high, low) = (place_y(*count as f64 / top as f64), place_y(0.0));
        let (width, height) = (right - left, low - high);
        let _ =
            writeln!(out, "<rect x='{left:.1}' y='{high:.1}' width='{width:.1}' height='{height:.1}' fill='{BLUE}'/>");
    }
    out + "</svg>\n"
}

fn counts_axis(top: u64) -> Axis {
    let ticks = (0..=5).map(|tick| (f64::from(tick) / 5.0, rounded(top as f64 * f64::from(tick) / 5.0))).collect();
    Axis { name: "pairs".to_string(), ticks }
}

/// Returns the least of 5, 10, 20, 50, 100 … that is not below a number, so that five ticks are whole numbers.
fn nice(most: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for step in [5, 10, 20] {
            let top = power.saturating_mul(step);
            if top >= most {
                return top;
            }
        }
        power = power.saturating_mul(10);
    }
}

fn dot(out: &mut String, x: f64, y: f64) {
    let _ = writeln!(
        out,
        "<circle cx='{:.1}' cy='{:.1}' r='2.6' fill='{BLUE}' fill-opacity='0.75'/>",
        place_x(x),
        place_y(y)
    );
}
