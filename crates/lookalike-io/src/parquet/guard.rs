//! How does a panic inside the `parquet` crate become an error?

use std::any::Any;
use std::cell::Cell as Flag;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use ::parquet::errors::ParquetError;

/// What every function here that touches a file returns.
pub type Result<T, E = ParquetError> = std::result::Result<T, E>;

/// An error with our own words.
pub(super) fn error(message: impl Into<String>) -> ParquetError {
    ParquetError::General(message.into())
}

/// Runs `work`, and turns a panic inside it into an error.
///
/// The `parquet` crate checks much of what it reads, but not all: negative
/// offsets, a dictionary page that is missing, levels that end early and the
/// like still end in an `assert!`, an `expect` or a slice out of bounds. A
/// damaged file must be an error message and not a crash, so every call into
/// the crate that looks at file content goes through here, and nothing else
/// does: a panic in a caller's own callback stays a panic.
///
/// State that `work` was changing may be half changed after an error. Callers
/// must not use the column it was reading any further, which they have no
/// reason to.
///
/// This needs unwinding: a build with `panic = "abort"` crashes instead. And
/// it cannot help against memory running out, see [`pages`].
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    thread_local! {
        static INSIDE: Flag<bool> = const { Flag::new(false) };
    }
    static QUIET: Once = Once::new();

    // The default hook prints "thread main panicked at …" before the panic can
    // be caught. Ours says nothing for this thread while it is inside, and
    // hands everything else to the hook that was there.
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
    outcome.unwrap_or_else(|panic| Err(error(format!("damaged file ({})", said(&*panic)))))
}

/// The message of a panic, as far as it has one.
fn said(panic: &(dyn Any + Send)) -> &str {
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
        assert!(message.contains("damaged file (level 3 of 2)"), "{message}");
        assert_eq!(guarded(|| Ok(7)).unwrap(), 7);
    }
}
