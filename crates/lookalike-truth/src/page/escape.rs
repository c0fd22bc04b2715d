//! Text that may be hostile, in HTML.

/// Appends text. Characters with a meaning in HTML are escaped, control characters become a replacement character, and characters that
/// change the direction of writing are spelled out.
pub(super) fn push_escaped(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("⟨U+{:04X}⟩", u32::from(character)));
            }
            _ if character.is_control() || matches!(character, '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}');
            }
            _ => out.push(character),
        }
    }
}

/// The text, escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text() {
        let hostile = "</pre><script>alert('1')</script>\u{202e}\u{0}&\"";
        let safe = escaped(hostile);
        assert_eq!(safe, "&lt;/pre&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;⟨U+202E⟩\u{fffd}&amp;&quot;");
    }
}
