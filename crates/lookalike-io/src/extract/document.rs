//! The text of a row, and its set.

use std::borrow::Cow;
use std::sync::Arc;

use lookalike::engine::{PageRule, Recipe, SetMaker};

use super::boilerplate::Boilerplate;
use super::pages::{PageTexts, site_of};
use super::passages::push_line_ends;
use super::without::Without;
use crate::read::{Content, Row};

/// How a row becomes a text, and a text a set.
#[derive(Clone, Debug, Default)]
pub struct Extraction {
    /// How a page becomes a text.
    pub page: PageRule,
    /// The passages that are left out of the text.
    pub without: Option<Arc<Boilerplate>>,
    /// How a text becomes a set.
    pub recipe: Recipe,
}

/// Extracts documents from rows. It reuses its buffers, so keep one per thread.
pub struct Extractor {
    pages: PageTexts,
    without: Option<Without>,
    /// Where the lines of a text end.
    ends: Vec<usize>,
    maker: SetMaker,
}

/// The content of a row.
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
        Extractor {
            pages: PageTexts::new(extraction.page),
            without: extraction.without.map(Without::new),
            ends: Vec::new(),
            maker: SetMaker::new(extraction.recipe),
        }
    }

    /// Extracts the document from a row.
    pub fn extract<'a>(&'a mut self, row: &'a Row<'a>) -> Extracted<'a> {
        let site = self.without.as_ref().and_then(|without| site_of(without.table.site(), row));
        self.extract_of(&row.content, site)
    }

    /// Extracts the document from a content, which may have an address. No field names its site.
    pub fn extract_content<'a>(&'a mut self, content: &'a Content<'a>, url: Option<&'a str>) -> Extracted<'a> {
        let url = if let Content::Page(page) = content { url.or(page.url) } else { url };
        let site = self.without.as_ref().and_then(|without| without.table.site().of_url(url?));
        self.extract_of(content, site)
    }

    fn extract_of<'a>(&'a mut self, content: &'a Content<'a>, site: Option<Cow<str>>) -> Extracted<'a> {
        let Extractor { pages, without, ends, maker } = self;
        let text = match (content, without) {
            (Content::Text(text), None) => text,
            (Content::Page(page), None) => pages.read(page),
            (Content::Text(text), Some(without)) => {
                ends.clear();
                push_line_ends(text, ends);
                without.apply(text, ends, site.as_deref().unwrap_or_default())
            }
            (Content::Page(page), Some(without)) => {
                let (text, ends) = pages.read_blocks(page);
                without.apply(text, ends, site.as_deref().unwrap_or_default())
            }
            (Content::Unusable(reason), _) => return Extracted::Unusable(reason),
            (Content::Unreadable(reason), _) => return Extracted::Unreadable(reason),
        };
        Extracted::Document(Document { text, maker })
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
