//! Parses the header of a WARC record or an HTTP response.

use std::borrow::Cow;

use memchr::memchr;

/// A first line, and lines of names and values, as at the start of WARC records and HTTP responses.
#[derive(Clone, Copy)]
pub(crate) struct Header<'a> {
    lines: &'a [u8],
}

impl<'a> Header<'a> {
    /// The header at the start of `bytes`, and its length. `None` if the blank line after it is missing.
    pub(crate) fn split(bytes: &'a [u8]) -> Option<(Header<'a>, usize)> {
        let mut at = 0;
        while let Some(end) = memchr(b'\n', &bytes[at..]) {
            let line = bytes[at..at + end].trim_ascii_end();
            at += end + 1;
            if line.is_empty() && at > 2 {
                return Some((Header { lines: &bytes[..at] }, at));
            }
        }
        None
    }

    /// The names of all fields.
    pub(crate) fn names(self) -> impl Iterator<Item = Cow<'a, str>> {
        let lines = self.lines.split(|&byte| byte == b'\n').skip(1);
        lines.filter_map(|line| Some(String::from_utf8_lossy(line[..memchr(b':', line)?].trim_ascii())))
    }

    /// The value of the first field with this name, ignoring case. Invalid UTF-8 becomes replacement characters.
    pub(crate) fn get(self, name: &str) -> Option<Cow<'a, str>> {
        let lines = self.lines.split(|&byte| byte == b'\n').skip(1);
        let value = lines.into_iter().find_map(|line| {
            let colon = memchr(b':', line)?;
            let is_named = line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes());
            is_named.then(|| line[colon + 1..].trim_ascii())
        });
        value.map(String::from_utf8_lossy)
    }
}
