//! Play by link, and never lose a move: the games of `tictac` over HTTP and WebSocket.
//!
//! A move is acknowledged, and shown to the opponent, only after it is on disk.
//!
//! # Layout
//!
//! | module | what it knows |
//! |---|---|
//! | [`token`] | names that nobody can guess: games and seats |
//! | [`event`] | what happened in a game, and the chain that binds it |
//! | [`wire`], [`failure`] | what goes over the wire, and why something was not done |
//! | [`service`] | what can be done, whoever asks |
//! | [`app`] | the router; [`page`] its HTML, [`cookie`] the seat in a browser |
//! | [`config`] | settings and limits |

pub mod analyse;
mod api;
pub mod app;
pub mod check;
pub mod config;
pub mod cookie;
pub mod engine_pool;
pub mod event;
mod export;
pub mod failure;
pub mod guard;
mod live;
pub mod metrics;
pub mod page;
mod queue;
pub mod server;
pub mod service;
pub mod store;
mod table;
pub mod throttle;
pub mod token;
pub mod verify;
pub mod wire;
