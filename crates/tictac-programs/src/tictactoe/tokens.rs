//! The characters that stand on the board, and boards written with them.

use std::fmt;

use tictac::{Board, ImpossiblePosition, Mark, Player, Position, Rules, SquareSet, Status};

/// The characters of an empty square and of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    // Invariant: all three differ, and none is white space or a control character.
    empty: char,
    players: [char; 2],
}

impl Tokens {
    /// Returns these tokens.
    ///
    /// # Errors
    ///
    /// Refuses tokens that could not be seen or told apart.
    pub fn new(empty: char, players: [char; 2]) -> Result<Tokens, BadTokens> {
        let [one, two] = players;
        if let Some(token) = [empty, one, two].into_iter().find(|c| c.is_whitespace() || c.is_control()) {
            Err(BadTokens::Invisible(token))
        } else if one == two {
            Err(BadTokens::SamePlayers(one))
        } else if players.contains(&empty) {
            Err(BadTokens::PlayerIsEmpty(empty))
        } else {
            Ok(Tokens { empty, players })
        }
    }

    /// The token of an empty square.
    pub const fn empty(self) -> char {
        self.empty
    }

    /// The token of a player.
    pub const fn of(self, player: Player) -> char {
        match player {
            Player::First => self.players[0],
            Player::Second => self.players[1],
        }
    }

    /// Reads a board, row by row; missing tokens are empty, and those after the ninth are ignored.
    ///
    /// # Errors
    ///
    /// Refuses an unknown token, numbers of tokens that taking turns does not lead to, and a game that is over.
    pub fn position(self, board: &str) -> Result<Position, BadBoard> {
        let (mut x, mut o) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for (square, token) in Rules::CLASSIC.squares().iter().zip(board.chars()) {
            if token == self.of(Player::First) {
                x = x.with(square);
            } else if token == self.of(Player::Second) {
                o = o.with(square);
            } else if token != self.empty {
                return Err(BadBoard::UnknownToken(token));
            }
        }
        let board = Board::new(x, o).expect("a square of the text holds one token");
        let position = match Position::set_up(Rules::CLASSIC, board, Mark::X) {
            Ok(position) => position,
            Err(ImpossiblePosition::Counts { x, o }) => return Err(BadBoard::Counts { one: x, two: o }),
            // What else is impossible here are lines that play cannot have left on the board.
            Err(_) => return Err(BadBoard::Won),
        };
        match position.status() {
            Status::ToMove(_) => Ok(position),
            Status::Over(_) if position.lines().next().is_some() => Err(BadBoard::Won),
            Status::Over(_) => Err(BadBoard::Full),
        }
    }
}

impl Default for Tokens {
    fn default() -> Tokens {
        Tokens { empty: '-', players: ['X', 'O'] }
    }
}

/// Why characters cannot be tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadTokens {
    /// White space or a control character.
    Invisible(char),
    /// Both players have this token.
    SamePlayers(char),
    /// A player has the token of an empty square.
    PlayerIsEmpty(char),
}

impl fmt::Display for BadTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadTokens::Invisible(token) => {
                write!(f, "{token:?} cannot be a token: it is white space or a control character")
            }
            BadTokens::SamePlayers(token) => write!(f, "both players cannot have the token {token:?}"),
            BadTokens::PlayerIsEmpty(token) => {
                write!(f, "{token:?} cannot stand both for a player and for an empty square")
            }
        }
    }
}

impl std::error::Error for BadTokens {}

/// Why no game can begin on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBoard {
    /// A character that is none of the three tokens.
    UnknownToken(char),
    /// Numbers of tokens that taking turns does not lead to.
    Counts {
        /// How many tokens player one has.
        one: usize,
        /// How many tokens player two has.
        two: usize,
    },
    /// Somebody has a line.
    Won,
    /// No square is empty.
    Full,
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadBoard::UnknownToken(token) => write!(f, "the board has an unknown token {token:?}"),
            BadBoard::Counts { one, two } => write!(
                f,
                "on the board player one has {one} tokens and player two {two}, but they take turns, player one first"
            ),
            BadBoard::Won => f.write_str("the game on this board is already won"),
            BadBoard::Full => f.write_str("the board is full"),
        }
    }
}

impl std::error::Error for BadBoard {}
