//! Which files did the user name?

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Seek, SeekFrom};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::codec::is_compressed;
use crate::error::Error;
use crate::format::Format;
use crate::spill::Space;

/// One file to read.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    format: Format,
    /// Whether neither the user nor its name says the format.
    is_guessed: bool,
    size: u64,
    /// A temporary copy of an input that can be read only once, such as standard input.
    spool: Option<Arc<File>>,
    /// Whether it is standard input, read once, with every row handed on as soon as it arrives.
    is_live: bool,
    /// Shows whether the file has changed since. `None` for inputs that are read only once.
    stamp: Option<Stamp>,
}

/// The identity, size and modification time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    written: Option<SystemTime>,
    #[cfg(unix)]
    file: (u64, u64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            size: metadata.len(),
            written: metadata.modified().ok(),
            #[cfg(unix)]
            file: (metadata.dev(), metadata.ino()),
        }
    }
}

impl Source {
    /// The path as the user wrote it; `-` for standard input.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether it is taken for a text because neither the user nor its name says the format.
    pub(crate) fn is_guessed(&self) -> bool {
        self.is_guessed
    }

    /// Its size on disk.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether the file is smaller than what is in it: compressed, or Parquet. A file that cannot be read is not.
    pub fn is_compressed(&self) -> bool {
        self.format == Format::Parquet || self.open().is_ok_and(|mut file| is_compressed(&mut file))
    }

    /// Whether rows can be read from any place in the file: it has one in a line, and is not compressed.
    pub fn has_places(&self) -> bool {
        let is_of_lines = matches!(self.format, Format::Jsonl | Format::Lines | Format::Csv | Format::Tsv);
        is_of_lines && !self.is_live && !self.is_compressed()
    }

    /// Whether it is standard input, read row by row as it arrives.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Opens the file at its start. A spooled input allows one reader at a time. Fails if the file changed since it was resolved.
    pub fn open(&self) -> Result<File, Error> {
        let open = || match &self.spool {
            Some(spool) => {
                let mut file = spool.try_clone()?;
                file.seek(SeekFrom::Start(0))?;
                Ok(file)
            }
            None => File::open(&self.path),
        };
        let failed = |error| Error::read(&self.path, error);
        let file = open().map_err(failed)?;
        if let Some(stamp) = self.stamp
            && Stamp::of(&file.metadata().map_err(failed)?) != stamp
        {
            return Err(Error::Changed(self.path.clone()));
        }
        Ok(file)
    }

    /// Fails if the file changed since it was resolved. Call it after reading to the end: another process may have written to the file or
    /// replaced it.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        match self.stamp {
            Some(stamp) if fs::metadata(&self.path).ok().is_none_or(|metadata| Stamp::of(&metadata) != stamp) => {
                Err(Error::Changed(self.path.clone()))
            }
            _ => Ok(()),
        }
    }

    /// The file on disk, if there is one. No output may replace it.
    pub fn file(&self) -> Option<&Path> {
        (self.spool.is_none() && !self.is_live).then_some(&self.path)
    }
}

/// The files that the arguments name, in their order. An argument is a file, a folder (all files below it, sorted by path), a glob, or `-`.
pub fn resolve(inputs: &[String], format: Option<Format>) -> Result<Vec<Source>, Error> {
    resolve_in(inputs, format, &Space::default())
}

/// Like [`resolve`], with temporary copies of inputs that can be read only once in this space.
pub fn resolve_in(inputs: &[String], format: Option<Format>, space: &Space) -> Result<Vec<Source>, Error> {
    let stdin = |path: &Path| spool(path, Box::new(io::stdin()), format.unwrap_or(Format::Jsonl), space);
    resolve_with(inputs, stdin, format, space)
}

/// Like [`resolve`], for jobs that read everything once. Standard input is not copied if its rows are lines: they are read as they arrive.
pub fn resolve_live(inputs: &[String], format: Option<Format>) -> Result<Vec<Source>, Error> {
    let stdin = |path: &Path| match format.unwrap_or(Format::Jsonl) {
        format @ (Format::Jsonl | Format::Lines) => Ok(Source {
            path: path.to_path_buf(),
            format,
            is_guessed: false,
            size: 0,
            spool: None,
            is_live: true,
            stamp: None,
        }),
        format => spool(path, Box::new(io::stdin()), format, &Space::default()),
    };
    resolve_with(inputs, stdin, format, &Space::default())
}

fn resolve_with(
    inputs: &[String],
    stdin: impl Fn(&Path) -> Result<Source, Error>,
    format: Option<Format>,
    space: &Space,
) -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if input == "-" {
            sources.push(stdin(path)?);
        } else if path.exists() {
            add(path, format, space, &mut sources)?;
        } else {
            // A pattern may match a folder and also the files in it.
            let mut matched = Vec::new();
            for found in glob::glob(input).map_err(|_| Error::NotFound(input.clone()))? {
                let found = found.map_err(|error| Error::read(error.path(), io::Error::from(error.error().kind())))?;
                add(&found, format, space, &mut matched)?;
            }
            if matched.is_empty() {
                let is_pattern = input.contains(['*', '?', '[']);
                let missing = if is_pattern { Error::NoMatch } else { Error::NotFound };
                return Err(missing(input.clone()));
            }
            let mut seen = HashSet::new();
            matched.retain(|source| seen.insert(source.path.clone()));
            sources.append(&mut matched);
        }
    }
    Ok(sources)
}

fn add(path: &Path, format: Option<Format>, space: &Space, sources: &mut Vec<Source>) -> Result<(), Error> {
    let metadata = fs::metadata(path).map_err(|error| Error::read(path, error))?;
    if metadata.is_dir() {
        let before = sources.len();
        add_folder(path, format, space, sources)?;
        if sources.len() == before {
            return Err(Error::EmptyFolder(path.to_path_buf()));
        }
        return Ok(());
    }
    let known = format.or_else(|| Format::of_name(path));
    let (format, is_guessed) = (known.unwrap_or(Format::Text), known.is_none());
    let file = File::open(path).map_err(|error| Error::read(path, error))?;
    sources.push(if metadata.is_file() {
        let stamp = Some(Stamp::of(&metadata));
        Source {
            path: path.to_path_buf(),
            format,
            is_guessed,
            size: metadata.len(),
            spool: None,
            is_live: false,
            stamp,
        }
    } else {
        Source { is_guessed, ..spool(path, Box::new(file), format, space)? }
    });
    Ok(())
}

/// Adds all files below a folder, sorted by path. Skips names that start with a dot.
fn add_folder(folder: &Path, format: Option<Format>, space: &Space, sources: &mut Vec<Source>) -> Result<(), Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<PathBuf> =
        entries.map_err(|error| Error::read(folder, error))?.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_folder(&path, format, space, sources)?;
        } else {
            add(&path, format, space, sources)?;
        }
    }
    Ok(())
}

/// Copies an input that can be read only once to a temporary file without a name, which the system removes when it is closed.
fn spool(path: &Path, mut from: Box<dyn io::Read>, format: Format, space: &Space) -> Result<Source, Error> {
    let mut file = space.file()?;
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        let read = from.read(&mut buffer).map_err(|error| Error::read(path, error))?;
        if read == 0 {
            break;
        }
        io::Write::write_all(&mut file, &buffer[..read]).map_err(|source| space.error(source))?;
        size += read as u64;
    }
    let spool = Some(Arc::new(file));
    Ok(Source { path: path.to_path_buf(), format, is_guessed: false, size, spool, is_live: false, stamp: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Blocks, Fields};

    /// Reads a file of many blocks, changes it after the first block, and reads on.
    fn read_while(change: impl FnOnce(&Path)) -> Result<usize, Error> {
        let folder = tempfile::tempdir().expect("temporary space");
        let path = folder.path().join("in.jsonl");
        fs::write(&path, "{\"text\":\"words\"}\n".repeat(60_000)).expect("temporary space");
        let sources = resolve(&[path.display().to_string()], None)?;
        let mut blocks = Blocks::new(&sources, &Fields::default(), Default::default());
        assert!(blocks.next_block()?.is_some());
        change(&path);
        let mut more = 0;
        while blocks.next_block()?.is_some() {
            more += 1;
        }
        Ok(more)
    }

    #[test]
    fn a_file_that_changes_while_it_is_read() {
        assert!(read_while(|_| {}).expect("a file that stays as it is") > 1);
        let append = |path: &Path| {
            let mut file = File::options().append(true).open(path).expect("a file");
            io::Write::write_all(&mut file, b"{}\n").expect("temporary space");
        };
        let cut =
            |path: &Path| File::options().write(true).open(path).and_then(|file| file.set_len(9)).expect("a file");
        let touch = |path: &Path| {
            let later = SystemTime::now() + std::time::Duration::from_secs(1);
            File::options().write(true).open(path).and_then(|file| file.set_modified(later)).expect("a file");
        };
        let replace = |path: &Path| {
            let (copy, written) = (path.with_extension("copy"), fs::metadata(path).and_then(|data| data.modified()));
            fs::copy(path, &copy).expect("temporary space");
            let file = File::options().write(true).open(&copy).expect("a file");
            file.set_modified(written.expect("a time")).expect("a file");
            fs::rename(copy, path).expect("a file");
        };
        let remove = |path: &Path| fs::remove_file(path).expect("a file");
        let changes: [fn(&Path); 5] = [append, cut, touch, replace, remove];
        for (number, change) in changes.into_iter().enumerate() {
            assert!(matches!(read_while(change), Err(Error::Changed(_))), "change {number}");
        }
    }
}
