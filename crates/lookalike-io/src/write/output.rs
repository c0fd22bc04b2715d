//! A file that appears under its name when it is whole.
//!
//! It is written beside its place and renamed at the end, all outputs of a run together. What is unfinished is remembered, so that an
//! interrupted run can take it away.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::at_once::{self, Trace};
use crate::codec::{Codec, Encoder};
use crate::error::Error;
use crate::source::Source;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Folders made for outputs, each before what lies in it.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes away whatever is unfinished. Holds on to the list, so that nothing can be renamed or begun any more: for the moment before
/// the process ends.
pub fn discard_unfinished() {
    let mut paths = unfinished();
    for path in paths.drain(..) {
        // Already on the way out; there is nobody left to tell.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(paths);
    discard_folders();
}

/// Makes the folder that an output lies in, and those above it.
pub fn make_folder_of(place: &Path) -> Result<(), Error> {
    let folder = parent(place);
    let mut missing: Vec<&Path> =
        folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).collect();
    missing.reverse();
    missing.iter().for_each(|folder| at_once::remember_folder(folder));
    fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).extend(missing.into_iter().map(Path::to_path_buf));
    Ok(())
}

/// Takes away the folders that were made for outputs that never came.
pub fn discard_folders() {
    for folder in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).drain(..).rev() {
        // One that is not empty, for whatever reason, stays.
        let _ = fs::remove_dir(folder);
    }
}

/// Whether an output may be written there, before any work is done.
pub fn check(path: &Path, force: bool, inputs: &[Source]) -> Result<(), Error> {
    if path == Path::new("-") {
        return Ok(());
    }
    let Ok(metadata) = fs::metadata(path) else {
        let parent = parent(path);
        return if parent.is_dir() {
            Ok(())
        } else {
            Err(Error::output(path, format!("there is no folder {}", parent.display())))
        };
    };
    if metadata.is_dir() {
        return Err(Error::output(path, "it is a folder"));
    }
    let same = |input: &Source| input.file().is_some_and(|file| is_same_file(file, path));
    if inputs.iter().any(same) {
        return Err(Error::output(path, "it is one of the inputs"));
    }
    if metadata.is_file() && !force {
        return Err(Error::output(path, "it exists already (--force replaces it)"));
    }
    Ok(())
}

fn is_same_file(one: &Path, two: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(two)), (Ok(one), Ok(two)) if one == two)
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An output that is being written, compressed if its name says so.
pub struct Output {
    path: PathBuf,
    temporary: Option<Temporary>,
    encoder: Box<Encoder>,
    closed: Arc<AtomicBool>,
}

/// An output that is whole and waits for its name.
pub struct Finished {
    path: PathBuf,
    temporary: Option<Temporary>,
}

/// A file beside its place; it goes away with this value.
struct Temporary {
    path: PathBuf,
    trace: Trace,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = unfinished();
        if let Some(at) = paths.iter().position(|path| *path == self.path) {
            paths.swap_remove(at);
            // If it cannot be removed, it is a hidden file more; the error that brought us here matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Output {
    /// Begins an output; `-` is standard output.
    pub fn create(path: &Path) -> Result<Output, Error> {
        let failed = |error| Error::write(path, error);
        let closed = Arc::new(AtomicBool::new(false));
        if path == Path::new("-") {
            let encoder = Box::new(Codec::Plain.encode(Pipe { closed: closed.clone() }).map_err(failed)?);
            return Ok(Output { path: path.to_path_buf(), temporary: None, encoder, closed });
        }
        let (codec, _) = Codec::of_name(path);
        // Through a link to the file behind it; a device or a pipe is written as it is.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(&place).map_err(failed)?;
            let encoder = Box::new(codec.encode(file).map_err(failed)?);
            return Ok(Output { path: place, temporary: None, encoder, closed });
        }
        let (temporary, file) = Temporary::create(&place).map_err(failed)?;
        let encoder = codec.encode(file).map_err(failed)?;
        Ok(Output { path: place, temporary: Some(temporary), encoder: Box::new(encoder), closed })
    }

    /// Writes, with an error that names the file.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.encoder.write_all(bytes).map_err(|error| Error::write(&self.path, error))
    }

    /// Hands over what was written so far, with an error that names the file.
    pub fn send(&mut self) -> Result<(), Error> {
        self.encoder.flush().map_err(|error| Error::write(&self.path, error))
    }

    /// Ends a part of the file that can be decompressed by itself; plain files have none.
    pub fn end_member(&mut self) -> Result<(), Error> {
        self.encoder.end_member().map_err(|error| Error::write(&self.path, error))
    }

    /// Ends the file; it has no name yet.
    pub fn finish(self) -> Result<Finished, Error> {
        let Output { path, temporary, encoder, .. } = self;
        encoder.finish().map_err(|error| Error::write(&path, error))?;
        Ok(Finished { path, temporary })
    }

    /// Whether it is standard output, and nobody reads it any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// The file's place.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encoder.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

impl Temporary {
    fn create(place: &Path) -> io::Result<(Temporary, File)> {
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
        let mut paths = unfinished();
        let mut attempt = 0;
        loop {
            let path = parent(place).join(format!(".{name}.{}-{attempt}.unfinished", std::process::id()));
            let mut trace = Trace::of(&path);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    trace.set();
                    paths.push(path.clone());
                    return Ok((Temporary { path, trace }, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

/// Gives all outputs of a run their names.
pub fn commit(outputs: Vec<Finished>) -> Result<(), Error> {
    // Held throughout: an interruption comes before all of them or after.
    let mut paths = unfinished();
    // From here on a process that must end at once leaves everything as it is: what has its name must not go.
    outputs.iter().filter_map(|output| output.temporary.as_ref()).for_each(|temporary| temporary.trace.forget());
    let mut failed = Ok(());
    for Finished { path, temporary } in &outputs {
        let Some(temporary) = temporary else { continue };
        if failed.is_ok() {
            failed = fs::rename(&temporary.path, path).map_err(|error| Error::write(path, error));
            if failed.is_ok() {
                paths.retain(|path| *path != temporary.path);
            }
        }
    }
    drop(paths);
    drop(outputs);
    if failed.is_ok() {
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
    failed
}

/// Standard output, which a reader may close when it has seen enough: that is no error.
struct Pipe {
    closed: Arc<AtomicBool>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed.load(Relaxed) {
            return Ok(bytes.len());
        }
        match io::stdout().write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed.store(true, Relaxed);
                Ok(bytes.len())
            }
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match io::stdout().flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}
