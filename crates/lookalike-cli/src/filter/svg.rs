//! The curve of a filter as a picture: linear and logarithmic side by side, as the paper's two figures.

use std::fmt::Write;

use lookalike::Filter;

use super::Design;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
const LEGEND: f64 = 34.0;
/// The lowest power of ten of the logarithmic panel.
const LOWEST: f64 = -10.0;

/// This filter's curve beside that of the paper's rules.
pub fn draw(design: &Design) -> String {
    let (filter, rules) = (design.plan.filter, design.rules.filter);
    let mut lines = vec![(filter, name(filter), "#0072b2", "")];
    if rules != filter {
        lines.push((rules, format!("{}, by the paper's rules", name(rules)), "#d55e00", " stroke-dasharray='5 3'"));
    }
    let (width, height) = (2.0 * WIDTH, HEIGHT + LEGEND);
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' role='img' \
         font-family='Helvetica, Arial, sans-serif' font-size='11'>\n<title>The probability that two documents pass the filter \
         {}, by their resemblance</title>\n<rect width='{width}' height='{height}' fill='white'/>\n",
        name(filter)
    );
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
        panel(&mut out, is_logarithmic, design.threshold);
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

fn place_x(resemblance: f64) -> f64 {
    LEFT + resemblance * (WIDTH - LEFT - RIGHT)
}

/// From the bottom (0) to the top (1).
fn place_y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
}

fn panel(out: &mut String, is_logarithmic: bool, threshold: f64) {
    let (middle, bottom, right) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM, WIDTH - RIGHT);
    let title = if is_logarithmic { "logarithmic scale" } else { "linear scale" };
    let _ = writeln!(out, "<text x='{middle}' y='20' text-anchor='middle' font-size='13'>{title}</text>");
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        let (x, y) = (place_x(share), place_y(share));
        let label = match tick {
            _ if !is_logarithmic => format!("{share:.1}"),
            5 => "1".to_string(),
            _ => format!("10<tspan dy='-4' font-size='8'>{:.0}</tspan>", LOWEST * (1.0 - share)),
        };
        let _ = writeln!(out, "<path d='M{LEFT},{y:.1} H{right}' stroke='#e3e3e3'/>");
        let _ = writeln!(out, "<text x='{}' y='{:.1}' text-anchor='end'>{label}</text>", LEFT - 6.0, y + 4.0);
        let _ = writeln!(out, "<path d='M{x:.1},{bottom} v4' stroke='#444'/>");
        let _ = writeln!(out, "<text x='{x:.1}' y='{}' text-anchor='middle'>{share:.1}</text>", bottom + 17.0);
    }
    let _ = writeln!(out, "<path d='M{LEFT},{TOP} V{bottom} H{right}' fill='none' stroke='#444'/>");
    let _ = writeln!(out, "<text x='{middle}' y='{}' text-anchor='middle'>resemblance</text>", HEIGHT - 10.0);
    let height = (TOP + bottom) / 2.0;
    let _ = writeln!(
        out,
        "<text x='13' y='{height}' text-anchor='middle' transform='rotate(-90 13 {height})'>probability to pass</text>"
    );
    let x = place_x(threshold);
    let _ = writeln!(out, "<path d='M{x:.1},{TOP} V{bottom}' stroke='#999' stroke-dasharray='2 3'/>");
    // Above the panel, where no curve comes.
    let _ = writeln!(out, "<text x='{x:.1}' y='{}' text-anchor='middle' fill='#666'>{threshold}</text>", TOP - 5.0);
}

/// The points of a curve, up to where it leaves the panel.
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
