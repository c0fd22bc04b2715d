//! How are errors reported?

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::log::LogError;
use crate::store::StoreError;

/// An error response: a code for programs, a message for people.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    detail: Detail,
}

#[derive(Clone, Debug, Serialize)]
struct Detail {
    code: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a Detail,
    /// The number of the line, if the body has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, detail: Detail { code, message: message.into() } }
    }

    pub(super) fn bad(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The service is shutting down.
    pub(super) fn closed() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the service is shutting down")
    }

    /// Whether the client was too slow.
    pub(super) fn is_too_slow(&self) -> bool {
        self.status == StatusCode::REQUEST_TIMEOUT
    }

    /// The error as one line of a response.
    pub(super) fn line(&self, line: u64) -> Vec<u8> {
        let mut bytes =
            serde_json::to_vec(&Body { error: &self.detail, line: Some(line) }).expect("an error is plain data");
        bytes.push(b'\n');
        bytes
    }
}

impl From<&StoreError> for ApiError {
    fn from(error: &StoreError) -> ApiError {
        let message = error.to_string();
        match error {
            StoreError::IdTaken(_) => ApiError::new(StatusCode::CONFLICT, "id_taken", message),
            StoreError::Log(log @ (LogError::Write { .. } | LogError::Sync { .. })) => {
                let (status, code, until) = if log.is_full() {
                    (StatusCode::INSUFFICIENT_STORAGE, "disk_full", "until there is room")
                } else {
                    (StatusCode::SERVICE_UNAVAILABLE, "disk", "until the disk works again")
                };
                let what = match log {
                    LogError::Sync { .. } => "the change may be lost; send the request again",
                    _ => "the change was not made",
                };
                ApiError::new(status, code, format!("{message}; {what}. Documents are refused {until}"))
            }
            StoreError::Log(_) | StoreError::Entry(_) => {
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "disk", message)
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError::from(&error)
    }
}

impl From<PathRejection> for ApiError {
    fn from(error: PathRejection) -> ApiError {
        ApiError::bad("bad_id", error.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(error: QueryRejection) -> ApiError {
        ApiError::bad("bad_query", error.body_text())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(Body { error: &self.detail, line: None })).into_response()
    }
}
