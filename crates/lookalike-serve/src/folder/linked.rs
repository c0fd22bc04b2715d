//! Which files have been judged, and stayed? They must not be judged again, even when the window has forgotten them.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;

use super::stamp::{Origin, Stamp, look};
use crate::log::{Log, LogError};

/// The log is compacted when it has this many records more than needed.
const MANY: u64 = 10_000;

/// The linked files, in memory and on disk.
pub(super) struct Linked {
    stamps: HashMap<String, Stamp>,
    log: Log,
}

impl Linked {
    /// Opens the log in `folder` of the files that are linked from `input`.
    pub(super) fn open(folder: &Path, input: &Path) -> Result<Linked, LogError> {
        let mut stamps: HashMap<String, Stamp> = HashMap::new();
        let (log, recovered) = Log::open(folder, |_, payload| {
            // If a record cannot be parsed, its file is judged again.
            if let Ok(Origin { name, stamp }) = serde_json::from_slice(payload) {
                stamps.insert(name, stamp);
            }
        })?;
        stamps.retain(|name, _| !matches!(look(&input.join(name)), Ok(None)));
        let mut linked = Linked { stamps, log };
        if recovered.records > MANY + 2 * linked.stamps.len() as u64 {
            linked.compact()?;
        }
        Ok(linked)
    }

    /// Whether this file was linked and has not changed since.
    pub(super) fn has(&self, name: &OsStr, stamp: &Stamp) -> bool {
        name.to_str().and_then(|name| self.stamps.get(name)) == Some(stamp)
    }

    /// Adds a file.
    pub(super) fn add(&mut self, origin: &Origin) -> Result<(), LogError> {
        self.append(origin)?;
        self.log.commit()?;
        self.stamps.insert(origin.name.clone(), origin.stamp.clone());
        Ok(())
    }

    /// Forgets a file that no longer exists.
    pub(super) fn forget(&mut self, name: &OsStr) {
        if let Some(name) = name.to_str() {
            self.stamps.remove(name);
        }
    }

    fn append(&mut self, origin: &Origin) -> Result<(), LogError> {
        let payload = serde_json::to_vec(origin).expect("an origin is plain data");
        self.log.append(&payload).map(drop)
    }

    /// Writes the needed records to a new file and deletes the old ones. After an interruption, some records are there twice.
    fn compact(&mut self) -> Result<(), LogError> {
        let file = self.log.next_file()?;
        let needed: Vec<Origin> =
            self.stamps.iter().map(|(name, stamp)| Origin { name: name.clone(), stamp: stamp.clone() }).collect();
        for origin in &needed {
            self.append(origin)?;
        }
        self.log.commit()?;
        self.log.forget_before(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(input: &Path, name: &str) -> Origin {
        std::fs::write(input.join(name), name).unwrap();
        Origin { name: name.to_string(), stamp: Stamp::of(&input.join(name).metadata().unwrap()) }
    }

    #[test]
    fn records_last_as_long_as_the_file() {
        let (data, input) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let open = || Linked::open(data.path(), input.path()).unwrap();
        let [a, b] = [origin(input.path(), "a"), origin(input.path(), "b")];
        let mut linked = open();
        linked.add(&a).unwrap();
        linked.add(&b).unwrap();
        drop(linked);
        std::fs::remove_file(input.path().join("b")).unwrap();
        let linked = open();
        assert!(linked.has("a".as_ref(), &a.stamp) && !linked.has("a".as_ref(), &b.stamp));
        assert!(!linked.has("b".as_ref(), &b.stamp));
    }

    #[test]
    fn records_of_missing_files_are_compacted() {
        let (data, input) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let a = origin(input.path(), "a");
        let (mut log, _) = Log::open(data.path(), |_, _| ()).unwrap();
        for n in 0..=MANY + 2 {
            let gone = Origin { name: format!("gone {n}"), stamp: a.stamp.clone() };
            log.append(&serde_json::to_vec(&gone).unwrap()).unwrap();
        }
        log.append(&serde_json::to_vec(&a).unwrap()).unwrap();
        log.commit().unwrap();
        drop(log);
        for _ in 0..2 {
            let linked = Linked::open(data.path(), input.path()).unwrap();
            assert!(linked.has("a".as_ref(), &a.stamp) && linked.log.bytes() < 1_000);
        }
    }
}
