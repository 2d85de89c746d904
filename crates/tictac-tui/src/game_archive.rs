//! The games of a file with several, as a list.

use tictac::{Game, State, Status};
use tictac_archive::Tag;

use crate::record::printable;
use crate::words::counted;

/// The games of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameArchive {
    /// The file name as given.
    pub file: String,
    games: Vec<ArchivedGame>,
    /// The position that the games shown have, if it is searched for.
    pub searched: Option<State>,
    /// The index of the selected game among those shown.
    pub selected: usize,
}

/// A game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArchivedGame {
    /// The number of the game in the file, from 1.
    pub(crate) number: usize,
    /// The game, or `None` if it breaks the rules.
    pub(crate) game: Option<Game>,
    pub(crate) tags: Vec<Tag>,
}

/// The number of moves that are shown as the opening.
const N_OPENING: usize = 4;

impl GameArchive {
    pub(crate) const fn new(file: String, games: Vec<ArchivedGame>) -> GameArchive {
        GameArchive { file, games, searched: None, selected: 0 }
    }

    /// Returns the games that have the position that is searched for, or all.
    pub(crate) fn shown(&self) -> Vec<&ArchivedGame> {
        let is_shown = |game: &&ArchivedGame| self.searched.as_ref().is_none_or(|state| game.has(state));
        self.games.iter().filter(is_shown).collect()
    }

    /// Returns the name with which the selected game is opened, such as `games.ttt#2`.
    pub fn selected_name(&self) -> Option<String> {
        let shown = self.shown();
        shown.get(self.selected).map(|game| format!("{}#{}", self.file, game.number))
    }

    /// Returns what the list shows.
    pub(crate) fn heading(&self) -> String {
        let all = counted(self.games.len(), "game");
        match &self.searched {
            Some(state) => {
                format!("{}: {} of {all} with {state} or its mirror image", self.file, self.shown().len())
            }
            None => format!("{}: {all}", self.file),
        }
    }
}

impl ArchivedGame {
    fn has(&self, state: &State) -> bool {
        let Some(game) = self.game.as_ref().filter(|game| game.rules() == state.rules()) else {
            return false;
        };
        let searched = state.canonical();
        let mut at = game.start().clone();
        at.canonical() == searched
            || game.moves().iter().any(|&mv| {
                at.play(mv).expect("the moves of a game are legal");
                // Most positions differ in the number of moves, which is quick to compare.
                at.n_moves() == searched.n_moves() && at.canonical() == searched
            })
    }

    /// Returns how the game ended.
    pub(crate) fn result(&self) -> String {
        match &self.game {
            None => "invalid".to_owned(),
            Some(game) => match game.status() {
                Status::ToMove(_) => "unfinished".to_owned(),
                Status::Over(_) => {
                    game.state().status_line().split(['(', ':']).next().unwrap_or("").trim().to_owned()
                }
            },
        }
    }

    /// Returns the number of moves, the opening and the event.
    pub(crate) fn detail(&self) -> String {
        let Some(game) = &self.game else { return String::new() };
        let names: Vec<String> =
            game.moves().iter().take(N_OPENING).map(|mv| mv.name(game.rules()).to_string()).collect();
        let event = self
            .tags
            .iter()
            .find(|tag| tag.name == "Event")
            .map(|tag| format!("  {}", printable(&String::from_utf8_lossy(&tag.value))));
        let moves = counted(game.moves().len(), "move");
        format!("{moves}, {}{}", names.join(" "), event.unwrap_or_default())
    }
}
