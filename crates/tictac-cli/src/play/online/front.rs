//! The two ways to show a game on a server.

use std::io::Write;
use std::process::ExitCode;

use tictac_tui::OnlineOptions;

use super::client::GameUpdate;
use super::lines::LineOutput;
use super::{RemoteGame, lines, screen};
use crate::paint::OutputStyle;

/// How a game on a server is played.
pub(super) struct OnlineFront {
    pub(super) style: OutputStyle,
    /// How it is shown on the full screen; otherwise it is played line by line.
    pub(super) screen: Option<OnlineOptions>,
}

impl OnlineFront {
    /// Plays until the player leaves.
    pub(super) fn play(self, mut game: RemoteGame, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut out = LineOutput { style: self.style, out };
        match &self.screen {
            Some(options) => screen::play(game, options, &mut out),
            None => lines::play(&mut game, &mut out).map(|()| ExitCode::SUCCESS),
        }
    }
}

/// Where a game on a server is shown.
pub(super) trait OnlineOutput {
    /// Shows the state of the game.
    fn show(&mut self, update: &GameUpdate) -> anyhow::Result<()>;

    /// Shows a message.
    fn note(&mut self, text: &str) -> anyhow::Result<()>;
}
