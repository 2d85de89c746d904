//! The application: everything behind one router, so that tests need no socket.

use std::sync::Arc;

use axum::Router;

use crate::config::Config;
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
    page::routes().with_state(state)
}
