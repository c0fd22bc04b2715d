//! Two texts with their differences marked.

use lookalike::engine::{differences, hash_token};

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that both have.
    Common(String),
    /// Text that only this one has.
    Own(String),
    /// Text that is left out.
    Gap,
}

/// The most words that may differ. Beyond them nothing is marked.
const MOST: usize = 2_000;
/// The most words of a text that are compared.
const LONGEST: usize = 20_000;
/// Common words that are shown beside a difference.
const AROUND: usize = 14;
/// The most words that are shown.
const SHOWN: usize = 220;

/// Both texts in pieces. `None` if they differ too much for a comparison to help: then only how they begin is returned.
pub fn compare_texts(a: &str, b: &str) -> ([Vec<Piece>; 2], bool) {
    let (words_a, words_b) = (words(a), words(b));
    let hashes = |words: &[&str]| {
        words.iter().map(|word| hash_token(word.trim().to_lowercase().as_bytes())).collect::<Vec<u64>>()
    };
    let found = differences(&hashes(&words_a), &hashes(&words_b), MOST);
    let Some(found) = found else {
        return ([beginning(&words_a), beginning(&words_b)], false);
    };
    if found.is_empty() {
        return ([beginning(&words_a), beginning(&words_b)], true);
    }
    let own_a: Vec<_> = found.iter().map(|difference| difference.a.clone()).collect();
    let own_b: Vec<_> = found.iter().map(|difference| difference.b.clone()).collect();
    ([marked(&words_a, &own_a), marked(&words_b, &own_b)], true)
}

/// How a text begins.
fn beginning(words: &[&str]) -> Vec<Piece> {
    let mut pieces = vec![Piece::Common(words[..words.len().min(SHOWN)].concat())];
    pieces.extend((words.len() > SHOWN).then_some(Piece::Gap));
    pieces
}

/// The words of a text, of which those in these ranges are its own.
fn marked(words: &[&str], own: &[std::ops::Range<usize>]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut at, mut shown) = (0, 0);
    for range in own {
        common(words, at..range.start, at > 0 || !pieces.is_empty(), true, &mut pieces);
        let end = range.end.min(range.start + SHOWN.saturating_sub(shown));
        if !range.is_empty() {
            pieces.push(Piece::Own(words[range.start..end].concat()));
        }
        shown += range.len() + 2 * AROUND;
        at = range.end;
        if shown > SHOWN {
            pieces.extend((end < words.len()).then_some(Piece::Gap));
            return pieces;
        }
    }
    common(words, at..words.len(), true, false, &mut pieces);
    pieces
}

/// Adds common words: those near a difference, and a gap for the others.
fn common(words: &[&str], range: std::ops::Range<usize>, after: bool, before: bool, pieces: &mut Vec<Piece>) {
    let words = &words[range];
    let first = if after { AROUND.min(words.len()) } else { 0 };
    let last = if before { AROUND.min(words.len() - first) } else { 0 };
    let middle = first..words.len() - last;
    if middle.len() <= AROUND {
        pieces.extend((!words.is_empty()).then(|| Piece::Common(words.concat())));
        return;
    }
    pieces.extend((first > 0).then(|| Piece::Common(words[..first].concat())));
    pieces.push(Piece::Gap);
    pieces.extend((last > 0).then(|| Piece::Common(words[middle.end..].concat())));
}

/// Words with the space behind them. Characters of scripts without spaces are words of their own.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut was_space, mut was_alone) = (0, false, false);
    for (at, character) in text.char_indices() {
        let is_alone = matches!(u32::from(character), 0x0e00..=0x0eff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff);
        let is_space = character.is_whitespace();
        if at > start && !is_space && (was_space || is_alone || was_alone) {
            words.push(&text[start..at]);
            start = at;
            if words.len() == LONGEST {
                return words;
            }
        }
        (was_space, was_alone) = (is_space, is_alone);
    }
    words.extend((start < text.len()).then(|| &text[start..]));
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text_of(pieces: &[Piece]) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Common(text) | Piece::Own(text) => text.clone(),
            Piece::Gap => "…".to_string(),
        };
        pieces.iter().map(text).collect()
    }

    #[test]
    fn differences_are_marked() {
        let ([a, b], is_compared) = compare_texts("The ferry leaves at nine.", "The ferry leaves at ten.");
        assert!(is_compared);
        assert_eq!(a, [Piece::Common("The ferry leaves at ".into()), Piece::Own("nine.".into())]);
        assert_eq!(b, [Piece::Common("The ferry leaves at ".into()), Piece::Own("ten.".into())]);
        assert_eq!(words("東京 にて a"), ["東", "京 ", "に", "て ", "a"]);
        let ([a, _], _) = compare_texts("same  text", "SAME text");
        assert_eq!(a, [Piece::Common("same  text".into())]);
    }

    #[test]
    fn long_texts_are_cut() {
        let long: String = (0..5_000).map(|n| format!("w{n} ")).collect();
        let ([a, b], _) = compare_texts(&long, &format!("{long} more"));
        assert!(text_of(&a).len() < 500 && text_of(&b).ends_with("more"), "{a:?}{b:?}");
    }

    proptest! {
        /// Short texts are shown whole.
        #[test]
        fn nothing_is_lost(a in "[a-c ]{0,20}", b in "[a-c ]{0,20}") {
            let ([one, two], _) = compare_texts(&a, &b);
            prop_assert_eq!(text_of(&one), a);
            prop_assert_eq!(text_of(&two), b);
        }
    }
}
