//! Which text of a page is visible?

use super::attributes::Attributes;
use super::entities::{Place, push_decoded};
use super::hidden::{Hidden, Over, is_hidden};
use super::tag::{A, Kind, Tag};
use super::tokenizer::{Event, Events};

/// Receives the visible text of a page.
pub(super) trait Sink {
    /// The output text.
    fn text(&mut self) -> &mut String;

    /// Separates the words before and after.
    fn part(&mut self);

    /// A link starts or ends.
    fn link(&mut self, _is_start: bool) {}

    /// An element starts that separates words and has content.
    fn start(&mut self, _tag: Tag, _attributes: Attributes) {}

    /// An element ends that separates words.
    fn end(&mut self, _tag: Tag) {}
}

/// Passes the visible text of a page to `sink`.
pub(super) fn walk(page: &str, sink: &mut impl Sink) {
    let mut hidden: Option<Hidden> = None;
    for event in Events::new(page) {
        if let Some(element) = &mut hidden {
            let over = match event {
                Event::Start(tag, _) => element.start(tag),
                Event::End(tag) => element.end(tag),
                _ => Over::No,
            };
            if over != Over::No {
                hidden = None;
            }
            if over != Over::Before {
                continue;
            }
        }
        match event {
            Event::Text(text) => push_decoded(text, Place::Text, sink.text()),
            Event::Verbatim(tag, text) if tag.kind() != Kind::Unseen => sink.text().push_str(text),
            Event::Start(tag, attributes) => {
                let kind = tag.kind();
                let separates = !matches!(kind, Kind::Formatting | Kind::Inline);
                if separates {
                    sink.part();
                }
                if tag == A {
                    sink.link(true);
                }
                if !tag.is_void() {
                    if kind == Kind::Unseen || is_hidden(attributes) {
                        hidden = Some(Hidden::new(tag));
                    } else if separates {
                        sink.start(tag, attributes);
                    }
                }
            }
            Event::End(tag) => {
                if tag == A {
                    sink.link(false);
                }
                if !matches!(tag.kind(), Kind::Formatting | Kind::Inline) {
                    sink.part();
                    sink.end(tag);
                }
            }
            Event::Verbatim(..) | Event::Comment => {}
        }
    }
}

/// The visible text in order, one line per part.
pub(super) struct Plain<'a>(pub(super) &'a mut String);

impl Sink for Plain<'_> {
    fn text(&mut self) -> &mut String {
        self.0
    }

    #[inline]
    fn part(&mut self) {
        part(self.0);
    }
}

/// The same, with where each part ends.
pub(super) struct Blocks<'a> {
    pub(super) text: &'a mut String,
    pub(super) ends: &'a mut Vec<usize>,
}

impl Sink for Blocks<'_> {
    fn text(&mut self) -> &mut String {
        self.text
    }

    fn part(&mut self) {
        part(self.text);
        if self.ends.last() != Some(&self.text.len()) {
            self.ends.push(self.text.len());
        }
    }
}

/// Ends a line, unless one has just ended.
#[inline]
pub(super) fn part(out: &mut String) {
    if out.as_bytes().last().is_some_and(|byte| !byte.is_ascii_whitespace()) {
        out.push('\n');
    }
}
