//! The body of a request, as it comes.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_stream::StreamExt;

use super::{ApiError, Limits};

/// How long what is not wanted any more is still read, so that its sender comes to read why.
const LINGER: Duration = Duration::from_secs(2);

/// A body of which some has come.
pub(super) struct Arriving {
    bytes: BodyDataStream,
    limits: Limits,
    /// When the document that is coming must be there.
    due: Instant,
    /// Bytes that it will have at least.
    announced: u64,
    /// Whether the client waits to be told that it may send.
    is_held_back: bool,
}

impl Arriving {
    pub(super) fn new(body: Body, headers: &HeaderMap, limits: Limits) -> Arriving {
        let is_held_back = headers.contains_key(header::EXPECT);
        let announced = body.size_hint().lower();
        let due = Instant::now() + limits.slowest;
        Arriving { bytes: body.into_data_stream(), limits, due, announced, is_held_back }
    }

    /// Another document begins.
    pub(super) fn begin(&mut self) {
        self.due = Instant::now() + self.limits.slowest;
    }

    /// The next bytes, if they come in time.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        self.is_held_back = false;
        let due = self.due.min(Instant::now() + self.limits.patience);
        match timeout_at(due, self.bytes.next()).await {
            Ok(None) => Ok(None),
            Ok(Some(Ok(bytes))) => Ok(Some(bytes)),
            Ok(Some(Err(_))) => Err(ApiError::bad("broken_body", "the body broke off")),
            Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not come in time")),
        }
    }

    /// All of it, if it is one document.
    pub(super) async fn whole(mut self) -> Result<Vec<u8>, ApiError> {
        let most = self.limits.document;
        let mut all = Vec::new();
        let mut is_too_large = self.announced > most as u64;
        while !is_too_large && let Some(bytes) = self.next().await? {
            is_too_large = all.len() + bytes.len() > most;
            if !is_too_large {
                all.extend_from_slice(&bytes);
            }
        }
        if is_too_large {
            self.turn_away();
            return Err(too_large(most));
        }
        Ok(all)
    }

    /// Reads on for a little while, beside the answer: who is cut off in mid-sentence does not hear it.
    pub(super) fn turn_away(mut self) {
        if !self.is_held_back {
            tokio::spawn(timeout(LINGER, async move { while let Some(Ok(_)) = self.bytes.next().await {} }));
        }
    }
}

pub(super) fn too_large(most: usize) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", format!("a document may have {most} bytes"))
}
