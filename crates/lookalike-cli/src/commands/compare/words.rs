//! In which words do two documents differ?

use lookalike_engine::Comparison;

use crate::output::plain::plain;

const GONE: (&str, &str) = ("\x1b[31m", "\x1b[0m");
const NEW: (&str, &str) = ("\x1b[32m", "\x1b[0m");
const PLAIN_GONE: (&str, &str) = ("[-", "-]");
const PLAIN_NEW: (&str, &str) = ("{+", "+}");

/// Shows words that only A has in red and words that only B has in green, or both in brackets, with `context` common words around.
pub fn diff(comparison: &Comparison, context: usize, coloured: bool) -> String {
    let Some(differences) = comparison.differences.as_ref().filter(|differences| !differences.is_empty()) else {
        return String::new();
    };
    let [a, b] = &comparison.words;
    let (gone, new) = if coloured { (GONE, NEW) } else { (PLAIN_GONE, PLAIN_NEW) };
    let mut parts: Vec<String> = Vec::new();
    let mut behind = 0;
    for difference in differences {
        common(&a[behind..difference.a.start], context, (!parts.is_empty(), true), &mut parts);
        for (words, (before, after)) in [(&a[difference.a.clone()], gone), (&b[difference.b.clone()], new)] {
            if !words.is_empty() {
                parts.push(format!("{before}{}{after}", joined(words)));
            }
        }
        behind = difference.a.end;
    }
    common(&a[behind..], context, (true, false), &mut parts);
    format!("\n{}\n", parts.join(" "))
}

/// Adds common words: those next to a difference, and dots for the others.
fn common(words: &[String], context: usize, (after_one, before_one): (bool, bool), parts: &mut Vec<String>) {
    let first = if after_one { context.min(words.len()) } else { 0 };
    let last = if before_one { context.min(words.len() - first) } else { 0 };
    let (start, rest) = words.split_at(first);
    let (middle, end) = rest.split_at(rest.len() - last);
    let dots = if middle.is_empty() { "" } else { "…" };
    parts.extend([joined(start), dots.to_string(), joined(end)].into_iter().filter(|part| !part.is_empty()));
}

fn joined(words: &[String]) -> String {
    words.iter().map(|word| plain(word)).collect::<Vec<_>>().join(" ")
}
