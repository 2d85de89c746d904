//! The two ways to show a game on a server.

use std::io::Write;
use std::process::ExitCode;

use tictac_tui::OnlineOptions;

use super::client::GameUpdate;
use super::{RemoteGame, lines, screen};
use crate::paint::OutputStyle;

/// How a game on a server is played.
pub(in crate::play) enum OnlineFront {
    /// Line by line.
    Lines(OutputStyle),
    /// On the full screen.
    Screen(OnlineOptions),
}

impl OnlineFront {
    /// Plays until the player leaves; `note` is the first message to them.
    pub(super) fn play(
        self,
        mut game: RemoteGame,
        note: Option<String>,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        match self {
            OnlineFront::Lines(style) => {
                let is_link = note.as_ref().is_some_and(|note| note.contains("://"));
                // The links have been printed.
                let note = note.filter(|_| !is_link);
                lines::play(&mut game, note, style, out)?;
                Ok(ExitCode::SUCCESS)
            }
            OnlineFront::Screen(options) => screen::play(game, note, &options),
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
