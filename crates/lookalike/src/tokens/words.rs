//! Where are the words of a text? By the default rules of UAX 29; a segment with a letter or a digit is a word.
//!
//! There is one change: scripts written without spaces are cut by character. UAX 29 already breaks between Han
//! characters, Hiragana, and the letters of Thai, Lao, Khmer and Myanmar (a character keeps its marks). Only Katakana
//! is kept together, by rule WB13, which is omitted here. Hangul is written with spaces and stays in words.
//!
//! The rules look at most one character past a punctuation mark. So an ASCII word that touches nothing else ends where
//! a table of 128 classes says. Only a word that touches a non-ASCII character takes the general path.

use super::break_class::{Break, BreakClass};
use crate::arch::{AsciiMasks, BLOCK};

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// In the middle of letters: `can't`, `example.org`.
const MID_LETTER: u8 = 8;
/// In the middle of digits: `3.14`, `10,000`.
const MID_DIGIT: u8 = 16;
const NEWLINE: u8 = 32;
const BEYOND: u8 = 64;

const ZERO_WIDTH_JOINER: char = '\u{200d}';

const ASCII: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b':' => MID_LETTER,
            b',' | b';' => MID_DIGIT,
            b'.' | b'\'' => MID_LETTER | MID_DIGIT,
            b'\n' | b'\r' | 0x0b | 0x0c => NEWLINE,
            0x80.. => BEYOND,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Calls `word` with every word of `text`, in order.
///
/// ```
/// let mut words = Vec::new();
/// lookalike::engine::for_each_word("can't stop: 3.14 日本 데이터", |word| words.push(word.to_string()));
/// assert_eq!(words, ["can't", "stop", "3.14", "日", "本", "데이터"]);
/// ```
#[inline]
pub fn for_each_word(text: &str, mut word: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(0, |&byte| ASCII[byte as usize]);
    let mut scanner = Scanner::new(bytes);
    let mut at = 0;
    'words: while let Some(start) = scanner.first_of_interest(at) {
        if class(start) & BEYOND != 0 {
            // A non-ASCII mark attaches to the preceding character (unless that ends a line), so the general path
            // starts there.
            let early = start > at && class(start - 1) & NEWLINE == 0;
            at = general(text, start - usize::from(early), &mut word);
            continue;
        }
        at = start;
        loop {
            at = scanner.end_of_run(at);
            let (middle, next) = (class(at), class(at + 1));
            if middle & (MID_LETTER | MID_DIGIT | BEYOND) == 0 {
                break;
            }
            if (middle | next) & BEYOND != 0 {
                at = general(text, start, &mut word);
                continue 'words;
            }
            let last = class(at - 1);
            let joined = (middle & MID_LETTER != 0 && last & next & LETTER != 0)
                || (middle & MID_DIGIT != 0 && last & next & DIGIT != 0);
            if !joined {
                break;
            }
            at += 1;
        }
        // Underscores alone are not a word.
        if bytes[start] != b'_' || bytes[start..at].iter().any(u8::is_ascii_alphanumeric) {
            word(&text[start..at]);
        }
    }
}

/// Finds runs of word characters, a block of bytes at a time.
struct Scanner<'a> {
    bytes: &'a [u8],
    /// The start of the current block.
    base: usize,
    masks: AsciiMasks,
}

impl<'a> Scanner<'a> {
    fn new(bytes: &'a [u8]) -> Scanner<'a> {
        let mut scanner = Scanner { bytes, base: 0, masks: AsciiMasks::default() };
        scanner.load(0);
        scanner
    }

    #[inline]
    fn load(&mut self, base: usize) {
        self.base = base;
        self.masks = match self.bytes[base..].first_chunk() {
            Some(block) => AsciiMasks::of(block),
            None => {
                let mut block = [0; BLOCK];
                block[..self.bytes.len() - base].copy_from_slice(&self.bytes[base..]);
                AsciiMasks::of(&block)
            }
        };
    }

    /// Returns the first word character or non-ASCII character from `at` on.
    #[inline]
    fn first_of_interest(&mut self, at: usize) -> Option<usize> {
        self.find(at, |masks| masks.word | masks.beyond)
    }

    /// Returns the end of the run of word characters at `at`.
    #[inline]
    fn end_of_run(&mut self, at: usize) -> usize {
        self.find(at, |masks| !masks.word).map_or(self.bytes.len(), |end| end.min(self.bytes.len()))
    }

    /// Returns the first byte from `at` on whose bit is set.
    #[inline]
    fn find(&mut self, at: usize, bits: impl Fn(AsciiMasks) -> u64) -> Option<usize> {
        let mut from = at;
        while from < self.bytes.len() {
            let base = from & !(BLOCK - 1);
            if base != self.base {
                self.load(base);
            }
            let found = bits(self.masks) >> (from - base);
            if found != 0 {
                return Some(from + found.trailing_zeros() as usize);
            }
            from = base + BLOCK;
        }
        None
    }
}

/// Emits the words from the boundary at `start` until a boundary before an ASCII character, and returns that position.
fn general(text: &str, start: usize, word: &mut impl FnMut(&str)) -> usize {
    let mut start = start;
    loop {
        let (end, is_word) = segment(text, start);
        if is_word {
            // Only the character at which the general path starts early can be a space.
            let space = text.as_bytes()[start].is_ascii_whitespace();
            word(&text[start + usize::from(space)..end]);
        }
        start = end;
        if text.as_bytes().get(end).is_none_or(u8::is_ascii) {
            return end;
        }
    }
}

/// The segment that starts at the boundary `start`: its end, and whether it has a letter or a digit.
fn segment(text: &str, start: usize) -> (usize, bool) {
    let mut rest = text[start..].chars();
    let Some(c) = rest.next() else { return (start, false) };
    let first = BreakClass::of(c);
    // The last character that is not attached to another.
    let mut base = first.class();
    let mut is_word = first.is_alphanumeric();
    // Whether the last one was a zero-width joiner; and whether a mark was passed because of the character after it.
    let (mut joiner, mut promised) = (c == ZERO_WIDTH_JOINER, false);
    // A flag has two halves; a third starts another flag (rules WB15 and WB16).
    let mut flag = false;
    loop {
        let mut ahead = rest.clone();
        let Some(c) = ahead.next() else { break };
        let next = BreakClass::of(c);
        let class = next.class();
        if class == Break::Attached {
            if base == Break::Newline {
                break;
            }
            joiner = c == ZERO_WIDTH_JOINER;
        } else {
            let promises = joins_across(base, class, || first_unattached(ahead.clone()));
            let halves = base == Break::Regional && class == Break::Regional && !flag;
            if !(promised || promises || halves || (joiner && next.is_pictographic()) || joins(base, class)) {
                break;
            }
            flag |= halves;
            (base, joiner, promised) = (class, false, promises);
        }
        is_word |= next.is_alphanumeric();
        rest = ahead;
    }
    (text.len() - rest.as_str().len(), is_word)
}

/// Rules WB5, WB7a to WB10, WB13a and WB13b: no boundary between these two.
fn joins(left: Break, right: Break) -> bool {
    use Break::{ExtendNumLet, Hebrew, Letter, Numeric, SingleQuote};
    let in_word = |class| matches!(class, Letter | Hebrew | Numeric | ExtendNumLet);
    (in_word(left) && in_word(right)) || (left, right) == (Hebrew, SingleQuote)
}

/// Rules WB6, WB7, WB7b, WB7c, WB11 and WB12: no boundary around a mark in the middle, if the right character follows.
fn joins_across(left: Break, middle: Break, right: impl Fn() -> Option<Break>) -> bool {
    use Break::{DoubleQuote, Hebrew, Letter, MidLetter, MidNum, MidNumLet, Numeric, SingleQuote};
    match (left, middle) {
        (Letter | Hebrew, MidLetter | MidNumLet | SingleQuote) => matches!(right(), Some(Letter | Hebrew)),
        (Hebrew, DoubleQuote) => right() == Some(Hebrew),
        (Numeric, MidNum | MidNumLet | SingleQuote) => right() == Some(Numeric),
        _ => false,
    }
}

fn first_unattached(rest: std::str::Chars) -> Option<Break> {
    rest.map(|c| BreakClass::of(c).class()).find(|&class| class != Break::Attached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        for_each_word(text, |word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            words.push(&text[start..start + word.len()]);
        });
        words
    }

    /// Unicode's own segments. Those with Katakana differ from ours.
    fn plain(text: &str) -> Vec<&str> {
        text.unicode_words().map(str::trim_start).collect()
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(
            words("The quick (“brown”) fox can’t jump 32.3 feet, right?"),
            ["The", "quick", "brown", "fox", "can’t", "jump", "32.3", "feet", "right"]
        );
        assert_eq!(
            words("__init__ a_b ___ x.y.z 1,000.5 a,b 1.a"),
            ["__init__", "a_b", "x.y.z", "1,000.5", "a", "b", "1", "a"]
        );
        assert_eq!(words("カタカナ ひらがな 漢字"), ["カ", "タ", "カ", "ナ", "ひ", "ら", "が", "な", "漢", "字"]);
        assert_eq!(words("ภาษาไทย"), ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]);
        assert_eq!(words("쿠버네티스 문서"), ["쿠버네티스", "문서"]);
        assert_eq!(words("naïve cafe\u{301}s résumé"), ["naïve", "cafe\u{301}s", "résumé"]);
        assert_eq!(words("বাংলা ভাষা العربية"), ["বাংলা", "ভাষা", "العربية"]);
        assert_eq!(words("צה\"ל ה'"), ["צה\"ל", "ה'"]);
        assert_eq!(words(" \u{345}x"), ["\u{345}", "x"]);
        assert_eq!(words("a’\u{200d}😀 \u{200d}Ⓜ"), ["a", "\u{200d}Ⓜ"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn every_character_between_others() {
        for c in (0..0x11_0000).filter_map(char::from_u32).filter(|&c| !is_katakana(c)) {
            let text = format!("a{c}b {c} 1{c}2 é{c}\u{301}é {c}{c} .{c}'x \n{c}א{c}א");
            assert_eq!(words(&text), plain(&text), "{:x} {text:?}", c as u32);
        }
    }

    fn is_katakana(c: char) -> bool {
        // Unicode's rules keep two of them together; ours separate them.
        format!("{c}ア").split_word_bounds().count() == 1 && format!("ア{c}").split_word_bounds().count() == 1
    }

    proptest! {
        #[test]
        fn the_fast_way_is_the_plain_way(text in "[a-z0-9_.,:;' \n\u{301}\u{200d}\u{ad}éשא\"’🇩漢กিক١]{0,40}") {
            prop_assert_eq!(words(&text), plain(&text));
        }
    }
}
