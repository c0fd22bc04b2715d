//! Extracts the page or text of a record: from an HTTP response or bare, chunked, compressed.
//!
//! Crawlers differ in what they write. Many undo the chunks or the compression but keep the header as it was. So an encoding that the
//! header names is undone only if the bytes look like it.

use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use memchr::memchr;

use super::header::Header;

#[cfg(not(feature = "zstd"))]
use crate::no_zstd as zstd;

/// The bytes of a document before they are decoded.
#[derive(Default)]
pub(crate) struct Payload {
    /// Whether it is a page. Otherwise it is plain text.
    pub(crate) is_page: bool,
    /// Its media type and encoding, from its header.
    pub(crate) content_type: String,
    bytes: Vec<u8>,
    spare: Vec<u8>,
}

/// The most bytes of a record that are inspected to find out its kind.
pub(super) const PEEK: usize = 64 << 10;

/// Whether a record is a document, by its header and the start of its block.
pub(super) fn is_document(header: Header, start: &[u8]) -> bool {
    let kind = header.get("WARC-Type").unwrap_or_default();
    if !["response", "resource", "conversion"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
        return false;
    }
    let (http, rest) = http(header, &start[..start.len().min(PEEK)]);
    media_of(&content_type(header, http), rest).is_some()
}

/// The HTTP header in a record, if it has one, and the bytes after it.
fn http<'a>(header: Header, block: &'a [u8]) -> (Option<Header<'a>>, &'a [u8]) {
    let is_http = header.get("Content-Type").is_some_and(|kind| kind.starts_with("application/http"));
    match Header::split(block) {
        Some((http, end)) if is_http && block.starts_with(b"HTTP/") => (Some(http), &block[end..]),
        _ => (None, block),
    }
}

fn content_type(header: Header, http: Option<Header>) -> String {
    http.unwrap_or(header).get("Content-Type").unwrap_or_default().into_owned()
}

/// Whether the media type is that of a page; `None` if it is neither a page nor plain text. Without a media type, content that begins
/// with a tag is a page.
fn media_of(content_type: &str, start: &[u8]) -> Option<bool> {
    let media = content_type.split(';').next().unwrap_or_default().trim();
    let is = |known: &str| media.eq_ignore_ascii_case(known);
    if is("text/html") || is("application/xhtml+xml") {
        Some(true)
    } else if is("text/plain") {
        Some(false)
    } else if media.is_empty() || is("application/http") {
        start.trim_ascii_start().starts_with(b"<").then_some(true)
    } else {
        None
    }
}

impl Payload {
    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Extracts the content of a record with this header and block. The error is a message for the user.
    pub(crate) fn read(&mut self, header: Header, block: &[u8], most: usize) -> Result<(), String> {
        let (http, body) = http(header, block);
        self.content_type = content_type(header, http);
        self.is_page = media_of(&self.content_type, body).unwrap_or_default();
        self.bytes.clear();
        self.bytes.extend_from_slice(body);
        // The crawler truncated it on purpose: use what is there.
        let is_cut = header.get("WARC-Truncated").is_some();
        if let Some(http) = http {
            let field = |name| http.get(name).unwrap_or_default().to_ascii_lowercase();
            if field("Transfer-Encoding").contains("chunked") {
                self.undo_chunks(is_cut)?;
            }
            // Undo the last encoding first.
            for coding in field("Content-Encoding").split(',').rev() {
                self.undo_coding(coding.trim(), most, is_cut)?;
            }
        }
        if self.bytes.len() > most {
            return Err(format!("the page has {} bytes, more than --max-document allows", self.bytes.len()));
        }
        Ok(())
    }

    fn undo_chunks(&mut self, is_cut: bool) -> Result<(), String> {
        if chunk(&self.bytes).is_none() {
            return Ok(());
        }
        self.spare.clear();
        let mut rest = &self.bytes[..];
        let is_whole = loop {
            let Some((size, start)) = chunk(rest) else { break false };
            rest = &rest[start..];
            if size == 0 {
                break true;
            }
            let there = &rest[..size.min(rest.len())];
            self.spare.extend_from_slice(there);
            if there.len() < size {
                break false;
            }
            rest = &rest[size..];
            rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
        };
        std::mem::swap(&mut self.bytes, &mut self.spare);
        if is_whole || is_cut { Ok(()) } else { Err("the page is truncated: its last chunk is incomplete".to_string()) }
    }

    fn undo_coding(&mut self, coding: &str, most: usize, is_cut: bool) -> Result<(), String> {
        let bytes = &self.bytes[..];
        let mut decoder: Box<dyn Read> = match coding {
            "gzip" | "x-gzip" if bytes.starts_with(&[0x1f, 0x8b]) => Box::new(MultiGzDecoder::new(bytes)),
            "zstd" if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => match zstd::Decoder::with_buffer(bytes) {
                Ok(decoder) => Box::new(decoder),
                Err(error) => return Err(format!("the page cannot be decompressed ({error})")),
            },
            // Some servers send it with a zlib header, as the standard says, and some without.
            "deflate" if is_zlib(bytes) => Box::new(ZlibDecoder::new(bytes)),
            "deflate" if !looks_like_text(bytes) => Box::new(DeflateDecoder::new(bytes)),
            "br" | "compress" | "x-compress" if !looks_like_text(bytes) => {
                return Err(format!("the page has the encoding '{coding}', which is not supported"));
            }
            _ => return Ok(()),
        };
        self.spare.clear();
        let read = read_most(&mut *decoder, most, &mut self.spare);
        drop(decoder);
        std::mem::swap(&mut self.bytes, &mut self.spare);
        match read {
            Err(error) if !is_cut => Err(format!("the page cannot be decompressed ({error})")),
            _ => Ok(()),
        }
    }
}

/// Reads at most one byte more than `most`, to detect content that is too long.
fn read_most(decoder: &mut dyn Read, most: usize, out: &mut Vec<u8>) -> io::Result<usize> {
    decoder.take((most as u64).saturating_add(1)).read_to_end(out)
}

/// The size of the chunk at the start of `bytes`, and the offset of its content.
fn chunk(bytes: &[u8]) -> Option<(usize, usize)> {
    /// The most bytes of the line with the size.
    const LONGEST_LINE: usize = 1024;
    let end = memchr(b'\n', &bytes[..bytes.len().min(LONGEST_LINE)])?;
    let digits = bytes[..end].split(|&byte| byte == b';').next()?.trim_ascii();
    let size = usize::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    digits[0].is_ascii_hexdigit().then_some((size, end + 1))
}

fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..] if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31))
}

fn looks_like_text(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first().is_none_or(|&byte| byte == b'<')
}
