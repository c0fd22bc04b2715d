//! How is a panel with axes drawn, and where in it is a point?

use std::fmt::Write;

/// Size of a panel, including its margins.
pub const WIDTH: f64 = 400.0;
pub const HEIGHT: f64 = 320.0;
pub const TOP: f64 = 34.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// Colours of lines and points that colour-blind people can distinguish.
pub const BLUE: &str = "#0072b2";
pub const ORANGE: &str = "#d55e00";

/// An axis: its name, and labels at places from 0 to 1.
pub struct Axis {
    pub name: String,
    pub ticks: Vec<(f64, String)>,
}

/// Returns the start of an SVG file.
pub fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' role='img' \
         font-family='Helvetica, Arial, sans-serif' font-size='11'>\n<title>{}</title>\n<rect width='{width}' height='{height}' \
         fill='white'/>\n",
        escaped(title)
    )
}

/// Maps 0 to the left edge and 1 to the right edge.
pub fn place_x(share: f64) -> f64 {
    LEFT + share * (WIDTH - LEFT - RIGHT)
}

/// Maps 0 to the bottom edge and 1 to the top edge.
pub fn place_y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
}

/// Formats a power of ten as a label.
pub fn power(exponent: f64) -> String {
    format!("10<tspan dy='-4' font-size='8'>{exponent:.0}</tspan>")
}

/// Draws title, axes, labels and grid lines.
pub fn panel(out: &mut String, title: &str, x: &Axis, y: &Axis) {
    let (middle, bottom, right) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM, WIDTH - RIGHT);
    let _ = writeln!(out, "<text x='{middle}' y='20' text-anchor='middle' font-size='13'>{}</text>", escaped(title));
    for (share, label) in &y.ticks {
        let y = place_y(*share);
        let _ = writeln!(out, "<path d='M{LEFT},{y:.1} H{right}' stroke='#e3e3e3'/>");
        let _ = writeln!(out, "<text x='{}' y='{:.1}' text-anchor='end'>{label}</text>", LEFT - 6.0, y + 4.0);
    }
    for (share, label) in &x.ticks {
        let x = place_x(*share);
        let _ = writeln!(out, "<path d='M{x:.1},{bottom} v4' stroke='#444'/>");
        let _ = writeln!(out, "<text x='{x:.1}' y='{}' text-anchor='middle'>{label}</text>", bottom + 17.0);
    }
    let _ = writeln!(out, "<path d='M{LEFT},{TOP} V{bottom} H{right}' fill='none' stroke='#444'/>");
    let name = escaped(&x.name);
    let _ = writeln!(out, "<text x='{middle}' y='{}' text-anchor='middle'>{name}</text>", HEIGHT - 10.0);
    let height = (TOP + bottom) / 2.0;
    let _ = writeln!(
        out,
        "<text x='13' y='{height}' text-anchor='middle' transform='rotate(-90 13 {height})'>{}</text>",
        escaped(&y.name)
    );
}

/// Escapes text for XML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\'' => out += "&#39;",
            '"' => out += "&quot;",
            // XML does not allow control characters.
            _ if character.is_control() => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}
