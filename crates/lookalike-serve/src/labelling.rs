//! How does a person answer questions in a browser on this machine?
//!
//! The pages are plain forms, made by the caller: what is asked and where answers go is not known here. Only a browser on this machine that
//! knows the address gets in: the path begins with a secret, `Host` must be this machine, and other sites may not post.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{sleep, timeout};

use crate::api::{bad_host, foreign};

/// Asks, and takes answers.
pub trait Questions: Send + 'static {
    /// The page with the current question.
    fn page(&self) -> String;
    /// Takes the answer to a question, by its number: a page that was left open may still show an earlier one. Returns what comes next, or a page
    /// that says why the answer was not taken.
    fn answer(&mut self, at: usize, answer: &str) -> Result<Step, String>;
    /// The page after the end.
    fn end(&self) -> String;
}

/// What comes after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next question.
    Next,
    /// Nothing is left to ask. The session ends after some time, unless an answer is taken back.
    Last,
    /// The end.
    End,
}

/// A file that pages load: its name, its type, and its content.
pub type PageFile = (&'static str, &'static str, &'static str);

/// The longest body of an answer, in bytes.
const LONGEST: usize = 1 << 10;
/// How long the last page may take to arrive.
const FAREWELL: Duration = Duration::from_millis(500);

/// Only the files of this page, and no other site may show it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// A session, before it is served.
pub struct Session {
    secret: String,
    files: &'static [PageFile],
    /// How long the last answer can be taken back.
    linger: Duration,
}

struct Shared<Q> {
    questions: Arc<Mutex<Q>>,
    files: &'static [PageFile],
    secret: String,
    steps: Sender<Step>,
}

impl Session {
    /// A session with a new secret.
    pub fn new(files: &'static [PageFile], linger: Duration) -> Session {
        // The keys of a RandomState come from the system's source of randomness.
        let word = || RandomState::new().build_hasher().finish();
        Session { secret: format!("{:016x}{:016x}", word(), word()), files, linger }
    }

    /// The path at which it is served.
    pub fn path(&self) -> String {
        format!("/{}/", self.secret)
    }

    /// Serves questions until they are answered.
    pub async fn serve<Q: Questions>(self, listener: TcpListener, questions: Arc<Mutex<Q>>) -> io::Result<()> {
        let (steps, ended) = channel(16);
        let Session { secret, files, linger } = self;
        let shared = Arc::new(Shared { questions, files, secret, steps });
        let routes = Router::new()
            .route("/{secret}/", get(show::<Q>))
            .route("/{secret}/answer", post(answer::<Q>))
            .route("/{secret}/{file}", get(file::<Q>))
            .layer(DefaultBodyLimit::max(LONGEST))
            .layer(middleware::from_fn_with_state(shared.clone(), protect::<Q>))
            .with_state(shared);
        tokio::select! {
            served = axum::serve(listener, routes) => served,
            () = until_end(ended, linger) => Ok(()),
        }
    }
}

/// Waits for the end of a session.
async fn until_end(mut steps: Receiver<Step>, linger: Duration) {
    let mut last = Step::Next;
    loop {
        let next = match last {
            Step::Last => timeout(linger, steps.recv()).await.unwrap_or(Some(Step::End)),
            _ => steps.recv().await,
        };
        match next {
            None | Some(Step::End) => break,
            Some(step) => last = step,
        }
    }
    sleep(FAREWELL).await;
}

impl<Q> Shared<Q> {
    fn with<T>(&self, work: impl FnOnce(&mut Q) -> T) -> T {
        work(&mut self.questions.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Refuses who does not know the secret, other names of this machine, and other sites.
async fn protect<Q: Questions>(State(shared): State<Arc<Shared<Q>>>, request: Request, next: Next) -> Response {
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    let refused = bad_host(&request).or_else(|| foreign(request.headers(), true));
    let mut response = match refused {
        Some(error) => error.into_response(),
        None if first != shared.secret => (StatusCode::NOT_FOUND, "there is nothing at this path\n").into_response(),
        None => next.run(request).await,
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With "no-referrer", a browser would not say of an own form that it is one.
        (header::REFERRER_POLICY, "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn show<Q: Questions>(State(shared): State<Arc<Shared<Q>>>) -> Html<String> {
    Html(shared.with(|questions| questions.page()))
}

async fn file<Q: Questions>(State(shared): State<Arc<Shared<Q>>>, Path((_, name)): Path<(String, String)>) -> Response {
    match shared.files.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => (StatusCode::NOT_FOUND, "there is nothing at this path\n").into_response(),
    }
}

async fn answer<Q: Questions>(State(shared): State<Arc<Shared<Q>>>, body: Bytes) -> Response {
    let Some((at, answer)) = parsed(&body) else {
        return (StatusCode::BAD_REQUEST, "an answer is at=NUMBER&answer=LETTER\n").into_response();
    };
    match shared.with(|questions| questions.answer(at, answer)) {
        Err(page) => (StatusCode::CONFLICT, Html(page)).into_response(),
        Ok(step) => {
            let _ = shared.steps.send(step).await;
            match step {
                Step::End => Html(shared.with(|questions| questions.end())).into_response(),
                Step::Next | Step::Last => Redirect::to(&format!("/{}/", shared.secret)).into_response(),
            }
        }
    }
}

/// The fields of a form: `at=3&answer=y`.
fn parsed(body: &[u8]) -> Option<(usize, &str)> {
    let body = std::str::from_utf8(body).ok()?;
    let field = |name: &str| body.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
    Some((field("at")?.parse().ok()?, field("answer")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(parsed(b"at=3&answer=y"), Some((3, "y")));
        assert_eq!(parsed(b"answer=n&at=0"), Some((0, "n")));
        for bad in ["", "at=3", "at=-1&answer=y", "at=x&answer=y", "att=3&answer=y"] {
            assert_eq!(parsed(bad.as_bytes()), None, "{bad}");
        }
        assert_ne!(Session::new(&[], FAREWELL).secret, Session::new(&[], FAREWELL).secret);
        assert_eq!(Session::new(&[], FAREWELL).path().len(), 34);
    }
}
