//! `lookalike serve`: which documents that arrive over HTTP are new?

use std::path::Path;
use std::time::Duration;

use lookalike_engine::Error;
use lookalike_serve::api::{self, FieldNames, Limits, Reading, Service};
use lookalike_serve::store::{Lost, Opened, Store};
use lookalike_serve::writer::{Event, Sync, Writer};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::{ServeArgs, SyncArg};
use crate::outcome::Outcome;
use crate::output::numbers::{count, counted};

pub fn run(args: ServeArgs) -> Result<Outcome, Error> {
    let token = token(&args)?;
    let extraction = args.remembered.extraction()?;
    let (store, opened) = Store::open(&args.data, args.remembered.window()?, extraction.recipe)
        .or_else(|error| usage(&format!("cannot open the log: {error}")))?;
    tell_opened(&args.data, &opened, store.len(), args.quiet);
    let sync = match args.sync {
        SyncArg::Always => Sync::Always,
        SyncArg::Interval => Sync::Within(Duration::from_secs(1)),
    };
    let (writer, worker) = Writer::start(store, sync, tell_event);
    let limits = Limits {
        document: args.remembered.max_document,
        requests: args.max_requests.into(),
        connections: args.max_connections.into(),
        ..Limits::default()
    };
    let reading = Reading { extraction, fields: fields(&args) };
    let service = Service::new(writer, reading, limits, token.as_deref());
    allow_connections(args.max_connections);
    let runtime = tokio::runtime::Runtime::new().or_else(|error| usage(&format!("cannot start: {error}")))?;
    runtime.block_on(listen(&args, service))?;
    // What was accepted is finished before the last writer is dropped.
    drop(runtime);
    match worker.join() {
        Ok(done) => done.or_else(|error| usage(&error.to_string()))?,
        Err(_) => return usage("the thread that judges documents failed"),
    }
    Ok(Outcome::Done)
}

/// Returns the names of the fields. By default a document has a text or a page.
fn fields(args: &ServeArgs) -> FieldNames {
    let usual = FieldNames::default();
    let (text, html) = match (&args.text, &args.html) {
        (_, Some(html)) => (Vec::new(), Some(html.clone())),
        (Some(text), None) => (text.clone(), None),
        (None, None) => (usual.text, usual.html),
    };
    FieldNames { id: args.id.clone(), time: args.time.clone(), text, html, url: args.url.clone(), source: usual.source }
}

/// Raises the limit of open files to the number of connections, as far as the system allows.
fn allow_connections(connections: u16) {
    const OTHERS: u64 = 64;
    let wanted = u64::from(connections) + OTHERS;
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < wanted
    {
        // If it fails, connections beyond the limit wait.
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

/// Reads the token that clients must send. Refuses to serve other machines without one.
fn token(args: &ServeArgs) -> Result<Option<String>, Error> {
    let Some(path) = &args.token_file else {
        if args.listen.ip().is_loopback() || args.insecure {
            return Ok(None);
        }
        return usage(&format!(
            "other machines can reach {}; set a token with --token-file, or use --insecure",
            args.listen
        ));
    };
    let read =
        std::fs::read_to_string(path).or_else(|error| usage(&format!("cannot read {}: {error}", path.display())))?;
    match read.trim() {
        "" => usage(&format!("{} contains no token", path.display())),
        token => Ok(Some(token.to_string())),
    }
}

/// Prints what was found in the log: damage, losses, and the number of documents.
pub fn tell_opened(data: &Path, opened: &Opened, documents: usize, quiet: bool) {
    let Opened { log, missing, is_end_known, lost, last } = opened;
    let data = data.display();
    for (path, offset) in &log.damaged {
        message!("lookalike: {}: damaged at byte {offset}; the documents in the damaged part are lost", path.display());
    }
    if *missing > 0 {
        message!("lookalike: {data}: {} missing from the middle of the log", counted(*missing, "document"));
    }
    let last = match last {
        Some((number, id)) => format!("the last remaining document is number {number}, with the id {id:?}"),
        None => "no document remains".to_string(),
    };
    match lost {
        Some(Lost { was, is, documents }) => message!(
            "lookalike: {data}: the end of the log is missing: it was synced up to byte {} of {:08}.log and ends at byte {} of \
             {:08}.log; {} acknowledged documents are lost; {last}",
            was.offset,
            was.file,
            is.offset,
            is.file,
            count(*documents)
        ),
        // A log of an older version does not record how far it was synced.
        None if log.cut > 0 && !is_end_known => message!(
            "lookalike: {data}: removed {} bytes of an incomplete record at the end of the log; if the last run did not end while it \
             wrote them, later documents are lost; {last}",
            count(log.cut)
        ),
        None if log.cut > 0 && !quiet => {
            message!("removed {} bytes of a record that was being written when the last run ended", count(log.cut));
        }
        None => (),
    }
    if log.records > 0 && !quiet {
        message!("loaded {}", counted(documents as u64, "document"));
    }
}

/// Reports that the disk fails, or works again.
fn tell_event(event: Event) {
    match event {
        Event::Refusing(reason) => {
            message!(
                "lookalike: {reason}; refusing documents until the log can be written; other requests are answered"
            );
        }
        Event::Taking => message!("lookalike: the log can be written again; accepting documents"),
        Event::Untidy(error) => message!("lookalike: {error}; the log grows until this is fixed"),
    }
}

fn usage<T>(message: &str) -> Result<T, Error> {
    Err(Error::Usage(message.to_string()))
}
