//! Who says that there is something to do: the operating system, which saw a file, and whoever wants an end.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ring {
    /// A file is whole: it was closed after it was written, or moved in.
    Whole(OsString),
    /// A name is new: of a file that is being written, unless it is another name of one, or no regular file at all.
    Made(OsString),
    /// Something about a file is new, but not what is in it.
    Changed(OsString),
    /// A name is gone.
    Gone(OsString),
    /// Something happened, and nobody knows what.
    Look,
    /// It is to end.
    Stop,
}

/// Ends a watch, from any thread.
#[derive(Clone)]
pub struct Bell {
    rings: Sender<Ring>,
    is_stopped: Arc<AtomicBool>,
}

/// Where a watch hears of it.
pub struct Rings {
    rings: Receiver<Ring>,
    bell: Bell,
}

impl Bell {
    /// A bell, and where it is heard.
    pub fn new() -> (Bell, Rings) {
        let (sender, receiver) = channel();
        let bell = Bell { rings: sender, is_stopped: Arc::default() };
        (bell.clone(), Rings { rings: receiver, bell })
    }

    /// Finish the file in hand, and end. Whether that was said before.
    pub fn stop(&self) -> bool {
        let before = self.is_stopped.swap(true, Ordering::SeqCst);
        self.ring(Ring::Stop);
        before
    }

    pub(super) fn ring(&self, ring: Ring) {
        // Nobody may be listening any more.
        let _ = self.rings.send(ring);
    }
}

impl Rings {
    /// Another bell.
    pub(super) fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// Whether it is to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.bell.is_stopped.load(Ordering::SeqCst)
    }

    /// What is said next, up to a moment. None then, and at the end.
    pub(super) fn next(&self, until: Option<Instant>) -> Option<Ring> {
        if self.is_stopped() {
            return None;
        }
        let ring = match until {
            None => self.rings.recv().ok()?,
            Some(until) => match self.rings.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(ring) => ring,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            },
        };
        (ring != Ring::Stop).then_some(ring)
    }
}
