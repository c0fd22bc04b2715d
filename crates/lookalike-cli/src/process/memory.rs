//! What happens when memory runs out?
//!
//! By default the standard library aborts the process. Here it ends like any other error: with a message, exit status 2, and no
//! unfinished file. This must work without allocating, and without a lock that another thread out of memory may hold.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use lookalike::Measure;
use lookalike_io::discard_at_once;

use crate::args::{Command, MatchArgs, MeasureArg, MethodArgs};
use crate::outcome::FATAL;

/// The system's allocator, except that it ends the process instead of returning null.
pub struct Allocator;

// SAFETY: all calls go to the system's allocator; null pointers are never returned.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        some(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        some(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        some(unsafe { System.realloc(memory, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn some(memory: *mut u8, wanted: usize) -> *mut u8 {
    if memory.is_null() {
        end(Some(wanted));
    }
    memory
}

/// Advice for the user.
static ADVICE: OnceLock<&str> = OnceLock::new();

const MORE: &str = "Give it more memory.";
const MORE_OR_LESS: &str = "No file was written. Give it more memory, say with --memory how much it may use, or use --method \
                            minhash, which keeps a small signature of each document instead of its set.";
const MORE_FOR_FILES: &str = "No file was written. Give it more memory.";
const MORE_OR_SHORTER: &str = "Give it more memory, or a shorter --window.";

/// Sets the advice for a command that runs out of memory.
pub fn set_advice(command: &Command) {
    let can_sign = |by: &MethodArgs, matching: &MatchArgs| {
        !by.is_signed() && matches!(matching.measure, MeasureArg::Sets(Measure::Jaccard))
    };
    let advice = match command {
        Command::Dedup(args) if can_sign(&args.by_method, &args.matching) => MORE_OR_LESS,
        Command::Pairs(args) if can_sign(&args.by_method, &args.matching) => MORE_OR_LESS,
        Command::Dedup(_) | Command::Pairs(_) | Command::Sketch(_) | Command::Boilerplate(_) => MORE_FOR_FILES,
        Command::Stream(_) | Command::Serve(_) | Command::Watch(_) => MORE_OR_SHORTER,
        _ => MORE,
    };
    let _ = ADVICE.set(advice);
}

/// Returns the advice for a command that runs out of memory.
pub fn advice() -> &'static str {
    ADVICE.get().copied().unwrap_or(MORE)
}

/// Whether a thread is already ending the process.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Maximum length of a message, in bytes.
const LONGEST: usize = 512;

/// Seconds that another thread gets to end the process.
const PATIENCE: u32 = 10;

/// Ends the process because memory ran out; `wanted` is the size that could not be allocated.
#[cold]
fn end(wanted: Option<usize>) -> ! {
    if ENDING.swap(true, Relaxed) {
        // Another thread ends the process.
        system::wait(PATIENCE);
    } else {
        let mut room = [0; LONGEST];
        let message = message(wanted, &mut room);
        system::say(message);
        discard_at_once();
    }
    system::exit(FATAL)
}

/// The system calls that end the process without a lock and without an allocation.
#[cfg(unix)]
mod system {
    pub(super) fn wait(seconds: u32) {
        // SAFETY: the call only waits.
        unsafe { libc::sleep(seconds) };
    }

    pub(super) fn say(message: &[u8]) {
        // SAFETY: pointer and length are those of a slice. A failed write changes nothing.
        unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
    }

    pub(super) fn exit(status: u8) -> ! {
        // SAFETY: `_exit` ends the process without running handlers or destructors.
        unsafe { libc::_exit(status.into()) }
    }
}

/// Elsewhere by the standard library, which may take a lock.
#[cfg(not(unix))]
mod system {
    use std::io::{Write, stderr};
    use std::time::Duration;

    pub(super) fn wait(seconds: u32) {
        std::thread::sleep(Duration::from_secs(seconds.into()));
    }

    pub(super) fn say(message: &[u8]) {
        let _ = stderr().write_all(message);
    }

    pub(super) fn exit(status: u8) -> ! {
        std::process::exit(status.into())
    }
}

/// Writes the message into memory of the caller.
fn message(wanted: Option<usize>, room: &mut [u8]) -> &[u8] {
    let all = room.len();
    let mut rest = &mut *room;
    // Overwrites a progress bar. A message that is too long is cut off.
    let start = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let _ = write!(rest, "{start}lookalike: out of memory");
    let _ = match wanted {
        None => Ok(()),
        Some(bytes) if bytes < 1 << 20 => write!(rest, ": cannot allocate {bytes} bytes"),
        Some(bytes) => write!(rest, ": cannot allocate {} MiB", bytes.div_ceil(1 << 20)),
    };
    let _ = writeln!(rest, ". {}", advice());
    let length = all - rest.len();
    &room[..length]
}

/// Makes aborts for lack of memory end the process in the same way. Parts of the C library abort on their own, and so does a thread
/// that cannot allocate its signal stack. Other aborts stay aborts, but leave no unfinished files.
pub fn watch_aborts() {
    #[cfg(unix)]
    // SAFETY: the handler calls only functions that are safe in a signal handler.
    unsafe {
        libc::signal(libc::SIGABRT, on_abort as extern "C" fn(libc::c_int) as libc::sighandler_t)
    };
}

/// Size of a trial allocation: less than the C library requests from the system at once.
#[cfg(unix)]
const PROBE: usize = 64 << 10;

#[cfg(unix)]
extern "C" fn on_abort(_: libc::c_int) {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: an anonymous mapping at any address, which nothing else uses.
    let probe = unsafe { libc::mmap(std::ptr::null_mut(), PROBE, protection, flags, -1, 0) };
    if probe == libc::MAP_FAILED || ENDING.load(Relaxed) {
        end(None);
    }
    discard_at_once();
}
