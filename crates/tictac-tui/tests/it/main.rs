//! Tests of the app without a terminal, and of the terminal without the app.

// Functions that tests share count as tests too.
#![allow(clippy::unwrap_used)]

mod lines;
mod screens;
mod session;
mod terminal;
mod update;
