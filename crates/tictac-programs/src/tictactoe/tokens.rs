//! The characters on the board, and boards given as text.

use std::fmt;

use tictac::{Board, ImpossiblePosition, Mark, Player, Position, Rules, SquareSet, Status};

/// The characters for an empty square and for the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    // Invariant: all three differ, and none is white space or a control character.
    empty: char,
    players: [char; 2],
}

impl Tokens {
    /// Returns a set of tokens.
    ///
    /// # Errors
    ///
    /// Returns an error if two tokens are equal, or if one is white space or a control character.
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

    /// Returns the token of an empty square.
    pub const fn empty(self) -> char {
        self.empty
    }

    /// Returns the token of a player.
    pub const fn token_of(self, player: Player) -> char {
        match player {
            Player::First => self.players[0],
            Player::Second => self.players[1],
        }
    }

    /// Parses a board, row by row; missing tokens are empty, and those after the ninth are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown token, for counts that alternating turns cannot produce, and for a game that is
    /// over.
    pub fn position(self, board: &str) -> Result<Position, BadBoard> {
        let (mut x, mut o) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for (square, token) in Rules::CLASSIC.squares().iter().zip(board.chars()) {
            if token == self.token_of(Player::First) {
                x = x.with(square);
            } else if token == self.token_of(Player::Second) {
                o = o.with(square);
            } else if token != self.empty {
                return Err(BadBoard::UnknownToken(token));
            }
        }
        let board = Board::new(x, o).expect("a square holds one token");
        let position = match Position::set_up(board, Mark::X, &Rules::CLASSIC) {
            Ok(position) => position,
            Err(ImpossiblePosition::Counts { x, o }) => return Err(BadBoard::Counts { one: x, two: o }),
            // The only other reason is a set of lines that legal play cannot produce.
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

/// The reason why characters are refused as tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadTokens {
    /// A token is white space or a control character.
    Invisible(char),
    /// Both players have the same token.
    SamePlayers(char),
    /// A player has the same token as an empty square.
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
                write!(f, "{token:?} cannot be the token of a player and of an empty square")
            }
        }
    }
}

impl std::error::Error for BadTokens {}

/// The reason why no game can start from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBoard {
    /// The board has a character that is not a token.
    UnknownToken(char),
    /// The counts of tokens cannot result from alternating turns.
    Counts {
        /// The number of tokens of player one.
        one: usize,
        /// The number of tokens of player two.
        two: usize,
    },
    /// A player has a line.
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
                "the board has {one} tokens of player one and {two} of player two, but the players alternate, player one first"
            ),
            BadBoard::Won => f.write_str("the game on this board is already won"),
            BadBoard::Full => f.write_str("the board is full"),
        }
    }
}

impl std::error::Error for BadBoard {}
