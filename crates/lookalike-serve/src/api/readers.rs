//! What do all readers of events share?

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// The readers of events.
pub(super) struct Readers {
    seats: Arc<Semaphore>,
    /// The latest stats as JSON, and when they were computed.
    pub(super) stats: Mutex<Option<(Instant, Arc<str>)>>,
}

impl Readers {
    pub(super) fn new(most: usize) -> Readers {
        Readers { seats: Arc::new(Semaphore::new(most)), stats: Mutex::default() }
    }

    /// Admits one more reader, if there are not too many.
    pub(super) fn seat(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.seats).try_acquire_owned().ok()
    }
}
