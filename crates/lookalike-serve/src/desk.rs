//! One thread has the stock, and does one thing after another. Whoever wants something of it leaves a job here, and is answered when what
//! was done is on the disk: jobs that wait together are synced together.
//!
//! A disk that is full or fails ends nothing. What only reads is answered as before; what was to be remembered is told that it was not,
//! or may not have been; and the disk is tried again and again.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use crate::stock::{Stock, StockError};

/// When what was acknowledged is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Before the answer.
    Always,
    /// At most so much later. A crash of the process loses nothing by that, one of the machine may.
    Within(Duration),
}

/// What the person who runs it should know.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Documents cannot be written any more, and why. It is told once, and tried again.
    Refusing(&'a str),
    /// They can be again.
    Taking,
    /// What is not needed any more cannot be removed, or a new file begun. It is told once, and tried again.
    Untidy(&'a StockError),
}

/// Whether what was done is on the disk.
pub type Kept = Result<(), Arc<StockError>>;

type Deliver = Box<dyn FnOnce(&Kept) + Send>;
type Job = Box<dyn FnOnce(&mut Stock) -> Deliver + Send>;

/// Jobs that may wait.
const WAITING: usize = 1024;
/// Jobs that are done before they are synced.
const TOGETHER: usize = 256;
/// How often a disk that failed is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// Where jobs are left.
#[derive(Clone)]
pub struct Desk {
    jobs: mpsc::Sender<Job>,
}

impl Desk {
    /// Opens the desk of a stock. The thread ends when all desks are gone.
    pub fn open(
        stock: Stock,
        sync: Sync,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> (Desk, JoinHandle<Result<(), StockError>>) {
        let (jobs, waiting) = mpsc::channel(WAITING);
        let weak = jobs.downgrade();
        let every = match sync {
            Sync::Always => AGAIN,
            Sync::Within(most) => AGAIN.min(most / 2),
        };
        std::thread::spawn(move || remind(&weak, every));
        (Desk { jobs }, std::thread::spawn(move || work(stock, waiting, sync, tell)))
    }

    /// Has something looked up, and waits for it. None if the service has ended.
    pub async fn ask<T: Send + 'static>(&self, job: impl FnOnce(&mut Stock) -> T + Send + 'static) -> Option<T> {
        self.change(job).await.map(|(answer, _)| answer)
    }

    /// Has something done that is to last, and tells whether it does.
    pub async fn change<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Stock) -> T + Send + 'static,
    ) -> Option<(T, Kept)> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |stock| {
            let answer = job(stock);
            Box::new(move |kept| {
                // Whoever asked may be gone.
                let _ = tell.send((answer, kept.clone()));
            })
        });
        self.jobs.send(job).await.ok()?;
        told.await.ok()
    }
}

/// Comes by now and then, so that what was done last is synced, and a disk tried again, even if nobody wants anything any more.
fn remind(jobs: &mpsc::WeakSender<Job>, every: Duration) {
    loop {
        std::thread::sleep(every);
        let nothing: Job = Box::new(|_| Box::new(|_| ()));
        if jobs.upgrade().is_none_or(|jobs| jobs.blocking_send(nothing).is_err()) {
            return;
        }
    }
}

fn work(
    mut stock: Stock,
    mut jobs: mpsc::Receiver<Job>,
    sync: Sync,
    mut tell: impl FnMut(Event),
) -> Result<(), StockError> {
    let (mut synced, mut tried) = (Instant::now(), Instant::now());
    let (mut is_refusing, mut is_untidy) = (false, false);
    while let Some(job) = jobs.blocking_recv() {
        let mut answers = vec![job(&mut stock)];
        while answers.len() < TOGETHER
            && let Ok(job) = jobs.try_recv()
        {
            answers.push(job(&mut stock));
        }
        let is_due = match sync {
            Sync::Always => true,
            // Half of it may pass until the next reminder.
            Sync::Within(most) => synced.elapsed() >= most / 2,
        };
        let kept = if is_due { stock.commit().map_err(Arc::new) } else { Ok(()) };
        if is_due {
            synced = Instant::now();
        }
        answers.into_iter().for_each(|deliver| deliver(&kept));
        if stock.trouble().is_some() && is_refusing && tried.elapsed() >= AGAIN {
            stock.try_again();
            tried = Instant::now();
        }
        match stock.trouble() {
            Some(reason) if !is_refusing => tell(Event::Refusing(reason)),
            None if is_refusing => tell(Event::Taking),
            _ => (),
        }
        is_refusing = stock.trouble().is_some();
        // Whoever cannot write cannot tidy up either, and has been told.
        let tidied = if is_refusing { Ok(()) } else { stock.tidy() };
        if let Err(error) = &tidied
            && !is_untidy
            && stock.trouble().is_none()
        {
            tell(Event::Untidy(error));
        }
        is_untidy = tidied.is_err();
    }
    stock.close()
}
