//! A row of a file, and what it holds.

use super::fields::Value;
use super::page::{Page, PageBody};

/// A row of a file.
#[derive(Debug)]
pub struct Row<'a> {
    /// Its number, counting from 1: the line in JSON lines and plain lines, the record after the header in CSV.
    pub number: u64,
    /// The user's id, if the row has one.
    pub id: Option<&'a str>,
    /// The value that decides which document is kept.
    pub key: Value<'a>,
    /// The values that must be equal for documents to be compared, as one text. Values with the same spelling are equal, whatever their
    /// types.
    pub within: &'a str,
    /// Its URL, if it has one.
    pub url: Option<&'a str>,
    /// Its site, if a field names it.
    pub site: Option<&'a str>,
    /// Its content.
    pub content: Content<'a>,
}

/// The content of a row.
#[derive(Debug)]
pub enum Content<'a> {
    /// A document with this text.
    Text(&'a str),
    /// A document whose text must be extracted from a page.
    Page(Page<'a>),
    /// A document without a usable text, and the reason.
    Unusable(&'a str),
    /// No document, and the reason.
    Unreadable(&'a str),
}

/// The content of a text, which is unusable if it has more than `most` bytes.
pub(super) fn sized_text<'a>(text: &'a str, most: usize, reason: &'a mut String) -> Content<'a> {
    if text.len() <= most {
        return Content::Text(text);
    }
    *reason = format!("the text has {} bytes, more than --max-document allows", text.len());
    Content::Unusable(reason)
}

/// The content of a page, which is unusable if it has more than `most` bytes.
pub(super) fn sized_page<'a>(
    body: PageBody<'a>,
    url: Option<&'a str>,
    most: usize,
    reason: &'a mut String,
) -> Content<'a> {
    if body.len() <= most {
        return Content::Page(Page { body, url });
    }
    *reason = format!("the page has {} bytes, more than --max-document allows", body.len());
    Content::Unusable(reason)
}
