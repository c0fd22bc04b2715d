//! What is a row?

use super::page::{Page, PageBody};
use super::values::Value;

/// A row of a file.
#[derive(Debug)]
pub struct Row<'a> {
    /// Which one, counting from 1: lines for JSON lines and plain lines, records behind the header for CSV.
    pub number: u64,
    /// The user's id, if the row has one.
    pub id: Option<&'a str>,
    /// The value that decides who is kept.
    pub key: Value<'a>,
    /// The values that documents must agree in to be compared: the same text if they are written the same, whatever their types.
    pub within: &'a str,
    /// Its address, if it has one.
    pub url: Option<&'a str>,
    /// Its site, if a field has it.
    pub site: Option<&'a str>,
    /// What it says.
    pub content: Content<'a>,
}

/// What a row says.
#[derive(Debug)]
pub enum Content<'a> {
    /// A document.
    Text(&'a str),
    /// A document whose text is yet to be made of a page.
    Page(Page<'a>),
    /// A document without a text that can be compared, and why.
    Unusable(&'a str),
    /// No document, and why.
    Unreadable(&'a str),
}

/// A text, unless it is too long.
pub(super) fn sized_text<'a>(text: &'a str, most: usize, reason: &'a mut String) -> Content<'a> {
    if text.len() <= most {
        return Content::Text(text);
    }
    *reason = format!("the text has {} bytes, over --max-document", text.len());
    Content::Unusable(reason)
}

/// A page, unless it is too long.
pub(super) fn sized_page<'a>(
    body: PageBody<'a>,
    url: Option<&'a str>,
    most: usize,
    reason: &'a mut String,
) -> Content<'a> {
    if body.len() <= most {
        return Content::Page(Page { body, url });
    }
    *reason = format!("the page has {} bytes, over --max-document", body.len());
    Content::Unusable(reason)
}
