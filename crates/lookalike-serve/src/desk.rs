//! One thread has the stock, and does one thing after another. Whoever wants something of it leaves a job here, and is answered when what
//! was done is on the disk: jobs that wait together are synced together.

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

type Deliver = Box<dyn FnOnce() + Send>;
type Job = Box<dyn FnOnce(&mut Stock) -> Deliver + Send>;

/// Jobs that may wait.
const WAITING: usize = 1024;
/// Jobs that are done before they are synced.
const TOGETHER: usize = 256;

/// Where jobs are left.
#[derive(Clone)]
pub struct Desk {
    jobs: mpsc::Sender<Job>,
}

impl Desk {
    /// Opens the desk of a stock. The thread ends when all desks are gone, or the disk fails.
    pub fn open(stock: Stock, sync: Sync) -> (Desk, JoinHandle<Result<(), StockError>>) {
        let (jobs, waiting) = mpsc::channel(WAITING);
        if let Sync::Within(most) = sync {
            let jobs = jobs.downgrade();
            std::thread::spawn(move || remind(&jobs, most / 2));
        }
        (Desk { jobs }, std::thread::spawn(move || work(stock, waiting, sync)))
    }

    /// Has something done, and waits for it. None if nothing can be done any more.
    pub async fn ask<T: Send + 'static>(&self, job: impl FnOnce(&mut Stock) -> T + Send + 'static) -> Option<T> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |stock| {
            let answer = job(stock);
            Box::new(move || {
                // Whoever asked may be gone.
                let _ = tell.send(answer);
            })
        });
        self.jobs.send(job).await.ok()?;
        told.await.ok()
    }
}

/// Comes by now and then, so that what was done last is synced even if nobody wants anything any more.
fn remind(jobs: &mpsc::WeakSender<Job>, every: Duration) {
    loop {
        std::thread::sleep(every);
        let nothing: Job = Box::new(|_| Box::new(|| ()));
        if jobs.upgrade().is_none_or(|jobs| jobs.blocking_send(nothing).is_err()) {
            return;
        }
    }
}

fn work(mut stock: Stock, mut jobs: mpsc::Receiver<Job>, sync: Sync) -> Result<(), StockError> {
    let mut synced = Instant::now();
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
        stock.commit(is_due)?;
        if is_due {
            synced = Instant::now();
        }
        answers.into_iter().for_each(|deliver| deliver());
        stock.tidy()?;
    }
    stock.close()
}
