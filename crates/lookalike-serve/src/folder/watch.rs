//! What happens to a file, step by step?

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;

use lookalike::engine::SetWindow;
use lookalike::{Verdict, VerdictKind};

use super::arrivals::{Arrivals, Found};
use super::error::{FolderError, at};
use super::events::{Done, Event};
use super::linked::Linked;
use super::names;
use super::place::Placer;
use super::read::{Reader, Reading};
use super::settings::{How, Settings};
use super::signals::SignalReceiver;
use super::stamp::{Origin, Seen};
use crate::store::{Incoming, Opened, Store};

/// A watch on a folder.
pub struct Watch {
    settings: Settings,
    pub(super) store: Store,
    pub(super) placer: Placer,
    linked: Linked,
    reader: Reader,
    /// Files that could not be judged, as they were then. They are tried again when they change.
    refused: HashMap<OsString, Seen>,
    /// For names that came more than once, the last number that was appended.
    numbers: HashMap<String, u32>,
    done: Done,
}

type Report<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

impl Watch {
    /// Opens the folders and the store, and replays its log into `window`, which must be empty.
    pub fn open(settings: Settings, window: SetWindow) -> Result<(Watch, Opened), FolderError> {
        let folders = &settings.folders;
        folders.prepare()?;
        let (store, opened) = Store::open(&folders.data, window, settings.extraction.recipe)?;
        let watch = Watch {
            store,
            placer: Placer::new(folders.clone(), settings.link)?,
            linked: Linked::open(&folders.data.join("linked"), &folders.input)?,
            reader: Reader::new(settings.extraction.clone(), settings.format, settings.max_document),
            refused: HashMap::new(),
            numbers: HashMap::new(),
            done: Done::default(),
            settings,
        };
        Ok((watch, opened))
    }

    /// The number of stored documents.
    pub fn remembered(&self) -> usize {
        self.store.len()
    }

    /// Watches until a signal to stop comes, or `report` breaks.
    pub fn run(mut self, signals: SignalReceiver, report: &mut Report) -> Result<Done, FolderError> {
        if self.finish_last(report)?.is_break() {
            return Ok(self.done);
        }
        let Settings { folders, how, interval, .. } = &self.settings;
        let (mut arrivals, reason) = Arrivals::new(folders.input.clone(), how.clone(), *interval, signals);
        if report(Event::Watching(reason.as_deref())).is_break() {
            return Ok(self.done);
        }
        while let Some(arrived) = arrivals.next(|name| self.refused.contains_key(name))? {
            for name in &arrived.gone {
                self.refused.remove(name);
                self.linked.forget(name);
            }
            for found in arrived.complete {
                if arrivals.is_stopped() {
                    break;
                }
                if self.judge(found, report)?.is_break() {
                    return Ok(self.done);
                }
            }
            for found in arrived.unfinished {
                if self.leave(found, "is still being written", report).is_break() {
                    return Ok(self.done);
                }
            }
        }
        self.done.is_stopped = arrivals.is_stopped();
        self.store.close()?;
        Ok(self.done)
    }

    /// Moves the last document of the log to its place, if the run that judged it ended before that.
    fn finish_last(&mut self, report: &mut Report) -> Result<ControlFlow<()>, FolderError> {
        let Some(last) = self.store.last()? else { return Ok(ControlFlow::Continue(())) };
        // The log may be that of an HTTP service, whose documents are no files.
        let Some(origin) = last.source.and_then(|source| serde_json::from_str::<Origin>(&source).ok()) else {
            return Ok(ControlFlow::Continue(()));
        };
        let path = self.settings.folders.input.join(&origin.name);
        let is_finished = self.linked.has(OsStr::new(&origin.name), &origin.stamp);
        if is_finished || !origin.is_at(&path).map_err(at(&path))? {
            return Ok(ControlFlow::Continue(()));
        }
        self.finish(&origin, &last.verdict, report)
    }

    /// Judges a file, unless that has been done.
    fn judge(&mut self, found: Found, report: &mut Report) -> Result<ControlFlow<()>, FolderError> {
        let was_done = self.linked.has(&found.name, &found.seen.stamp);
        if was_done || self.refused.get(&found.name) == Some(&found.seen) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(name) = found.name.to_str().map(String::from) else {
            return Ok(self.leave(found, "has a name that is not UTF-8", report));
        };
        let (stamp, text, set) = match self.reader.read(&self.settings.folders.input.join(&name)) {
            Reading::Document { stamp, text, set } if stamp == found.seen.stamp => (stamp, text, set),
            Reading::Nothing => return Ok(ControlFlow::Continue(())),
            Reading::Bad(reason) => return Ok(self.leave(found, &reason, report)),
            // The file changed since it was seen. Unless this is the only look, it will be seen again.
            Reading::Document { .. } | Reading::Unfinished if self.settings.how != How::Once => {
                self.refused.insert(found.name, found.seen);
                return Ok(ControlFlow::Continue(()));
            }
            Reading::Document { .. } | Reading::Unfinished => {
                return Ok(self.leave(found, "is still being written", report));
            }
        };
        let id = self.free_id(&name)?;
        let time = stamp.time();
        let origin = Origin { name, stamp };
        let source = serde_json::to_string(&origin).expect("an origin is plain data");
        let verdict = self.store.add(Incoming { id, time, source: Some(source), text, set })?;
        self.store.commit()?;
        self.store.tidy()?;
        // Refused until it is in its place, because it may still change.
        self.refused.insert(found.name, found.seen);
        self.finish(&origin, &verdict, report)
    }

    /// Moves a judged file to its place.
    pub(super) fn finish(
        &mut self,
        origin: &Origin,
        verdict: &Verdict,
        report: &mut Report,
    ) -> Result<ControlFlow<()>, FolderError> {
        if !self.placer.place(origin, verdict)? {
            // Other documents must not be compared with one that is in no folder.
            self.store.remove(&verdict.id)?;
            self.store.commit()?;
            self.done.left += 1;
            let path = self.settings.folders.input.join(&origin.name);
            return Ok(report(Event::Left(&path, "was changed or removed while it was being judged")));
        }
        self.refused.remove(OsStr::new(&origin.name));
        if self.settings.link {
            self.linked.add(origin)?;
        }
        let Done { new, exact, near, old, .. } = &mut self.done;
        let counter = match verdict.kind {
            VerdictKind::New => new,
            VerdictKind::Exact => exact,
            VerdictKind::Near => near,
            _ => old,
        };
        *counter += 1;
        Ok(report(Event::Verdict(verdict)))
    }

    /// Leaves a file where it is, until it changes.
    fn leave(&mut self, found: Found, reason: &str, report: &mut Report) -> ControlFlow<()> {
        let path = self.settings.folders.input.join(&found.name);
        self.refused.insert(found.name, found.seen);
        self.done.left += 1;
        report(Event::Left(&path, reason))
    }

    /// An id for a file: its name, or a numbered variant that no document and no file has.
    pub(super) fn free_id(&mut self, name: &str) -> Result<String, FolderError> {
        let mut number = self.numbers.get(name).copied().unwrap_or(1);
        loop {
            let id = names::numbered(name, number);
            if !self.store.has(&id) && self.placer.is_free(&id)? {
                if number > 1 {
                    self.numbers.insert(name.to_string(), number);
                }
                return Ok(id);
            }
            number += 1;
        }
    }
}
