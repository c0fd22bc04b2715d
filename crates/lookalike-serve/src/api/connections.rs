//! How many connections may there be, how slow may they be, and how do they end?
//!
//! `axum::serve` has no timeout for headers. This is the same loop with hyper's timeout and a limit on connections. Further connections
//! wait in the queue of the kernel.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::routes::router;
use super::service::Service;

/// The maximum size of a request's line and headers, in bytes.
const HEADER: usize = 32 << 10;
/// Bytes that are buffered for a connection.
const AHEAD: usize = 64 << 10;

/// Serves requests until `stop` completes, and then finishes open requests, within a time limit.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) -> io::Result<()> {
    let service = service.at(listener.local_addr()?);
    let limits = service.limits;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header).max_header_size(HEADER).max_buf_size(AHEAD);
    let routes = TowerToHyperService::new(router(service.clone()));
    let slots = Arc::new(Semaphore::new(limits.connections));
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, slot) = tokio::select! {
            accepted = accept(&listener, &slots) => accepted,
            () = &mut stop => break,
        };
        let mut stream = TimeoutStream::new(stream);
        // Drop clients that do not read their responses.
        stream.set_write_timeout(Some(limits.idle));
        let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), routes.clone());
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // Errors of a connection concern only its client.
            let _ = connection.await;
            drop(slot);
        });
    }
    drop(listener);
    service.end();
    // The runtime ends the connections that are still open.
    let _ = timeout(limits.shutdown, connections.shutdown()).await;
    Ok(())
}

/// Accepts the next connection, as soon as one more is allowed.
async fn accept(listener: &TcpListener, slots: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed.
    let slot = Arc::clone(slots).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Each line of a response is sent at once.
                let _ = stream.set_nodelay(true);
                return (stream, slot);
            }
            Err(error) if is_of_one_client(&error) => (),
            // Most likely there is no free file descriptor. Retry when other connections have closed.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

fn is_of_one_client(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}
