//! Windows written down, so that they need not be made again.
//!
//! What lies in memory is written list by list, in numbers of little endian; each part of a window knows how to write and to read itself.
//! Nothing of it means anything to a program that would have entered the same documents otherwise: hence the [`VERSION`], and hence
//! whoever keeps such bytes keeps the documents too. What is read is believed; whoever cannot be sure of the bytes checks them first.

use std::io::{self, ErrorKind, Read, Write};

use super::numbers::{put, take, take_by_segment, take_one};
use super::segment::Segment;
use super::set_window::SetWindow;

/// Counts the ways in which windows were written. Another one begins with every change of what lies in memory, or of what is entered.
const VERSION: u32 = 1;

impl SetWindow {
    /// Writes down all that is in it. Only an index by [prefix](super::IndexKind::Prefix) can be written.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        let index = self.index.as_prefix().ok_or(ErrorKind::Unsupported)?;
        put(out, self.settings().bytes())?;
        put(out, self.newest.into_iter())?;
        put(out, [self.arrivals].into_iter())?;
        put(out, self.segments.keys().copied())?;
        self.segments.values().try_for_each(|segment| segment.save(out))?;
        index.save(out)
    }

    /// Fills an empty window with what one of the same settings wrote; an error if it has others.
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

    /// What must be the same for both.
    fn settings(&self) -> String {
        let SetWindow { threshold, span, compare_with, .. } = self;
        format!("{VERSION} {threshold:?} {span:?} {compare_with:?}")
    }
}
