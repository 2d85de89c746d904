//! A web server for the games of `tictac`: two players share a link and play over HTTP and WebSocket.
//!
//! A move is acknowledged, and shown to the opponent, only after it is on disk.
//!
//! # Layout
//!
//! A request passes through these modules from top to bottom.
//!
//! | module | responsibility |
//! |---|---|
//! | [`config`] | settings and limits |
//! | [`server`] | the listener, and the router of the API (`api`) and of the HTML pages (`page`) |
//! | `guard`, `throttle`, `cookie`, `extract` | checks of every request, rate limits, seats in cookies, parts of requests |
//! | [`wire`], `failure` | the JSON of the API, and failures with their codes |
//! | [`service`] | the operations on games; `queue` stores their events in groups |
//! | [`push`] | messages to browsers whose page is closed |
//! | `live_game`, `reaction`, `hosted_game` | a game in memory with its followers; what players show each other; its state, derived from its events |
//! | `tournament` | tournaments, derived from their events as games are: pairings, standings, what the API shows |
//! | [`store`] | SQLite and PostgreSQL |
//! | [`event`], [`token`] | stored events and their hash chain; identifiers of games and secrets of seats |
//! | `time_control`, [`time_source`], `flag_queue` | how much time players have, the server's time, and whose time is over next |
//! | [`verify`], [`export`], [`prune`] | maintenance of a whole store |
//! | [`check`], `analyse`, `answer_cache`, `engine_pool` | records, positions, recent answers, and the threads of the computer |
//! | `fair_queue` | whose question to the computer, or message to a browser, is next |

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod analyse;
mod answer_cache;
mod api;
pub mod check;
pub mod config;
mod cookie;
mod engine_pool;
pub mod event;
pub mod export;
mod extract;
mod failure;
mod fair_queue;
mod flag_queue;
mod guard;
mod hosted_game;
mod live_game;
mod metrics;
mod page;
mod platform;
pub mod prune;
pub mod push;
mod reaction;
pub mod server;
pub mod service;
pub mod store;
mod throttle;
mod time_control;
pub mod time_source;
pub mod token;
mod tournament;
pub mod verify;
pub mod wire;
