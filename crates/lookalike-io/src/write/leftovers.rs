//! Removes the unfinished files of runs that were killed.
//!
//! A killed run cannot remove its unfinished files, so the next run that writes the same output does. It must not remove those of a run
//! that is still alive, on this machine or on another that shares the folder. The process id does not tell, because ids are reused and
//! every machine has its own. So a run holds a lock on each file it writes; the lock ends with the process. A run is over if none of its
//! files in the folder is locked. On a file system without locks, nothing is removed.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::place::parent;

/// The most bytes of the output's name in the name of the unfinished file, which may have 255 bytes in all.
const LONGEST: usize = 200;

/// The name of the unfinished file of an output.
pub(super) fn unfinished_name(name: &str, process: u32, number: usize) -> String {
    format!(".{}.{process}-{number}.unfinished", stem(name))
}

/// The part of an output's name that its unfinished file has.
fn stem(name: &str) -> &str {
    let end = (0..=LONGEST.min(name.len())).rev().find(|&end| name.is_char_boundary(end));
    &name[..end.unwrap_or(0)]
}

/// The output and the process id in the name of an unfinished file.
fn parse(name: &str) -> Option<(&str, &str)> {
    let (output, run) = name.strip_prefix('.')?.strip_suffix(".unfinished")?.rsplit_once('.')?;
    let (process, number) = run.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(number)).then_some((output, process))
}

/// The unfinished files in the folders of the outputs.
#[derive(Default)]
pub(super) struct Leftovers {
    folders: HashMap<PathBuf, Left>,
}

/// The unfinished files in a folder before this run wrote there.
#[derive(Default)]
struct Left {
    /// By output: the process id and the path.
    of_output: HashMap<String, Vec<(String, PathBuf)>>,
    /// By process id.
    of_run: HashMap<String, Vec<PathBuf>>,
    is_over: HashMap<String, bool>,
}

impl Leftovers {
    /// Removes the unfinished files of this output that belong to runs that are over.
    pub(super) fn remove_of(&mut self, place: &Path, name: &str) {
        let folder = parent(place);
        if !self.folders.contains_key(folder) {
            self.folders.insert(folder.to_path_buf(), Left::in_folder(folder));
        }
        if let Some(left) = self.folders.get_mut(folder) {
            left.remove_of(stem(name));
        }
    }
}

impl Left {
    fn in_folder(folder: &Path) -> Left {
        let mut left = Left::default();
        // If the folder cannot be read, there is nothing to remove.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if let Some((output, process)) = parse(&name.to_string_lossy()) {
                left.of_output.entry(output.to_string()).or_default().push((process.to_string(), entry.path()));
                left.of_run.entry(process.to_string()).or_default().push(entry.path());
            }
        }
        left
    }

    fn remove_of(&mut self, output: &str) {
        for (process, path) in self.of_output.remove(output).unwrap_or_default() {
            let files = &self.of_run[&process];
            let is_over = self.is_over.entry(process).or_insert_with(|| files.iter().all(|file| lock(file).is_some()));
            // Hold the lock while removing: a run that created the file just now then notices that it is gone.
            if *is_over && let Some(_held) = lock(&path) {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// Opens and locks a file, unless another process holds the lock.
fn lock(path: &Path) -> Option<File> {
    let open = File::options().read(true).write(true).open(path).or_else(|_| File::open(path));
    open.ok().filter(|file| file.try_lock().is_ok())
}

/// Locks a file that was just created. False if another run removed it as a leftover before it was locked: then create another.
pub(super) fn hold(file: &File, path: &Path) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => path.try_exists(),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Not every file system has locks. Where there are none, no run removes anything.
        Err(TryLockError::Error(_)) => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        assert_eq!(unfinished_name("kept.jsonl", 12, 3), ".kept.jsonl.12-3.unfinished");
        assert_eq!(parse(".kept.jsonl.12-3.unfinished"), Some(("kept.jsonl", "12")));
        assert_eq!(parse(".a.b.12-3.4-5.unfinished"), Some(("a.b.12-3", "4")));
        let long = "ü".repeat(120);
        assert!(unfinished_name(&long, u32::MAX, 999_999).len() <= 255);
        let strangers =
            ["kept.jsonl", ".kept.unfinished", ".kept.12.unfinished", ".kept.12-.unfinished", ".x.1-2-3.unfinished"];
        assert!(strangers.iter().all(|name| parse(name).is_none()));
    }

    #[test]
    fn only_the_same_output_of_a_run_that_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let all = [".kept.1-0.unfinished", ".kept.2-0.unfinished", ".other.1-1.unfinished", ".removed.2-1.unfinished"];
        all.iter().for_each(|name| fs::write(path(name), "").unwrap());
        // Another file of process 2 is being written.
        let alive = File::open(path(".removed.2-1.unfinished")).unwrap();
        alive.lock().unwrap();
        Leftovers::default().remove_of(&path("kept"), "kept");
        assert_eq!(names(folder.path()), all[1..]);
        drop(alive);
        Leftovers::default().remove_of(&path("kept"), "kept");
        assert_eq!(names(folder.path()), all[2..]);
    }

    #[test]
    fn what_is_taken_for_a_leftover_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".kept.1-0.unfinished");
        let file = File::create(&path).unwrap();
        let taken = lock(&path).unwrap();
        assert!(!hold(&file, &path).unwrap());
        fs::remove_file(&path).unwrap();
        drop(taken);
        assert!(!hold(&file, &path).unwrap());
    }
}
