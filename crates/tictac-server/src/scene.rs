//! A game on one board or on several.

use tictac::{Boards, Dead, Game, IllegalMove, Mark, Move, Player, Position, Rules, Status};

/// The moves of a game, on one board or several.
#[derive(Clone, Debug)]
pub(crate) enum Scene {
    /// One board.
    One(Game<Position>),
    /// Several boards, on which both players write X.
    Many(Game<Boards>),
}

impl Scene {
    /// Returns a game of `rules` before its first move, opened by `mark` where marks name players.
    pub(crate) fn start(rules: Rules, mark: Mark) -> Scene {
        match Boards::start(rules) {
            Some(boards) if rules.n_boards() > 1 => Scene::Many(Game::new(boards)),
            _ => Scene::One(Game::new(Position::start_with(rules, mark))),
        }
    }

    pub(crate) fn rules(&self) -> &Rules {
        match self {
            Scene::One(game) => game.now().rules(),
            Scene::Many(game) => game.now().rules(),
        }
    }

    pub(crate) fn status(&self) -> Status {
        match self {
            Scene::One(game) => game.status(),
            Scene::Many(game) => game.status(),
        }
    }

    pub(crate) fn moves(&self) -> &[Move] {
        match self {
            Scene::One(game) => game.moves(),
            Scene::Many(game) => game.moves(),
        }
    }

    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self {
            Scene::One(game) => game.play(mv),
            Scene::Many(game) => game.play(mv),
        }
    }

    pub(crate) fn undo(&mut self) {
        match self {
            Scene::One(game) => drop(game.undo()),
            Scene::Many(game) => drop(game.undo()),
        }
    }

    /// The position as text.
    pub(crate) fn position(&self) -> String {
        match self {
            Scene::One(game) => game.now().to_string(),
            Scene::Many(game) => game.now().to_string(),
        }
    }

    /// The mark of a player, where marks name players.
    pub(crate) fn mark_of(&self, player: Player) -> Option<Mark> {
        match self {
            Scene::One(game) => game.now().mark_of(player),
            Scene::Many(_) => None,
        }
    }

    /// The marks that `player` may write.
    pub(crate) fn marks_of(&self, player: Player) -> &'static [Mark] {
        let opener = match self {
            Scene::One(game) => game.now().opener(),
            Scene::Many(_) => Mark::X,
        };
        self.rules().marks_of(player, opener)
    }

    /// Why no line can be completed any more, while the game goes on.
    pub(crate) fn dead(&self) -> Option<&'static str> {
        match (self, self.status()) {
            (Scene::One(game), Status::ToMove(_)) => game.now().dead().map(|dead| match dead {
                Dead::EveryLineIsBlocked => "every line is blocked",
                Dead::TooFewMovesLeft => "too few moves are left",
            }),
            _ => None,
        }
    }

    /// The completed lines, by the names of their squares.
    pub(crate) fn lines(&self) -> Vec<Vec<String>> {
        let grid = self.rules().grid();
        match self {
            Scene::One(game) => {
                let position = game.now();
                let names = |line: tictac::Line| line.squares().iter().map(|at| grid.name(at).to_string()).collect();
                position.lines().map(names).collect()
            }
            Scene::Many(game) => {
                let boards = game.now().boards().iter().enumerate();
                boards
                    .flat_map(|(n, &board)| self.rules().lines().all_in(board).map(move |line| (n + 1, line)))
                    .map(|(n, line)| line.squares().iter().map(|at| format!("{n}.{}", grid.name(at))).collect())
                    .collect()
            }
        }
    }
}
