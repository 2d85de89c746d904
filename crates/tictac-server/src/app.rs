//! The application: everything behind one router, so that tests need no socket.

use std::sync::Arc;

use axum::Router;

use crate::config::Config;
use crate::page;
use crate::service::Service;

/// What every handler can reach.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    config: Config,
    service: Service,
}

impl AppState {
    /// Returns the state of an application.
    pub fn new(config: Config, service: Service) -> AppState {
        AppState(Arc::new(Inner { config, service }))
    }

    /// What the operator decided.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// What can be done with games.
    pub fn service(&self) -> &Service {
        &self.0.service
    }
}

/// Returns the whole application.
pub fn app(state: AppState) -> Router {
    page::routes().with_state(state)
}
