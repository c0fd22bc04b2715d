//! The service: documents in over HTTP, verdicts out.

use std::time::Duration;

use lookalike_engine::Error;
use lookalike_serve::api::{self, Limits, Service};
use lookalike_serve::desk::{Desk, Sync};
use lookalike_serve::log::Recovered;
use lookalike_serve::stock::Stock;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::Outcome;
use crate::args::{ServeArgs, SyncArg};
use crate::summary::count;

pub fn run(args: ServeArgs) -> Result<Outcome, Error> {
    let token = token(&args)?;
    let recipe = args.remembered.recipe();
    let (stock, recovered) = Stock::open(&args.data, args.remembered.window()?, recipe)
        .or_else(|error| usage(&format!("cannot open the stock: {error}")))?;
    tell_recovered(&recovered, stock.len(), args.quiet);
    let sync = match args.sync {
        SyncArg::Always => Sync::Always,
        SyncArg::Interval => Sync::Within(Duration::from_secs(1)),
    };
    let (desk, worker) = Desk::open(stock, sync);
    let limits = Limits {
        document: args.remembered.max_document,
        requests: args.max_requests.into(),
        connections: args.max_connections.into(),
        ..Limits::default()
    };
    let service = Service::new(desk, recipe, args.remembered.page, limits, token.as_deref());
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

/// What was found in a log.
pub fn tell_recovered(recovered: &Recovered, documents: usize, quiet: bool) {
    for (path, offset) in &recovered.damaged {
        message!("lookalike: {}: bytes from {offset} on are damaged, and what was in them is lost", path.display());
    }
    if recovered.cut > 0 && !quiet {
        message!("cut off {} bytes that were being written when the last run ended", count(recovered.cut));
    }
    if recovered.records > 0 && !quiet {
        message!("{} documents remembered", count(documents as u64));
    }
}

fn usage<T>(message: &str) -> Result<T, Error> {
    Err(Error::Usage(message.to_string()))
}
