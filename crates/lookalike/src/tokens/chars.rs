//! How is clean text cut into characters? The q-grams of records and short texts.

use super::break_class::BreakClass;
use crate::text::CharMemo;

/// Appends `text` with each run of white space replaced by one space, and none at the ends.
pub fn squeeze_spaces(text: &str, out: &mut String) {
    let start = out.len();
    for word in text.split_whitespace() {
        if out.len() > start {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Appends the letters, digits and marks of `text`, without white space, punctuation and symbols.
pub(crate) fn squeeze_letters(text: &str, out: &mut String) {
    out.extend(text.chars().filter(|&c| KEPT.get(c) == KEEP));
}

const KEEP: u8 = 1;
const DROP: u8 = 2;

/// A mark (such as a vowel sign of Bengali, or an accent that does not compose) belongs to its letter.
static KEPT: CharMemo = CharMemo::new(|c| {
    if BreakClass::of(c).is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) { KEEP } else { DROP }
});

/// Calls `word` with each part between white space.
pub(crate) fn for_each_raw_word(text: &str, word: impl FnMut(&str)) {
    text.split_whitespace().for_each(word);
}

/// Calls `gram` with every `width` consecutive characters of `text`, or with the whole text if it is shorter and not
/// empty.
pub(crate) fn for_each_gram(text: &str, width: usize, mut gram: impl FnMut(&str)) {
    if text.is_empty() {
        return;
    }
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let starts = text.char_indices().map(|(at, _)| at);
    let mut whole = true;
    for (start, end) in starts.zip(ends.skip(width - 1)) {
        gram(&text[start..end]);
        whole = false;
    }
    if whole {
        gram(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(text: &str, width: usize) -> Vec<String> {
        let mut grams = Vec::new();
        for_each_gram(text, width, |gram| grams.push(gram.to_string()));
        grams
    }

    #[test]
    fn windows_of_characters() {
        assert_eq!(grams("añb漢", 2), ["añ", "ñb", "b漢"]);
        assert_eq!(grams("añb", 3), ["añb"]);
        assert_eq!(grams("añ", 3), ["añ"]);
        assert_eq!(grams("", 3), [""; 0]);
    }

    #[test]
    fn squeezed() {
        let mut out = String::new();
        squeeze_spaces("  a\t\n b\u{a0}c ", &mut out);
        assert_eq!(out, "a b c");
        out.clear();
        squeeze_letters("it's 3,5 €: বাংলা!", &mut out);
        assert_eq!(out, "its35বাংলা");
    }
}
