//! Documents that come as files in a folder, one a file: each is judged by the window, and goes to one folder or another with its verdict
//! beside it.
//!
//! One file after another: it is read, judged, written down in the log and synced, brought to its place, and told. So whenever the
//! process ends, at most the last document of the log may be on its way, and the next run begins by finishing that one: the file that
//! was judged is known again by its inode, size and time, and gets the verdict that is written down. A file that is not in the log was not
//! judged.
//!
//! | module | question |
//! |---|---|
//! | `names` | what are files called? |
//! | `stamp` | by what is one known again? |
//! | `bell`, `inotify` | who says that something happened? |
//! | `arrivals` | which files are there, and whole? |
//! | `read` | what does one say? |
//! | `place`, `disk` | how does it come to its place, and never over another? |
//! | `linked` | which have been judged, and stayed? |

mod arrivals;
mod bell;
mod disk;
mod folders;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod inotify;
mod linked;
mod names;
mod place;
mod read;
mod stamp;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use lookalike::engine::PageRule;
use lookalike::VerdictKind;
use lookalike::engine::SetWindow;
use lookalike::engine::{Recipe, SetMaker};
use lookalike::Verdict;
use lookalike_io::Format;

pub use arrivals::How;
use arrivals::{Arrivals, Found};
pub use bell::{Bell, Rings};
pub use folders::{FolderError, Folders};
use linked::Linked;
use place::Placer;
use read::{Reader, Reading};
use stamp::{Origin, Seen};

use crate::stock::{Incoming, Opened, Stock};

/// How a folder is watched.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where files come from and go to.
    pub folders: Folders,
    /// Whether a file stays, and gets a second name.
    pub link: bool,
    /// How it learns of files.
    pub how: How,
    /// How long a file must be the same if nobody tells when it is whole.
    pub interval: Duration,
    /// What documents are compared by.
    pub recipe: Recipe,
    /// How a page becomes a text.
    pub page: PageRule,
    /// What every file is, a page or a text, if names and beginnings are not to tell.
    pub format: Option<Format>,
    /// Bytes of the longest file that is judged.
    pub max_document: usize,
}

/// What is told as it happens.
#[derive(Debug)]
pub enum Told<'a> {
    /// It watches; by looking again and again, if there is a reason for that.
    Watching(Option<&'a str>),
    /// A file is in its place.
    Verdict(&'a Verdict),
    /// A file stays, and why.
    Left(&'a Path, &'a str),
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Files that resembled nothing.
    pub new: u64,
    /// Those whose set was in the window already.
    pub exact: u64,
    /// Those that resembled one in the window.
    pub near: u64,
    /// Those that were older than the window.
    pub old: u64,
    /// Those that could not be judged, and were left.
    pub left: u64,
    /// Whether somebody wanted it to end.
    pub is_stopped: bool,
}

/// A folder that is watched.
pub struct Folder {
    settings: Settings,
    stock: Stock,
    placer: Placer,
    linked: Linked,
    reader: Reader,
    sets: SetMaker,
    /// Files that could not be taken, as they were then. What happens to them is listened to.
    refused: HashMap<OsString, Seen>,
    /// Of names that came again, the last number.
    numbers: HashMap<String, u32>,
    done: Done,
}

type Tell<'a> = dyn FnMut(Told<'_>) -> ControlFlow<()> + 'a;

impl Folder {
    /// A folder, and what is remembered of it, in this window, which must be empty.
    pub fn open(settings: Settings, window: SetWindow) -> Result<(Folder, Opened), FolderError> {
        let folders = &settings.folders;
        folders.prepare()?;
        let (stock, opened) = Stock::open(&folders.data, window, settings.recipe)?;
        let folder = Folder {
            stock,
            placer: Placer::new(folders.clone(), settings.link)?,
            linked: Linked::open(&folders.data.join("linked"), &folders.input)?,
            reader: Reader::new(settings.page, settings.format, settings.max_document),
            sets: SetMaker::new(settings.recipe),
            refused: HashMap::new(),
            numbers: HashMap::new(),
            done: Done::default(),
            settings,
        };
        Ok((folder, opened))
    }

    /// How many documents it remembers.
    pub fn remembered(&self) -> usize {
        self.stock.len()
    }

    /// Watches until it is told to stop, or nobody listens any more.
    pub fn run(mut self, rings: Rings, tell: &mut Tell) -> Result<Done, FolderError> {
        if self.finish_last(tell)?.is_break() {
            return Ok(self.done);
        }
        let Settings { folders, how, interval, .. } = &self.settings;
        let (mut arrivals, reason) = Arrivals::new(folders.input.clone(), how.clone(), *interval, rings);
        if tell(Told::Watching(reason.as_deref())).is_break() {
            return Ok(self.done);
        }
        while let Some(arrived) = arrivals.next(|name| self.refused.contains_key(name))? {
            for name in &arrived.gone {
                self.refused.remove(name);
                self.linked.forget(name);
            }
            for found in arrived.whole {
                if arrivals.is_stopped() {
                    break;
                }
                if self.take(found, tell)?.is_break() {
                    return Ok(self.done);
                }
            }
            for found in arrived.unfinished {
                if self.leave(found, "is being written", tell).is_break() {
                    return Ok(self.done);
                }
            }
        }
        self.done.is_stopped = arrivals.is_stopped();
        self.stock.close()?;
        Ok(self.done)
    }

    /// Brings the last document of the log to its place, if the run that judged it ended before that.
    fn finish_last(&mut self, tell: &mut Tell) -> Result<ControlFlow<()>, FolderError> {
        let Some(last) = self.stock.last()? else { return Ok(ControlFlow::Continue(())) };
        // The log may be that of a service, whose documents came from elsewhere.
        let Some(origin) = last.source.and_then(|source| serde_json::from_str::<Origin>(&source).ok()) else {
            return Ok(ControlFlow::Continue(()));
        };
        let path = self.settings.folders.input.join(&origin.name);
        let is_finished = self.linked.has(OsStr::new(&origin.name), &origin.stamp);
        if is_finished || !origin.is_at(&path).map_err(folders::at(&path))? {
            return Ok(ControlFlow::Continue(()));
        }
        self.finish(&origin, &last.answer, tell)
    }

    /// Judges a file, unless that was done.
    fn take(&mut self, found: Found, tell: &mut Tell) -> Result<ControlFlow<()>, FolderError> {
        let was_done = self.linked.has(&found.name, &found.seen.stamp);
        if was_done || self.refused.get(&found.name) == Some(&found.seen) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(name) = found.name.to_str().map(String::from) else {
            return Ok(self.leave(found, "has a name that is not UTF-8", tell));
        };
        let (stamp, text) = match self.reader.read(&self.settings.folders.input.join(&name)) {
            Reading::Text(stamp, text) if stamp == found.seen.stamp => (stamp, text),
            Reading::Nothing => return Ok(ControlFlow::Continue(())),
            Reading::Bad(reason) => return Ok(self.leave(found, &reason, tell)),
            // It changed since it was seen. Where it is told of again, or looked at, it is taken then.
            Reading::Text(..) | Reading::Unfinished if self.settings.how != How::Once => {
                self.refused.insert(found.name, found.seen);
                return Ok(ControlFlow::Continue(()));
            }
            Reading::Text(..) | Reading::Unfinished => return Ok(self.leave(found, "is being written", tell)),
        };
        let id = self.free_id(&name)?;
        let time = stamp.time();
        let origin = Origin { name, stamp };
        let source = serde_json::to_string(&origin).expect("an origin is plain data");
        let set = self.sets.set(&text).to_vec();
        let answer = self.stock.add(Incoming { id, time, source: Some(source), text, set })?;
        self.stock.commit()?;
        self.stock.tidy()?;
        // Until it is in its place, for it may change before.
        self.refused.insert(found.name, found.seen);
        self.finish(&origin, &answer, tell)
    }

    /// Brings a file that was judged to its place.
    fn finish(&mut self, origin: &Origin, answer: &Verdict, tell: &mut Tell) -> Result<ControlFlow<()>, FolderError> {
        if !self.placer.place(origin, answer)? {
            // Nothing is to be compared with what is nowhere.
            self.stock.remove(&answer.id)?;
            self.stock.commit()?;
            self.done.left += 1;
            let path = self.settings.folders.input.join(&origin.name);
            return Ok(tell(Told::Left(&path, "changed or went away while it was judged")));
        }
        self.refused.remove(OsStr::new(&origin.name));
        if self.settings.link {
            self.linked.add(origin)?;
        }
        let Done { new, exact, near, old, .. } = &mut self.done;
        let counter = match answer.kind {
            VerdictKind::New => new,
            VerdictKind::Exact => exact,
            VerdictKind::Near => near,
            VerdictKind::Old => old,
        };
        *counter += 1;
        Ok(tell(Told::Verdict(answer)))
    }

    /// Leaves a file where it is, until it changes.
    fn leave(&mut self, found: Found, reason: &str, tell: &mut Tell) -> ControlFlow<()> {
        let path = self.settings.folders.input.join(&found.name);
        self.refused.insert(found.name, found.seen);
        self.done.left += 1;
        tell(Told::Left(&path, reason))
    }

    /// What a file is to be called: as it is, or by a name that no document has, and no file where it may go.
    fn free_id(&mut self, name: &str) -> Result<String, FolderError> {
        let mut number = self.numbers.get(name).copied().unwrap_or(1);
        loop {
            let id = names::numbered(name, number);
            if !self.stock.has(&id) && self.placer.is_free(&id)? {
                if number > 1 {
                    self.numbers.insert(name.to_string(), number);
                }
                return Ok(id);
            }
            number += 1;
        }
    }
}
