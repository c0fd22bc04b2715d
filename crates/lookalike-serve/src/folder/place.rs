//! How does a judged file get to its place, with its verdict beside it?
//!
//! After any number of interruptions and restarts, a file has one name in one folder:
//!
//! 1. The sidecar is written under a temporary name, synced, and renamed. A restart recognizes it by its content.
//! 2. The file is renamed. Between file systems it is copied under a temporary name, synced and renamed, and the original is removed. With
//!    `link`, it gets a hard link instead.
//! 3. The folders are synced. Only then is the next file judged, so at most the last document of the log is not in its place.
//!
//! No other file is ever overwritten. If a name is taken, the next free one is used, and the sidecar records it.

use std::io;
use std::path::Path;

use lookalike::Verdict;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::error::{FolderError, at};
use super::settings::Folders;
use super::stamp::{Origin, look};
use super::{disk, names};

/// The content of a sidecar.
#[derive(Serialize)]
struct Sidecar<'a> {
    #[serde(flatten)]
    verdict: &'a Verdict,
    /// The name of the file when it came.
    name: &'a str,
    /// The name of the file in this folder.
    file: &'a str,
}

/// Moves or links files to their places.
pub(super) struct Placer {
    folders: Folders,
    link: bool,
    /// Part of temporary names, so that two processes that write to one folder do not collide.
    tag: u64,
}

/// What occupies the path to which a file is to be moved.
enum Place {
    Free,
    /// The sidecar of this file.
    HasSidecar,
    /// The sidecar and the file: the last run was interrupted just before the end.
    HasAll,
    Taken,
}

/// The result of moving or linking a file.
enum Brought {
    There,
    /// Another file has the name.
    Taken,
    /// The file no longer exists or has changed.
    Gone,
}

impl Placer {
    pub(super) fn new(folders: Folders, link: bool) -> Result<Placer, FolderError> {
        let data = folders.data.canonicalize().map_err(at(&folders.data))?;
        Ok(Placer { tag: xxh3_64(data.as_os_str().as_encoded_bytes()), folders, link })
    }

    /// Whether no file has this name, in either folder.
    pub(super) fn is_free(&self, name: &str) -> Result<bool, FolderError> {
        for folder in [&self.folders.accept, &self.folders.reject] {
            for path in [folder.join(name), folder.join(names::sidecar(name))] {
                if look(&path).map_err(at(&path))?.is_some() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Moves or links a file to the folder of its verdict. Returns false if the file no longer exists or has changed.
    pub(super) fn place(&self, origin: &Origin, verdict: &Verdict) -> Result<bool, FolderError> {
        let source = self.folders.input.join(&origin.name);
        let folder = if verdict.is_duplicate() { &self.folders.reject } else { &self.folders.accept };
        for number in 1.. {
            let file = names::numbered(&verdict.id, number);
            let path = folder.join(&file);
            let beside = folder.join(names::sidecar(&file));
            let unfinished = folder.join(format!(".{file}.{:016x}.unfinished", self.tag));
            let bytes = sidecar(verdict, &origin.name, &file);
            if !origin.is_at(&source).map_err(at(&source))? {
                return Ok(false);
            }
            match self.look_at(&path, &beside, &bytes, &source)? {
                Place::Taken => continue,
                Place::HasAll => return self.leave(&source, folder, origin).map(|()| true),
                Place::HasSidecar => (),
                Place::Free => match disk::write_new(&beside, &unfinished, &bytes) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        disk::remove(&unfinished).map_err(at(&unfinished))?;
                        continue;
                    }
                    done => done.map_err(at(&beside))?,
                },
            }
            disk::sync_folder(folder).map_err(at(folder))?;
            let brought = if self.link {
                self.link(&source, &path, &unfinished, origin)
            } else {
                self.rename(&source, &path, &unfinished, origin)
            };
            match brought.map_err(at(&path))? {
                Brought::There => return self.leave(&source, folder, origin).map(|()| true),
                Brought::Taken => disk::remove(&beside).map_err(at(&beside))?,
                Brought::Gone => {
                    disk::remove(&beside).map_err(at(&beside))?;
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    fn look_at(&self, path: &Path, beside: &Path, sidecar: &[u8], source: &Path) -> Result<Place, FolderError> {
        let file = look(path).map_err(at(path))?;
        let has_sidecar = match look(beside).map_err(at(beside))? {
            None => return Ok(if file.is_none() { Place::Free } else { Place::Taken }),
            Some(data) if data.is_file() && data.len() == sidecar.len() as u64 => {
                std::fs::read(beside).map_err(at(beside))? == sidecar
            }
            Some(_) => false,
        };
        Ok(match file {
            _ if !has_sidecar => Place::Taken,
            None => Place::HasSidecar,
            Some(_) if is_same(path, source).map_err(at(source))? => Place::HasAll,
            Some(_) => Place::Taken,
        })
    }

    fn rename(&self, source: &Path, path: &Path, unfinished: &Path, origin: &Origin) -> io::Result<Brought> {
        match disk::rename_new(source, path) {
            Ok(()) if origin.is_at(path)? => Ok(Brought::There),
            // At the last moment, another file took its place. That one was not judged.
            Ok(()) => disk::rename_new(path, source).map(|()| Brought::Gone),
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => copy(source, path, unfinished, origin),
            Err(error) => not_brought(error, source, origin),
        }
    }

    fn link(&self, source: &Path, path: &Path, unfinished: &Path, origin: &Origin) -> io::Result<Brought> {
        match std::fs::hard_link(source, path) {
            Ok(()) if origin.is_at(path)? => Ok(Brought::There),
            Ok(()) => disk::remove(path).map(|()| Brought::Gone),
            Err(error) if disk::is_unlinkable(&error) => copy(source, path, unfinished, origin),
            Err(error) => not_brought(error, source, origin),
        }
    }

    /// Syncs the folder, and then removes the original, unless files are linked.
    fn leave(&self, source: &Path, folder: &Path, origin: &Origin) -> Result<(), FolderError> {
        disk::sync_folder(folder).map_err(at(folder))?;
        if self.link {
            return Ok(());
        }
        if origin.is_at(source).map_err(at(source))? {
            disk::remove(source).map_err(at(source))?;
        }
        disk::sync_folder(&self.folders.input).map_err(at(&self.folders.input))
    }
}

fn copy(source: &Path, path: &Path, unfinished: &Path, origin: &Origin) -> io::Result<Brought> {
    let brought = match disk::copy(source, unfinished) {
        Ok(()) if origin.is_at(source)? => match disk::rename_new(unfinished, path) {
            Ok(()) => return Ok(Brought::There),
            Err(error) => not_brought(error, source, origin),
        },
        Ok(()) => Ok(Brought::Gone),
        Err(error) => not_brought(error, source, origin),
    };
    disk::remove(unfinished)?;
    brought
}

fn not_brought(error: io::Error, source: &Path, origin: &Origin) -> io::Result<Brought> {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Ok(Brought::Taken),
        // Otherwise the folder is missing, which is an error.
        io::ErrorKind::NotFound if !origin.is_at(source)? => Ok(Brought::Gone),
        _ => Err(error),
    }
}

pub(super) fn sidecar(verdict: &Verdict, name: &str, file: &str) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(&Sidecar { verdict, name, file }).expect("a verdict is plain data");
    bytes.push(b'\n');
    bytes
}

/// Whether two paths lead to the same file, or to files with the same content.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let [a, b] = [one.symlink_metadata()?, other.symlink_metadata()?];
    if (a.dev(), a.ino()) == (b.dev(), b.ino()) {
        return Ok(true);
    }
    Ok(a.is_file() && b.is_file() && a.len() == b.len() && std::fs::read(one)? == std::fs::read(other)?)
}
