//! How is a text normalised? Unicode NFKC and full case folding.
//!
//! The definition is `NFKC(fold(NFKC(text)))`. (The second NFKC is needed because folding can leave a sequence that
//! composes.) It does not change most characters of most texts, so the work is to find those that change:
//!
//! 1. A run of ASCII is lowercased as bytes. Its last character is held back if a non-ASCII character follows, which
//!    may be a combining mark. NFKC never joins across the *start* of an ASCII character, so every non-ASCII run ends
//!    there.
//! 2. In a non-ASCII run, a character that NFKC and its neighbours do not change (quick check "yes", combining class 0)
//!    is copied, or folded by itself. A character that decomposes into such characters is replaced by them.
//! 3. A run with any other character is normalised as a whole, by the definition.

use caseless::Caseless;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::CharMemo;
use crate::arch::push_ascii;

/// How upper and lower case are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Case {
    /// `Straße` and `STRASSE` are the same word.
    #[default]
    Fold,
    /// Letters are not changed.
    Keep,
}

const COPY: u8 = 1;
const FOLD: u8 = 2;
const REPLACE: u8 = 3;
const COMPOSE: u8 = 4;

static ACTIONS: CharMemo = CharMemo::new(action);

fn action(c: char) -> u8 {
    let alone = |c| is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes && canonical_combining_class(c) == 0;
    let becomes = |push: fn(char, Case, &mut String), case| {
        let (mut by_itself, mut defined) = (String::new(), String::new());
        push(c, case, &mut by_itself);
        push_plainly(c.encode_utf8(&mut [0; 4]), case, &mut defined);
        by_itself == defined && defined.chars().all(alone)
    };
    let is = |push| becomes(push, Case::Fold) && becomes(push, Case::Keep);
    match c {
        _ if alone(c) && is(|c, _, out| out.push(c)) => COPY,
        _ if alone(c) && is(push_folded) => FOLD,
        _ if is(push_replaced) => REPLACE,
        _ => COMPOSE,
    }
}

fn push_folded(c: char, case: Case, out: &mut String) {
    match case {
        Case::Fold => out.extend(std::iter::once(c).default_case_fold()),
        Case::Keep => out.push(c),
    }
}

fn push_replaced(c: char, case: Case, out: &mut String) {
    decompose_compatible(c, |part| push_folded(part, case, out));
}

/// Appends the normal form of `text` to `out`.
pub fn normalise(text: &str, case: Case, out: &mut String) {
    out.reserve(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let ascii = at + push_ascii(&text[at..], case == Case::Fold, out);
        if ascii == bytes.len() {
            return;
        }
        let other = ascii + bytes[ascii..].iter().position(u8::is_ascii).unwrap_or(bytes.len() - ascii);
        // Take back the base of a combining mark. This is harmless if the next character is not one.
        let base = if ascii > at { ascii - out.pop().map_or(0, char::len_utf8) } else { at };
        push_other(&text[base..other], case, out);
        at = other;
    }
}

/// The definition, applied literally.
fn push_plainly(text: &str, case: Case, out: &mut String) {
    match case {
        Case::Fold => out.extend(text.nfkc().default_case_fold().nfkc()),
        Case::Keep => out.extend(text.nfkc()),
    }
}

fn push_other(run: &str, case: Case, out: &mut String) {
    let start = out.len();
    for c in run.chars() {
        match ACTIONS.get(c) {
            COPY => out.push(c),
            FOLD => push_folded(c, case, out),
            REPLACE => push_replaced(c, case, out),
            _ => {
                out.truncate(start);
                return push_plainly(run, case, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fast(text: &str, case: Case) -> String {
        let mut out = String::new();
        normalise(text, case, &mut out);
        out
    }

    fn plain(text: &str, case: Case) -> String {
        let mut out = String::new();
        push_plainly(text, case, &mut out);
        out
    }

    #[test]
    fn folds_and_composes() {
        assert_eq!(fast("STRASSE Straße ΟΔΌΣ οδός", Case::Fold), "strasse strasse οδόσ οδόσ");
        assert_eq!(fast("e\u{301}", Case::Fold), "é");
        assert_eq!(fast("ﬁn ｆｕｌｌ １２ ㎏ ﾊﾟ", Case::Fold), "fin full 12 kg パ");
        assert_eq!(fast("Straße É", Case::Keep), "Straße É");
        assert_eq!(fast("", Case::Fold), "");
    }

    #[test]
    fn every_character_alone_and_between_letters() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let texts = [c.to_string(), format!("A{c}b"), format!("A{c}\u{301}{c} Ω{c}")];
            for text in texts {
                assert_eq!(fast(&text, Case::Fold), plain(&text, Case::Fold), "{text:?}");
                assert_eq!(fast(&text, Case::Keep), plain(&text, Case::Keep), "{text:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_fast_way_is_the_plain_way(text in "[a-zA-Z \u{300}-\u{345}éÉßΣς가-깋\u{1100}-\u{11ff}ก-๛অ-৾ぁ-ヿ漢字ﬀ-ﬆ\\PC]{0,40}") {
            prop_assert_eq!(fast(&text, Case::Fold), plain(&text, Case::Fold));
            prop_assert_eq!(fast(&text, Case::Keep), plain(&text, Case::Keep));
        }
    }
}
