//! How is a body received, and how slow may it be?

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_stream::StreamExt;

use super::limits::Limits;
use crate::api::errors::ApiError;

/// How long a rejected body is still read, so that the client gets to read the response.
const LINGER: Duration = Duration::from_secs(2);

/// A body that is being received.
pub(in crate::api) struct Arriving {
    bytes: BodyDataStream,
    limits: Limits,
    /// The deadline of the current document.
    due: Instant,
    /// The minimum size of the body, as announced.
    announced: u64,
    /// Whether the client waits for `100 Continue`.
    is_held_back: bool,
}

impl Arriving {
    pub(in crate::api) fn new(body: Body, headers: &HeaderMap, limits: Limits) -> Arriving {
        let is_held_back = headers.contains_key(header::EXPECT);
        let announced = body.size_hint().lower();
        let due = Instant::now() + limits.transfer;
        Arriving { bytes: body.into_data_stream(), limits, due, announced, is_held_back }
    }

    /// Restarts the clock for the next document.
    pub(in crate::api) fn begin(&mut self) {
        self.due = Instant::now() + self.limits.transfer;
    }

    /// The next bytes, if they come in time.
    pub(in crate::api) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        self.is_held_back = false;
        let due = self.due.min(Instant::now() + self.limits.idle);
        match timeout_at(due, self.bytes.next()).await {
            Ok(None) => Ok(None),
            Ok(Some(Ok(bytes))) => Ok(Some(bytes)),
            Ok(Some(Err(_))) => Err(ApiError::bad("broken_body", "the body is incomplete")),
            Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not arrive in time")),
        }
    }

    /// The whole body of one document.
    pub(in crate::api) async fn whole(mut self) -> Result<Vec<u8>, ApiError> {
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

    /// Keeps reading for a short time while the response is sent: many clients read no response before they have sent all.
    pub(in crate::api) fn turn_away(mut self) {
        if !self.is_held_back {
            tokio::spawn(timeout(LINGER, async move { while let Some(Ok(_)) = self.bytes.next().await {} }));
        }
    }
}

pub(in crate::api) fn too_large(most: usize) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", format!("a document may have at most {most} bytes"))
}
