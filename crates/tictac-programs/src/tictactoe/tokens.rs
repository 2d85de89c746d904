//! The characters on the board, and boards given as text.

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
    /// Returns a message if two tokens are equal, or if one is white space or a control character.
    pub fn new(empty: char, players: [char; 2]) -> Result<Tokens, String> {
        let [one, two] = players;
        if let Some(token) = [empty, one, two].into_iter().find(|c| c.is_whitespace() || c.is_control()) {
            Err(format!("{token:?} cannot be a token: it is white space or a control character"))
        } else if one == two {
            Err(format!("both players cannot have the token {one:?}"))
        } else if players.contains(&empty) {
            Err(format!("{empty:?} cannot be the token of a player and of an empty square"))
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
    /// Returns a message for an unknown token, for counts that alternating turns cannot produce, and for a game that is
    /// over.
    pub fn position(self, board: &str) -> Result<Position, String> {
        let won = || "the game on this board is already won".to_owned();
        let (mut x, mut o) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for (square, token) in Rules::CLASSIC.squares().iter().zip(board.chars()) {
            if token == self.token_of(Player::First) {
                x = x.with(square);
            } else if token == self.token_of(Player::Second) {
                o = o.with(square);
            } else if token != self.empty {
                return Err(format!("the board has an unknown token {token:?}"));
            }
        }
        let board = Board::new(x, o).expect("a square holds one token");
        let position = match Position::set_up(board, Mark::X, &Rules::CLASSIC) {
            Ok(position) => position,
            Err(ImpossiblePosition::Counts { x, o }) => {
                return Err(format!(
                    "the board has {x} tokens of player one and {o} of player two, but the players alternate, player one first"
                ));
            }
            // The only other reason is a set of lines that legal play cannot produce.
            Err(_) => return Err(won()),
        };
        match position.status() {
            Status::ToMove(_) => Ok(position),
            Status::Over(_) if position.lines().next().is_some() => Err(won()),
            Status::Over(_) => Err("the board is full".to_owned()),
        }
    }
}

impl Default for Tokens {
    fn default() -> Tokens {
        Tokens { empty: '-', players: ['X', 'O'] }
    }
}
