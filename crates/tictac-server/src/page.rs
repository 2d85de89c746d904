//! The page: server-rendered HTML, forms for play without script, and the embedded files.

use axum::Router;

use crate::app::AppState;

/// Returns the routes of the page.
pub fn routes() -> Router<AppState> {
    Router::new()
}
