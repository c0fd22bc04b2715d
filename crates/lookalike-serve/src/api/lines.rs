//! How is a body of many documents, one per line, judged? The response is streamed line by line.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lookalike::Verdict;
use lookalike_io::write::json_line;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use super::errors::ApiError;
use super::request::{Arriving, too_large};
use super::service::{RequestPermit, Reservation, Service};
use crate::store::{Incoming, Store};

/// Parts of the response that may wait to be sent.
const WAITING: usize = 16;
/// The maximum number of lines that are judged together.
const BATCH: usize = 256;

pub(super) fn judge(service: Service, permit: RequestPermit, body: Arriving) -> Response {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        let (batch, reservations) = (Vec::new(), Vec::new());
        Lines { service, sender, batch, reservations, number: 0, judging: None }.run(body).await;
        drop(permit);
    });
    let body = Body::from_stream(ReceiverStream::new(receiver).map(Ok::<Bytes, Infallible>));
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

struct Lines {
    service: Service,
    sender: mpsc::Sender<Bytes>,
    /// Documents that are not judged yet, and the errors of invalid lines.
    batch: Vec<(u64, Result<Incoming, ApiError>)>,
    reservations: Vec<Reservation>,
    /// The number of the last line.
    number: u64,
    /// The batch before, which is judged while this one is read.
    judging: Option<JoinHandle<Judged>>,
}

/// The verdicts and errors of lines, by line number.
type Judged = Vec<(u64, Result<Verdict, ApiError>)>;

impl Lines {
    /// Judges all lines. Returns `None` if the client has disconnected.
    async fn run(mut self, mut body: Arriving) -> Option<()> {
        let service = self.service.clone();
        let mut open: Vec<u8> = Vec::new();
        let error = loop {
            let next = tokio::select! {
                next = body.next() => next,
                judged = done(&mut self.judging) => {
                    self.respond(judged).await?;
                    Ok(Some(Bytes::new()))
                }
                () = service.ended() => Err(ApiError::closed()),
            };
            // A client that waits for a response before it sends more is not slow.
            if open.is_empty() {
                body.begin();
            }
            match next {
                Ok(None) => {
                    self.line(&open).await?;
                    self.flush().await?;
                    return self.settle().await;
                }
                Ok(Some(bytes)) => {
                    let mut rest = &bytes[..];
                    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
                        open.extend_from_slice(&rest[..end]);
                        self.line(&open).await?;
                        open.clear();
                        body.begin();
                        rest = &rest[end + 1..];
                    }
                    open.extend_from_slice(rest);
                    if open.len() > service.limits.document {
                        break too_large(service.limits.document);
                    }
                    // While a batch is judged, the next one may grow.
                    if self.judging.is_none() {
                        self.flush().await?;
                    }
                }
                Err(error) if error.is_too_slow() && self.judging.is_some() => self.settle().await?,
                Err(error) => break error,
            }
        };
        self.batch.push((self.number + 1, Err(error)));
        self.flush().await?;
        self.settle().await?;
        body.turn_away();
        Some(())
    }

    async fn line(&mut self, line: &[u8]) -> Option<()> {
        self.number += 1;
        if line.trim_ascii().is_empty() {
            return Some(());
        }
        let mut reservation = self.service.try_reserve(line.len());
        if reservation.is_none() {
            // Release all reservations first, or two requests could wait for each other.
            self.flush().await?;
            self.settle().await?;
            reservation = self.service.reserve(line.len()).await;
        }
        self.reservations.push(reservation);
        let document = self.service.read(line.into(), true).await;
        self.batch.push((self.number, document));
        if self.batch.len() >= BATCH { self.flush().await } else { Some(()) }
    }

    /// Starts to judge the batch, and sends the verdicts of the batch before it.
    async fn flush(&mut self) -> Option<()> {
        if self.batch.is_empty() {
            return Some(());
        }
        let before = match self.judging {
            Some(_) => done(&mut self.judging).await,
            None => Vec::new(),
        };
        let batch = std::mem::take(&mut self.batch);
        let reservations = std::mem::take(&mut self.reservations);
        let (service, last) = (self.service.clone(), self.number);
        self.judging = Some(tokio::spawn(async move {
            let judge_all = move |store: &mut Store| {
                let mut judge = |document: Incoming| store.add(document).map_err(ApiError::from);
                let judged = batch.into_iter().map(|(line, document)| (line, document.and_then(&mut judge)));
                let judged = judged.collect::<Vec<_>>();
                drop(reservations);
                judged
            };
            let judged = match service.writer.write(judge_all).await {
                Some((judged, Ok(()))) => judged,
                Some((mut judged, Err(error))) => {
                    judged.iter_mut().filter(|(_, verdict)| verdict.is_ok()).for_each(|(_, verdict)| {
                        *verdict = Err(ApiError::from(&*error));
                    });
                    judged
                }
                None => vec![(last, Err(ApiError::closed()))],
            };
            judged.iter().filter_map(|(_, verdict)| verdict.as_ref().ok()).for_each(|verdict| service.count(verdict));
            judged
        }));
        self.respond(before).await
    }

    /// Waits for the batch that is being judged, and sends its verdicts.
    async fn settle(&mut self) -> Option<()> {
        if self.judging.is_none() {
            return Some(());
        }
        let judged = done(&mut self.judging).await;
        self.respond(judged).await
    }

    async fn respond(&mut self, judged: Judged) -> Option<()> {
        if judged.is_empty() {
            return Some(());
        }
        let mut bytes = Vec::new();
        for (line, verdict) in judged {
            match verdict {
                Ok(verdict) => json_line(&verdict, &mut bytes),
                Err(error) => bytes.extend(error.line(line)),
            }
        }
        // Give up on a client that does not read the response.
        timeout(self.service.limits.idle, self.sender.send(bytes.into())).await.ok()?.ok()
    }
}

/// Waits for the batch that is being judged. Without one, waits forever.
async fn done(judging: &mut Option<JoinHandle<Judged>>) -> Judged {
    match judging {
        Some(handle) => {
            let judged = handle.await;
            *judging = None;
            judged.unwrap_or_default()
        }
        None => std::future::pending().await,
    }
}
