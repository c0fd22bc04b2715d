//! A body of lines, of any length, answered line by line as they are judged.

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

use super::body::{Arriving, too_large};
use super::state::{Room, Turn};
use super::{ApiError, Service};
use crate::stock::{Incoming, Stock};

/// Answers that wait to be sent.
const WAITING: usize = 16;
/// Lines that are judged together.
const TOGETHER: usize = 256;

pub(super) fn judge(service: Service, turn: Turn, body: Arriving) -> Response {
    let (answers, sent) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        Lines { service, answers, waiting: Vec::new(), rooms: Vec::new(), number: 0, judging: None }.run(body).await;
        drop(turn);
    });
    let body = Body::from_stream(ReceiverStream::new(sent).map(Ok::<Bytes, Infallible>));
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

struct Lines {
    service: Service,
    answers: mpsc::Sender<Bytes>,
    /// Documents that are not judged yet, and in their places what is no document.
    waiting: Vec<(u64, Result<Incoming, ApiError>)>,
    rooms: Vec<Room>,
    number: u64,
    /// Those before them, which are judged while these are read.
    judging: Option<JoinHandle<Judged>>,
}

/// Lines that were judged, and what they are told.
type Judged = Vec<(u64, Result<Verdict, ApiError>)>;

impl Lines {
    /// Reads and answers all. Ends early if nobody listens any more.
    async fn run(mut self, mut body: Arriving) -> Option<()> {
        let service = self.service.clone();
        let mut open: Vec<u8> = Vec::new();
        let error = loop {
            let next = tokio::select! {
                next = body.next() => next,
                judged = done(&mut self.judging) => {
                    self.tell(judged).await?;
                    Ok(Some(Bytes::new()))
                }
                () = service.ended() => Err(ApiError::closed()),
            };
            // Who waits for an answer before sending more is not slow.
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
                    // While others are judged, more may come that can be synced together.
                    if self.judging.is_none() {
                        self.flush().await?;
                    }
                }
                Err(error) if error.is_too_slow() && self.judging.is_some() => self.settle().await?,
                Err(error) => break error,
            }
        };
        self.waiting.push((self.number + 1, Err(error)));
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
        let mut room = self.service.room_now(line.len());
        if room.is_none() {
            // Those who wait for each other's room would wait for ever.
            self.flush().await?;
            self.settle().await?;
            room = self.service.room(line.len()).await;
        }
        self.rooms.push(room);
        let document = self.service.read(line.into(), true).await;
        self.waiting.push((self.number, document));
        if self.waiting.len() >= TOGETHER { self.flush().await } else { Some(()) }
    }

    /// Has what waits judged, and tells what was judged before it.
    async fn flush(&mut self) -> Option<()> {
        if self.waiting.is_empty() {
            return Some(());
        }
        let before = match self.judging {
            Some(_) => done(&mut self.judging).await,
            None => Vec::new(),
        };
        let waiting = std::mem::take(&mut self.waiting);
        let rooms = std::mem::take(&mut self.rooms);
        let (service, last) = (self.service.clone(), self.number);
        self.judging = Some(tokio::spawn(async move {
            let judge_all = move |stock: &mut Stock| {
                let mut judge = |document: Incoming| stock.add(document).map_err(ApiError::from);
                let judged = waiting.into_iter().map(|(line, document)| (line, document.and_then(&mut judge)));
                let judged = judged.collect::<Vec<_>>();
                drop(rooms);
                judged
            };
            let judged = match service.desk.change(judge_all).await {
                Some((judged, Ok(()))) => judged,
                Some((mut judged, Err(error))) => {
                    judged.iter_mut().filter(|(_, answer)| answer.is_ok()).for_each(|(_, answer)| {
                        *answer = Err(ApiError::from(&*error));
                    });
                    judged
                }
                None => vec![(last, Err(ApiError::closed()))],
            };
            judged.iter().filter_map(|(_, answer)| answer.as_ref().ok()).for_each(|answer| service.count(answer));
            judged
        }));
        self.tell(before).await
    }

    /// Waits for what is being judged, and tells it.
    async fn settle(&mut self) -> Option<()> {
        if self.judging.is_none() {
            return Some(());
        }
        let judged = done(&mut self.judging).await;
        self.tell(judged).await
    }

    async fn tell(&mut self, judged: Judged) -> Option<()> {
        if judged.is_empty() {
            return Some(());
        }
        let mut bytes = Vec::new();
        for (line, answer) in judged {
            match answer {
                Ok(answer) => json_line(&answer, &mut bytes),
                Err(error) => bytes.extend(error.line(line)),
            }
        }
        // Who does not read the answers is not served on.
        timeout(self.service.limits.patience, self.answers.send(bytes.into())).await.ok()?.ok()
    }
}

/// What was being judged, when it is. Never, if nothing is.
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
