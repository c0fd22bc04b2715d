use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use lookalike::engine::Recipe;
use lookalike::engine::PageRule;
use lookalike::VerdictKind;
use lookalike::Verdict;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::ApiError;
use super::events::Readers;
use super::fields::{FieldNames, Names};
use super::makers::Makers;
use crate::desk::Desk;
use crate::figures::Figures;
use crate::tally::Verdicts;

/// What all requests share.
#[derive(Clone)]
pub struct Service {
    pub(super) desk: Desk,
    pub(super) makers: Arc<Makers>,
    pub(super) names: Arc<Names>,
    pub(super) limits: Limits,
    token: Option<Arc<str>>,
    turns: Arc<Semaphore>,
    room: Arc<Semaphore>,
    /// As many long documents are read at once as there are processors.
    reading: Arc<Semaphore>,
    is_ended: Arc<watch::Sender<bool>>,
    counts: Arc<Counts>,
    pub(super) readers: Arc<Readers>,
    /// Few are compared side by side at once.
    pub(super) comparing: Arc<Semaphore>,
    /// Whether only this machine can ask.
    pub(super) is_local: bool,
}

/// How what clients send becomes a set.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// How a text does.
    pub recipe: Recipe,
    /// How a page becomes a text.
    pub page: PageRule,
    /// What the fields of a document are called.
    pub fields: FieldNames,
}

/// How much is too much.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a document as it is sent.
    pub document: usize,
    /// Requests at once.
    pub requests: usize,
    /// Connections at once.
    pub connections: usize,
    /// Readers of events at once.
    pub readers: usize,
    /// How long a request's line and headers may take, and how long a connection may be idle.
    pub header: Duration,
    /// How long a body may come without a byte, and an answer stand unread.
    pub patience: Duration,
    /// How long a document may take to come.
    pub slowest: Duration,
    /// How long, at the end, what was begun may take.
    pub farewell: Duration,
}

/// Documents that are compared side by side at once.
const COMPARING: usize = 2;

impl Default for Limits {
    fn default() -> Limits {
        let seconds = Duration::from_secs;
        Limits {
            document: 10_000_000,
            requests: 256,
            connections: 4096,
            readers: 32,
            header: seconds(15),
            patience: seconds(30),
            slowest: seconds(120),
            farewell: seconds(20),
        }
    }
}

/// A request's turn, for as long as it is held.
#[derive(Clone)]
pub(super) struct Turn(#[allow(dead_code)] Arc<OwnedSemaphorePermit>);

/// Documents that may be waiting as sets, in kilobytes of what was sent; a set is larger than its text, ten times at the worst.
const ROOM: usize = 64 << 10;

/// Room for a document that waits.
pub(super) type Room = Option<OwnedSemaphorePermit>;

/// How many documents got which verdict since the start.
#[derive(Default)]
struct Counts {
    new: AtomicU64,
    exact: AtomicU64,
    near: AtomicU64,
    old: AtomicU64,
}

/// What there is to tell of a service.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Stats {
    /// Documents whose verdicts can be asked for.
    documents: usize,
    /// Those that others are compared with.
    in_window: usize,
    /// Bytes of the log.
    log_bytes: u64,
    /// Bytes of memory that the process takes, where that can be found out.
    memory_bytes: Option<u64>,
    /// Verdicts since the start.
    verdicts: Verdicts,
    /// What documents are compared by.
    tokens: String,
    /// Why documents are refused, if they are.
    refusing: Option<String>,
    #[serde(flatten)]
    figures: Figures,
}

impl Service {
    /// A service of what is behind this desk; if there is a token, for those who have it.
    pub fn new(desk: Desk, reading: Reading, limits: Limits, token: Option<&str>) -> Service {
        let semaphore = |most| Arc::new(Semaphore::new(most));
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let Reading { recipe, page, fields } = reading;
        Service {
            desk,
            makers: Arc::new(Makers::new(recipe, page)),
            names: Arc::new(Names::new(fields)),
            limits,
            token: token.map(Arc::from),
            turns: semaphore(limits.requests),
            room: semaphore(ROOM),
            reading: semaphore(cores),
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
        // How far two tokens agree must not be told by how long it takes.
        let given = given.unwrap_or_default();
        let differ = token.bytes().zip(given.bytes()).fold(0, |sum, (one, two)| sum | (one ^ two));
        token.len() == given.len() && differ == 0
    }

    pub(super) fn turn(&self) -> Option<Turn> {
        Arc::clone(&self.turns).try_acquire_owned().ok().map(|permit| Turn(Arc::new(permit)))
    }

    /// Waits for room for a document of so many bytes. Who has some must not ask for more.
    pub(super) async fn room(&self, bytes: usize) -> Room {
        Arc::clone(&self.room).acquire_many_owned(kilobytes(bytes)).await.ok()
    }

    /// Room for a document, if there is any now.
    pub(super) fn room_now(&self, bytes: usize) -> Room {
        Arc::clone(&self.room).try_acquire_many_owned(kilobytes(bytes)).ok()
    }

    /// Has something done that takes a while, on a thread that answers no requests.
    pub(super) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = Arc::clone(&self.reading).acquire_owned().await.map_err(|_| ApiError::closed())?;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.map_err(|_| ApiError::closed())
    }

    /// Tells all who would go on for ever that it is over.
    pub(super) fn end(&self) {
        self.is_ended.send_replace(true);
    }

    /// Waits until it is over.
    pub(super) async fn ended(&self) {
        // The service itself has the sender.
        let _ = self.is_ended.subscribe().wait_for(|&is_ended| is_ended).await;
    }

    pub(super) fn count(&self, answer: &Verdict) {
        let Counts { new, exact, near, old } = &*self.counts;
        let counter = match answer.kind {
            VerdictKind::New => new,
            VerdictKind::Exact => exact,
            VerdictKind::Near => near,
            VerdictKind::Old => old,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub(super) async fn stats(&self) -> Result<Stats, ApiError> {
        let told = self.desk.ask(|stock| {
            let refusing = stock.trouble().map(String::from);
            (stock.len(), stock.window().len(), stock.log_bytes(), stock.figures(), refusing)
        });
        let (documents, in_window, log_bytes, figures, refusing) = told.await.ok_or_else(ApiError::closed)?;
        let of = |counter: &AtomicU64| counter.load(Relaxed);
        let Counts { new, exact, near, old } = &*self.counts;
        let verdicts = Verdicts { new: of(new), exact: of(exact), near: of(near), old: of(old) };
        let (memory_bytes, tokens) = (resident(), self.makers.recipe().tokens.to_string());
        Ok(Stats { documents, in_window, log_bytes, memory_bytes, verdicts, tokens, refusing, figures })
    }
}

fn kilobytes(bytes: usize) -> u32 {
    bytes.div_ceil(1024).min(ROOM) as u32
}

/// What Linux says of this process.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

impl Stats {
    /// The same for Prometheus.
    pub(super) fn to_prometheus(&self) -> String {
        let Verdicts { new, exact, near, old } = self.verdicts;
        let mut text = String::from(
            "# HELP lookalike_documents_total Documents by verdict, since the start.\n# TYPE lookalike_documents_total counter\n",
        );
        for (verdict, count) in [("new", new), ("exact", exact), ("near", near), ("old", old)] {
            text += &format!("lookalike_documents_total{{verdict=\"{verdict}\"}} {count}\n");
        }
        for (name, what, value) in [
            ("lookalike_window_documents", "Documents in the window.", self.in_window as u64),
            ("lookalike_stock_documents", "Documents whose verdicts can be asked for.", self.documents as u64),
            ("lookalike_window_segments", "Segments that have documents.", self.figures.window.segments as u64),
            ("lookalike_log_bytes", "Bytes of the log.", self.log_bytes),
            ("lookalike_refusing", "Whether documents are refused.", u64::from(self.refusing.is_some())),
        ] {
            text += &format!("# HELP {name} {what}\n# TYPE {name} gauge\n{name} {value}\n");
        }
        text
    }
}
