//! A judged file is brought to where it belongs, with its verdict beside it.
//!
//! Whatever happens, however often it is begun again, a file ends with one name in one folder:
//!
//! 1. The sidecar is written beside its place, synced, and named. It tells what it is by every byte, so that it is known again.
//! 2. The file is renamed. Between file systems it is copied beside its place, synced, named, and then the original is removed; with
//!    links, it gets a second name.
//! 3. The folders are synced. Only then is the next file judged, so that at most the last of the log may be on its way.
//!
//! No name is ever taken from another file. If somebody has it, the next free one is used, and the sidecar tells it.

use std::io;
use std::path::Path;

use lookalike::Verdict;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::folders::{FolderError, Folders, at};
use super::stamp::{Origin, look};
use super::{disk, names};

/// The verdict as it lies beside the file.
#[derive(Serialize)]
struct Sidecar<'a> {
    #[serde(flatten)]
    answer: &'a Verdict,
    /// What the file was called when it came.
    name: &'a str,
    /// What it is called here.
    file: &'a str,
}

/// Brings files to their places.
pub(super) struct Placer {
    folders: Folders,
    link: bool,
    /// In the name of what is unfinished, so that two who write to one folder do not meet.
    tag: u64,
}

/// What is at a place for a file.
enum Place {
    Free,
    /// The sidecar of this very file.
    HasSidecar,
    /// All of it: it was interrupted just before the end.
    HasAll,
    Taken,
}

/// What came of bringing a file to a place.
enum Brought {
    There,
    /// Somebody came first.
    Taken,
    /// It is not there any more, or not what it was.
    Gone,
}

impl Placer {
    pub(super) fn new(folders: Folders, link: bool) -> Result<Placer, FolderError> {
        let data = folders.data.canonicalize().map_err(at(&folders.data))?;
        Ok(Placer { tag: xxh3_64(data.as_os_str().as_encoded_bytes()), folders, link })
    }

    /// Whether nothing has this name, in either folder.
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

    /// Brings a file to where its verdict says. False if it is not there any more, or not what was judged.
    pub(super) fn place(&self, origin: &Origin, answer: &Verdict) -> Result<bool, FolderError> {
        let source = self.folders.input.join(&origin.name);
        let folder = if answer.is_duplicate() { &self.folders.reject } else { &self.folders.accept };
        for number in 1.. {
            let file = names::numbered(&answer.id, number);
            let path = folder.join(&file);
            let beside = folder.join(names::sidecar(&file));
            let unfinished = folder.join(format!(".{file}.{:016x}.unfinished", self.tag));
            let bytes = sidecar(answer, &origin.name, &file);
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
            // In the last moment it was replaced by something that nobody judged.
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

    /// What is in its place is so on the disk, and then the original goes, if it is not to stay.
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
        // Or it is the folder that is not there, and then something is very wrong.
        io::ErrorKind::NotFound if !origin.is_at(source)? => Ok(Brought::Gone),
        _ => Err(error),
    }
}

pub(super) fn sidecar(answer: &Verdict, name: &str, file: &str) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(&Sidecar { answer, name, file }).expect("a verdict is plain data");
    bytes.push(b'\n');
    bytes
}

/// Whether two places have the same file, or two with the same bytes.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let [a, b] = [one.symlink_metadata()?, other.symlink_metadata()?];
    if (a.dev(), a.ino()) == (b.dev(), b.ino()) {
        return Ok(true);
    }
    Ok(a.is_file() && b.is_file() && a.len() == b.len() && std::fs::read(one)? == std::fs::read(other)?)
}
