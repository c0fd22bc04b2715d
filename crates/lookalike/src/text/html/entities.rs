//! How are character references decoded? `&eacute;`, `&#233;`, `&#xe9;`.
//!
//! The names are those of the HTML standard, in `entities.tsv`. A name ends in a semicolon if it needs one, and the
//! characters are hexadecimal numbers. (The table comes from Python's `html.entities.html5`.)

use std::sync::LazyLock;

use hashbrown::HashMap;
use memchr::memchr;

struct Named {
    characters: [char; 2],
    /// Whether the name is also valid without a semicolon.
    is_old: bool,
}

static NAMED: LazyLock<HashMap<&str, Named>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (name, numbers) = line.split_once('\t').expect("a name and its characters");
        let mut characters = [NOTHING; 2];
        for (character, number) in characters.iter_mut().zip(numbers.split(' ')) {
            *character = u32::from_str_radix(number, 16).ok().and_then(char::from_u32).expect("a character");
        }
        (name.trim_end_matches(';'), Named { characters, is_old: !name.ends_with(';') })
    };
    include_str!("entities.tsv").lines().map(line).collect()
});

/// Marks that there is no second character.
const NOTHING: char = '\0';
const LONGEST_NAME: usize = 31;
const LONGEST_OLD_NAME: usize = 6;

/// The meaning of numbers from 0x80 to 0x9f: they always meant Windows-1252.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Where a text is: in an attribute, `&copy=1` is part of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Text,
    Attribute,
}

/// Appends a text with its character references decoded.
pub(super) fn push_decoded(text: &str, place: Place, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match reference(rest.as_bytes(), place) {
            Some((characters, length)) => {
                out.extend(characters.into_iter().filter(|&c| c != NOTHING));
                rest = &rest[length..];
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
}

/// Returns the characters of the reference after `&`, and its length.
fn reference(bytes: &[u8], place: Place) -> Option<([char; 2], usize)> {
    match bytes {
        [b'#', b'x' | b'X', rest @ ..] => numbered(rest, 16).map(|(character, length)| (character, length + 2)),
        [b'#', rest @ ..] => numbered(rest, 10).map(|(character, length)| (character, length + 1)),
        _ => named(bytes, place),
    }
}

fn numbered(bytes: &[u8], base: u32) -> Option<([char; 2], usize)> {
    let digits = bytes.iter().map_while(|&byte| char::from(byte).to_digit(base));
    let (length, number) = digits
        .fold((0, 0u32), |(length, number), digit| (length + 1, number.saturating_mul(base).saturating_add(digit)));
    if length == 0 {
        return None;
    }
    let character = match number {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9f => WINDOWS[number as usize - 0x80],
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    let semicolon = usize::from(bytes.get(length) == Some(&b';'));
    Some(([character, NOTHING], length + semicolon))
}

fn named(bytes: &[u8], place: Place) -> Option<([char; 2], usize)> {
    let length = bytes.iter().take(LONGEST_NAME + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let find = |length: usize| str::from_utf8(&bytes[..length]).ok().and_then(|name| NAMED.get(name));
    if bytes.get(length) == Some(&b';')
        && let Some(found) = find(length)
    {
        return Some((found.characters, length + 1));
    }
    let old = |&length: &usize| find(length).is_some_and(|found| found.is_old);
    let length = (2..=length.min(LONGEST_OLD_NAME)).rev().find(old)?;
    let goes_on = bytes.get(length).is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
    if place == Place::Attribute && goes_on {
        return None;
    }
    find(length).map(|found| (found.characters, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> String {
        let mut out = String::new();
        push_decoded(text, Place::Text, &mut out);
        out
    }

    #[test]
    fn names() {
        assert_eq!(
            decoded("caf&eacute; &amp;amp; &lt;b&gt; &nbsp;&CounterClockwiseContourIntegral;"),
            "café &amp; <b> \u{a0}∳"
        );
        assert_eq!(decoded("&NotEqualTilde;"), "≂\u{338}");
        assert_eq!(decoded("&eacute&notit; &notin; &notin &copy2"), "é¬it; ∉ ¬in ©2");
        assert_eq!(decoded("& &; &x; &unknown; R&D AT&T &"), "& &; &x; &unknown; R&D AT&T &");
        assert_eq!(NAMED.len(), 2125);
        assert_eq!(NAMED.keys().map(|name| name.len()).max(), Some(LONGEST_NAME));
        assert_eq!(
            NAMED.iter().filter(|(_, named)| named.is_old).map(|(name, _)| name.len()).max(),
            Some(LONGEST_OLD_NAME)
        );
        assert!(!NAMED.values().any(|named| named.characters[0] == NOTHING));
    }

    #[test]
    fn numbers() {
        assert_eq!(decoded("&#233;&#xE9;&#Xe9&#0233;"), "éééé");
        assert_eq!(
            decoded("&#150;&#x80;&#0;&#xd800;&#x110000;&#99999999999999999999;"),
            "–€\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(decoded("&#;&#x;&#xg;&#a;&#"), "&#;&#x;&#xg;&#a;&#");
    }

    #[test]
    fn in_attributes() {
        let mut out = String::new();
        push_decoded("?a=1&copy=2&amp;b=&copy;&copy", Place::Attribute, &mut out);
        assert_eq!(out, "?a=1&copy=2&b=©©");
    }
}
