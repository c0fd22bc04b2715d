//! What does a web page come as?

/// A page as it came.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What it is made of.
    pub body: PageBody<'a>,
    /// Its address, if it has one.
    pub url: Option<&'a str>,
}

/// What a page is made of.
#[derive(Clone, Copy, Debug)]
pub enum PageBody<'a> {
    /// Characters.
    Text(&'a str),
    /// Bytes of some encoding, and the content type that came with them.
    Bytes(&'a [u8], Option<&'a str>),
    /// The same, of a plain text that is no page at all.
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
