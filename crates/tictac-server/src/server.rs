//! The router of the whole application, and the listener, which accepts connections up to the limit and shuts down gracefully.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{interval, sleep, timeout};
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;

use crate::failure::Failure;
use crate::guard::{ConnectionPermit, guard};
use crate::service::Service;
use crate::{api, page};

/// The largest request line and headers, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// The send buffer of a connection, in bytes. By default the kernel lets it grow to megabytes for a slow reader.
const SEND_BUFFER: usize = 64 * 1024;

/// The connections beyond the limit on which probes are still answered.
const RESERVE: usize = 16;

/// How long a client may take to send the headers of a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns the router of the API and of the pages. Tests call it without a socket.
pub fn app(service: Service) -> Router {
    let panics = service.metrics.panics.clone();
    let handle_panic = move |_| {
        panics.inc();
        Failure::Unavailable("internal error: please report it").into_response()
    };
    api::routes()
        .merge(page::routes())
        .fallback(page::not_found)
        .layer(CatchPanicLayer::custom(handle_panic))
        .layer(from_fn_with_state(service.clone(), guard))
        .with_state(service)
}

/// Serves until `stop` is ready, then closes all sockets, stores the waiting events and returns.
///
/// # Errors
///
/// Returns the reason if the store fails irrecoverably. Pending requests get no reply, and the process should exit.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let router = app(service.clone());
    service.tasks.spawn(forget_addresses(service.clone()));
    tokio::pin!(stop);
    tokio::select! {
        () = accept(&listener, &service, &router) => {}
        () = &mut stop => {}
        reason = service.storage_failure() => return Err(io::Error::other(reason)),
    }
    drop(listener);
    tracing::info!("stopping");
    tokio::select! {
        stopped = timeout(service.config.limits.shutdown, service.stop()) => {
            if stopped.is_err() {
                tracing::warn!("some clients did not disconnect in time");
            }
            Ok(())
        }
        reason = service.storage_failure() => Err(io::Error::other(reason)),
    }
}

/// Removes idle addresses every minute.
async fn forget_addresses(service: Service) {
    let mut ticks = interval(Duration::from_mins(1));
    loop {
        tokio::select! {
            () = service.stopping.cancelled() => return,
            _ = ticks.tick() => service.throttle.forget(),
        }
    }
}

async fn accept(listener: &TcpListener, service: &Service, router: &Router) {
    let limits = &service.config.limits;
    let permits = Arc::new(Semaphore::new(limits.connections));
    let reserve = Arc::new(Semaphore::new(RESERVE));
    let probes = probes(service.clone());
    loop {
        // While there is no place in the reserve either, further connections wait in the listen queue.
        let Ok(reserved) = Arc::clone(&reserve).acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            // Out of file descriptors, or the client is already gone: both are temporary.
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // All clients behind a proxy have its address; theirs are known only when a request arrives.
        let address_permit = if service.config.behind_proxy {
            None
        } else if let Ok(permit) = service.throttle.connection(peer.ip()) {
            Some(permit)
        } else {
            refuse(stream);
            continue;
        };
        let (router, timeout, permit) = match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => (router, limits.read_timeout, permit),
            Err(_) => (&probes, limits.read_timeout.min(PROBE_TIMEOUT), reserved),
        };
        let permit: ConnectionPermit = Arc::new((permit, address_permit));
        service.tasks.spawn(connection(stream, peer, service.clone(), router.clone(), timeout, permit));
    }
}

/// Returns the router for connections beyond the limit: only probes are answered.
fn probes(service: Service) -> Router {
    let busy = async || {
        ([(header::CONNECTION, "close")], Failure::Unavailable("too many connections: try again later"))
    };
    api::probes().fallback(busy).layer(from_fn_with_state(service.clone(), guard)).with_state(service)
}

/// Refuses a connection of an address that has too many, without waiting for its request.
fn refuse(stream: TcpStream) {
    const RESPONSE: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/html; charset=utf-8\r\n\
        retry-after: 5\r\nconnection: close\r\n\r\n\
        <!doctype html><title>Too many connections</title><p>Too many connections from your address. Try again in a moment.\n";
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write_all(RESPONSE);
    }
}

/// Serves one connection. Its permit is released when the connection and any socket on it have ended.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    service: Service,
    router: Router,
    header_timeout: Duration,
    permit: ConnectionPermit,
) {
    // Otherwise Nagle's algorithm delays messages in a quick exchange by 40 ms.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
    let metrics = &service.metrics;
    metrics.connections.inc();
    let handler = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(Arc::clone(&permit));
        router.clone().oneshot(request.map(axum::body::Body::new) as Request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), handler)
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        _ = &mut connection => {}
        () = service.stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    metrics.connections.dec();
}
