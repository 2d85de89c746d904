//! A game being played: its players, the moves taken back, and how it ended.

use tictac::{Dead, Game, IllegalMove, Mark, Move, Outcome, Player, Rules, State, Status};
use tictac_solver::level::{Choice, Level};

use crate::seat::Seat;

/// A game being played by people or the computer on either side, with the moves that were taken back.
///
/// It uses no screen, clock or thread: [`GameSession::turn`] returns whether the computer has to move.
///
/// ```
/// use tictac::{Rules, State};
/// use tictac_tui::{GameSession, NextTurn, Seat};
/// # use tictac::Player;
///
/// let rules = Rules::CLASSIC;
/// let mut session = GameSession::new(State::start(&rules), [Seat::Person; 2], 7);
/// session.play(rules.parse_move("X B2")?)?;
/// assert_eq!(session.turn(), NextTurn::Person(Player::Second));
/// session.undo();
/// assert_eq!(session.game().moves(), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSession {
    game: Game,
    // The moves that were taken back, the next one last. They lead on from `game`.
    undone: Vec<Move>,
    /// The seats of the first and the second player.
    pub seats: [Seat; 2],
    seed: u64,
    /// Whether the computer waits, as it does after stepping through the moves; set it to `false` to let it move.
    pub is_paused: bool,
    /// Whether the players continue a dead draw.
    pub has_played_on: bool,
    ending: Option<GameEnding>,
    computer_move: Option<ComputerMove>,
}

/// What happens next in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTurn {
    /// A person is to move.
    Person(Player),
    /// The computer is to move.
    Computer(Player, Level),
    /// The computer is to move and waits while [`GameSession::is_paused`] is set.
    Paused(Player, Level),
    /// A player on a server is to move.
    Remote(Player),
    /// No line can be completed any more; the players may stop or play on.
    DeadDraw(Dead),
    /// The game is over.
    Over(GameEnding),
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnding {
    /// The game ended by its rules.
    ByRules(Outcome),
    /// This player resigned.
    Resigned(Player),
    /// This player has used up their time.
    OutOfTime(Player),
    /// The players stopped at a dead draw.
    Stopped,
    /// The server says that the game is over, and who has won.
    OnServer(Option<Player>),
}

impl NextTurn {
    /// Returns the player to move, if one is.
    pub const fn player(self) -> Option<Player> {
        match self {
            NextTurn::Person(player)
            | NextTurn::Computer(player, _)
            | NextTurn::Paused(player, _)
            | NextTurn::Remote(player) => Some(player),
            NextTurn::DeadDraw(_) | NextTurn::Over(_) => None,
        }
    }

    /// Returns whether the game is over.
    pub const fn is_over(self) -> bool {
        matches!(self, NextTurn::Over(_))
    }
}

impl GameEnding {
    /// Returns the winner, if there is one.
    pub fn winner(self) -> Option<Player> {
        match self {
            GameEnding::ByRules(Outcome::Win(player)) => Some(player),
            GameEnding::Resigned(player) | GameEnding::OutOfTime(player) => Some(!player),
            GameEnding::ByRules(Outcome::Draw) | GameEnding::Stopped => None,
            GameEnding::OnServer(winner) => winner,
        }
    }
}

/// A move that the computer made in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComputerMove {
    /// The player for whom the computer moved.
    pub player: Player,
    /// The level at which the computer played.
    pub level: Level,
    /// The move and what is proved about it.
    pub choice: Choice,
    /// The number of moves made before this one.
    pub ply: usize,
}

impl GameSession {
    /// Returns a game that starts at `start`; `seats` lists the first player first.
    pub fn new(start: State, seats: [Seat; 2], seed: u64) -> GameSession {
        GameSession {
            game: Game::from(start),
            undone: Vec::new(),
            seats,
            seed,
            is_paused: false,
            has_played_on: false,
            ending: None,
            computer_move: None,
        }
    }

    /// Returns a recorded game before its first move, with the recorded moves ready to step through.
    pub fn replay(record: &Game, seed: u64) -> GameSession {
        let undone = record.moves().iter().rev().copied().collect();
        GameSession { undone, ..GameSession::new(record.start().clone(), [Seat::Person; 2], seed) }
    }

    /// Returns a game on a server after all its moves; `ending` is set if the server says that it is over. The server also
    /// decides about dead draws.
    pub fn online(game: Game, seats: [Seat; 2], ending: Option<GameEnding>) -> GameSession {
        let start = game.start().clone();
        GameSession { game, has_played_on: true, ending, ..GameSession::new(start, seats, 0) }
    }

    /// Returns the game up to the current position.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the current state of play.
    pub const fn state(&self) -> &State {
        self.game.state()
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> Rules {
        *self.state().rules()
    }

    /// Returns who plays for `player`.
    pub const fn seat(&self, player: Player) -> Seat {
        self.seats[player as usize]
    }

    /// Returns the moves that were taken back, in the order in which [`GameSession::redo`] plays them.
    pub fn undone_moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.undone.iter().rev().copied()
    }

    /// Returns all known moves: those played and those taken back.
    pub fn known_moves(&self) -> Vec<Move> {
        self.game.moves().iter().copied().chain(self.undone_moves()).collect()
    }

    /// Returns the person, if only one of the players is one.
    pub fn single_person(&self) -> Option<Player> {
        match self.seats.map(|seat| seat == Seat::Person) {
            [true, false] => Some(Player::First),
            [false, true] => Some(Player::Second),
            _ => None,
        }
    }

    /// Returns the last move if the computer made it.
    pub fn last_computer_move(&self) -> Option<ComputerMove> {
        self.computer_move.filter(|last| last.ply + 1 == self.game.moves().len())
    }

    /// Returns what happens next.
    pub fn turn(&self) -> NextTurn {
        if let Some(ending) = self.ending {
            return NextTurn::Over(ending);
        }
        let player = match self.game.status() {
            Status::Over(outcome) => return NextTurn::Over(GameEnding::ByRules(outcome)),
            Status::ToMove(player) => player,
        };
        match (self.state().dead(), self.seat(player)) {
            (Some(dead), _) if self.asks_about_dead_draws() => NextTurn::DeadDraw(dead),
            (_, Seat::Person) => NextTurn::Person(player),
            (_, Seat::Remote) => NextTurn::Remote(player),
            (_, Seat::Computer(level)) if self.is_paused => NextTurn::Paused(player, level),
            (_, Seat::Computer(level)) => NextTurn::Computer(player, level),
        }
    }

    /// Returns whether there is a person who has yet to decide whether to play on; two computers always do.
    fn asks_about_dead_draws(&self) -> bool {
        !self.has_played_on && self.undone.is_empty() && self.seats.contains(&Seat::Person)
    }

    /// Plays a person's move.
    ///
    /// # Errors
    ///
    /// Returns a message that says why the move is rejected; the session is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), String> {
        let turn = self.turn();
        match turn {
            // This game rejects the move itself, with a better message: it names the winner.
            NextTurn::Over(GameEnding::ByRules(_)) => {}
            NextTurn::Over(_) => return Err("the game is over".to_owned()),
            _ => match self.seat(self.state().next_player()) {
                Seat::Person => {}
                Seat::Computer(_) => return Err("it is the computer's turn".to_owned()),
                Seat::Remote => return Err("it is not your turn".to_owned()),
            },
        }
        self.play_any(mv).map_err(|illegal| illegal.to_string())?;
        // A person who moves in a dead draw has decided to play on.
        self.has_played_on |= matches!(turn, NextTurn::DeadDraw(_));
        Ok(())
    }

    /// Plays the computer's move; does nothing if it is not the computer's turn any more.
    pub fn play_computer_move(&mut self, choice: Choice) {
        let NextTurn::Computer(player, level) = self.turn() else { return };
        let ply = self.game.moves().len();
        if self.play_any(choice.mv).is_ok() {
            self.computer_move = Some(ComputerMove { player, level, choice, ply });
        }
    }

    fn play_any(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        // The same move follows the moves that were taken back; another one discards them.
        if self.undone.pop() != Some(mv) {
            self.undone.clear();
        }
        self.is_paused = false;
        self.computer_move = None;
        Ok(())
    }

    /// Goes back to the last turn of a person, or one move if there is none; returns the number of moves taken back.
    pub fn undo(&mut self) -> usize {
        let n_moves = self.game.moves().len();
        let target = (0..n_moves).rev().find(|&ply| self.is_persons_turn(ply));
        self.go_to(target.unwrap_or(n_moves.saturating_sub(1)))
    }

    /// Plays undone moves up to the next turn of a person or the end; returns the number of moves.
    pub fn redo(&mut self) -> usize {
        let (now, last) = (self.game.moves().len(), self.n_known());
        let target = (now + 1..=last).find(|&ply| self.is_persons_turn(ply));
        self.go_to(target.unwrap_or(last))
    }

    /// Steps `by` moves forward, or back if negative; returns the number of moves.
    pub fn step(&mut self, by: isize) -> usize {
        self.go_to(self.game.moves().len().saturating_add_signed(by))
    }

    /// Goes to the position after `ply` moves, or the last known one; returns the number of moves stepped over.
    fn go_to(&mut self, ply: usize) -> usize {
        let target = ply.min(self.n_known());
        let mut n_steps = 0;
        while self.game.moves().len() > target {
            self.undone.extend(self.game.undo());
            n_steps += 1;
        }
        while self.game.moves().len() < target {
            let mv = self.undone.pop().expect("the target is at most the number of known moves");
            self.game.play(mv).expect("a move that was played can be played again");
            n_steps += 1;
        }
        if n_steps > 0 || self.ending.is_some() {
            self.ending = None;
            self.is_paused = true;
            self.has_played_on = false;
        }
        n_steps
    }

    /// Returns the number of known moves: those played and those taken back.
    fn n_known(&self) -> usize {
        self.game.moves().len() + self.undone.len()
    }

    fn is_persons_turn(&self, ply: usize) -> bool {
        let before_start = self.game.start().n_moves();
        self.seat(Player::after_moves(before_start + ply)) == Seat::Person
    }

    /// Returns whether there are moves and the game is not over.
    pub fn is_under_way(&self) -> bool {
        !self.game.moves().is_empty() && !matches!(self.turn(), NextTurn::Over(_))
    }

    /// Returns whether a person has made one of the moves.
    pub fn has_move_of_person(&self) -> bool {
        (0..self.game.moves().len()).any(|ply| self.is_persons_turn(ply))
    }

    /// Resigns for the person to move, or for the other person if it is the computer's turn; returns who resigned.
    pub fn resign(&mut self) -> Option<Player> {
        if matches!(self.turn(), NextTurn::Over(_)) {
            return None;
        }
        let next = self.state().next_player();
        let player = [next, !next].into_iter().find(|&player| self.seat(player) == Seat::Person)?;
        self.ending = Some(GameEnding::Resigned(player));
        Some(player)
    }

    /// Ends the game because a player has used up their time, unless it is over.
    pub fn run_out_of_time(&mut self, player: Player) {
        if !matches!(self.turn(), NextTurn::Over(_)) {
            self.ending = Some(GameEnding::OutOfTime(player));
        }
    }

    /// Ends the game if it is a dead draw.
    pub fn stop(&mut self) {
        if matches!(self.turn(), NextTurn::DeadDraw(_)) {
            self.ending = Some(GameEnding::Stopped);
        }
    }

    /// Swaps the sides of the two players.
    pub fn swap(&mut self) {
        self.seats.swap(0, 1);
        self.is_paused = false;
    }

    /// Starts a new game from the same start, with another seed.
    pub fn restart(&mut self) {
        *self = GameSession::new(self.game.start().clone(), self.seats, self.seed.wrapping_add(1));
    }

    /// Returns the seed of the session.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the seed for the move to be made now; it depends on the seed of the session and the number of moves only.
    pub fn move_seed(&self) -> u64 {
        self.seed.wrapping_mul(1_000_003).wrapping_add(self.state().n_moves() as u64)
    }

    /// Returns whose turn it is or how the game ended, in one line without a full stop.
    pub fn status_line(&self) -> String {
        match self.ending {
            Some(GameEnding::Resigned(player)) => {
                format!("{} resigned: {} wins", self.state().name(player), self.state().name(!player))
            }
            Some(GameEnding::OutOfTime(player)) => {
                format!("{} ran out of time: {} wins", self.state().name(player), self.state().name(!player))
            }
            Some(GameEnding::Stopped) => "drawn: stopped as a dead draw".to_owned(),
            _ => self.state().status_line(),
        }
    }

    /// Returns the name of a move in this game, such as `B2`, `2.B2` or `X B2`.
    pub fn move_name(&self, mv: Move) -> String {
        mv.name(&self.rules()).to_string()
    }

    /// Returns the mark of the player to move, or `None` if they may choose it.
    pub fn only_mark(&self) -> Option<Mark> {
        match self.state().marks() {
            [mark] => Some(*mark),
            _ => None,
        }
    }
}
