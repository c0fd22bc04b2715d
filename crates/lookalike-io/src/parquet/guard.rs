//! How a panic inside the `parquet` crate becomes an error.

use std::any::Any;
use std::cell::Cell as Flag;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use ::parquet::errors::ParquetError;

/// The result of working on a file.
pub type Result<T, E = ParquetError> = std::result::Result<T, E>;

/// An error with this message.
pub(super) fn error(message: impl Into<String>) -> ParquetError {
    ParquetError::General(message.into())
}

/// Runs `work`, and turns a panic inside it into an error.
///
/// The `parquet` crate does not check everything it reads: negative offsets, a missing dictionary page or levels that end early still
/// panic. A damaged file must give an error message, not a crash. So every call into the crate that reads file content goes through
/// here. Nothing else does: a panic in a caller's own callback stays a panic.
///
/// After an error, the state that `work` changed is undefined. Do not read the column any further.
///
/// This needs unwinding: a build with `panic = "abort"` crashes instead. It does not help if memory runs out; see `pages.rs`.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    thread_local! {
        static INSIDE: Flag<bool> = const { Flag::new(false) };
    }
    static QUIET: Once = Once::new();

    // The default hook prints "thread main panicked at …" before the panic is caught. Ours prints nothing for a thread that is inside
    // `guarded`, and calls the previous hook for all others.
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !INSIDE.get() {
                before(info);
            }
        }));
    });

    let outer = INSIDE.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    INSIDE.set(outer);
    outcome.unwrap_or_else(|panic| Err(error(format!("corrupt data ({})", message_of(&*panic)))))
}

/// The message of a panic, if it has one.
fn message_of(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no details")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_later_work_goes_on() {
        let failed: Result<()> = guarded(|| panic!("level {} of {}", 3, 2));
        let message = failed.unwrap_err().to_string();
        assert!(message.contains("corrupt data (level 3 of 2)"), "{message}");
        assert_eq!(guarded(|| Ok(7)).unwrap(), 7);
    }
}
