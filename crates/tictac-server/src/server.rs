//! The listener: accepts connections up to the limit, and shuts down gracefully.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{interval, sleep, timeout};
use tower::ServiceExt;

use crate::app::{AppState, app};
use crate::guard::{ConnectionPermit, Peer};

/// The largest request line and headers, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// The send buffer of a connection, in bytes. By default the kernel lets it grow to megabytes for a slow reader.
const SEND_BUFFER: usize = 64 * 1024;

/// Serves until `stop` is ready, then closes all sockets, stores the waiting events and returns.
///
/// # Errors
///
/// Returns the reason if the store fails irrecoverably. Pending requests get no reply, and the process should exit.
pub async fn serve(listener: TcpListener, state: AppState, stop: impl Future<Output = ()>) -> io::Result<()> {
    let service = state.service.clone();
    let router = app(state.clone());
    service.tasks.spawn(forget_addresses(state.clone()));
    tokio::pin!(stop);
    tokio::select! {
        () = accept(&listener, &state, &router) => {}
        () = &mut stop => {}
        reason = service.storage_failure() => return Err(io::Error::other(reason)),
    }
    drop(listener);
    tracing::info!("stopping");
    tokio::select! {
        stopped = timeout(state.service.config.limits.shutdown, service.stop()) => {
            if stopped.is_err() {
                tracing::warn!("some clients did not disconnect in time");
            }
            Ok(())
        }
        reason = service.storage_failure() => Err(io::Error::other(reason)),
    }
}

/// Removes idle addresses every minute.
async fn forget_addresses(state: AppState) {
    let mut ticks = interval(Duration::from_mins(1));
    loop {
        tokio::select! {
            () = state.service.stopping.cancelled() => return,
            _ = ticks.tick() => state.throttle.forget(),
        }
    }
}

async fn accept(listener: &TcpListener, state: &AppState, router: &Router) {
    let permits = Arc::new(Semaphore::new(state.service.config.limits.connections));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, address)) => {
                let connection = connection(stream, Peer(address), state.clone(), router.clone(), permit);
                state.service.tasks.spawn(connection);
            }
            // Out of file descriptors, or the client is already gone: both are temporary.
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Serves one connection. Its permit is released when the connection and any socket on it have ended.
async fn connection(
    stream: TcpStream,
    peer: Peer,
    state: AppState,
    router: Router,
    permit: OwnedSemaphorePermit,
) {
    // Otherwise Nagle's algorithm delays messages in a quick exchange by 40 ms.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
    let metrics = &state.service.metrics;
    metrics.connections.inc();
    let permit = ConnectionPermit(Arc::new(permit));
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(permit.clone());
        router.clone().oneshot(request.map(axum::body::Body::new) as Request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(state.service.config.limits.read_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        _ = &mut connection => {}
        () = state.service.stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    metrics.connections.dec();
}
