//! A web page before its text is extracted.

/// A web page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Its bytes or characters.
    pub body: PageBody<'a>,
    /// Its URL, if it has one.
    pub url: Option<&'a str>,
}

/// The body of a page.
#[derive(Clone, Copy, Debug)]
pub enum PageBody<'a> {
    /// Characters.
    Text(&'a str),
    /// Bytes in some encoding, and the content type that came with them.
    Bytes(&'a [u8], Option<&'a str>),
    /// Plain text instead of a page, in some encoding, and its content type.
    PlainBytes(&'a [u8], Option<&'a str>),
}

impl PageBody<'_> {
    pub(super) fn len(self) -> usize {
        match self {
            PageBody::Text(text) => text.len(),
            PageBody::Bytes(bytes, _) | PageBody::PlainBytes(bytes, _) => bytes.len(),
        }
    }
}
