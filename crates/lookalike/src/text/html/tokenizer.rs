//! How is a page split into texts and tags?
//!
//! This is the tokenizer of the HTML standard, as far as it concerns text: one pass, no copies, no rejections. What the
//! standard calls an error has a defined meaning, and it has the same here: `<` before anything but a letter is text,
//! an unknown declaration is a comment, and a tag cut off by the end of the page is ignored. It builds no tree; callers
//! that need it match start and end tags themselves.

use memchr::memchr;

use super::attributes::{Attributes, Step, end_of_name, is_notable, step};
use super::raw_text::{end_of_script, end_of_verbatim};
use super::tag::{Content, Tag};

/// A piece of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    /// Text whose character references are not yet decoded.
    Text(&'a str),
    /// The content of an element without markup and character references.
    Verbatim(Tag, &'a str),
    /// The start tag of an element.
    Start(Tag, Attributes<'a>),
    /// The end tag of an element.
    End(Tag),
    /// A comment, a declaration or a processing instruction.
    Comment,
}

/// Iterates over the events of a page.
pub(crate) struct Events<'a> {
    page: &'a str,
    at: usize,
    /// The element whose content comes next and is not markup.
    open: Option<(Tag, Content)>,
    is_xml: bool,
}

impl<'a> Events<'a> {
    /// Returns the events of a page.
    pub(crate) fn new(page: &'a str) -> Events<'a> {
        // XML closes elements by a slash where HTML does not, and has CDATA sections.
        Events { page, at: 0, open: None, is_xml: page.trim_start().starts_with("<?xml") }
    }

    fn bytes(&self) -> &'a [u8] {
        self.page.as_bytes()
    }

    /// Moves to `end`, and returns the text before it.
    fn take(&mut self, end: usize) -> &'a str {
        let taken = &self.page[self.at..end];
        self.at = end;
        taken
    }

    /// Moves past the next of these bytes, or to the end.
    fn skip_behind(&mut self, byte: u8, from: usize) {
        let found = memchr(byte, &self.bytes()[from..]);
        self.at = found.map_or(self.page.len(), |found| from + found + 1);
    }

    fn content_of(&mut self, tag: Tag, content: Content) -> Option<Event<'a>> {
        let end = match content {
            Content::Markup => self.at,
            Content::Nothing => return Some(Event::End(tag)),
            Content::Text | Content::Verbatim => end_of_verbatim(self.bytes(), self.at, tag),
            Content::Script => end_of_script(self.bytes(), self.at, tag),
            Content::Rest => self.page.len(),
        };
        let text = self.take(end);
        match content {
            _ if text.is_empty() => None,
            Content::Text => Some(Event::Text(text)),
            _ => Some(Event::Verbatim(tag, text)),
        }
    }

    /// Returns what starts with the `<` here, or `None` if it is not an event.
    fn markup(&mut self) -> Option<Event<'a>> {
        let bytes = self.bytes();
        let next = |offset: usize| bytes.get(self.at + offset).copied().unwrap_or_default();
        match next(1) {
            letter if letter.is_ascii_alphabetic() => self.tag(self.at + 1, true),
            b'/' if next(2).is_ascii_alphabetic() => self.tag(self.at + 2, false),
            b'/' if next(2) == b'>' => {
                self.at += 3;
                None
            }
            b'!' if next(2) == b'-' && next(3) == b'-' => {
                self.at = end_of_comment(bytes, self.at + 4);
                Some(Event::Comment)
            }
            b'!' if self.is_xml && bytes[self.at..].starts_with(b"<![CDATA[") => {
                let start = self.at + 9;
                let end = memchr::memmem::find(&bytes[start..], b"]]>").map_or(bytes.len(), |end| start + end);
                self.at = (end + 3).min(bytes.len());
                Some(Event::Verbatim(Tag::new(""), &self.page[start..end]))
            }
            b'!' | b'?' | b'/' => {
                self.skip_behind(b'>', self.at + 1);
                Some(Event::Comment)
            }
            _ => {
                // A literal `<`, with the text up to the next.
                let end = memchr(b'<', &bytes[self.at + 1..]).map_or(bytes.len(), |end| self.at + 1 + end);
                Some(Event::Text(self.take(end)))
            }
        }
    }

    /// Reads the tag whose name starts at `name`.
    fn tag(&mut self, name: usize, is_start: bool) -> Option<Event<'a>> {
        let bytes = self.bytes();
        let end = end_of_name(bytes, name);
        let tag = Tag::new(&self.page[name..end]);
        let mut has_notable = false;
        let mut next = end;
        let (behind, self_closing) = loop {
            match step(bytes, next) {
                Step::Attribute { name, next: behind, .. } => {
                    has_notable |= is_notable(&bytes[name]);
                    next = behind;
                }
                Step::End { at, self_closing } => break (at, self_closing),
                Step::Unfinished => {
                    self.at = bytes.len();
                    return None;
                }
            }
        };
        self.at = behind;
        if !is_start {
            return Some(Event::End(tag));
        }
        let content = if self_closing && self.is_xml { Content::Nothing } else { tag.content() };
        if content != Content::Markup {
            self.open = Some((tag, content));
        }
        Some(Event::Start(tag, Attributes::new(&self.page[end..behind], has_notable)))
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    #[inline]
    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if let Some((tag, content)) = self.open.take() {
                if let Some(event) = self.content_of(tag, content) {
                    return Some(event);
                }
            } else if self.at == self.page.len() {
                return None;
            } else if self.bytes()[self.at] == b'<' {
                if let Some(event) = self.markup() {
                    return Some(event);
                }
            } else {
                let end = memchr(b'<', &self.bytes()[self.at..]).map_or(self.page.len(), |end| self.at + end);
                return Some(Event::Text(self.take(end)));
            }
        }
    }
}

/// Returns the end of a comment whose text starts at `start`: after `-->` or `--!>`. The first may use the dashes that
/// started it.
fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let mut from = start;
    while let Some(found) = memchr(b'>', &bytes[from.min(bytes.len())..]) {
        let at = from + found;
        if bytes[..at].ends_with(b"--") || bytes[start..at].ends_with(b"--!") {
            return at + 1;
        }
        from = at + 1;
    }
    bytes.len()
}

#[cfg(test)]
mod pieces {
    use super::*;
    use proptest::prelude::*;

    /// Almost markup.
    const MESS: &str = "([<>&/!?='\"\\-a ]|<!--|-->|</|<p|<script>|</script>|<title>|style=|hidden|&amp|&#x|http://|www\\.|<img src=|é|漢|\\PC){0,40}";

    proptest! {
        /// For any page, the events are consecutive pieces of it, and none is empty.
        #[test]
        fn events_are_pieces_of_the_page(page in MESS) {
            let mut at = page.as_ptr() as usize;
            let end = at + page.len();
            let mut events = 0;
            for event in Events::new(&page) {
                events += 1;
                if let Event::Text(text) | Event::Verbatim(_, text) = event {
                    let start = text.as_ptr() as usize;
                    prop_assert!(at <= start && start + text.len() <= end);
                    at = start + text.len();
                }
            }
            prop_assert!(events <= page.len());
        }
    }
}
