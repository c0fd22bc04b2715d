//! The text of a row, and its set.

use lookalike::engine::{PageRule, Recipe, SetMaker};

use super::pages::PageTexts;
use crate::read::Content;

/// How a row becomes a text, and a text a set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extraction {
    /// How a page becomes a text.
    pub page: PageRule,
    /// How a text becomes a set.
    pub recipe: Recipe,
}

/// Extracts documents from rows. It reuses its buffers, so keep one per thread.
pub struct Extractor {
    pages: PageTexts,
    maker: SetMaker,
}

/// What a row holds.
pub enum Extracted<'a> {
    /// A document with a text.
    Document(Document<'a>),
    /// A document without a usable text, and the reason.
    Unusable(&'a str),
    /// No document, and the reason.
    Unreadable(&'a str),
}

impl<'a> Extracted<'a> {
    /// The document, if the row holds one, and if that has a usable text.
    pub fn document(self) -> Option<Option<Document<'a>>> {
        match self {
            Extracted::Document(document) => Some(Some(document)),
            Extracted::Unusable(_) => Some(None),
            Extracted::Unreadable(_) => None,
        }
    }
}

/// A document with its text.
pub struct Document<'a> {
    /// Its text.
    pub text: &'a str,
    maker: &'a mut SetMaker,
}

impl Extractor {
    /// An extractor with these rules.
    pub fn new(extraction: Extraction) -> Extractor {
        Extractor { pages: PageTexts::new(extraction.page), maker: SetMaker::new(extraction.recipe) }
    }

    /// Extracts the document from a row's content.
    pub fn extract<'a>(&'a mut self, content: &'a Content<'a>) -> Extracted<'a> {
        let Extractor { pages, maker } = self;
        match content {
            Content::Text(text) => Extracted::Document(Document { text, maker }),
            Content::Page(page) => Extracted::Document(Document { text: pages.read(page), maker }),
            Content::Unusable(reason) => Extracted::Unusable(reason),
            Content::Unreadable(reason) => Extracted::Unreadable(reason),
        }
    }
}

impl Document<'_> {
    /// Its set: ascending, each element once. Empty if the text has no token.
    pub fn set(&mut self) -> &[u64] {
        self.maker.set(self.text)
    }

    /// Its set, with elements that only documents with the same key share.
    pub fn set_within(&mut self, key: u64) -> &[u64] {
        self.maker.set_within(self.text, key)
    }

    /// Its elements in text order, with repetitions.
    pub fn sequence(&mut self) -> &[u64] {
        self.maker.sequence(self.text)
    }
}
