use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::log::LogError;
use crate::stock::StockError;

/// What went wrong: a code for machines, a sentence for people.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    told: Told,
}

#[derive(Clone, Debug, Serialize)]
struct Told {
    code: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a Told,
    /// Of a body of lines, which.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, told: Told { code, message: message.into() } }
    }

    pub(super) fn bad(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The service is ending.
    pub(super) fn closed() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the service is ending")
    }

    /// Whether somebody took too long.
    pub(super) fn is_too_slow(&self) -> bool {
        self.status == StatusCode::REQUEST_TIMEOUT
    }

    /// The same on a line of its own.
    pub(super) fn line(&self, line: u64) -> Vec<u8> {
        let mut bytes =
            serde_json::to_vec(&Body { error: &self.told, line: Some(line) }).expect("an error is plain data");
        bytes.push(b'\n');
        bytes
    }
}

impl From<&StockError> for ApiError {
    fn from(error: &StockError) -> ApiError {
        let message = error.to_string();
        match error {
            StockError::IdTaken(_) => ApiError::new(StatusCode::CONFLICT, "id_taken", message),
            StockError::Log(log @ (LogError::Write { .. } | LogError::Sync { .. })) => {
                let (status, code, until) = if log.is_full() {
                    (StatusCode::INSUFFICIENT_STORAGE, "disk_full", "until there is room")
                } else {
                    (StatusCode::SERVICE_UNAVAILABLE, "disk", "until that is mended")
                };
                let what = match log {
                    LogError::Sync { .. } => "it is not known whether this will last; ask again",
                    _ => "this was not done",
                };
                ApiError::new(status, code, format!("{message}; {what}. Documents are refused {until}"))
            }
            StockError::Log(_) | StockError::Entry(_) => {
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "disk", message)
            }
        }
    }
}

impl From<StockError> for ApiError {
    fn from(error: StockError) -> ApiError {
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
        (self.status, Json(Body { error: &self.told, line: None })).into_response()
    }
}
