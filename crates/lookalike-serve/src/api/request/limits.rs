//! How much may clients ask for, and how slowly?

use std::time::Duration;

/// The limits of a service.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a document, as it is sent.
    pub document: usize,
    /// Concurrent requests.
    pub requests: usize,
    /// Concurrent connections.
    pub connections: usize,
    /// Concurrent readers of events.
    pub readers: usize,
    /// The time for a request's line and headers, and for which a connection may be idle.
    pub header: Duration,
    /// The time between two bytes of a body, and for which a response may stay unread.
    pub idle: Duration,
    /// The time for a whole document.
    pub transfer: Duration,
    /// The time for open requests when the service shuts down.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let seconds = Duration::from_secs;
        Limits {
            document: 10_000_000,
            requests: 256,
            connections: 4096,
            readers: 32,
            header: seconds(15),
            idle: seconds(30),
            transfer: seconds(120),
            shutdown: seconds(20),
        }
    }
}
