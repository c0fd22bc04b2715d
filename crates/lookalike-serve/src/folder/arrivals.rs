//! Which files are complete?
//!
//! Where the operating system sends events, a file is complete when it was closed after writing, moved in, or linked. Files without events
//! (those that were there before, or all files on other systems) are looked at twice: a file is complete if it has not changed after an
//! interval.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::error::{FolderError, at};
use super::names::is_ignored;
use super::settings::How;
use super::signals::{Signal, SignalReceiver};
use super::stamp::{Seen, look};

/// A file that was seen.
pub(super) struct Found {
    pub(super) seen: Seen,
    pub(super) name: OsString,
}

impl Found {
    /// Files that are there at the same time are judged by time, then by name.
    fn order(&self) -> (&impl Ord, &OsStr) {
        (self.seen.stamp.modified(), &self.name)
    }
}

/// The changes in a folder.
#[derive(Default)]
pub(super) struct Arrived {
    /// Complete files, in the order in which to judge them.
    pub(super) complete: Vec<Found>,
    /// Incomplete files, if the watch does not wait for them.
    pub(super) unfinished: Vec<Found>,
    /// The names of removed files.
    pub(super) gone: Vec<OsString>,
}

type Look = HashMap<OsString, Seen>;

/// The files of a folder as they come.
pub(super) struct Arrivals {
    folder: PathBuf,
    interval: Duration,
    how: How,
    signals: SignalReceiver,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    _notifier: Option<super::inotify::Notifier>,
    /// The files of the last listing.
    before: Option<Look>,
}

impl Arrivals {
    /// Starts to watch a folder. If the operating system cannot send events, the folder is polled, and the reason is returned.
    pub(super) fn new(
        folder: PathBuf,
        how: How,
        interval: Duration,
        signals: SignalReceiver,
    ) -> (Arrivals, Option<String>) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            let mut arrivals = Arrivals { folder, interval, how, signals, _notifier: None, before: None };
            if arrivals.how == How::Notified {
                match super::inotify::Notifier::new(&arrivals.folder, arrivals.signals.sender()) {
                    Ok(notifier) => arrivals._notifier = Some(notifier),
                    Err(reason) => {
                        arrivals.how = How::Polling;
                        return (arrivals, Some(reason));
                    }
                }
            }
            (arrivals, None)
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        {
            let how = if how == How::Notified { How::Polling } else { how };
            (Arrivals { folder, interval, how, signals, before: None }, None)
        }
    }

    /// Whether the watch is to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// Waits for new files. `is_refused` returns whether a file could not be judged before. `None` when the watch is to stop.
    pub(super) fn next(&mut self, is_refused: impl Fn(&OsStr) -> bool) -> Result<Option<Arrived>, FolderError> {
        let mut arrived = Arrived::default();
        let mut named = BTreeSet::new();
        match (&self.how, self.before.is_some()) {
            (How::Once, true) => return Ok(None),
            (_, false) => self.look_twice(&mut arrived, &mut named, &is_refused)?,
            (How::Polling, true) => {
                self.receive(&mut arrived, &mut named, &is_refused, Some(Instant::now() + self.interval));
                self.look_again(&mut arrived)?;
            }
            (How::Notified, true) => {
                if self.receive(&mut arrived, &mut named, &is_refused, None) {
                    self.look_twice(&mut arrived, &mut named, &is_refused)?;
                }
            }
        }
        if self.is_stopped() {
            return Ok(None);
        }
        arrived.complete.retain(|found| !named.contains(&found.name));
        for name in named {
            let path = self.folder.join(&name);
            if let Some(data) = look(&path).map_err(at(&path))?.filter(|data| !data.is_dir()) {
                arrived.complete.push(Found { seen: Seen::of(&data), name });
            }
        }
        arrived.complete.sort_unstable_by(|one, two| one.order().cmp(&two.order()));
        Ok(Some(arrived))
    }

    /// Lists the folder twice, an interval apart, and finds the files that did not change.
    fn look_twice(
        &mut self,
        arrived: &mut Arrived,
        named: &mut BTreeSet<OsString>,
        is_refused: &impl Fn(&OsStr) -> bool,
    ) -> Result<(), FolderError> {
        loop {
            self.before = Some(self.look()?);
            let must_look = self.receive(arrived, named, is_refused, Some(Instant::now() + self.interval));
            *arrived = Arrived { gone: std::mem::take(&mut arrived.gone), ..Arrived::default() };
            self.look_again(arrived)?;
            if !must_look || self.is_stopped() {
                return Ok(());
            }
        }
    }

    /// Lists the folder, and finds the files that did not change since the last listing.
    fn look_again(&mut self, arrived: &mut Arrived) -> Result<(), FolderError> {
        let now = self.look()?;
        let before = self.before.take().unwrap_or_default();
        for (name, seen) in &now {
            let found = Found { seen: seen.clone(), name: name.clone() };
            match before.get(name) {
                Some(same) if same == seen => arrived.complete.push(found),
                Some(_) if self.how == How::Once => arrived.unfinished.push(found),
                _ => (),
            }
        }
        arrived.gone.extend(before.into_keys().filter(|name| !now.contains_key(name)));
        // With events, the listing is not needed again.
        self.before = Some(if self.how == How::Polling { now } else { Look::new() });
        Ok(())
    }

    /// Receives signals until a deadline; without one, waits for one signal and takes those that are pending. Returns whether the folder
    /// must be listed.
    fn receive(
        &self,
        arrived: &mut Arrived,
        named: &mut BTreeSet<OsString>,
        is_refused: &impl Fn(&OsStr) -> bool,
        mut until: Option<Instant>,
    ) -> bool {
        let mut must_look = false;
        while let Some(signal) = self.signals.next(until) {
            let name = match signal {
                Signal::Complete(name) => Some(name),
                Signal::Created(name) => self.is_complete(&name).then_some(name),
                Signal::Changed(name) => is_refused(&name).then_some(name),
                Signal::Gone(name) => {
                    named.remove(&name);
                    arrived.gone.push(name);
                    None
                }
                Signal::Look | Signal::Stop => {
                    must_look = true;
                    None
                }
            };
            named.extend(name.filter(|name| !is_ignored(name)));
            // Take the pending signals, but do not wait for more.
            until.get_or_insert_with(Instant::now);
        }
        must_look
    }

    /// Whether a file that has just been created is complete: a hard link, or not a regular file.
    fn is_complete(&self, name: &OsStr) -> bool {
        let data = look(&self.folder.join(name));
        data.is_ok_and(|data| data.is_some_and(|data| !data.is_file() || data.nlink() > 1))
    }

    /// Lists the files of the folder.
    fn look(&self) -> Result<Look, FolderError> {
        let mut found = Look::new();
        for entry in self.folder.read_dir().map_err(at(&self.folder))? {
            let entry = entry.map_err(at(&self.folder))?;
            let name = entry.file_name();
            if is_ignored(&name) {
                continue;
            }
            let path = entry.path();
            if let Some(data) = look(&path).map_err(at(&path))?.filter(|data| !data.is_dir()) {
                found.insert(name, Seen::of(&data));
            }
        }
        Ok(found)
    }
}
