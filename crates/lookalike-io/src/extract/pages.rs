//! The text and the site of a web page.

use std::borrow::Cow;

use lookalike::engine::{PageReader, PageRule, SiteRule, charset_in, decode};

use super::passages::push_line_ends;
use crate::read::{Page, PageBody, Row};

/// Extracts the texts of pages. It reuses its buffers, so keep one per thread.
pub struct PageTexts {
    reader: PageReader,
    plain: String,
    /// Where the lines of a plain text end.
    ends: Vec<usize>,
}

impl PageTexts {
    /// An extractor with this rule.
    pub fn new(rule: PageRule) -> PageTexts {
        PageTexts { reader: PageReader::new(rule), plain: String::new(), ends: Vec::new() }
    }

    /// The text of a page.
    pub fn read(&mut self, page: &Page) -> &str {
        match page.body {
            PageBody::Text(html) => self.reader.read(html, page.url),
            PageBody::Bytes(bytes, content_type) => {
                self.reader.read(&decode(bytes, content_type.and_then(charset_in), true), page.url)
            }
            PageBody::PlainBytes(bytes, content_type) => {
                self.plain.clear();
                self.plain.push_str(&decode(bytes, content_type.and_then(charset_in), false));
                &self.plain
            }
        }
    }

    /// The text of a page, and where its blocks end; of a plain text, where its lines end.
    pub fn read_blocks(&mut self, page: &Page) -> (&str, &[usize]) {
        match page.body {
            PageBody::Text(html) => self.reader.read_blocks(html, page.url),
            PageBody::Bytes(bytes, content_type) => {
                self.reader.read_blocks(&decode(bytes, content_type.and_then(charset_in), true), page.url)
            }
            PageBody::PlainBytes(bytes, content_type) => {
                self.plain.clear();
                self.plain.push_str(&decode(bytes, content_type.and_then(charset_in), false));
                self.ends.clear();
                push_line_ends(&self.plain, &mut self.ends);
                (&self.plain, &self.ends)
            }
        }
    }
}

/// The site of a document, if known.
pub fn site_of<'a>(rule: &SiteRule, row: &Row<'a>) -> Option<Cow<'a, str>> {
    match rule {
        SiteRule::Field(_) => row.site.map(Cow::Borrowed),
        SiteRule::Registered | SiteRule::Paper => rule.of_url(row.url?),
    }
}
