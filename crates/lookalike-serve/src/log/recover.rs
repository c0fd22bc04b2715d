//! Which records are whole when a log is opened.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use super::error::{LogError, io_error};
use super::frame::{self, Framed, HEAD};
use super::layout::{FORMAT, path_of};
use super::place::Place;

/// The state in which a log was found when it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The number of whole records.
    pub records: u64,
    /// Bytes cut off at the end of the last file: a record that was being written when the process ended.
    pub cut: u64,
    /// Where damaged bytes come before whole records: file and offset.
    pub damaged: Vec<(PathBuf, u64)>,
}

/// The files of a folder by number, and the length of the last.
pub(super) type Files = (Vec<(u32, File)>, u64);

/// Opens the files of a folder, and calls `each` with every whole record.
pub(super) fn recover(
    folder: &Path,
    recovered: &mut Recovered,
    mut each: impl FnMut(Place, &[u8]),
) -> Result<Files, LogError> {
    let numbers = numbers(folder)?;
    let (mut files, mut end) = (Vec::new(), 0);
    for (at, &number) in numbers.iter().enumerate() {
        let path = path_of(folder, number);
        let failed = |error| io_error(&path, error);
        let is_last = at + 1 == numbers.len();
        let bytes = std::fs::read(&path).map_err(failed)?;
        if !bytes.starts_with(FORMAT) {
            // The process ended before the first line was written, so the file holds no record.
            if is_last && FORMAT.starts_with(&bytes) {
                std::fs::remove_file(&path).map_err(failed)?;
                recovered.cut += bytes.len() as u64;
                break;
            }
            return Err(LogError::Format(path));
        }
        let file = OpenOptions::new().read(true).write(true).open(&path).map_err(failed)?;
        end = read_file(&bytes, &path, is_last, recovered, |offset, payload| {
            each(Place { file: number, offset, length: payload.len() as u32 }, payload);
        });
        if end < bytes.len() as u64 {
            recovered.cut += bytes.len() as u64 - end;
            file.set_len(end).map_err(failed)?;
        }
        if is_last {
            // A killed process may have left bytes that are not on disk yet.
            file.sync_all().map_err(failed)?;
        }
        files.push((number, file));
    }
    Ok((files, end))
}

/// Calls `each` with every whole record of a file, and returns the length to which to cut the file.
fn read_file(
    bytes: &[u8],
    path: &Path,
    is_last: bool,
    recovered: &mut Recovered,
    mut each: impl FnMut(u64, &[u8]),
) -> u64 {
    let mut at = FORMAT.len();
    while at < bytes.len() {
        if let Framed::Whole(payload) = frame::read(&bytes[at..]) {
            each(at as u64, payload);
            recovered.records += 1;
            at += HEAD + payload.len();
            continue;
        }
        // With a whole record behind it, this is damage and not an unfinished write.
        match (at + 1..bytes.len())
            .find(|&next| matches!(frame::read(&bytes[next..]), Framed::Whole(payload) if !payload.is_empty()))
        {
            Some(next) => {
                recovered.damaged.push((path.to_path_buf(), at as u64));
                at = next;
            }
            None if is_last => return at as u64,
            None => {
                recovered.damaged.push((path.to_path_buf(), at as u64));
                return bytes.len() as u64;
            }
        }
    }
    at as u64
}

fn numbers(folder: &Path) -> Result<Vec<u32>, LogError> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| io_error(folder, error))? {
        let name = entry.map_err(|error| io_error(folder, error))?.file_name();
        let number: Option<u32> =
            name.to_str().and_then(|name| name.strip_suffix(".log")).and_then(|number| number.parse().ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}
