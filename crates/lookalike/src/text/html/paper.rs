//! What is the text of a page in Henzinger's paper?
//!
//! The paper says: "All HTML markup in the page is replaced by white space or, in case of formatting instructions, ignored. Then every
//! maximal alphanumeric sequence is considered a term", with two exceptions: "Every URL contained in the text of the page is broken at
//! slashes and dots", and the address in an `img` tag is a term, whole if it leads to another host, else its file's name.
//!
//! What the paper leaves open is decided as follows:
//!
//! * Formatting instructions are elements that only change how text looks (`b`, `font`, `span`, `sup`, …). A link is
//!   not one.
//! * Comments, scripts and styles are markup. Hidden text, the title and the content of `noscript` are text. Character
//!   references are decoded.
//! * A mark on a letter belongs to it. Scripts without spaces are cut by character, as everywhere here.
//! * A URL in the text starts with `http://`, `https://`, `ftp://` or `www.` where a word can start. It ends at white
//!   space, a quotation mark or an angle bracket, without punctuation at its end. It is broken *only* at slashes and
//!   dots: `my-shop` stays one term.
//! * If the page's address is unknown, every image with a host is on another one. Attributes other than an image's
//!   `src` are markup.
//!
//! The result is a text whose words are the terms, separated by spaces. A term with characters other than letters and
//! digits is encoded so that it stays one word and distinct: each other byte becomes `_` and two hexadecimal digits.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

use super::super::CharMemo;
use super::entities::{Place, push_decoded};
use super::image;
use super::tag::{IMG, Kind, SCRIPT, STYLE};
use super::tokenizer::{Event, Events};

/// Makes the paper's text of pages, and reuses its memory.
#[derive(Default)]
pub(super) struct PaperText {
    /// Text that is not yet cut into terms, because a formatting tag may be in the middle of one.
    pending: String,
    address: String,
}

impl PaperText {
    /// Appends the terms of a page with this address.
    pub(super) fn push(&mut self, page: &str, url: Option<&str>, out: &mut String) {
        self.pending.clear();
        for event in Events::new(page) {
            match event {
                Event::Text(text) => push_decoded(text, Place::Text, &mut self.pending),
                Event::Verbatim(SCRIPT | STYLE, _) | Event::Comment => self.pending.push(' '),
                Event::Verbatim(_, text) => self.pending.push_str(text),
                Event::Start(IMG, attributes) => {
                    self.flush(out);
                    self.address.clear();
                    push_decoded(attributes.get("src").unwrap_or_default(), Place::Attribute, &mut self.address);
                    if let Some(term) = image::term(&self.address, url) {
                        push_term(term, out);
                    }
                }
                Event::Start(tag, _) | Event::End(tag) if tag.kind() != Kind::Formatting => self.pending.push(' '),
                Event::Start(..) | Event::End(_) => {}
            }
        }
        self.flush(out);
    }

    fn flush(&mut self, out: &mut String) {
        push_terms(&self.pending, out);
        self.pending.clear();
    }
}

/// Appends the terms of a text.
fn push_terms(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let length = match bytes[at] {
            b'h' | b'H' | b'f' | b'F' | b'w' | b'W' if starts_url(rest) => {
                let url = url_at_start(rest);
                url.split(['/', '.']).for_each(|part| push_term(part, out));
                url.len()
            }
            _ => {
                let term = end_of_term(rest);
                if term > 0 {
                    out.push_str(&rest[..term]);
                    out.push(' ');
                }
                term
            }
        };
        at += length;
        at += text[at..].chars().next().filter(|&c| !is_of_term(c)).map_or(0, char::len_utf8);
    }
}

/// Whether a character is part of a term: a letter, a digit, or a mark on one.
fn is_of_term(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { OF_TERM.get(c) == YES }
}

const YES: u8 = 1;
const NO: u8 = 2;

static OF_TERM: CharMemo = CharMemo::new(|c| {
    // Not `char::is_alphanumeric`: its Unicode version changes with the compiler, and terms would change with it.
    static RANGES: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
        match regex_syntax::parse(r"[\p{Alphabetic}\p{N}\p{M}]").expect("a class of Unicode").into_kind() {
            HirKind::Class(Class::Unicode(class)) => class.iter().map(|range| (range.start(), range.end())).collect(),
            other => unreachable!("a class is a class, not {other:?}"),
        }
    });
    let at = RANGES.partition_point(|range| range.1 < c);
    if RANGES.get(at).is_some_and(|range| range.0 <= c) { YES } else { NO }
});

fn end_of_term(text: &str) -> usize {
    let ascii = text.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(text.len());
    match text.as_bytes().get(ascii) {
        Some(0x80..) => text.find(|c| !is_of_term(c)).unwrap_or(text.len()),
        _ => ascii,
    }
}

fn starts_url(text: &str) -> bool {
    let starts = |prefix: &str| {
        text.as_bytes().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
            && text[prefix.len()..].starts_with(is_of_term)
    };
    ["http://", "https://", "ftp://", "www."].into_iter().any(starts)
}

fn url_at_start(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"')).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', ')', ']', '}'])
}

/// Appends one term and a space, or nothing if it has no letter or digit.
fn push_term(term: &str, out: &mut String) {
    let term = term.trim_matches(|c| !is_of_term(c));
    if term.is_empty() {
        return;
    }
    for byte in term.bytes() {
        if byte.is_ascii_alphanumeric() {
            out.push(byte.into());
        } else {
            out.push('_');
            out.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
        }
    }
    out.push(' ');
}
