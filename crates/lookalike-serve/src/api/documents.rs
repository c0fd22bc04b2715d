//! Documents, one or many.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use lookalike_engine::Answer;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::state::Turn;
use super::{ApiError, Service, lines};
use crate::entry::Added;

/// One document, or a body of lines, each of which is one and is answered by one.
pub(super) async fn add(
    State(service): State<Service>,
    Extension(turn): Extension<Turn>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if ["application/x-ndjson", "application/jsonl", "application/ndjson"].iter().any(|lines| kind.starts_with(lines)) {
        return Ok(lines::judge(service, turn, body));
    }
    let document = service.read(&whole(&service, body).await?, true)?;
    let told = service.desk.ask(move |stock| stock.add(document)).await;
    let answer = told.ok_or_else(ApiError::closed)??;
    service.count(&answer);
    Ok(Json(answer).into_response())
}

/// Asks without adding.
pub(super) async fn query(State(service): State<Service>, body: Body) -> Result<Json<Answer>, ApiError> {
    let document = service.read(&whole(&service, body).await?, false)?;
    let told = service.desk.ask(move |stock| stock.query(&document.id, &document.set, document.time)).await;
    told.map(Json).ok_or_else(ApiError::closed)
}

pub(super) async fn get(State(service): State<Service>, Path(id): Path<String>) -> Result<Json<Added>, ApiError> {
    let told = service.desk.ask(move |stock| stock.get(&id)).await;
    told.ok_or_else(ApiError::closed)??.map(Json).ok_or_else(unknown)
}

pub(super) async fn remove(State(service): State<Service>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    let told = service.desk.ask(move |stock| stock.remove(&id)).await;
    if told.ok_or_else(ApiError::closed)?? { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}

/// Which duplicates are asked for.
#[derive(Deserialize)]
pub(super) struct Since {
    #[serde(default)]
    since: u64,
    #[serde(default = "hundred")]
    limit: usize,
}

fn hundred() -> usize {
    100
}

/// Most duplicates of an answer.
const MOST: usize = 1000;

#[derive(Serialize)]
pub(super) struct Matches {
    matches: Vec<Answer>,
    /// What to ask for next time.
    next: u64,
}

/// The duplicates that came from a number on.
pub(super) async fn matches(
    State(service): State<Service>,
    Query(Since { since, limit }): Query<Since>,
) -> Result<Json<Matches>, ApiError> {
    let told = service.desk.ask(move |stock| stock.duplicates(since, limit.clamp(1, MOST))).await;
    let (found, next) = told.ok_or_else(ApiError::closed)??;
    Ok(Json(Matches { matches: found.into_iter().map(|added| added.answer).collect(), next }))
}

pub(super) fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_id", "no document of the window has this id")
}

pub(super) fn too_large(limit: usize) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", format!("a document may have {limit} bytes"))
}

/// The next bytes of a body, if they come in time.
pub(super) async fn next_bytes(
    service: &Service,
    body: &mut (impl StreamExt<Item = Result<Bytes, axum::Error>> + Unpin),
) -> Result<Option<Bytes>, ApiError> {
    match timeout(Duration::from_secs(service.limits.patience), body.next()).await {
        Ok(None) => Ok(None),
        Ok(Some(Ok(bytes))) => Ok(Some(bytes)),
        Ok(Some(Err(_))) => Err(ApiError::bad("broken_body", "the body broke off")),
        Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not come in time")),
    }
}

/// All of a body that is one document.
async fn whole(service: &Service, body: Body) -> Result<Vec<u8>, ApiError> {
    let mut body = body.into_data_stream();
    let mut all = Vec::new();
    while let Some(bytes) = next_bytes(service, &mut body).await? {
        if all.len() + bytes.len() > service.limits.document {
            return Err(too_large(service.limits.document));
        }
        all.extend_from_slice(&bytes);
    }
    Ok(all)
}
