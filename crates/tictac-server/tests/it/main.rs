//! Integration tests of the server, one file per subject.

#![allow(clippy::unwrap_used, reason = "helpers outside of #[test] functions unwrap too")]

mod bot;
mod clocks;
mod computer;
mod format;
mod game_page;
mod games;
mod hostile;
mod limits;
mod looks;
mod nodes;
mod offers;
mod openapi;
mod page;
mod postgres_server;
mod public;
mod push;
mod retention;
mod seats;
mod shutdown;
mod socket;
mod store;
mod test_server;
mod test_store;
mod tournament_clocks;
mod tournament_page;
mod tournament_restarts;
mod tournaments;
