//! A legal game with all that was said about it: rules, tags, moves, comments.

use tictac::{IllegalMove, Mark, Move, Outcome, Player, Position, Rules, State, Status};

use crate::totals::Ending;

/// A legal game with all that was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedGame {
    /// By which rules it is played.
    pub rules: Rules,
    /// Its tags in order, values as they are, not as they are quoted.
    pub tags: Vec<RawTag>,
    /// Where it starts, unless on empty boards.
    pub start: Option<Position>,
    /// Its moves in order.
    pub moves: Vec<AnnotatedMove>,
}

/// A tag to the byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTag {
    /// Its name, such as `Event`.
    pub name: String,
    /// Its value without quotes and backslashes; any bytes but newlines.
    pub value: Vec<u8>,
}

/// A move and what was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// The move.
    pub mv: Move,
    /// The comment without its `#` and the blank after it, and without blanks at the end; any bytes but newlines.
    pub comment: Option<Box<[u8]>>,
}

impl AnnotatedGame {
    /// Returns a game of `rules` of which nothing is known yet.
    pub const fn new(rules: Rules) -> AnnotatedGame {
        AnnotatedGame { rules, tags: Vec::new(), start: None, moves: Vec::new() }
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&[u8]> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_slice())
    }

    /// Returns the mark that opens: that of the first move, else what the start says; X where nothing does.
    pub fn opener(&self) -> Mark {
        match (&self.start, self.moves.first()) {
            (Some(position), _) => position.opener(),
            (None, first) => first.map_or(Mark::X, |first| first.mv.mark),
        }
    }

    /// Returns the state before the first move.
    fn start_state(&self) -> State {
        match self.start {
            Some(position) => State::One(position),
            None => State::start_with(&self.rules, self.opener()),
        }
    }

    /// Returns the state after the last move, or `None` where a move is not legal.
    pub(crate) fn end_state(&self) -> Option<State> {
        let mut state = self.start_state();
        self.moves.iter().try_for_each(|annotated| state.play(annotated.mv)).ok()?;
        Some(state)
    }

    /// Returns the number of the first illegal move, from 1, and why it is illegal.
    pub(crate) fn first_illegal(&self) -> Option<(usize, IllegalMove)> {
        let mut state = self.start_state();
        let mut moves = (1..).zip(&self.moves);
        moves.find_map(|(number, annotated)| Some((number, state.play(annotated.mv).err()?)))
    }

    /// Returns the game without a start that says no more than the first move, or than that X opens.
    #[must_use]
    pub(crate) fn normalised(self) -> AnnotatedGame {
        let is_needed =
            |start: &Position| start.n_moves() > 0 || (self.moves.is_empty() && start.opener() == Mark::O);
        AnnotatedGame { start: self.start.filter(is_needed), ..self }
    }

    /// Returns how the game ended; [`Ending::Bad`] where a move is not legal.
    pub fn ending(&self) -> Ending {
        let Some(state) = self.end_state() else { return Ending::Bad };
        match state.status() {
            Status::ToMove(_) => Ending::Unfinished,
            Status::Over(Outcome::Draw) => Ending::Drawn,
            Status::Over(Outcome::Win(player)) => {
                // Where marks do not name players, X stands for the first one.
                let first_is_x = state.mark_of(Player::First).unwrap_or(Mark::X) == Mark::X;
                if first_is_x == (player == Player::First) { Ending::XWon } else { Ending::OWon }
            }
        }
    }
}

/// Returns what a `Result` tag says of a game of `rules` with this ending.
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
