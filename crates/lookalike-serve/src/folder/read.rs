//! Which text is in a file?

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use lookalike::engine::decode;
use lookalike_io::extract::{Extracted, Extraction, Extractor};
use lookalike_io::{Content, Format, Page, PageBody};
use rustix::fs::OFlags;

use super::stamp::{Stamp, look};

/// The result of reading a file.
#[derive(Debug, PartialEq)]
pub(super) enum Reading {
    /// A document: its text and its set.
    Document { stamp: Stamp, text: String, set: Vec<u64> },
    /// The path no longer exists, or is a folder.
    Nothing,
    /// The file changed while it was read.
    Unfinished,
    /// The file is not a document, for this reason.
    Bad(String),
}

/// Reads files one after another.
pub(super) struct Reader {
    extractor: Extractor,
    /// The format of every file; by default, name and content decide.
    format: Option<Format>,
    max_document: usize,
}

impl Reader {
    pub(super) fn new(extraction: Extraction, format: Option<Format>, max_document: usize) -> Reader {
        Reader { extractor: Extractor::new(extraction), format, max_document }
    }

    /// Reads a file as a page, if its name or its beginning says so, or as a text.
    pub(super) fn read(&mut self, path: &Path) -> Reading {
        let cannot = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Reading::Nothing,
            _ => Reading::Bad(format!("cannot be read: {error}")),
        };
        match look(path) {
            Ok(Some(data)) if data.is_file() => (),
            Ok(Some(data)) if data.is_symlink() => return Reading::Bad("is a symbolic link".to_string()),
            Ok(Some(data)) if !data.is_dir() => return Reading::Bad("is not a regular file".to_string()),
            Ok(_) => return Reading::Nothing,
            Err(error) => return cannot(error),
        }
        let (stamp, bytes) = match self.bytes(path) {
            Ok(Some(read)) => read,
            Ok(None) => return Reading::Unfinished,
            Err(error) => return cannot(error),
        };
        if bytes.len() > self.max_document {
            return Reading::Bad(format!("is longer than the {} bytes that --max-document allows", self.max_document));
        }
        let is_page = match self.format {
            Some(format) => format == Format::Html,
            None => is_named_page(path) || begins_as_page(&bytes),
        };
        let content = if is_page {
            Content::Page(Page { body: PageBody::Bytes(&bytes, None), url: None })
        } else {
            match std::str::from_utf8(&bytes) {
                Ok(text) => Content::Text(text),
                Err(error) => return Reading::Bad(format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1)),
            }
        };
        match self.extractor.extract_content(&content, None) {
            Extracted::Document(mut document) => {
                let set = document.set().to_vec();
                Reading::Document { stamp, text: document.text.to_string(), set }
            }
            Extracted::Unusable(reason) | Extracted::Unreadable(reason) => Reading::Bad(reason.to_string()),
        }
    }

    /// The bytes of a regular file, at most one more than allowed. `None` if the file changed while it was read.
    fn bytes(&self, path: &Path) -> io::Result<Option<(Stamp, Vec<u8>)>> {
        let file = open(path)?;
        let before = file.metadata()?;
        if !before.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        (&file).take(self.max_document as u64 + 1).read_to_end(&mut bytes)?;
        let (before, after) = (Stamp::of(&before), Stamp::of(&file.metadata()?));
        Ok((before == after).then_some((before, bytes)))
    }
}

/// Whether a name is that of a page. Names of compressed files are not, because they are not decompressed here.
fn is_named_page(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    Format::of_name(&Path::new("file").with_extension(ending)) == Some(Format::Html)
}

/// Bytes at the beginning of a file that decide whether it is a page.
const BEGINNING: usize = 256;

/// Whether the content of a file begins like a page.
fn begins_as_page(bytes: &[u8]) -> bool {
    let text = decode(&bytes[..bytes.len().min(BEGINNING)], None, true);
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let begins = |with: &str| begin.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    ["<?xml", "<!doctype", "<html"].into_iter().any(begins)
}

/// Opens a file for reading. If a symbolic link or a pipe has taken its place, does not follow it or wait for it.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_page() {
        for name in ["a.html", "a.HTM", "a.xhtml", "a.xml", "a.b.Xml"] {
            assert!(is_named_page(Path::new(name)), "{name}");
        }
        for name in ["a", "a.txt", "a.json", "html", ".html", "a.html.gz", "a.xml.zst"] {
            assert!(!is_named_page(Path::new(name)), "{name}");
        }
        let wide: Vec<u8> = "\u{feff}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let pages: [&[u8]; 6] =
            [b"<?xml version=\"1.0\"?><a>", b"\xef\xbb\xbf<?xml", b" \n<!DOCTYPE html>", b"<HTML>", b"<html", &wide];
        assert!(pages.into_iter().all(begins_as_page));
        let texts: [&[u8]; 6] = [b"", b"<", b"<htm", b"a <html>", b"< html>", b"\xff\xfe"];
        assert!(!texts.into_iter().any(begins_as_page));
    }
}
