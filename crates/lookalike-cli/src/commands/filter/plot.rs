//! How is the curve of a filter drawn in a terminal? In Braille, where a character has two by four dots.

use lookalike::sketch::Filter;

const COLUMNS: usize = 60;
const ROWS: usize = 12;
/// First character of the Unicode block; each dot is one bit.
const BLANK: u32 = 0x2800;
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Draws the probability to pass over the resemblance, both from 0 to 1, with a dotted line at the threshold.
pub fn draw(filter: Filter, threshold: f64) -> String {
    let (width, height) = (2 * COLUMNS, 4 * ROWS);
    let mut cells = [[BLANK; COLUMNS]; ROWS];
    let mut set = |x: usize, y: usize| cells[y / 4][x / 2] |= DOTS[y % 4][x % 2];
    let level = |x: usize| {
        let found = filter.found(x as f64 / (width - 1) as f64);
        ((1.0 - found) * (height - 1) as f64).round() as usize
    };
    for x in 0..width {
        // Each column starts where the one before ended, so that steep parts have no gaps.
        let (from, to) = (level(x.saturating_sub(1)), level(x));
        for y in to..=from.max(to) {
            set(x, y);
        }
    }
    let at = (threshold.clamp(0.0, 1.0) * (width - 1) as f64).round() as usize;
    for y in (0..height).step_by(2) {
        set(at, y);
    }
    let mut out = String::new();
    for (row, cells) in cells.iter().enumerate() {
        let label = match row {
            0 => "1",
            _ if row == ROWS / 2 => "½",
            _ if row == ROWS - 1 => "0",
            _ => " ",
        };
        let line: String = cells.iter().filter_map(|&cell| char::from_u32(cell)).collect();
        out += &format!("  {label} ┤{line}\n");
    }
    out += &format!("    └{}\n", "─".repeat(COLUMNS));
    let mut labels = [' '; COLUMNS + 4];
    for tenth in [0, 2, 4, 6, 8, 10] {
        let text = if tenth == 10 { "1".to_string() } else { format!("0.{tenth}") };
        let start = tenth * (COLUMNS - 1) / 10;
        for (at, letter) in text.chars().enumerate() {
            labels[start + at] = letter;
        }
    }
    let labels: String = labels.iter().collect();
    out + &format!("     {}\n", labels.trim_end())
}
