//! Which index does a window use?

use std::ops::RangeInclusive;

#[cfg(feature = "bitmaps")]
use super::bitmaps::Bitmaps;
use super::prefix::Prefix;
use crate::measure::Threshold;
use crate::window::candidate::Candidate;
use crate::window::span::Span;
use crate::window::verdict::DocumentRef;

/// How the documents of a window are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WindowIndex {
    /// By the rarest elements of each document, with exact filters.
    #[default]
    Prefix,
    /// The paper's: for each segment and element, a bitmap of its documents, and a counter for each document.
    #[cfg(feature = "bitmaps")]
    Bitmaps,
}

impl WindowIndex {
    /// Returns the name of the index.
    pub fn name(self) -> &'static str {
        match self {
            WindowIndex::Prefix => "prefix",
            #[cfg(feature = "bitmaps")]
            WindowIndex::Bitmaps => "bitmaps",
        }
    }
}

pub(in crate::window) enum Index {
    Prefix(Box<Prefix>),
    #[cfg(feature = "bitmaps")]
    Bitmaps(Bitmaps),
}

impl Index {
    pub(in crate::window) fn new(kind: WindowIndex, span: Span) -> Index {
        match kind {
            WindowIndex::Prefix => Index::Prefix(Box::new(Prefix::new(span.segments()))),
            #[cfg(feature = "bitmaps")]
            WindowIndex::Bitmaps => Index::Bitmaps(Bitmaps::default()),
        }
    }

    pub(in crate::window) fn kind(&self) -> WindowIndex {
        match self {
            Index::Prefix(_) => WindowIndex::Prefix,
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(_) => WindowIndex::Bitmaps,
        }
    }

    /// Returns the prefix index, if it is one.
    pub(in crate::window) fn as_prefix(&self) -> Option<&Prefix> {
        match self {
            Index::Prefix(index) => Some(index),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(_) => None,
        }
    }

    /// Returns the prefix index, if it is one, to be changed.
    pub(in crate::window) fn as_prefix_mut(&mut self) -> Option<&mut Prefix> {
        match self {
            Index::Prefix(index) => Some(index),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(_) => None,
        }
    }

    /// Looks up a set that will be compared, then entered or released.
    pub(in crate::window) fn take(&mut self, set: &[u64]) {
        match self {
            Index::Prefix(index) => index.take(set),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(_) => (),
        }
    }

    /// Releases a set that was taken and is not entered.
    pub(in crate::window) fn release(&mut self) {
        match self {
            Index::Prefix(index) => index.release(),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(_) => (),
        }
    }

    /// Looks up a set that is only compared.
    pub(in crate::window) fn look_up(&mut self, set: &[u64]) {
        match self {
            Index::Prefix(index) => index.look_up(set),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(_) => (),
        }
    }

    /// Enters the set that was taken.
    #[cfg_attr(not(feature = "bitmaps"), expect(unused_variables, reason = "only bitmaps need the set once more"))]
    pub(in crate::window) fn enter(&mut self, at: DocumentRef, set: &[u64], threshold: &Threshold) {
        match self {
            Index::Prefix(index) => index.enter(at, threshold),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(index) => index.insert(at, set),
        }
    }

    pub(in crate::window) fn remove(&mut self, at: DocumentRef) {
        match self {
            Index::Prefix(index) => index.remove(at),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(index) => index.remove(at),
        }
    }

    /// Bytes of a segment.
    pub(in crate::window) fn bytes(&self, segment: i64) -> usize {
        match self {
            Index::Prefix(index) => index.bytes(segment),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(index) => index.bytes(segment),
        }
    }

    /// Drops a segment. `is_live` returns whether a slot still has a document.
    pub(in crate::window) fn expire(&mut self, segment: i64, is_live: impl Fn(u32) -> bool) {
        match self {
            Index::Prefix(index) => index.expire(segment, is_live),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(index) => index.expire(segment),
        }
    }

    /// Finds the documents of these segments that reach the threshold with the set that was looked up.
    #[cfg_attr(not(feature = "bitmaps"), expect(unused_variables, reason = "only bitmaps need the set once more"))]
    pub(in crate::window) fn find(
        &mut self,
        set: &[u64],
        among: RangeInclusive<i64>,
        threshold: &Threshold,
        sizes: impl Fn(DocumentRef) -> u32,
        found: &mut Vec<Candidate>,
    ) {
        match self {
            Index::Prefix(index) => index.find(among, threshold, found),
            #[cfg(feature = "bitmaps")]
            Index::Bitmaps(index) => index.find(set, among, threshold, sizes, found),
        }
    }
}
