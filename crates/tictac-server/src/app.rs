//! The application: one router for the API and the page. Tests call it without a socket.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::api;
use crate::failure::Failure;
use crate::guard::guard;
use crate::page;
use crate::service::Service;
use crate::throttle::Throttle;

/// The state that every handler can access.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The operations on games.
    pub service: Service,
    pub(crate) throttle: Arc<Throttle>,
}

impl AppState {
    /// Returns the state of an application.
    pub fn new(service: Service) -> AppState {
        let throttle = Throttle::new(&service.config.limits, service.metrics.throttled.clone());
        AppState { service, throttle: Arc::new(throttle) }
    }
}

/// Returns the router of the whole application.
pub fn app(state: AppState) -> Router {
    let panics = state.service.metrics.panics.clone();
    let handle_panic = move |_| {
        panics.inc();
        Failure::Unavailable("internal error: please report it").into_response()
    };
    api::routes()
        .merge(page::routes())
        .fallback(page::not_found)
        .layer(RequestBodyTimeoutLayer::new(state.service.config.limits.read_timeout))
        .layer(CatchPanicLayer::custom(handle_panic))
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state)
}
