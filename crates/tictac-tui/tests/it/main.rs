//! The screen without a terminal, and the terminal without the screen.

// The functions that tests share are tests too.
#![allow(clippy::unwrap_used)]

mod lines;
mod screens;
mod session;
mod terminal;
mod update;
