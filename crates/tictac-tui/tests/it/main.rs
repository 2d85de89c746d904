//! Tests of the app without a terminal, and of the terminal without the app.

// Clippy allows `unwrap` in test functions, but does not recognise functions that tests share.
#![allow(clippy::unwrap_used)]

mod driver;
mod files;
mod lines;
mod online;
mod play_folder;
mod remembered;
mod review;
mod screens;
mod session;
mod terminal;
mod update;
