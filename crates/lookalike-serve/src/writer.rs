//! Which thread owns the store, and when does it sync?
//!
//! One thread owns the [`Store`] and runs jobs on it, one after another. The caller of a job gets its result when its changes are on
//! disk. Jobs that wait at the same time are synced together.
//!
//! A full or failing disk does not end the service. Jobs that only read get their results as before. Jobs that change the store get an
//! error, and the disk is retried until it works.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use crate::store::{Store, StoreError};

/// When acknowledged changes are on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Before the response.
    Always,
    /// At most this much later. A crash of the process still loses nothing; a crash of the machine may.
    Within(Duration),
}

/// A change of state that the operator should know about.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Documents cannot be written, for this reason. Reported once; the writer keeps trying.
    Refusing(&'a str),
    /// Documents can be written again.
    Taking,
    /// Old files cannot be deleted, or a new one cannot be created. Reported once; the writer keeps trying.
    Untidy(&'a StoreError),
}

/// Whether changes are on disk.
pub type SyncResult = Result<(), Arc<StoreError>>;

type Deliver = Box<dyn FnOnce(&SyncResult) + Send>;
type Job = Box<dyn FnOnce(&mut Store) -> Deliver + Send>;

/// Jobs that may wait in the queue.
const QUEUE: usize = 1024;
/// The maximum number of jobs between two syncs.
const BATCH: usize = 256;
/// How often a failed disk is retried.
const RETRY: Duration = Duration::from_millis(500);

/// A handle to the thread that owns the store.
#[derive(Clone)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the thread. It ends when all handles are dropped.
    pub fn start(
        store: Store,
        sync: Sync,
        report: impl FnMut(Event) + Send + 'static,
    ) -> (Writer, JoinHandle<Result<(), StoreError>>) {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let weak = jobs.downgrade();
        let every = match sync {
            Sync::Always => RETRY,
            Sync::Within(most) => RETRY.min(most / 2),
        };
        std::thread::spawn(move || tick(&weak, every));
        (Writer { jobs }, std::thread::spawn(move || run(store, queue, sync, report)))
    }

    /// Runs a job that only reads. Returns `None` if the service has ended.
    pub async fn read<T: Send + 'static>(&self, job: impl FnOnce(&mut Store) -> T + Send + 'static) -> Option<T> {
        self.write(job).await.map(|(result, _)| result)
    }

    /// Runs a job that changes the store, and reports whether the changes are on disk.
    pub async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Store) -> T + Send + 'static,
    ) -> Option<(T, SyncResult)> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |store| {
            let result = job(store);
            Box::new(move |synced| {
                // The caller may be gone.
                let _ = sender.send((result, synced.clone()));
            })
        });
        self.jobs.send(job).await.ok()?;
        receiver.await.ok()
    }
}

/// Sends empty jobs at an interval, so that the last changes are synced and a failed disk is retried even without requests.
fn tick(jobs: &mpsc::WeakSender<Job>, every: Duration) {
    loop {
        std::thread::sleep(every);
        let nothing: Job = Box::new(|_| Box::new(|_| ()));
        if jobs.upgrade().is_none_or(|jobs| jobs.blocking_send(nothing).is_err()) {
            return;
        }
    }
}

fn run(
    mut store: Store,
    mut jobs: mpsc::Receiver<Job>,
    sync: Sync,
    mut report: impl FnMut(Event),
) -> Result<(), StoreError> {
    let (mut synced, mut tried) = (Instant::now(), Instant::now());
    let (mut is_refusing, mut is_untidy) = (false, false);
    while let Some(job) = jobs.blocking_recv() {
        let mut results = vec![job(&mut store)];
        while results.len() < BATCH
            && let Ok(job) = jobs.try_recv()
        {
            results.push(job(&mut store));
        }
        let is_due = match sync {
            Sync::Always => true,
            // The other half may pass until the next tick.
            Sync::Within(most) => synced.elapsed() >= most / 2,
        };
        let result = if is_due { store.commit().map_err(Arc::new) } else { Ok(()) };
        if is_due {
            synced = Instant::now();
        }
        results.into_iter().for_each(|deliver| deliver(&result));
        if store.trouble().is_some() && is_refusing && tried.elapsed() >= RETRY {
            store.try_again();
            tried = Instant::now();
        }
        match store.trouble() {
            Some(reason) if !is_refusing => report(Event::Refusing(reason)),
            None if is_refusing => report(Event::Taking),
            _ => (),
        }
        is_refusing = store.trouble().is_some();
        // Without a working disk, cleaning up would fail too.
        let tidied = if is_refusing { Ok(()) } else { store.tidy() };
        if let Err(error) = &tidied
            && !is_untidy
            && store.trouble().is_none()
        {
            report(Event::Untidy(error));
        }
        is_untidy = tidied.is_err();
    }
    store.close()
}
