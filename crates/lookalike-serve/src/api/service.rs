//! What do all requests share?

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::{Verdict, VerdictKind};
use lookalike_io::extract::Extraction;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::errors::ApiError;
use super::readers::Readers;
use super::request::{Extractors, FieldNames, LONG, Limits, Names, read_document};
use crate::stats::VerdictCounts;
use crate::store::Incoming;
use crate::writer::Writer;

/// The state that all requests share.
#[derive(Clone)]
pub struct Service {
    pub(super) writer: Writer,
    pub(super) extractors: Arc<Extractors>,
    pub(super) names: Arc<Names>,
    pub(super) limits: Limits,
    token: Option<Arc<str>>,
    requests: Arc<Semaphore>,
    memory: Arc<Semaphore>,
    /// Limits blocking work to the number of processors.
    blocking: Arc<Semaphore>,
    is_ended: Arc<watch::Sender<bool>>,
    counts: Arc<Counts>,
    pub(super) readers: Arc<Readers>,
    /// Limits the number of concurrent comparisons.
    pub(super) comparing: Arc<Semaphore>,
    /// Whether the service listens on a loopback address.
    pub(super) is_local: bool,
}

/// How a document that a client sends becomes a set.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// How a text or a page becomes a set.
    pub extraction: Extraction,
    /// The names of a document's fields.
    pub fields: FieldNames,
}

/// Concurrent comparisons of two documents.
const COMPARING: usize = 2;

/// The permit of a running request; released with the last clone.
#[derive(Clone)]
pub(super) struct RequestPermit(#[allow(dead_code)] Arc<OwnedSemaphorePermit>);

/// Kilobytes of documents that may wait for the writer. A set takes up to ten times the memory of its text.
const MEMORY: usize = 64 << 10;

/// Memory reserved for a document that waits for the writer.
pub(super) type Reservation = Option<OwnedSemaphorePermit>;

/// Documents by verdict, since the start.
#[derive(Default)]
struct Counts {
    new: AtomicU64,
    exact: AtomicU64,
    near: AtomicU64,
    old: AtomicU64,
}

impl Service {
    /// A service that judges documents with this writer. If there is a token, clients must send it.
    pub fn new(writer: Writer, reading: Reading, limits: Limits, token: Option<&str>) -> Service {
        let semaphore = |most| Arc::new(Semaphore::new(most));
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let Reading { extraction, fields } = reading;
        Service {
            writer,
            extractors: Arc::new(Extractors::new(extraction)),
            names: Arc::new(Names::new(fields)),
            limits,
            token: token.map(Arc::from),
            requests: semaphore(limits.requests),
            memory: semaphore(MEMORY),
            blocking: semaphore(cores),
            is_ended: Arc::new(watch::Sender::new(false)),
            counts: Arc::default(),
            readers: Arc::new(Readers::new(limits.readers)),
            comparing: semaphore(COMPARING),
            is_local: false,
        }
    }

    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    pub(super) fn allows(&self, given: Option<&str>) -> bool {
        let Some(token) = &self.token else { return true };
        // In constant time, so that timing does not reveal a matching prefix.
        let given = given.unwrap_or_default();
        let differ = token.bytes().zip(given.bytes()).fold(0, |sum, (one, two)| sum | (one ^ two));
        token.len() == given.len() && differ == 0
    }

    pub(super) fn request_permit(&self) -> Option<RequestPermit> {
        Arc::clone(&self.requests).try_acquire_owned().ok().map(|permit| RequestPermit(Arc::new(permit)))
    }

    /// Waits for memory for a document of this size. To avoid a deadlock, the caller must not hold another reservation.
    pub(super) async fn reserve(&self, bytes: usize) -> Reservation {
        Arc::clone(&self.memory).acquire_many_owned(kilobytes(bytes)).await.ok()
    }

    /// Reserves memory for a document of this size, if there is enough now.
    pub(super) fn try_reserve(&self, bytes: usize) -> Reservation {
        Arc::clone(&self.memory).try_acquire_many_owned(kilobytes(bytes)).ok()
    }

    /// Runs long work on a thread that handles no requests.
    pub(super) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = Arc::clone(&self.blocking).acquire_owned().await.map_err(|_| ApiError::closed())?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| ApiError::closed())
    }

    /// Parses a document and makes its set.
    pub(super) async fn read(&self, bytes: Cow<'_, [u8]>, needs_id: bool) -> Result<Incoming, ApiError> {
        if bytes.len() < LONG {
            return read_document(&bytes, needs_id, &self.names, &self.extractors);
        }
        let (service, bytes) = (self.clone(), bytes.into_owned());
        self.run_blocking(move || read_document(&bytes, needs_id, &service.names, &service.extractors)).await?
    }

    /// Ends all responses that would otherwise go on forever.
    pub(super) fn end(&self) {
        self.is_ended.send_replace(true);
    }

    /// Waits until the service ends.
    pub(super) async fn ended(&self) {
        // This cannot fail: the service itself holds the sender.
        let _ = self.is_ended.subscribe().wait_for(|&is_ended| is_ended).await;
    }

    pub(super) fn count(&self, verdict: &Verdict) {
        let Counts { new, exact, near, old } = &*self.counts;
        let counter = match verdict.kind {
            VerdictKind::New => new,
            VerdictKind::Exact => exact,
            VerdictKind::Near => near,
            _ => old,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// Verdicts since the start.
    pub(super) fn verdict_counts(&self) -> VerdictCounts {
        let of = |counter: &AtomicU64| counter.load(Relaxed);
        let Counts { new, exact, near, old } = &*self.counts;
        VerdictCounts { new: of(new), exact: of(exact), near: of(near), old: of(old) }
    }
}

fn kilobytes(bytes: usize) -> u32 {
    bytes.div_ceil(1024).min(MEMORY) as u32
}
