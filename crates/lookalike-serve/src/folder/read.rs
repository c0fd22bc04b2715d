//! A file read into a text, if it is one.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use lookalike::text::decode;
use lookalike::text::html::{PageReader, PageRule};
use rustix::fs::OFlags;

use super::stamp::{Stamp, look};

/// What came of reading a file.
#[derive(Debug, PartialEq)]
pub(super) enum Reading {
    /// A document.
    Text(Stamp, String),
    /// It is not there any more, or a folder.
    Nothing,
    /// It changed meanwhile.
    Unfinished,
    /// Why it is no document.
    Bad(String),
}

/// Reads files one after another.
pub(super) struct Reader {
    pages: PageReader,
    max_document: usize,
}

impl Reader {
    pub(super) fn new(page: PageRule, max_document: usize) -> Reader {
        Reader { pages: PageReader::new(page), max_document }
    }

    /// Reads a file: a page, if its name says so, or a text.
    pub(super) fn read(&mut self, path: &Path) -> Reading {
        let cannot = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Reading::Nothing,
            _ => Reading::Bad(format!("cannot be read: {error}")),
        };
        match look(path) {
            Ok(Some(data)) if data.is_file() => (),
            Ok(Some(data)) if data.is_symlink() => return Reading::Bad("is a symbolic link".to_string()),
            Ok(Some(data)) if !data.is_dir() => return Reading::Bad("is no regular file".to_string()),
            Ok(_) => return Reading::Nothing,
            Err(error) => return cannot(error),
        }
        let (stamp, bytes) = match self.bytes(path) {
            Ok(Some(read)) => read,
            Ok(None) => return Reading::Unfinished,
            Err(error) => return cannot(error),
        };
        if bytes.len() > self.max_document {
            return Reading::Bad(format!("has more than {} bytes, over --max-document", self.max_document));
        }
        if is_page(path) {
            return Reading::Text(stamp, self.pages.read(&decode(&bytes, None, true), None).to_string());
        }
        match String::from_utf8(bytes) {
            Ok(text) => Reading::Text(stamp, text),
            Err(error) => Reading::Bad(format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to() + 1)),
        }
    }

    /// The bytes of a regular file, and one more than may be if there are too many. None if they changed while they were read.
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

fn is_page(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["html", "htm", "xhtml"].iter().any(|page| ending.eq_ignore_ascii_case(page))
}

/// Opens a file to read it. What took its place since it was looked at is neither followed nor waited for.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}
