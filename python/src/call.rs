//! Runs long work on a thread of its own, so that the interpreter goes on.
//!
//! The calling thread waits without the interpreter lock, and wakes every 50 milliseconds: to see whether the user pressed Ctrl-C, and to
//! report progress. It also wakes when a stage begins, so that every stage is reported, however short. An exception of either cancels the
//! work, waits for its end, and is passed on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lookalike::{Error, Handle, Reached, StorageError};
use lookalike_engine::Error as JobError;
use lookalike_io::Error as FileError;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// How often the calling thread looks for an interrupt.
pub const PERIOD: Duration = Duration::from_millis(50);

/// Runs work that can be cancelled by a handle. `progress` is called with the name of the stage, what is done, and the total.
pub fn run<T: Send, E: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Handle) -> Result<T, E> + Send,
    explain: impl FnOnce(E) -> PyErr,
) -> PyResult<T> {
    let progress = progress.map(|progress| progress.clone().unbind());
    let outcome = py.detach(|| {
        let (sender, receiver) = channel();
        let handle = match progress {
            Some(_) => telling(sender.clone()),
            None => Handle::new(),
        };
        let own = handle.clone();
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().name("lookalike".to_string()).spawn_scoped(scope, move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(&own)));
                // The receiver is there until this thread has ended.
                let _ = sender.send(Event::Ended);
                outcome
            });
            let worker = worker.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
            let mut interrupted = None;
            loop {
                let reached = match receiver.recv_timeout(PERIOD) {
                    Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => break,
                    Ok(Event::Begun(reached)) => Some(reached),
                    Err(RecvTimeoutError::Timeout) => handle.reached(),
                };
                if interrupted.is_some() {
                    continue;
                }
                let looked = Python::attach(|py| -> PyResult<()> {
                    py.check_signals()?;
                    match (&progress, reached) {
                        (Some(progress), Some(reached)) => {
                            progress.call1(py, (reached.stage, reached.done, reached.total)).map(|_| ())
                        }
                        _ => Ok(()),
                    }
                });
                if let Err(error) = looked {
                    handle.cancel();
                    interrupted = Some(error);
                }
            }
            let outcome = worker.join();
            match (interrupted, outcome) {
                (Some(error), _) => Err(error),
                (None, Ok(Ok(outcome))) => Ok(outcome),
                (None, Ok(Err(panic)) | Err(panic)) => Err(panicked(&*panic)),
            }
        })
    })?;
    // An interrupt that came last of all is not lost.
    py.check_signals()?;
    outcome.map_err(explain)
}

enum Event {
    Begun(Reached),
    Ended,
}

/// A handle that sends each stage as it begins, but not the same one again and again: some work goes block by block.
fn telling(sender: Sender<Event>) -> Handle {
    let last = Mutex::new("");
    Handle::telling(move |reached| {
        let before = std::mem::replace(&mut *last.lock().unwrap_or_else(PoisonError::into_inner), reached.stage);
        if before != reached.stage {
            // The receiver is there until the work has ended.
            let _ = sender.send(Event::Begun(reached));
        }
    })
}

fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let message = message.unwrap_or("no message");
    PyRuntimeError::new_err(format!("lookalike has a bug; please report it with this message: {message}"))
}

/// The exception for an error of the library.
pub fn exception(error: Error) -> PyErr {
    match &error {
        Error::Sets(sets) if is_out_of_memory(sets) => PyMemoryError::new_err(error.to_string()),
        Error::TooManyPairs { most } => PyMemoryError::new_err(format!(
            "more than {most} pairs reach the threshold; use a higher threshold, or allow more memory"
        )),
        Error::Threads { .. } => PyRuntimeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

fn is_out_of_memory(error: &lookalike::SetsError) -> bool {
    matches!(error, lookalike::SetsError::Storage(StorageError::OutOfMemory { .. }))
}

/// The exception for an error of a job on files.
pub fn job_exception(error: JobError) -> PyErr {
    let message = in_python(&error.to_string());
    match &error {
        _ if error.is_out_of_memory() => PyMemoryError::new_err(message),
        JobError::Io(FileError::NoField { .. } | FileError::NoColumn { .. }) => PyValueError::new_err(message),
        JobError::Io(_) | JobError::Index(_) => PyOSError::new_err(message),
        JobError::Threads { .. } => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// A message of the command with its options named as the arguments are here: `--max-document` is `max_document`.
fn in_python(message: &str) -> String {
    let mut written = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let option = &rest[at + 2..];
        let end = option.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(option.len());
        // In the middle of a word it is no option, and neither is a dash.
        let is_option = end > 0 && !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        written.push_str(&rest[..at]);
        match is_option {
            true => written.push_str(&option[..end].replace('-', "_")),
            false => written.push_str(&rest[at..at + 2 + end]),
        }
        rest = &option[end..];
    }
    (written + rest).replace("with -t", "with threshold")
}
