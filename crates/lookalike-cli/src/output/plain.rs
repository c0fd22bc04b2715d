//! How is text that may be hostile shown in a terminal?

/// Escapes characters that control the terminal or the direction of writing: the text may be hostile.
pub fn plain(text: &str) -> String {
    let acts = |character: char| {
        character.is_control()
            || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut out = String::new();
    for character in text.chars() {
        if acts(character) { out.extend(character.escape_unicode()) } else { out.push(character) }
    }
    out
}
