//! What happened in the folder, and is it time to stop?

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// What happened. Only Linux tells what happens to files: elsewhere the folder is listed from time to time.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// A file is complete: it was closed after writing, or moved in.
    Complete(OsString),
    /// A file was created. It is being written, unless it is a hard link or not a regular file.
    Created(OsString),
    /// The metadata of a file changed, but not its content.
    Changed(OsString),
    /// A file was removed or moved away.
    Gone(OsString),
    /// Events were lost: list the folder.
    Look,
    /// The watch is to stop.
    Stop,
}

/// Stops a watch, from any thread.
#[derive(Clone)]
pub struct SignalSender {
    sender: Sender<Signal>,
    is_stopped: Arc<AtomicBool>,
}

/// Receives the signals of a watch.
pub struct SignalReceiver {
    receiver: Receiver<Signal>,
    sender: SignalSender,
}

/// A channel to a watch.
pub fn signals() -> (SignalSender, SignalReceiver) {
    let (sender, receiver) = channel();
    let sender = SignalSender { sender, is_stopped: Arc::default() };
    (sender.clone(), SignalReceiver { receiver, sender })
}

impl SignalSender {
    /// Stops the watch after the current file. Returns whether this was requested before.
    pub fn stop(&self) -> bool {
        let before = self.is_stopped.swap(true, Ordering::SeqCst);
        self.send(Signal::Stop);
        before
    }

    pub(super) fn send(&self, signal: Signal) {
        // The receiver may be gone.
        let _ = self.sender.send(signal);
    }
}

impl SignalReceiver {
    /// Another sender to this receiver.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(super) fn sender(&self) -> SignalSender {
        self.sender.clone()
    }

    /// Whether the watch is to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.sender.is_stopped.load(Ordering::SeqCst)
    }

    /// The next signal. `None` after the deadline, and when the watch is to stop.
    pub(super) fn next(&self, until: Option<Instant>) -> Option<Signal> {
        if self.is_stopped() {
            return None;
        }
        let signal = match until {
            None => self.receiver.recv().ok()?,
            Some(until) => match self.receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(signal) => signal,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            },
        };
        (signal != Signal::Stop).then_some(signal)
    }
}
