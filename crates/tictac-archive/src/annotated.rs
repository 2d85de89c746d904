//! A legal game with its rules, tags, moves and comments.

use std::io::{self, Write};

use tictac::{Game, IllegalMove, Mark, Move, Position, Rules, State};

use crate::report::Ending;
use crate::tag::Tag;

/// A legal game with its rules, tags, moves and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedGame {
    /// The rules of the game.
    pub rules: Rules,
    /// The tags in order.
    pub tags: Vec<Tag>,
    /// The position in which the game starts, or `None` for empty boards.
    pub start: Option<Position>,
    /// The moves in order.
    pub moves: Vec<AnnotatedMove>,
}

/// A move and its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// The move that was played.
    pub mv: Move,
    /// The comment without its `#`, the space after it, and white space at the end; any bytes except newlines.
    pub comment: Option<Box<[u8]>>,
}

impl AnnotatedGame {
    /// Returns a game of `rules` without tags and moves.
    pub const fn new(rules: Rules) -> AnnotatedGame {
        AnnotatedGame { rules, tags: Vec::new(), start: None, moves: Vec::new() }
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&[u8]> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_slice())
    }

    /// Returns the mark of the first player: that of the start or of the first move, or X if there is neither.
    pub fn opener(&self) -> Mark {
        match (&self.start, self.moves.first()) {
            (Some(position), _) => position.opener(),
            (None, first) => first.map_or(Mark::X, |first| first.mv.mark),
        }
    }

    /// Returns the state in which the game starts.
    pub fn first_state(&self) -> State {
        match self.start {
            Some(position) => State::One(position),
            None => State::start_with(&self.rules, self.opener()),
        }
    }

    /// Plays the moves and returns the last state.
    ///
    /// # Errors
    ///
    /// Returns the number of the first illegal move, from 1, and why it is illegal.
    pub fn play(&self) -> Result<State, (usize, IllegalMove)> {
        let mut state = self.first_state();
        for (number, annotated) in (1..).zip(&self.moves) {
            state.play(annotated.mv).map_err(|reason| (number, reason))?;
        }
        Ok(state)
    }

    /// Plays the moves of a game that is known to be legal.
    pub(crate) fn last_state(&self) -> State {
        self.play().expect("a game that was read is legal")
    }

    /// Writes the tags and moves as a record in canonical form.
    ///
    /// A record starts on empty boards, so the start of the game is not written.
    ///
    /// # Errors
    ///
    /// Returns the first error of `out`.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        for tag in &self.tags {
            out.write_all(&tag.line())?;
        }
        for (number, annotated) in (1..).zip(&self.moves) {
            write!(out, "{number} {}", annotated.mv.display(&self.rules))?;
            match annotated.comment.as_deref() {
                None => {}
                Some([]) => out.write_all(b" #")?,
                Some(comment) => {
                    out.write_all(b" # ")?;
                    out.write_all(comment)?;
                }
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Returns the same game without its start if that follows from the rules and the first move.
    #[must_use]
    pub(crate) fn normalised(self) -> AnnotatedGame {
        let is_needed =
            |start: &Position| start.n_moves() > 0 || (self.moves.is_empty() && start.opener() == Mark::O);
        AnnotatedGame { start: self.start.filter(is_needed), ..self }
    }

    /// Returns the ending of the game; [`Ending::Bad`] if a move is illegal.
    pub fn ending(&self) -> Ending {
        self.play().map_or(Ending::Bad, |state| Ending::of_state(&state))
    }
}

impl From<&Game> for AnnotatedGame {
    /// Returns the game without tags and comments.
    fn from(game: &Game) -> AnnotatedGame {
        let start = match game.start() {
            State::One(position) => Some(*position),
            State::Many(_) => None,
        };
        let moves = game.moves().iter().map(|&mv| AnnotatedMove { mv, comment: None }).collect();
        AnnotatedGame { start, moves, ..AnnotatedGame::new(*game.rules()) }.normalised()
    }
}

impl TryFrom<&AnnotatedGame> for Game {
    type Error = IllegalMove;

    /// Plays the moves; fails with the reason why one is illegal.
    fn try_from(annotated: &AnnotatedGame) -> Result<Game, IllegalMove> {
        let mut game = Game::from(annotated.first_state());
        annotated.moves.iter().try_for_each(|annotated| game.play(annotated.mv))?;
        Ok(game)
    }
}

/// Returns the value of a `Result` tag for a game of `rules` with this ending.
pub(crate) fn result_of(ending: Ending, rules: &Rules) -> &'static str {
    match (ending, rules.marks_name_players()) {
        (Ending::XWon, true) => "X",
        (Ending::OWon, true) => "O",
        (Ending::XWon, false) => "1",
        (Ending::OWon, false) => "2",
        (Ending::Drawn, _) => "draw",
        (Ending::Unfinished | Ending::Bad, _) => "*",
    }
}
