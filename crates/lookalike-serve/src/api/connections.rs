//! Connections: how many there may be, how slow they may be, and how they end.
//!
//! `axum::serve` waits for ever for a header; this is its loop with hyper's own timer set, and a number of connections. One that would be
//! too many waits in the queue of the kernel.

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

use super::{Service, router};

/// Bytes of a request's line and headers.
const HEADER: usize = 32 << 10;
/// Bytes that are read ahead of a connection.
const AHEAD: usize = 64 << 10;

/// Answers requests until `stop` is there, and then finishes what was begun, if that does not take too long.
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
        // Who does not read its answers is no client any more.
        stream.set_write_timeout(Some(limits.patience));
        let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), routes.clone());
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // What goes wrong with a connection is told to its client, or to nobody.
            let _ = connection.await;
            drop(slot);
        });
    }
    drop(listener);
    service.end();
    // What is open after that ends with the runtime.
    let _ = timeout(limits.farewell, connections.shutdown()).await;
    Ok(())
}

/// The next connection, when there may be one more.
async fn accept(listener: &TcpListener, slots: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // Nobody closes the semaphore.
    let slot = Arc::clone(slots).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // An answer line by line is not to wait for more lines.
                let _ = stream.set_nodelay(true);
                return (stream, slot);
            }
            Err(error) if is_of_one_client(&error) => (),
            // No file descriptor is left, most likely: some will be when others go.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

fn is_of_one_client(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}
