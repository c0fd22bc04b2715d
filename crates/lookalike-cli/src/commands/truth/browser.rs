//! How does a person label pairs in a browser?

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lookalike_engine::{Error, LABELLING_FILES, PairCard, answered_page, ended_page, failed_page, question_page};
use lookalike_serve::labelling::{Questions, Session, Step};
use tokio::net::TcpListener;

use super::answers::Answers;
use crate::outcome::Outcome;
use crate::output::numbers::counted;
use crate::output::stdout::print;

/// How long the last answer can be taken back.
const LINGER: Duration = Duration::from_secs(10);

/// Serves a page on this machine that asks about each pair, until all have an answer or the person stops.
pub fn run(answers: Answers) -> Result<Outcome, Error> {
    let failed = |error: std::io::Error| Error::Usage(format!("cannot serve the page: {error}"));
    let session = Session::new(&LABELLING_FILES, LINGER);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let all = counted(answers.pairs.len() as u64, "pair");
    let answers = Arc::new(Mutex::new(answers));
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        print(format!("label {all} at http://{address}{}\n", session.path()).as_bytes())?;
        session.serve(listener, answers.clone()).await.map_err(failed)
    })?;
    let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    let all = counted(answers.len() as u64, "answer");
    print(format!("{all} in {}\n", answers.path.display()).as_bytes())?;
    Ok(Outcome::Done)
}

impl Answers {
    fn file(&self) -> String {
        self.path.display().to_string()
    }

    /// Takes an answer, or takes the last one back.
    fn take(&mut self, answer: &str) -> Result<(), Error> {
        match answer {
            "y" => self.give('1'),
            "n" => self.give('0'),
            "u" => self.give('u'),
            "b" => self.undo().map(drop),
            _ => Err(Error::Usage("an answer is y, n, u, b or q".to_string())),
        }
    }
}

impl Questions for Answers {
    fn page(&self) -> String {
        let Some(pair) = self.next() else { return answered_page(self.len(), &self.file(), LINGER.as_secs()) };
        let card = PairCard {
            ids: [(pair.a.clone(), String::new()), (pair.b.clone(), String::new())],
            similarity: format!("{:.3}", pair.similarity),
            texts: pair.texts.clone(),
        };
        question_page(&card, self.len(), self.pairs.len(), &self.file())
    }

    fn answer(&mut self, at: usize, answer: &str) -> Result<Step, String> {
        if answer == "q" {
            return Ok(Step::End);
        }
        let is_over = self.next().is_none() && answer != "b";
        if at != self.len() || is_over {
            return Err(failed_page("The page was out of date: this pair has an answer already."));
        }
        self.take(answer).map_err(|error| failed_page(&error.to_string()))?;
        Ok(if self.next().is_none() { Step::Last } else { Step::Next })
    }

    fn end(&self) -> String {
        ended_page(self.len(), &self.file())
    }
}
