//! The server from outside: one file a subject.

// The functions that tests share are tests too.
#![allow(clippy::unwrap_used)]

mod computer;
mod game_page;
mod games;
mod hostile;
mod house;
mod nodes;
mod openapi;
mod page;
mod postgres_server;
mod shutdown;
mod socket;
mod store;
