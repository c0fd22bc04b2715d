//! How many documents came? As JSON, and for Prometheus.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::errors::ApiError;
use super::service::Service;
use crate::stats::{VerdictCounts, WindowStats};

pub(super) async fn stats(State(service): State<Service>) -> Result<Json<Stats>, ApiError> {
    Ok(Json(service.stats().await?))
}

pub(super) async fn metrics(State(service): State<Service>) -> Result<Response, ApiError> {
    let text = service.stats().await?.to_prometheus();
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// The state of the service in numbers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Stats {
    /// All stored documents.
    documents: usize,
    /// Those with which new documents are compared.
    in_window: usize,
    /// The size of the log.
    log_bytes: u64,
    /// The resident memory of the process, where it is known.
    memory_bytes: Option<u64>,
    /// Verdicts since the start.
    verdicts: VerdictCounts,
    /// The kind of tokens that are compared.
    tokens: String,
    /// Why documents are refused, if they are.
    refusing: Option<String>,
    #[serde(flatten)]
    window: WindowStats,
}

impl Service {
    pub(super) async fn stats(&self) -> Result<Stats, ApiError> {
        let read = self.writer.read(|store| {
            let refusing = store.trouble().map(String::from);
            (store.len(), store.window().len(), store.log_bytes(), store.stats(), refusing)
        });
        let (documents, in_window, log_bytes, window, refusing) = read.await.ok_or_else(ApiError::closed)?;
        let verdicts = self.verdict_counts();
        let (memory_bytes, tokens) = (resident(), self.extractors.recipe().tokens.to_string());
        Ok(Stats { documents, in_window, log_bytes, memory_bytes, verdicts, tokens, refusing, window })
    }
}

/// The resident memory of this process, as Linux reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

impl Stats {
    /// The stats in the text format of Prometheus.
    fn to_prometheus(&self) -> String {
        let VerdictCounts { new, exact, near, old } = self.verdicts;
        let mut text = String::from(
            "# HELP lookalike_documents_total Documents by verdict, since the start.\n# TYPE lookalike_documents_total counter\n",
        );
        for (verdict, count) in [("new", new), ("exact", exact), ("near", near), ("old", old)] {
            text += &format!("lookalike_documents_total{{verdict=\"{verdict}\"}} {count}\n");
        }
        for (name, what, value) in [
            ("lookalike_window_documents", "Documents in the window.", self.in_window as u64),
            ("lookalike_stock_documents", "Stored documents, in the window or not.", self.documents as u64),
            ("lookalike_window_segments", "Segments that have documents.", self.window.window.segments as u64),
            ("lookalike_log_bytes", "Bytes of the log.", self.log_bytes),
            ("lookalike_refusing", "Whether documents are refused.", u64::from(self.refusing.is_some())),
        ] {
            text += &format!("# HELP {name} {what}\n# TYPE {name} gauge\n{name} {value}\n");
        }
        text
    }
}
