//! What happens, told as it happens (server-sent events).
//!
//! Every reader asks for itself, a few times a second and never before it has taken what it was told: one that is slow, or a feed that is
//! fast, makes events fewer and not memory larger. What an event has no room for is counted in it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use super::{ApiError, Service};
use crate::figures::News;

/// Between two events on documents.
const TICK: Duration = Duration::from_millis(250);
/// For so long, numbers are not counted again.
const FRESH: Duration = Duration::from_secs(1);
/// With nothing to tell, a reader is told so.
const SILENCE: Duration = Duration::from_secs(15);

/// What all readers of events share.
pub(super) struct Readers {
    seats: Arc<Semaphore>,
    /// The latest numbers, and since when they are.
    numbers: Mutex<Option<(Instant, Arc<str>)>>,
}

impl Readers {
    pub(super) fn new(most: usize) -> Readers {
        Readers { seats: Arc::new(Semaphore::new(most)), numbers: Mutex::default() }
    }
}

/// From which number on.
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
    let Ok(seat) = Arc::clone(&service.readers.seats).try_acquire_owned() else {
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_readers", "too many read events already");
        return Ok(([(header::RETRY_AFTER, "10")], error).into_response());
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let since = last.or(since).unwrap_or(0);
    let (out, sent) = mpsc::channel(1);
    tokio::spawn(async move {
        let (ending, telling) = (service.clone(), out.clone());
        tokio::select! {
            // It would not end by itself, and a service that ends waits for it.
            () = ending.ended() => (),
            () = out.closed() => (),
            _ = tell(service, telling, since, seat) => (),
        }
    });
    let sent = ReceiverStream::new(sent).map(Ok::<Event, Infallible>);
    Ok(Sse::new(sent).keep_alive(KeepAlive::new().interval(SILENCE)).into_response())
}

/// Tells one reader everything, from a number on. Ends if the reader or the service does.
async fn tell(service: Service, out: mpsc::Sender<Event>, since: u64, _seat: OwnedSemaphorePermit) -> Option<()> {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut numbers: Arc<str> = Arc::from("");
    let mut next = None;
    loop {
        ticks.tick().await;
        let now = service.numbers().await?;
        if now != numbers {
            out.send(Event::default().event("stats").data(&*now)).await.ok()?;
            numbers = now;
        }
        let from = next.unwrap_or(since);
        let news = service.desk.ask(move |stock| stock.news(from)).await?;
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
    /// What /v1/stats says, or said within a second: counting costs the same, however many read it.
    async fn numbers(&self) -> Option<Arc<str>> {
        let mut numbers = self.readers.numbers.lock().await;
        if let Some((_, told)) = numbers.as_ref().filter(|(then, _)| then.elapsed() < FRESH) {
            return Some(told.clone());
        }
        let told: Arc<str> = serde_json::to_string(&self.stats().await.ok()?).ok()?.into();
        *numbers = Some((Instant::now(), told.clone()));
        Some(told)
    }
}
