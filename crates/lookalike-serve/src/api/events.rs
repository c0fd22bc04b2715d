//! Which documents come now? Clients read it as server-sent events.
//!
//! A task per reader polls the store a few times a second, and only after the reader has received the last event. So a slow reader or a
//! fast feed leads to fewer events, and not to more memory. An event counts the documents for which it has no room.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use super::errors::ApiError;
use super::service::Service;
use crate::stats::News;

/// The time between two polls.
const TICK: Duration = Duration::from_millis(250);
/// How long computed stats are reused.
const FRESH: Duration = Duration::from_secs(1);
/// The interval of keep-alive messages.
const SILENCE: Duration = Duration::from_secs(15);

/// The number of the first document to report.
#[derive(Deserialize)]
pub(super) struct From {
    since: Option<u64>,
}

pub(super) async fn events(
    State(service): State<Service>,
    query: Result<Query<From>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(From { since }) = query?;
    let Some(seat) = service.readers.seat() else {
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_readers", "too many readers of events");
        return Ok(([(header::RETRY_AFTER, "10")], error).into_response());
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let since = last.or(since).unwrap_or(0);
    let (out, sent) = mpsc::channel(1);
    tokio::spawn(async move {
        let (ending, sender) = (service.clone(), out.clone());
        tokio::select! {
            // The stream has no end of its own, and a shutdown would wait for it.
            () = ending.ended() => (),
            () = out.closed() => (),
            _ = send(service, sender, since, seat) => (),
        }
    });
    let sent = ReceiverStream::new(sent).map(Ok::<Event, Infallible>);
    Ok(Sse::new(sent).keep_alive(KeepAlive::new().interval(SILENCE)).into_response())
}

/// Sends events to one reader, until the reader disconnects or the service ends.
async fn send(service: Service, out: mpsc::Sender<Event>, since: u64, _seat: OwnedSemaphorePermit) -> Option<()> {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stats: Arc<str> = Arc::from("");
    let mut next = None;
    loop {
        ticks.tick().await;
        let now = service.recent_stats().await?;
        if now != stats {
            out.send(Event::default().event("stats").data(&*now)).await.ok()?;
            stats = now;
        }
        let from = next.unwrap_or(since);
        let news = service.writer.read(move |store| store.news(from)).await?;
        if next != Some(news.next) {
            next = Some(news.next);
            out.send(event(&news)?).await.ok()?;
        }
    }
}

fn event(news: &News) -> Option<Event> {
    let data = serde_json::to_string(news).ok()?;
    Some(Event::default().event("judged").id(news.next.to_string()).data(data))
}

impl Service {
    /// The response of `/v1/stats`, at most a second old. The cost does not depend on the number of readers.
    async fn recent_stats(&self) -> Option<Arc<str>> {
        let mut recent = self.readers.stats.lock().await;
        if let Some((_, stats)) = recent.as_ref().filter(|(then, _)| then.elapsed() < FRESH) {
            return Some(stats.clone());
        }
        let stats: Arc<str> = serde_json::to_string(&self.stats().await.ok()?).ok()?.into();
        *recent = Some((Instant::now(), stats.clone()));
        Some(stats)
    }
}
