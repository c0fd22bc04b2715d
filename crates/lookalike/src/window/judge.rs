//! Which documents of the window does a document resemble?

use std::convert::Infallible;

use super::candidate::Candidate;
use super::compare_with::CompareWith;
use super::set_window::SetWindow;
use super::verdict::{DocumentRef, SetMatch, SetVerdict, VerdictKind};
use crate::sets::is_set;

impl SetWindow {
    /// Compares a document's set with the window, then adds it. `time` is in milliseconds from any origin.
    ///
    /// A document with an empty set resembles nothing, and a document older than the window is not compared. Neither is
    /// added.
    ///
    /// # Panics
    ///
    /// If the set is not ascending and distinct, as in [`SetWindow::restore`] and [`SetWindow::query`]; or if a segment
    /// would have 2³² documents, or the window 2³² distinct elements.
    pub fn add(&mut self, set: &[u64], time: i64) -> SetVerdict {
        let Ok((verdict, ())) = self.add_if(set, time, |_| Ok::<(), Infallible>(()));
        verdict
    }

    /// Like [`SetWindow::add`], but adds the document only if `allow`, called with the verdict, returns `Ok`; that
    /// value is returned too. After an error the window is unchanged.
    pub fn add_if<T, E>(
        &mut self,
        set: &[u64],
        time: i64,
        allow: impl FnOnce(&SetVerdict) -> Result<T, E>,
    ) -> Result<(SetVerdict, T), E> {
        let segment = self.span.segment(time);
        if self.newest.is_some_and(|newest| segment <= newest) {
            return self.judge(set, time, allow);
        }
        // This document advances the time, and dropped segments cannot be restored. So compare it first, which changes
        // nothing.
        let mut verdict = self.query(set, time);
        verdict.document = self.next_place(set, segment, verdict.kind);
        let said = allow(&verdict)?;
        self.pass_to(segment);
        self.judge(set, time, |_| Ok(said))
    }

    /// Compares a document that does not advance the time, and adds it if `allow` returns `Ok`.
    fn judge<T, E>(
        &mut self,
        set: &[u64],
        time: i64,
        allow: impl FnOnce(&SetVerdict) -> Result<T, E>,
    ) -> Result<(SetVerdict, T), E> {
        let segment = self.span.segment(time);
        let (verdict, said) = match self.without_looking(set, segment) {
            Some(verdict) => {
                let said = allow(&verdict)?;
                (verdict, said)
            }
            None => {
                self.index.take(set);
                let mut verdict = self.compare(set, time);
                verdict.document = self.next_place(set, segment, verdict.kind);
                let allowed = allow(&verdict);
                if allowed.is_err() || verdict.document.is_none() {
                    self.index.release();
                }
                (verdict, allowed?)
            }
        };
        self.arrivals += 1;
        if verdict.document.is_some() {
            self.enter(set, segment, time);
        }
        Ok((verdict, said))
    }

    /// Returns where a document of this kind is stored, if later ones are to be compared with it.
    fn next_place(&self, set: &[u64], segment: i64, kind: VerdictKind) -> Option<DocumentRef> {
        let is_taken = !set.is_empty() && (kind == VerdictKind::New || self.compare_with == CompareWith::All);
        is_taken.then(|| DocumentRef { segment, slot: self.slots(segment) as u32 })
    }

    /// Adds a document again without comparing it, to rebuild a window. `taken` is whether it was added the first time.
    /// The same documents in the same order make the same window.
    pub fn restore(&mut self, set: &[u64], time: i64, taken: bool) -> Option<DocumentRef> {
        let segment = self.arrive(time);
        if !taken || self.without_looking(set, segment).is_some() {
            return None;
        }
        self.index.take(set);
        Some(self.enter(set, segment, time))
    }

    /// Counts an arrival, which may advance the time. Returns its segment.
    fn arrive(&mut self, time: i64) -> i64 {
        let segment = self.span.segment(time);
        self.pass_to(segment);
        self.arrivals += 1;
        segment
    }

    /// Adds a document whose elements the index has taken.
    fn enter(&mut self, set: &[u64], segment: i64, time: i64) -> DocumentRef {
        let documents = self.segments.entry(segment).or_default();
        let at = DocumentRef { segment, slot: documents.push(set.len() as u32, time, self.arrivals) };
        self.index.enter(at, set, &self.threshold);
        at
    }

    /// Compares a document with the window without adding it. It does not advance the time.
    pub fn query(&mut self, set: &[u64], time: i64) -> SetVerdict {
        if let Some(verdict) = self.without_looking(set, self.span.segment(time)) {
            return verdict;
        }
        self.index.look_up(set);
        self.compare(set, time)
    }

    /// The verdict on a document that is empty, or older than the window.
    fn without_looking(&self, set: &[u64], segment: i64) -> Option<SetVerdict> {
        assert!(is_set(set), "the set of a document is ascending and distinct");
        let is_old = self.oldest().is_some_and(|oldest| segment < oldest);
        let kind = if is_old { VerdictKind::Old } else { VerdictKind::New };
        (is_old || set.is_empty()).then(|| SetVerdict { kind, document: None, matches: Vec::new() })
    }

    /// The verdict on a document that the index has looked up.
    fn compare(&mut self, set: &[u64], time: i64) -> SetVerdict {
        let (segment, reach) = (self.span.segment(time), self.span.segments());
        let among = segment.saturating_sub(reach)..=segment.saturating_add(reach);
        self.found.clear();
        let sizes = |at: DocumentRef| self.segments[&at.segment].size(at.slot);
        self.index.find(set, among, &self.threshold, sizes, &mut self.found);
        self.verdict(set.len() as u32, time)
    }

    /// The verdict from what was found.
    fn verdict(&self, size: u32, time: i64) -> SetVerdict {
        let mut matches: Vec<(bool, u64, u32, SetMatch)> = self
            .found
            .iter()
            .map(|&Candidate { at, common }| {
                let segment = &self.segments[&at.segment];
                let other = segment.size(at.slot);
                let is_equal = common == size && common == other;
                let similarity = self.threshold.similarity(common, size, other);
                let age = time.saturating_sub(segment.time(at.slot).unwrap_or(time));
                (is_equal, segment.arrival(at.slot), common, SetMatch { document: at, similarity, age })
            })
            .collect();
        // Identical documents first, then by similarity; ties go to the earliest.
        matches.sort_by(|one, two| {
            let size_of = |of: &SetMatch| self.segments[&of.document.segment].size(of.document.slot);
            let by_similarity = self.threshold.compare(size, (two.2, size_of(&two.3)), (one.2, size_of(&one.3)));
            two.0.cmp(&one.0).then(by_similarity).then(one.1.cmp(&two.1))
        });
        let kind = match matches.first() {
            None => VerdictKind::New,
            Some((true, ..)) => VerdictKind::Exact,
            Some(_) => VerdictKind::Near,
        };
        SetVerdict { kind, document: None, matches: matches.into_iter().map(|(_, _, _, found)| found).collect() }
    }
}
