//! The operating system tells what happens in a folder.

use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, CreateKind, Event, EventKind, ModifyKind, RemoveKind, RenameMode};
use notify::{INotifyWatcher, RecursiveMode, Watcher};

use super::bell::{Bell, Ring};

/// Rings for as long as this is kept.
pub(super) struct Notifier {
    _watcher: INotifyWatcher,
}

impl Notifier {
    /// From now on the bell is rung for everything that happens in the folder.
    pub(super) fn new(folder: &Path, bell: Bell) -> Result<Notifier, String> {
        let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
        let watched = folder.clone();
        let heard = move |event: notify::Result<Event>| match event {
            Ok(event) => rings(&event, &folder).into_iter().for_each(|ring| bell.ring(ring)),
            Err(_) => bell.ring(Ring::Look),
        };
        let watch = || {
            let mut watcher = INotifyWatcher::new(heard, notify::Config::default())?;
            watcher.watch(&watched, RecursiveMode::NonRecursive)?;
            Ok(Notifier { _watcher: watcher })
        };
        watch().map_err(|error: notify::Error| error.to_string())
    }
}

/// What an event means.
fn rings(event: &Event, folder: &Path) -> Vec<Ring> {
    // Too much happened at once.
    if event.need_rescan() {
        return vec![Ring::Look];
    }
    if event.paths.iter().any(|path| path == folder) {
        // It is gone, and whoever looks will see; that it was looked into is no news.
        let is_gone = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        return if is_gone { vec![Ring::Look] } else { Vec::new() };
    }
    let ring = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Ring::Whole,
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => Ring::Whole,
        EventKind::Create(CreateKind::File) => Ring::Made,
        EventKind::Modify(ModifyKind::Metadata(_)) => Ring::Changed,
        EventKind::Remove(RemoveKind::File) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => Ring::Gone,
        _ => return Vec::new(),
    };
    let name = |path: &PathBuf| path.file_name().map(|name| ring(name.to_os_string()));
    event.paths.iter().filter_map(name).collect()
}
