//! How are documents added, queried, read and deleted?

use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use lookalike::Verdict;
use serde::{Deserialize, Serialize};

use super::errors::ApiError;
use super::lines;
use super::request::{Arriving, LONG};
use super::service::{RequestPermit, Service};
use crate::store::Stored;

/// Adds one document, or one per line.
pub(super) async fn add(
    State(service): State<Service>,
    Extension(permit): Extension<RequestPermit>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let kind = kind(&headers)?;
    let arriving = Arriving::new(body, &headers, service.limits);
    if kind == Kind::Lines {
        return Ok(lines::judge(service, permit, arriving));
    }
    let bytes = arriving.whole().await?;
    let reservation = service.reserve(bytes.len()).await;
    let document = service.read(bytes.into(), true).await?;
    let written = service.writer.write(move |store| {
        let verdict = store.add(document);
        drop(reservation);
        verdict
    });
    let (verdict, synced) = written.await.ok_or_else(ApiError::closed)?;
    let verdict = verdict?;
    synced.map_err(|error| ApiError::from(&*error))?;
    service.count(&verdict);
    Ok(Json(verdict).into_response())
}

/// The kind of a body, by its content type.
#[derive(PartialEq)]
enum Kind {
    Document,
    Lines,
}

/// The content type must be given: a page of another site can make a browser post text or a form without asking, but not JSON.
fn kind(headers: &HeaderMap) -> Result<Kind, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    match kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "application/json" => Ok(Kind::Document),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" => Ok(Kind::Lines),
        _ => Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "bad_content_type",
            "send one document as application/json, or one per line as application/x-ndjson",
        )),
    }
}

/// Judges a document without adding it.
pub(super) async fn query(
    State(service): State<Service>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Verdict>, ApiError> {
    if kind(&headers)? != Kind::Document {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "bad_content_type",
            "send one document, as application/json",
        ));
    }
    let bytes = Arriving::new(body, &headers, service.limits).whole().await?;
    let reservation = service.reserve(bytes.len()).await;
    let document = service.read(bytes.into(), false).await?;
    let verdict = service.writer.read(move |store| {
        let verdict = store.query(&document.id, &document.set, document.time);
        drop(reservation);
        verdict
    });
    verdict.await.map(Json).ok_or_else(ApiError::closed)
}

/// The id in a path.
type Id = Result<Path<String>, PathRejection>;

/// A document with its verdict.
#[derive(Serialize)]
pub(super) struct Document {
    number: u64,
    #[serde(flatten)]
    verdict: Verdict,
    /// In Unix seconds.
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    text: String,
    taken: bool,
}

pub(super) async fn get(State(service): State<Service>, id: Id) -> Result<Response, ApiError> {
    let Path(id) = id?;
    let found = service.writer.read(move |store| store.get(&id)).await;
    let Stored { number, verdict, time, source, text, taken } =
        found.ok_or_else(ApiError::closed)??.ok_or_else(unknown)?;
    let is_long = text.len() >= LONG;
    let document = Json(Document { number, verdict, time: time as f64 / 1e3, source, text, taken });
    if is_long { service.run_blocking(move || document.into_response()).await } else { Ok(document.into_response()) }
}

pub(super) async fn remove(State(service): State<Service>, id: Id) -> Result<StatusCode, ApiError> {
    let Path(id) = id?;
    let written = service.writer.write(move |store| store.remove(&id)).await;
    let (removed, synced) = written.ok_or_else(ApiError::closed)?;
    if !removed? {
        return Err(unknown());
    }
    synced.map_err(|error| ApiError::from(&*error))?;
    Ok(StatusCode::NO_CONTENT)
}

/// The query of a request for duplicates.
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

/// The maximum number of duplicates in a response.
const MOST: usize = 1000;

#[derive(Serialize)]
pub(super) struct Matches {
    matches: Vec<Verdict>,
    /// The number to ask for next time.
    next: u64,
}

/// The duplicates that came since a number.
pub(super) async fn matches(
    State(service): State<Service>,
    query: Result<Query<Since>, QueryRejection>,
) -> Result<Json<Matches>, ApiError> {
    let Query(Since { since, limit }) = query?;
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::bad("bad_query", format!("limit must be from 1 to {MOST}")));
    }
    let found = service.writer.read(move |store| store.duplicates(since, limit)).await;
    let (found, next) = found.ok_or_else(ApiError::closed)??;
    Ok(Json(Matches { matches: found.into_iter().map(|stored| stored.verdict).collect(), next }))
}

pub(super) fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_id", "no document in the window has this id")
}
