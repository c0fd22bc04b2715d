use std::borrow::Cow;

use lookalike::engine::{PageReader, PageRule, SiteRule, charset_in, decode};

use crate::read::{Page, PageBody, Row};

/// Makes texts of pages, in memory that it keeps; one a thread.
pub struct PageTexts {
    reader: PageReader,
    plain: String,
}

impl PageTexts {
    /// Texts by this rule.
    pub fn new(rule: PageRule) -> PageTexts {
        PageTexts { reader: PageReader::new(rule), plain: String::new() }
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
}

/// The site of a document, if it is known.
pub fn site_of<'a>(rule: &SiteRule, row: &Row<'a>) -> Option<Cow<'a, str>> {
    match rule {
        SiteRule::Field(_) => row.site.map(Cow::Borrowed),
        SiteRule::Registered | SiteRule::Paper => rule.of_url(row.url?),
    }
}
