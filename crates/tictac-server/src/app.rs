//! The application: everything behind one router, so that tests need no socket.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::api;
use crate::config::Config;
use crate::failure::Failure;
use crate::guard::guard;
use crate::page;
use crate::service::Service;
use crate::throttle::Throttle;

/// What every handler can reach.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    service: Service,
    throttle: Throttle,
}

impl AppState {
    /// Returns the state of an application.
    pub fn new(service: Service) -> AppState {
        let throttle = Throttle::new(&service.config().limits);
        AppState(Arc::new(Inner { service, throttle }))
    }

    /// What the operator decided.
    pub fn config(&self) -> &Config {
        self.0.service.config()
    }

    /// What can be done with games.
    pub fn service(&self) -> &Service {
        &self.0.service
    }

    /// How much one address may ask for.
    pub fn throttle(&self) -> &Throttle {
        &self.0.throttle
    }
}

/// Returns the whole application.
pub fn app(state: AppState) -> Router {
    let metrics = state.service().clone();
    let panicked = move |_| {
        metrics.metrics().panics.inc();
        Failure::Unavailable("a bug of ours: this request was given up, nothing else was").into_response()
    };
    api::routes()
        .merge(page::routes())
        .fallback(page::not_found)
        .layer(RequestBodyTimeoutLayer::new(state.config().limits.patience))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state)
}
