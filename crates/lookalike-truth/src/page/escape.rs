//! Text that may be hostile, in HTML.

/// Appends text until the output has `end` bytes. Returns whether all of it is there. Characters with a meaning in HTML are escaped, control
/// characters become a replacement character, and characters that change the direction of writing are spelled out.
pub(super) fn push_escaped(text: &str, end: usize, out: &mut String) -> bool {
    for character in text.chars() {
        if out.len() >= end {
            return false;
        }
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
    true
}

/// The text, escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(text, usize::MAX, &mut out);
    out
}

/// An id, a name or a value of `most` bytes at most, escaped: if it is longer, how it begins and ends.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return escaped(text);
    }
    let start = (0..=most / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let end = (text.len() - most / 2..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    format!("{} […] {}", escaped(&text[..start]), escaped(&text[end..]))
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
    #[test]
    fn long_names_are_cut_in_the_middle() {
        assert_eq!(shortened("a<b", 3), "a&lt;b");
        assert_eq!(shortened("abcdefgh", 4), "ab […] gh");
        assert_eq!(shortened("äöüß", 6), "ä […] ß");
        let mut out = String::from("12");
        assert!(!push_escaped("a<<<", 6, &mut out));
        assert_eq!(out, "12a&lt;");
        assert!(push_escaped("", 0, &mut out));
    }
}
