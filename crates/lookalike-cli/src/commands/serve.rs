//! `lookalike serve`: which documents that arrive over HTTP are new?

use std::path::Path;
use std::time::Duration;

use lookalike_engine::Error;
use lookalike_serve::api::{self, FieldNames, Limits, Reading, Service};
use lookalike_serve::desk::{Desk, Event, Sync};
use lookalike_serve::stock::{Lost, Opened, Stock};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::{ServeArgs, SyncArg};
use crate::outcome::Outcome;
use crate::output::numbers::count;

pub fn run(args: ServeArgs) -> Result<Outcome, Error> {
    let token = token(&args)?;
    let recipe = args.remembered.recipe();
    let (stock, opened) = Stock::open(&args.data, args.remembered.window()?, recipe)
        .or_else(|error| usage(&format!("cannot open the stock: {error}")))?;
    tell_opened(&args.data, &opened, stock.len(), args.quiet);
    let sync = match args.sync {
        SyncArg::Always => Sync::Always,
        SyncArg::Interval => Sync::Within(Duration::from_secs(1)),
    };
    let (desk, worker) = Desk::open(stock, sync, tell_event);
    let limits = Limits {
        document: args.remembered.max_document,
        requests: args.max_requests.into(),
        connections: args.max_connections.into(),
        ..Limits::default()
    };
    let reading = Reading { recipe, page: args.remembered.page, fields: fields(&args) };
    let service = Service::new(desk, reading, limits, token.as_deref());
    allow_connections(args.max_connections);
    let runtime = tokio::runtime::Runtime::new().or_else(|error| usage(&format!("cannot start: {error}")))?;
    runtime.block_on(listen(&args, service))?;
    // What was accepted is finished before the last desk goes.
    drop(runtime);
    match worker.join() {
        Ok(done) => done.or_else(|error| usage(&error.to_string()))?,
        Err(_) => return usage("the thread of the stock failed"),
    }
    Ok(Outcome::Done)
}

/// What the fields of a document are called: it has a text or a page, unless one of them is named.
fn fields(args: &ServeArgs) -> FieldNames {
    let usual = FieldNames::default();
    let (text, html) = match (&args.text, &args.html) {
        (_, Some(html)) => (Vec::new(), Some(html.clone())),
        (Some(text), None) => (text.clone(), None),
        (None, None) => (usual.text, usual.html),
    };
    FieldNames { id: args.id.clone(), time: args.time.clone(), text, html, url: args.url.clone(), source: usual.source }
}

/// As many files may be open as there may be connections, if the system can be moved to that.
fn allow_connections(connections: u16) {
    const OTHERS: u64 = 64;
    let wanted = u64::from(connections) + OTHERS;
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < wanted
    {
        // Otherwise those that are too many wait.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, wanted.min(hard), hard);
    }
}

async fn listen(args: &ServeArgs, service: Service) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Usage(format!("cannot listen on {}: {error}", args.listen));
    let listener = TcpListener::bind(args.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let mut ended = signal(SignalKind::terminate()).map_err(failed)?;
    if !args.quiet {
        message!("listening on http://{address}");
    }
    let stop = async move {
        tokio::select! {
            _ = ended.recv() => (),
            _ = tokio::signal::ctrl_c() => (),
        }
    };
    api::serve(listener, service, stop).await.map_err(failed)
}

/// The token that clients must have; strangers need one.
fn token(args: &ServeArgs) -> Result<Option<String>, Error> {
    let Some(path) = &args.token_file else {
        if args.listen.ip().is_loopback() || args.insecure {
            return Ok(None);
        }
        return usage(&format!(
            "{} can be reached by others: give them a token with --token-file, or say --insecure",
            args.listen
        ));
    };
    let read = std::fs::read_to_string(path).or_else(|error| usage(&format!("{}: {error}", path.display())))?;
    match read.trim() {
        "" => usage(&format!("{} has no token in it", path.display())),
        token => Ok(Some(token.to_string())),
    }
}

/// What was found in the folder of a stock of so many documents.
pub fn tell_opened(data: &Path, opened: &Opened, documents: usize, quiet: bool) {
    let Opened { log, missing, is_end_known, lost, last } = opened;
    let data = data.display();
    for (path, offset) in &log.damaged {
        message!("lookalike: {}: bytes from {offset} on are damaged, and what was in them is lost", path.display());
    }
    if *missing > 0 {
        message!("lookalike: {data}: {} documents are lost, by the numbers of those around them", count(*missing));
    }
    let last = match last {
        Some((number, id)) => format!("the last document that is there has the number {number} and the id {id:?}"),
        None => "no document is there".to_string(),
    };
    match lost {
        Some(Lost { was, is, documents }) => message!(
            "lookalike: {data}: the end of the log is gone: it was synced up to byte {} of {:08}.log and ends at byte {} of {:08}.log; \
             {} documents that were acknowledged are lost; {last}",
            was.offset,
            was.file,
            is.offset,
            is.file,
            count(*documents)
        ),
        // Who wrote it did not say how far.
        None if log.cut > 0 && !is_end_known => message!(
            "lookalike: {data}: cut off {} bytes at the end of the log; if they were not being written when the last run ended, documents \
             are lost that came later; {last}",
            count(log.cut)
        ),
        None if log.cut > 0 && !quiet => {
            message!("cut off {} bytes that were being written when the last run ended", count(log.cut));
        }
        None => (),
    }
    if log.records > 0 && !quiet {
        message!("{} documents remembered", count(documents as u64));
    }
}

/// What happens to the disk.
fn tell_event(event: Event) {
    match event {
        Event::Refusing(reason) => {
            message!("lookalike: {reason}; documents are refused until it can be written, and all else is answered");
        }
        Event::Taking => message!("lookalike: the log can be written again; documents are taken"),
        Event::Untidy(error) => message!("lookalike: {error}; the log grows until that is mended"),
    }
}

fn usage<T>(message: &str) -> Result<T, Error> {
    Err(Error::Usage(message.to_string()))
}
