//! Charts, as SVG in the page.

use std::fmt::Write;

use super::content::Bar;
use super::escape::escaped;
use super::numbers::count;

const HEIGHT: f64 = 22.0;
const LABELS: f64 = 130.0;
const WIDTH: f64 = 640.0;
const NUMBERS: f64 = 90.0;

/// Draws bars from left to right, one below the other.
pub(super) fn bars(bars: &[Bar], out: &mut String) {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1) as f64;
    let height = HEIGHT * bars.len() as f64 + 4.0;
    let _ = writeln!(out, "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">");
    for (at, bar) in bars.iter().enumerate() {
        let y = HEIGHT * at as f64;
        let width = (WIDTH - LABELS - NUMBERS) * bar.count as f64 / most;
        // A count of one beside a million is still there.
        let width = if bar.count > 0 { width.max(1.5) } else { 0.0 };
        let (label, number) = (escaped(&bar.label), count(bar.count));
        let (text, end) = (y + 15.0, LABELS + width + 6.0);
        let _ = writeln!(
            out,
            "<g><title>{label}: {number}</title><text x=\"{}\" y=\"{text}\" text-anchor=\"end\">{label}</text>\
             <rect x=\"{LABELS}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" rx=\"2\"/><text x=\"{end:.1}\" y=\"{text}\">{number}</text></g>",
            LABELS - 8.0,
            y + 3.0,
            HEIGHT - 6.0
        );
    }
    out.push_str("</svg>\n");
}
