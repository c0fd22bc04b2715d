//! How is the curve of a filter drawn? Linear and logarithmic side by side, like the two figures of the paper.

use std::fmt::Write;

use lookalike::sketch::Filter;

use super::design::Design;
use crate::output::svg::{Axis, BLUE, HEIGHT, ORANGE, TOP, WIDTH, open, panel, place_x, place_y, power};

const LEGEND: f64 = 34.0;
/// The lowest power of ten of the logarithmic panel.
const LOWEST: f64 = -10.0;

/// Draws the curve of this filter and that of the paper's rules.
pub fn draw(design: &Design) -> String {
    let (filter, rules) = (design.plan.filter, design.rules.filter);
    let mut lines = vec![(filter, name(filter), BLUE, "")];
    if rules != filter {
        lines.push((rules, format!("{}, by the paper's rules", name(rules)), ORANGE, " stroke-dasharray='5 3'"));
    }
    let title = format!("The probability that two documents pass the filter {}, by their resemblance", name(filter));
    let mut out = open(2.0 * WIDTH, HEIGHT + LEGEND, &title);
    let mut x = 62.0;
    for (_, name, colour, dash) in &lines {
        let end = x + 22.0;
        let _ = writeln!(out, "<path d='M{x},18 H{end}' stroke='{colour}' stroke-width='1.8'{dash}/>");
        let _ = writeln!(out, "<text x='{}' y='22' font-size='12'>{name}</text>", x + 28.0);
        x += 70.0 + 6.4 * name.chars().count() as f64;
    }
    for is_logarithmic in [false, true] {
        let left = if is_logarithmic { WIDTH } else { 0.0 };
        let _ = writeln!(out, "<g transform='translate({left},{LEGEND})'>");
        axes(&mut out, is_logarithmic, design.threshold);
        for (filter, _, colour, dash) in &lines {
            let path = curve(*filter, is_logarithmic);
            let _ = writeln!(
                out,
                "<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='1.8' stroke-linejoin='round'{dash}/>"
            );
        }
        out += "</g>\n";
    }
    out + "</svg>\n"
}

fn name(filter: Filter) -> String {
    format!("[{}, {}, {}]", filter.k(), filter.s(), filter.r())
}

fn axes(out: &mut String, is_logarithmic: bool, threshold: f64) {
    let fifths = (0..=5).map(|tick| f64::from(tick) / 5.0);
    let label = |share: f64| match share {
        _ if !is_logarithmic => format!("{share:.1}"),
        1.0 => "1".to_string(),
        _ => power(LOWEST * (1.0 - share)),
    };
    let x = Axis {
        name: "resemblance".to_string(),
        ticks: fifths.clone().map(|share| (share, format!("{share:.1}"))).collect(),
    };
    let y =
        Axis { name: "probability to pass".to_string(), ticks: fifths.map(|share| (share, label(share))).collect() };
    panel(out, if is_logarithmic { "logarithmic scale" } else { "linear scale" }, &x, &y);
    let (x, bottom) = (place_x(threshold), place_y(0.0));
    let _ = writeln!(out, "<path d='M{x:.1},{TOP} V{bottom}' stroke='#999' stroke-dasharray='2 3'/>");
    // Above the panel, where there is no curve.
    let _ = writeln!(out, "<text x='{x:.1}' y='{}' text-anchor='middle' fill='#666'>{threshold}</text>", TOP - 5.0);
}

/// Returns the points of a curve inside the panel.
fn curve(filter: Filter, is_logarithmic: bool) -> String {
    const STEPS: u32 = 400;
    let points = (0..=STEPS).filter_map(|step| {
        let resemblance = f64::from(step) / f64::from(STEPS);
        let found = filter.found(resemblance);
        let share = if is_logarithmic { 1.0 - found.log10() / LOWEST } else { found };
        (share >= 0.0).then(|| format!("{:.1},{:.1}", place_x(resemblance), place_y(share)))
    });
    points.collect::<Vec<_>>().join(" ")
}
