//! What does the operating system report about a folder?

use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, CreateKind, Event, EventKind, ModifyKind, RemoveKind, RenameMode};
use notify::{INotifyWatcher, RecursiveMode, Watcher};

use super::signals::{Signal, SignalSender};

/// Sends signals until it is dropped.
pub(super) struct Notifier {
    _watcher: INotifyWatcher,
}

impl Notifier {
    /// Starts to send a signal for everything that happens in a folder.
    pub(super) fn new(folder: &Path, sender: SignalSender) -> Result<Notifier, String> {
        let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
        let watched = folder.clone();
        let handle = move |event: notify::Result<Event>| match event {
            Ok(event) => signals(&event, &folder).into_iter().for_each(|signal| sender.send(signal)),
            Err(_) => sender.send(Signal::Look),
        };
        let watch = || {
            let mut watcher = INotifyWatcher::new(handle, notify::Config::default())?;
            watcher.watch(&watched, RecursiveMode::NonRecursive)?;
            Ok(Notifier { _watcher: watcher })
        };
        watch().map_err(|error: notify::Error| error.to_string())
    }
}

/// The signals of an event.
fn signals(event: &Event, folder: &Path) -> Vec<Signal> {
    // The queue of events overflowed.
    if event.need_rescan() {
        return vec![Signal::Look];
    }
    if event.paths.iter().any(|path| path == folder) {
        // If the folder itself is gone, listing it will fail. Other events of the folder do not matter.
        let is_gone = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        return if is_gone { vec![Signal::Look] } else { Vec::new() };
    }
    let signal = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Signal::Complete,
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => Signal::Complete,
        EventKind::Create(CreateKind::File) => Signal::Created,
        EventKind::Modify(ModifyKind::Metadata(_)) => Signal::Changed,
        EventKind::Remove(RemoveKind::File) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => Signal::Gone,
        _ => return Vec::new(),
    };
    let name = |path: &PathBuf| path.file_name().map(|name| signal(name.to_os_string()));
    event.paths.iter().filter_map(name).collect()
}
