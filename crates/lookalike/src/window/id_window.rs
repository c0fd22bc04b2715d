//! Which ids do the documents of a window have?

use std::collections::BTreeMap;

use super::{DocumentRef, SetVerdict, SetWindow, Verdict};

/// A sliding window over sets, whose documents have ids.
pub struct IdWindow {
    window: SetWindow,
    /// By segment, the ids of its documents.
    ids: BTreeMap<i64, Vec<Box<str>>>,
}

impl IdWindow {
    /// Gives ids to the documents of a window, which must be empty.
    pub fn new(window: SetWindow) -> IdWindow {
        IdWindow { window, ids: BTreeMap::new() }
    }

    /// Compares a document with the window, then adds it: see [`SetWindow::add`].
    pub fn add(&mut self, id: &str, set: &[u64], time: i64) -> SetVerdict {
        let verdict = self.window.add(set, time);
        if let Some(at) = verdict.document {
            self.ids.entry(at.segment).or_default().push(id.into());
        }
        let oldest = self.window.oldest().unwrap_or(i64::MIN);
        while self.ids.first_key_value().is_some_and(|(&segment, _)| segment < oldest) {
            self.ids.pop_first();
        }
        verdict
    }

    /// Compares a document with the window without adding it.
    pub fn query(&mut self, set: &[u64], time: i64) -> SetVerdict {
        self.window.query(set, time)
    }

    /// Returns a verdict that this window has just given, with ids.
    pub fn named(&self, id: &str, verdict: &SetVerdict) -> Verdict {
        Verdict::new(id, verdict, |at: DocumentRef| &self.ids[&at.segment][at.slot as usize])
    }

    /// Returns the number of documents in the window.
    pub fn len(&self) -> usize {
        self.window.len()
    }

    /// Returns the bytes of the documents and their ids. The index over all segments is not included.
    pub fn bytes(&self) -> usize {
        let sets: usize = self.window.segments().map(|(segment, _)| self.window.segment_bytes(segment)).sum();
        let ids: usize = self.ids.values().flatten().map(|id| size_of::<Box<str>>() + id.len()).sum();
        sets + ids
    }

    /// Returns whether the window is empty.
    pub fn is_empty(&self) -> bool {
        self.window.is_empty()
    }
}
