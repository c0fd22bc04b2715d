//! Documents, one or many.

use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use lookalike::Verdict;
use serde::{Deserialize, Serialize};

use super::body::Arriving;
use super::state::Turn;
use super::wire::LONG;
use super::{ApiError, Service, lines};
use crate::entry::Added;

/// One document, or a body of lines, each of which is one and is answered by one.
pub(super) async fn add(
    State(service): State<Service>,
    Extension(turn): Extension<Turn>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let kind = kind(&headers)?;
    let arriving = Arriving::new(body, &headers, service.limits);
    if kind == Kind::Lines {
        return Ok(lines::judge(service, turn, arriving));
    }
    let bytes = arriving.whole().await?;
    let room = service.room(bytes.len()).await;
    let document = service.read(bytes.into(), true).await?;
    let told = service.desk.change(move |stock| {
        let answer = stock.add(document);
        drop(room);
        answer
    });
    let (answer, kept) = told.await.ok_or_else(ApiError::closed)?;
    let answer = answer?;
    kept.map_err(|error| ApiError::from(&*error))?;
    service.count(&answer);
    Ok(Json(answer).into_response())
}

/// What a body is said to be.
#[derive(PartialEq)]
enum Kind {
    Document,
    Lines,
}

/// Nothing is guessed: a page of another site can have a browser send a text or a form here without asking, but no JSON.
fn kind(headers: &HeaderMap) -> Result<Kind, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    match kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "application/json" => Ok(Kind::Document),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" => Ok(Kind::Lines),
        _ => Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "bad_content_type",
            "a document is application/json, and lines of them are application/x-ndjson",
        )),
    }
}

/// Asks without adding.
pub(super) async fn query(
    State(service): State<Service>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Verdict>, ApiError> {
    if kind(&headers)? != Kind::Document {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "bad_content_type",
            "one document is asked for at a time, as application/json",
        ));
    }
    let bytes = Arriving::new(body, &headers, service.limits).whole().await?;
    let room = service.room(bytes.len()).await;
    let document = service.read(bytes.into(), false).await?;
    let told = service.desk.ask(move |stock| {
        let answer = stock.query(&document.id, &document.set, document.time);
        drop(room);
        answer
    });
    told.await.map(Json).ok_or_else(ApiError::closed)
}

/// The id in a path.
type Id = Result<Path<String>, PathRejection>;

/// A document as it came, and what was thought of it.
#[derive(Serialize)]
pub(super) struct Document {
    number: u64,
    #[serde(flatten)]
    answer: Verdict,
    /// In seconds of Unix.
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    text: String,
    taken: bool,
}

pub(super) async fn get(State(service): State<Service>, id: Id) -> Result<Response, ApiError> {
    let Path(id) = id?;
    let told = service.desk.ask(move |stock| stock.get(&id)).await;
    let Added { number, answer, time, source, text, taken } =
        told.ok_or_else(ApiError::closed)??.ok_or_else(unknown)?;
    let is_long = text.len() >= LONG;
    let document = Json(Document { number, answer, time: time as f64 / 1e3, source, text, taken });
    if is_long { service.aside(move || document.into_response()).await } else { Ok(document.into_response()) }
}

pub(super) async fn remove(State(service): State<Service>, id: Id) -> Result<StatusCode, ApiError> {
    let Path(id) = id?;
    let told = service.desk.change(move |stock| stock.remove(&id)).await;
    let (removed, kept) = told.ok_or_else(ApiError::closed)?;
    if !removed? {
        return Err(unknown());
    }
    kept.map_err(|error| ApiError::from(&*error))?;
    Ok(StatusCode::NO_CONTENT)
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
    matches: Vec<Verdict>,
    /// What to ask for next time.
    next: u64,
}

/// The duplicates that came from a number on.
pub(super) async fn matches(
    State(service): State<Service>,
    query: Result<Query<Since>, QueryRejection>,
) -> Result<Json<Matches>, ApiError> {
    let Query(Since { since, limit }) = query?;
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::bad("bad_query", format!("limit is from 1 to {MOST}")));
    }
    let told = service.desk.ask(move |stock| stock.duplicates(since, limit)).await;
    let (found, next) = told.ok_or_else(ApiError::closed)??;
    Ok(Json(Matches { matches: found.into_iter().map(|added| added.answer).collect(), next }))
}

pub(super) fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "unknown_id", "no document of the window has this id")
}
