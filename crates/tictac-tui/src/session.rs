//! A game being played: who sits where, what was taken back, how it ended.

use std::fmt;

use tictac::level::{Choice, Level};
use tictac::notation::WrittenGame;
use tictac::{Dead, Game, IllegalMove, Mark, Move, Outcome, Player, Rules, State, Status};

use crate::seat::Seat;

/// A game being played by people or the computer on either side, with everything that was taken back.
///
/// It knows no screen, no clock and no thread: it says whose turn it is, and whoever can think does so.
///
/// ```
/// use tictac::{Rules, State};
/// use tictac_tui::{Seat, Session, Turn};
/// # use tictac::Player;
///
/// let rules = Rules::CLASSIC;
/// let mut session = Session::new(State::start(&rules), [Seat::Person; 2], 7);
/// session.play(rules.parse_move("X B2")?)?;
/// assert_eq!(session.turn(), Turn::Person(Player::Second));
/// session.undo();
/// assert_eq!(session.game().moves(), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    game: Game,
    // The moves that were taken back, the latest one first: all of them lead on from `game`.
    future: Vec<Move>,
    seats: [Seat; 2],
    seed: u64,
    // After going back and forth the computer waits until it is asked.
    is_held: bool,
    has_played_on: bool,
    ending: Option<Ending>,
    remark: Option<Remark>,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A person is to move.
    Person(Player),
    /// The computer is to move.
    Computer(Player, Level),
    /// The computer would be to move, and waits until it is asked.
    Held(Player, Level),
    /// Nobody can complete a line any more: to be stopped or played on.
    DeadDraw(Dead),
    /// Nothing: the game is over.
    Over(Ending),
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    ByRules(Outcome),
    /// This player resigned.
    Resigned(Player),
    /// It was stopped as a dead draw.
    Stopped,
}

/// What the computer said of its last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Who moved.
    pub player: Player,
    /// At which level.
    pub level: Level,
    /// The move, and what is proved about it.
    pub choice: Choice,
    /// How many moves had been made before it.
    pub ply: usize,
}

/// Why a person's move was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It breaks a rule.
    Illegal(IllegalMove),
    /// The computer is to move.
    NotYourTurn,
    /// The game is over.
    Over,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Illegal(illegal) => illegal.fmt(f),
            Refusal::NotYourTurn => f.write_str("it is the computer's turn"),
            Refusal::Over => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Session {
    /// Returns a game that begins at `start`; `seats` are the first and the second player's, `seed` is all its chance.
    pub fn new(start: State, seats: [Seat; 2], seed: u64) -> Session {
        Session {
            game: Game::from(start),
            future: Vec::new(),
            seats,
            seed,
            is_held: false,
            has_played_on: false,
            ending: None,
            remark: None,
        }
    }

    /// Returns a recorded game before its first move, to be stepped through and taken over anywhere.
    pub fn replay(record: &Game, seed: u64) -> Session {
        let future = record.moves().iter().rev().copied().collect();
        Session { future, ..Session::new(record.start().clone(), [Seat::Person; 2], seed) }
    }

    /// The game as far as it is played.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Where the game is now.
    pub const fn state(&self) -> &State {
        self.game.state()
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        *self.state().rules()
    }

    /// Who plays for `player`.
    pub const fn seat(&self, player: Player) -> Seat {
        self.seats[player as usize]
    }

    /// The seats of the first and the second player.
    pub const fn seats(&self) -> [Seat; 2] {
        self.seats
    }

    /// The moves that were taken back, in the order in which [`Session::redo`] makes them again.
    pub fn future(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.future.iter().rev().copied()
    }

    /// What the computer said of its last move, while that move stands last.
    pub fn remark(&self) -> Option<Remark> {
        self.remark.filter(|remark| remark.ply + 1 == self.game.moves().len())
    }

    /// What happens next.
    pub fn turn(&self) -> Turn {
        if let Some(ending) = self.ending {
            return Turn::Over(ending);
        }
        let player = match self.game.status() {
            Status::Over(outcome) => return Turn::Over(Ending::ByRules(outcome)),
            Status::ToMove(player) => player,
        };
        match (self.state().dead(), self.seat(player)) {
            (Some(dead), _) if !self.has_played_on && self.future.is_empty() => Turn::DeadDraw(dead),
            (_, Seat::Person) => Turn::Person(player),
            (_, Seat::Computer(level)) if self.is_held => Turn::Held(player, level),
            (_, Seat::Computer(level)) => Turn::Computer(player, level),
        }
    }

    /// Makes a person's move.
    ///
    /// # Errors
    ///
    /// Refuses a move that breaks a rule or is not a person's to make; then nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        match self.turn() {
            Turn::Computer(..) | Turn::Held(..) => Err(Refusal::NotYourTurn),
            Turn::Over(Ending::Resigned(_) | Ending::Stopped) => Err(Refusal::Over),
            Turn::DeadDraw(_) if self.seat(self.state().next_player()) != Seat::Person => {
                Err(Refusal::NotYourTurn)
            }
            // Whoever plays on plays on. After the end it is the rules that say so.
            Turn::DeadDraw(_) | Turn::Person(_) | Turn::Over(Ending::ByRules(_)) => {
                let is_dead = matches!(self.turn(), Turn::DeadDraw(_));
                self.make(mv).map_err(Refusal::Illegal)?;
                self.has_played_on |= is_dead;
                Ok(())
            }
        }
    }

    /// Makes the move that the computer chose; a choice that nobody waits for any more changes nothing.
    pub fn answer(&mut self, choice: Choice) {
        let Turn::Computer(player, level) = self.turn() else { return };
        let ply = self.game.moves().len();
        if self.make(choice.mv).is_ok() {
            self.remark = Some(Remark { player, level, choice, ply });
        }
    }

    fn make(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        // The same move leads on along what was taken back; another one leaves it.
        if self.future.pop() != Some(mv) {
            self.future.clear();
        }
        self.is_held = false;
        self.remark = None;
        Ok(())
    }

    /// Takes back to a person's last turn, or one move where no earlier turn is a person's; returns how many moves.
    pub fn undo(&mut self) -> usize {
        let n_moves = self.game.moves().len();
        let target = (0..n_moves).rev().find(|&ply| self.is_persons(ply));
        self.go_to(target.unwrap_or(n_moves.saturating_sub(1)))
    }

    /// Makes moves again up to a person's next turn or the end; returns how many.
    pub fn redo(&mut self) -> usize {
        let (now, last) = (self.game.moves().len(), self.n_known());
        let target = (now + 1..=last).find(|&ply| self.is_persons(ply));
        self.go_to(target.unwrap_or(last))
    }

    /// Steps so many moves back or forth through what is known of the game; returns how many it came to.
    pub fn step(&mut self, by: isize) -> usize {
        self.go_to(self.game.moves().len().saturating_add_signed(by))
    }

    /// Goes to the position after so many moves, or the last one known; returns how many moves that took.
    pub fn go_to(&mut self, ply: usize) -> usize {
        let target = ply.min(self.n_known());
        let mut n_steps = 0;
        while self.game.moves().len() > target {
            self.future.extend(self.game.undo());
            n_steps += 1;
        }
        while self.game.moves().len() < target {
            let mv = self.future.pop().expect("the target is at most what is known");
            self.game.play(mv).expect("what was played can be played again");
            n_steps += 1;
        }
        if n_steps > 0 || self.ending.is_some() {
            self.ending = None;
            self.is_held = true;
            self.has_played_on = false;
        }
        n_steps
    }

    /// How many moves are known: those made and those taken back.
    fn n_known(&self) -> usize {
        self.game.moves().len() + self.future.len()
    }

    fn is_persons(&self, ply: usize) -> bool {
        let before_start = self.game.start().n_moves();
        self.seat(Player::after_moves(before_start + ply)) == Seat::Person
    }

    /// Lets the computer move where it waits for it.
    pub fn release(&mut self) {
        self.is_held = false;
    }

    /// Gives the game up for the person to move, or where the computer is to move, for the other side; returns who.
    pub fn resign(&mut self) -> Option<Player> {
        let player = match self.turn() {
            Turn::Over(_) => return None,
            Turn::Person(player) => player,
            _ => {
                let next = self.state().next_player();
                [next, !next].into_iter().find(|&player| self.seat(player) == Seat::Person)?
            }
        };
        self.ending = Some(Ending::Resigned(player));
        Some(player)
    }

    /// Ends a dead draw here; elsewhere nothing changes.
    pub fn stop(&mut self) {
        if matches!(self.turn(), Turn::DeadDraw(_)) {
            self.ending = Some(Ending::Stopped);
        }
    }

    /// Plays a dead draw on.
    pub fn play_on(&mut self) {
        self.has_played_on = true;
    }

    /// Lets the two sides change places.
    pub fn swap(&mut self) {
        self.seats.swap(0, 1);
        self.is_held = false;
    }

    /// Gives a side to somebody.
    pub fn set_seat(&mut self, player: Player, seat: Seat) {
        self.seats[player as usize] = seat;
    }

    /// Begins anew, with other chances.
    pub fn restart(&mut self) {
        *self = Session::new(self.game.start().clone(), self.seats, self.seed.wrapping_add(1));
    }

    /// The source of chance for the move that is to be made now: the same game and seed, the same move.
    pub fn chance(&self) -> u64 {
        self.seed.wrapping_mul(1_000_003).wrapping_add(self.state().n_moves() as u64)
    }

    /// How it stands, in one line without a full stop.
    pub fn standing(&self) -> String {
        match self.turn() {
            Turn::Over(Ending::Resigned(player)) => {
                format!("{} resigned: {} wins", self.state().name(player), self.state().name(!player))
            }
            Turn::Over(Ending::Stopped) => "drawn: stopped as a dead draw".to_owned(),
            _ => self.state().status_line(),
        }
    }

    /// The game as a record that `tictac check` accepts.
    ///
    /// A plain game of 3,3,3 has no tags, so that `game-check` accepts it too. Resigning is no move and no result by
    /// the rules: then the result is open and a tag says why.
    ///
    /// # Errors
    ///
    /// Refuses a game that did not begin on empty boards: a record cannot say that.
    pub fn record(&self) -> Result<String, NoRecord> {
        if self.game.start().n_moves() > 0 {
            return Err(NoRecord);
        }
        let mut text = WrittenGame(&self.game).to_string();
        if let Some(Ending::Resigned(player)) = self.ending
            && !self.game.moves().is_empty()
        {
            let name = self.state().name(player);
            // After the tag with the rules, where there is one.
            let at = if text.starts_with('[') { text.find('\n').map_or(0, |end| end + 1) } else { 0 };
            text.insert_str(at, &format!("[Result \"*\"]\n[Termination \"{name} resigned\"]\n"));
        }
        Ok(text)
    }

    /// What a move is called in this game.
    pub fn name(&self, mv: Move) -> String {
        mv.name(&self.rules()).to_string()
    }

    /// The mark that the next player writes, where he has no choice.
    pub fn only_mark(&self) -> Option<Mark> {
        match self.state().marks() {
            [mark] => Some(*mark),
            _ => None,
        }
    }
}

/// A game that did not begin on empty boards cannot be written as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRecord;

impl fmt::Display for NoRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record begins on an empty board, and this game did not")
    }
}

impl std::error::Error for NoRecord {}
