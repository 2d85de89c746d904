//! The listener: accepts connections, as many as there is room for, and ends in order.

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
use crate::guard::{Peer, Place};

/// Bytes of a request's line and headers.
const MAX_HEAD: usize = 16 * 1024;

/// What the kernel keeps for one who reads slowly; left alone it grows to megabytes for each of them.
const SEND_BUFFER: usize = 64 * 1024;

/// Serves until `stop` is ready, then tells everybody, stores what is waiting and returns.
///
/// # Errors
///
/// Returns why, where the store has failed for good; then nobody has been told anything, and the process should end.
pub async fn serve(listener: TcpListener, state: AppState, stop: impl Future<Output = ()>) -> io::Result<()> {
    let service = state.service().clone();
    let router = app(state.clone());
    service.tasks().spawn(forget(state.clone()));
    tokio::pin!(stop);
    tokio::select! {
        () = accept(&listener, &state, &router) => {}
        () = &mut stop => {}
        reason = service.ruin() => return Err(io::Error::other(reason)),
    }
    drop(listener);
    tracing::info!("stopping");
    tokio::select! {
        ended = timeout(state.config().limits.shutdown, service.stop()) => {
            if ended.is_err() {
                tracing::warn!("some clients did not go in time");
            }
            Ok(())
        }
        reason = service.ruin() => Err(io::Error::other(reason)),
    }
}

/// Forgets addresses that have not been seen for a while.
async fn forget(state: AppState) {
    let mut ticks = interval(Duration::from_mins(1));
    loop {
        tokio::select! {
            () = state.service().stopping().cancelled() => return,
            _ = ticks.tick() => state.throttle().forget(),
        }
    }
}

async fn accept(listener: &TcpListener, state: &AppState, router: &Router) {
    let room = Arc::new(Semaphore::new(state.config().limits.connections));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, address)) => {
                let connection = connection(stream, Peer(address), state.clone(), router.clone(), place);
                state.service().tasks().spawn(connection);
            }
            // Out of file descriptors, or a connection that was gone before it came: either passes.
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Serves one connection; the place it takes is free again when its last socket has ended.
async fn connection(
    stream: TcpStream,
    peer: Peer,
    state: AppState,
    router: Router,
    place: OwnedSemaphorePermit,
) {
    // Without this the opponent sees a quick exchange 40 ms late.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
    let metrics = state.service().metrics();
    metrics.connections.inc();
    let place = Place(Arc::new(place));
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(place.clone());
        router.clone().oneshot(request.map(axum::body::Body::new) as Request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(state.config().limits.patience)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        _ = &mut connection => {}
        () = state.service().stopping().cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    metrics.connections.dec();
}
