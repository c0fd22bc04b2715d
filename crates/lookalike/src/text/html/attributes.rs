//! Which attributes follow the name in a tag?
//!
//! The same step finds the end of a tag and reads its attributes, so the two cannot disagree about quotation marks.

use std::ops::Range;

use memchr::memchr;

/// What comes next in a tag.
pub(super) enum Step {
    /// An attribute, and where the next one starts.
    Attribute { name: Range<usize>, value: Range<usize>, next: usize },
    /// The tag ends; the text after it starts here.
    End { at: usize, self_closing: bool },
    /// The page ends within the tag.
    Unfinished,
}

const SPACE: u8 = 1;
const ENDS_NAME: u8 = 2;
const ENDS_VALUE: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => SPACE | ENDS_NAME | ENDS_VALUE,
            b'>' => ENDS_NAME | ENDS_VALUE,
            b'/' | b'=' => ENDS_NAME,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Returns the first position from `at` on whose byte is one of these, or is not if `wanted` is 0.
#[inline]
fn find(bytes: &[u8], at: usize, class: u8, wanted: bool) -> usize {
    let found = bytes[at..].iter().position(|&byte| (CLASSES[byte as usize] & class != 0) == wanted);
    found.map_or(bytes.len(), |found| at + found)
}

/// Returns where the tag name that starts at `at` ends.
#[inline]
pub(super) fn end_of_name(bytes: &[u8], at: usize) -> usize {
    // An equals sign is part of a tag's name. No element has such a name, so it is unknown either way.
    find(bytes, at, ENDS_NAME, true)
}

/// Returns what comes next in a tag, from `at` on.
#[inline]
pub(super) fn step(bytes: &[u8], mut at: usize) -> Step {
    let mut self_closing = false;
    loop {
        match bytes.get(at) {
            None => return Step::Unfinished,
            Some(b'>') => return Step::End { at: at + 1, self_closing },
            Some(b'/') => self_closing = true,
            Some(&byte) if CLASSES[byte as usize] & SPACE != 0 => self_closing = false,
            Some(_) => break,
        }
        at += 1;
    }
    // The first character belongs to the name, even an equals sign or a quotation mark.
    let name = at..find(bytes, at + 1, ENDS_NAME, true);
    let equals = find(bytes, name.end, SPACE, false);
    if bytes.get(equals) != Some(&b'=') {
        return Step::Attribute { value: name.end..name.end, name, next: equals };
    }
    let start = find(bytes, equals + 1, SPACE, false);
    match bytes.get(start) {
        Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &bytes[start + 1..]) {
            Some(length) => {
                let value = start + 1..start + 1 + length;
                Step::Attribute { name, next: value.end + 1, value }
            }
            None => Step::Unfinished,
        },
        _ => {
            let end = find(bytes, start, ENDS_VALUE, true);
            Step::Attribute { name, value: start..end, next: end }
        }
    }
}

/// The attributes of a tag, with names and values as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a> {
    /// The text between the tag's name and its end.
    raw: &'a str,
    has_notable: bool,
}

impl<'a> Attributes<'a> {
    /// Attributes up to the end of the tag. `has_notable` says whether [`is_notable`] is true for any of them.
    pub(super) fn new(raw: &'a str, has_notable: bool) -> Attributes<'a> {
        Attributes { raw, has_notable }
    }

    /// Whether any attribute may decide what is visible. Most tags have none, and need not be read twice.
    pub(super) fn has_notable(self) -> bool {
        self.has_notable
    }

    /// Returns the value of the first attribute with this name, without decoding character references.
    pub(crate) fn get(self, name: &str) -> Option<&'a str> {
        self.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Whether an attribute may be `src`, `style` or `hidden`.
#[inline]
pub(super) fn is_notable(name: &[u8]) -> bool {
    matches!((name.len(), name[0] | 0x20), (3 | 5, b's') | (6, b'h'))
}

impl<'a> IntoIterator for Attributes<'a> {
    type Item = (&'a str, &'a str);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        Iter { raw: self.raw, at: 0 }
    }
}

/// Iterates over attributes: name and value.
pub(crate) struct Iter<'a> {
    raw: &'a str,
    at: usize,
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        match step(self.raw.as_bytes(), self.at) {
            Step::Attribute { name, value, next } => {
                self.at = next;
                Some((&self.raw[name], &self.raw[value]))
            }
            Step::End { .. } | Step::Unfinished => None,
        }
    }
}
