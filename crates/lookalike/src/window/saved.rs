//! How is a window saved and loaded?
//!
//! The content of memory is written list by list, as little-endian numbers; each part of a window writes and reads
//! itself. The bytes are only valid for a program that enters documents in the same way, hence the [`VERSION`]. So keep
//! the documents too. Loading does not validate the bytes; use a checksum if they may be damaged.

use std::io::{self, ErrorKind, Read, Write};

use super::numbers::{put, take, take_by_segment, take_one};
use super::segment::Segment;
use super::set_window::SetWindow;

/// The version of the format. Increase it with every change of the content of memory or of what is entered.
const VERSION: u32 = 1;

impl SetWindow {
    /// Writes the whole window. Only a [prefix](super::WindowIndex::Prefix) index can be saved.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        let index = self.index.as_prefix().ok_or(ErrorKind::Unsupported)?;
        put(out, self.settings().bytes())?;
        put(out, self.newest.into_iter())?;
        put(out, [self.arrivals].into_iter())?;
        put(out, self.segments.keys().copied())?;
        self.segments.values().try_for_each(|segment| segment.save(out))?;
        index.save(out)
    }

    /// Fills an empty window from a saved one. Returns an error if the settings differ.
    pub fn load(&mut self, from: &mut impl Read) -> io::Result<()> {
        if take::<u8>(from)? != self.settings().as_bytes() {
            return Err(ErrorKind::InvalidData.into());
        }
        let index = self.index.as_prefix_mut().ok_or(ErrorKind::Unsupported)?;
        self.newest = take(from)?.first().copied();
        self.arrivals = take_one(from)?;
        self.segments = take_by_segment(from, Segment::load)?;
        index.load(from)
    }

    /// The settings that must be equal.
    fn settings(&self) -> String {
        let SetWindow { threshold, span, compare_with, .. } = self;
        format!("{VERSION} {threshold:?} {span:?} {compare_with:?}")
    }
}
