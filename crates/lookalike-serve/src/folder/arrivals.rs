//! Which files are there, and whole.
//!
//! Where the operating system tells, a file is whole when it was closed after it was written, or moved in, or linked. What it does not
//! tell of (what was there before the watch began; everything, where it tells nothing) is looked at twice: a file is whole if it is
//! the same an interval later.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::bell::{Ring, Rings};
use super::folders::{FolderError, at};
use super::names::is_passed_over;
use super::stamp::{Seen, look};

/// How a watch learns of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By looking once, and again an interval later.
    Once,
    /// By looking again and again.
    Polling,
    /// By being told.
    Told,
}

/// A file that was seen.
pub(super) struct Found {
    pub(super) seen: Seen,
    pub(super) name: OsString,
}

impl Found {
    /// Those that are there together are taken by their times, and then by their names.
    fn order(&self) -> (&impl Ord, &OsStr) {
        (self.seen.stamp.modified(), &self.name)
    }
}

/// What is new.
#[derive(Default)]
pub(super) struct Arrived {
    /// Files that are whole, in the order in which they are to be judged.
    pub(super) whole: Vec<Found>,
    /// Those that are not, if they are not waited for.
    pub(super) unfinished: Vec<Found>,
    /// Names that are not there any more.
    pub(super) gone: Vec<OsString>,
}

type Look = HashMap<OsString, Seen>;

/// The files of a folder as they come.
pub(super) struct Arrivals {
    folder: PathBuf,
    interval: Duration,
    how: How,
    rings: Rings,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    _notifier: Option<super::inotify::Notifier>,
    /// What was there the last time.
    before: Option<Look>,
}

impl Arrivals {
    /// Begins to watch a folder; by looking again and again, if that is wanted, or if nobody tells. Then it says why.
    pub(super) fn new(folder: PathBuf, how: How, interval: Duration, rings: Rings) -> (Arrivals, Option<String>) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            let mut arrivals = Arrivals { folder, interval, how, rings, _notifier: None, before: None };
            if arrivals.how == How::Told {
                match super::inotify::Notifier::new(&arrivals.folder, arrivals.rings.bell()) {
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
            let how = if how == How::Told { How::Polling } else { how };
            (Arrivals { folder, interval, how, rings, before: None }, None)
        }
    }

    /// Whether it is to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.rings.is_stopped()
    }

    /// Waits for something new. `is_refused` tells whether a file could not be taken, and may be now. None at the end.
    pub(super) fn next(&mut self, is_refused: impl Fn(&OsStr) -> bool) -> Result<Option<Arrived>, FolderError> {
        let mut arrived = Arrived::default();
        let mut told = BTreeSet::new();
        match (&self.how, self.before.is_some()) {
            (How::Once, true) => return Ok(None),
            (_, false) => self.look_twice(&mut arrived, &mut told, &is_refused)?,
            (How::Polling, true) => {
                self.hear(&mut arrived, &mut told, &is_refused, Some(Instant::now() + self.interval));
                self.look_again(&mut arrived)?;
            }
            (How::Told, true) => {
                if self.hear(&mut arrived, &mut told, &is_refused, None) {
                    self.look_twice(&mut arrived, &mut told, &is_refused)?;
                }
            }
        }
        if self.is_stopped() {
            return Ok(None);
        }
        arrived.whole.retain(|found| !told.contains(&found.name));
        for name in told {
            let path = self.folder.join(&name);
            if let Some(data) = look(&path).map_err(at(&path))?.filter(|data| !data.is_dir()) {
                arrived.whole.push(Found { seen: Seen::of(&data), name });
            }
        }
        arrived.whole.sort_unstable_by(|one, two| one.order().cmp(&two.order()));
        Ok(Some(arrived))
    }

    /// What is the same an interval later.
    fn look_twice(
        &mut self,
        arrived: &mut Arrived,
        told: &mut BTreeSet<OsString>,
        is_refused: &impl Fn(&OsStr) -> bool,
    ) -> Result<(), FolderError> {
        loop {
            self.before = Some(self.look()?);
            let must_look = self.hear(arrived, told, is_refused, Some(Instant::now() + self.interval));
            *arrived = Arrived { gone: std::mem::take(&mut arrived.gone), ..Arrived::default() };
            self.look_again(arrived)?;
            if !must_look || self.is_stopped() {
                return Ok(());
            }
        }
    }

    /// What is the same as the last time.
    fn look_again(&mut self, arrived: &mut Arrived) -> Result<(), FolderError> {
        let now = self.look()?;
        let before = self.before.take().unwrap_or_default();
        for (name, seen) in &now {
            let found = Found { seen: seen.clone(), name: name.clone() };
            match before.get(name) {
                Some(same) if same == seen => arrived.whole.push(found),
                Some(_) if self.how == How::Once => arrived.unfinished.push(found),
                _ => (),
            }
        }
        arrived.gone.extend(before.into_keys().filter(|name| !now.contains_key(name)));
        // Whoever is told need not remember.
        self.before = Some(if self.how == How::Polling { now } else { Look::new() });
        Ok(())
    }

    /// Listens up to a moment, or for one thing and what comes with it. Whether all must be looked at.
    fn hear(
        &self,
        arrived: &mut Arrived,
        told: &mut BTreeSet<OsString>,
        is_refused: &impl Fn(&OsStr) -> bool,
        mut until: Option<Instant>,
    ) -> bool {
        let mut must_look = false;
        while let Some(ring) = self.rings.next(until) {
            let name = match ring {
                Ring::Whole(name) => Some(name),
                Ring::Made(name) => self.is_complete(&name).then_some(name),
                Ring::Changed(name) => is_refused(&name).then_some(name),
                Ring::Gone(name) => {
                    told.remove(&name);
                    arrived.gone.push(name);
                    None
                }
                Ring::Look | Ring::Stop => {
                    must_look = true;
                    None
                }
            };
            told.extend(name.filter(|name| !is_passed_over(name)));
            // What is said already is heard to the end.
            until.get_or_insert_with(Instant::now);
        }
        must_look
    }

    /// Whether a name that has just been made is not that of a file which is being written.
    fn is_complete(&self, name: &OsStr) -> bool {
        let data = look(&self.folder.join(name));
        data.is_ok_and(|data| data.is_some_and(|data| !data.is_file() || data.nlink() > 1))
    }

    /// All files of the folder.
    fn look(&self) -> Result<Look, FolderError> {
        let mut found = Look::new();
        for entry in self.folder.read_dir().map_err(at(&self.folder))? {
            let entry = entry.map_err(at(&self.folder))?;
            let name = entry.file_name();
            if is_passed_over(&name) {
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
