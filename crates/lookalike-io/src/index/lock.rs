//! Who may write to an index?

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::error::IndexError;

/// The name of the lock file.
pub(super) const NAME: &str = "lock";

/// The right to write, until it is dropped or the process ends.
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Locks an index. Fails if another process holds the lock, and says which.
    pub(super) fn take(folder: &Path) -> Result<Lock, IndexError> {
        let path = folder.join(NAME);
        let failed = |error| IndexError::write(&path, error);
        let mut file =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut written = String::new();
                let _ = file.read_to_string(&mut written);
                return Err(IndexError::InUse { folder: folder.to_path_buf(), holder: holder(&written) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let held = format!("{} {now}\n", std::process::id());
        file.set_len(0).and_then(|()| file.write_all(held.as_bytes())).map_err(failed)?;
        Ok(Lock { file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // To close the file is not enough: a child that another thread is starting has it open until it runs its own program.
        let _ = self.file.unlock();
    }
}

/// Who holds a lock, in words.
fn holder(written: &str) -> String {
    let mut parts = written.split_whitespace().map(str::parse::<u64>);
    match (parts.next(), parts.next()) {
        (Some(Ok(process)), Some(Ok(since))) => format!("process {process} since {}", time(since)),
        _ => "another process".to_string(),
    }
}

/// Seconds since 1970 as a date and a time.
fn time(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // The era of 400 years that begins on 1 March of the year 0, and the day in it.
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02} {:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_who_holds_it() {
        assert_eq!(holder("12 1795000000\n"), "process 12 since 2026-11-18 11:06:40 UTC");
        assert_eq!(holder("7 951782400"), "process 7 since 2000-02-29 00:00:00 UTC");
        assert_eq!(holder(""), "another process");
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let error = Lock::take(folder.path()).err().unwrap().to_string();
        assert!(error.contains(&format!("process {} since 20", std::process::id())), "{error}");
        drop(lock);
        assert!(Lock::take(folder.path()).is_ok());
    }

    #[test]
    fn a_lock_ends_with_its_writer() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        // A child has such a copy for a moment.
        let copy = lock.file.try_clone().unwrap();
        assert!(Lock::take(folder.path()).is_err());
        drop(lock);
        Lock::take(folder.path()).unwrap();
        drop(copy);
    }
}
