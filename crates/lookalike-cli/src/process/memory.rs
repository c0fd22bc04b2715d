//! The way out when there is no more memory.
//!
//! Most code cannot go on without the memory that it asks for, and the standard library then aborts the process. This is told as any other
//! error is: what happened, what to do, exit status 2, and no unfinished file is left. All of that must work without memory, and without
//! a lock that another thread may hold which is out of memory too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use lookalike::Measure;
use lookalike_io::discard_at_once;

use crate::args::{Command, MatchArgs, MeasureArg, MethodArgs};
use crate::outcome::FATAL;

/// The system's allocator, of which nobody hears that it has nothing left.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: the system's allocator does it all; a null pointer is not passed on.
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

/// What to do about it.
static ADVICE: OnceLock<&str> = OnceLock::new();

const MORE: &str = "Give it more memory.";
const MORE_OR_LESS: &str = "No file was written. Give it more memory, or use --method minhash, which keeps a small signature of \
                            each document instead of its set.";
const MORE_FOR_FILES: &str = "No file was written. Give it more memory.";
const MORE_OR_SHORTER: &str = "Give it more memory, or a shorter --window.";

/// Finds out what to do if a command has not enough memory.
pub fn set_advice(command: &Command) {
    let can_sign = |by: &MethodArgs, matching: &MatchArgs| {
        !by.is_signed() && matches!(matching.measure, MeasureArg::Sets(Measure::Jaccard))
    };
    let advice = match command {
        Command::Dedup(args) if can_sign(&args.by, &args.matching) => MORE_OR_LESS,
        Command::Pairs(args) if can_sign(&args.by, &args.matching) => MORE_OR_LESS,
        Command::Dedup(_) | Command::Pairs(_) | Command::Sketch(_) => MORE_FOR_FILES,
        Command::Stream(_) | Command::Serve(_) | Command::Watch(_) => MORE_OR_SHORTER,
        _ => MORE,
    };
    let _ = ADVICE.set(advice);
}

/// What to do if there is not enough memory.
pub fn advice() -> &'static str {
    ADVICE.get().copied().unwrap_or(MORE)
}

/// Whether a thread is about to end the process.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Longest message.
const LONGEST: usize = 512;

/// Seconds that it may take to end the process.
const PATIENCE: u32 = 10;

/// Ends the process when so many bytes could not be had.
#[cold]
fn end(wanted: Option<usize>) -> ! {
    if ENDING.swap(true, Relaxed) {
        // Another thread does it.
        // SAFETY: it only waits.
        unsafe { libc::sleep(PATIENCE) };
    } else {
        let mut room = [0; LONGEST];
        let message = message(wanted, &mut room);
        // SAFETY: the message is that long. Whether it can be written makes no difference any more.
        unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
        discard_at_once();
    }
    // SAFETY: it ends the process, without a look at anything that another thread may be changing.
    unsafe { libc::_exit(FATAL.into()) }
}

/// What is said of it, in memory of the caller's.
fn message(wanted: Option<usize>, room: &mut [u8]) -> &[u8] {
    let all = room.len();
    let mut rest = &mut *room;
    // Over a progress bar, if there is one. What does not fit into the room is cut off.
    let start = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let _ = write!(rest, "{start}lookalike: out of memory");
    let _ = match wanted {
        None => Ok(()),
        Some(bytes) if bytes < 1 << 20 => write!(rest, ": {bytes} bytes more could not be had"),
        Some(bytes) => write!(rest, ": {} MiB more could not be had", bytes.div_ceil(1 << 20)),
    };
    let _ = writeln!(rest, ". {}", advice());
    let length = all - rest.len();
    &room[..length]
}

/// Has an abort end in the same way if it is for want of memory: parts of the C library abort on their own, and so does a thread that
/// cannot get memory for its signals. Other aborts are what they were, and leave nothing unfinished behind either.
pub fn watch_aborts() {
    // SAFETY: the handler does nothing that a handler may not do.
    unsafe { libc::signal(libc::SIGABRT, on_abort as extern "C" fn(libc::c_int) as libc::sighandler_t) };
}

/// Less than what the C library asks the system for at once.
const PROBE: usize = 64 << 10;

extern "C" fn on_abort(_: libc::c_int) {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new memory anywhere, which nobody uses.
    let probe = unsafe { libc::mmap(std::ptr::null_mut(), PROBE, protection, flags, -1, 0) };
    if probe == libc::MAP_FAILED || ENDING.load(Relaxed) {
        end(None);
    }
    discard_at_once();
}
