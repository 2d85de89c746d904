//! The router of the whole application, and the listener, which accepts connections up to the limit and shuts down gracefully.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{interval, sleep, timeout};
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::failure::Failure;
use crate::guard::{ConnectionPermit, guard};
use crate::service::Service;
use crate::{api, page};

/// The largest request line and headers, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// The send buffer of a connection, in bytes. By default the kernel lets it grow to megabytes for a slow reader.
const SEND_BUFFER: usize = 64 * 1024;

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
        .layer(RequestBodyTimeoutLayer::new(service.config.limits.read_timeout))
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
    let permits = Arc::new(Semaphore::new(service.config.limits.connections));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, address)) => {
                let connection = connection(stream, address, service.clone(), router.clone(), permit);
                service.tasks.spawn(connection);
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
    peer: SocketAddr,
    service: Service,
    router: Router,
    permit: OwnedSemaphorePermit,
) {
    // Otherwise Nagle's algorithm delays messages in a quick exchange by 40 ms.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
    let metrics = &service.metrics;
    metrics.connections.inc();
    let permit: ConnectionPermit = Arc::new(permit);
    let handler = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(Arc::clone(&permit));
        router.clone().oneshot(request.map(axum::body::Body::new) as Request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(service.config.limits.read_timeout)
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
