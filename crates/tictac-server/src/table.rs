//! A game as its events have made it: what stands, what is offered, and what may happen next.
//!
//! Nothing here knows of storage, clocks or sockets: the same events make the same table for ever.

use std::fmt;

use tictac::notation::Fault;
use tictac::{Dead, Game, Mark, Move, Outcome, Player, Rules, State, Status};

use crate::event::{Event, OpeningMark, Seat, Setup, Side, What, Who};
use crate::failure::Failure;
use crate::token::{GameId, Secret};
use crate::wire::{self, ActionKind, GameStatus, Offer, OfferKind, Reason, Sitter, You};

/// A game as its events have made it.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    setup: Setup,
    game: Game,
    /// Set where the players ended the game, and not the rules.
    ended: Option<(Outcome, Reason)>,
    offer: Option<Offer>,
    next: Option<GameId>,
    n_events: u64,
}

/// An event that cannot have happened: the log is damaged, or from a later version.
#[derive(Clone, Debug)]
pub(crate) struct Impossible(pub(crate) String);

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Table {
    /// Returns the table that a set-up makes.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with its rules or moves.
    pub(crate) fn new(setup: Setup) -> Result<Table, Failure> {
        let rules: Rules = setup.rules.parse().map_err(|error| Failure::BadRules(format!("{error}")))?;
        let mark = match setup.opening_mark {
            OpeningMark::X => Mark::X,
            OpeningMark::O => Mark::O,
        };
        let mut game = Game::from(State::start_with(&rules, mark));
        for text in &setup.moves {
            let mv =
                rules.parse_move(text).map_err(|error| Failure::BadMove(format!("{text:?}: {error}")))?;
            game.play(mv).map_err(|error| illegal(error.into()))?;
        }
        Ok(Table { setup, game, ended: None, offer: None, next: None, n_events: 1 })
    }

    /// Returns the table that stored events make.
    pub(crate) fn from_events<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Table, Impossible> {
        let mut events = events.into_iter();
        let Some(Event { seq: 0, what: What::Created(setup), .. }) = events.next() else {
            return Err(Impossible("event 0 does not create the game".to_owned()));
        };
        let mut table =
            Table::new((**setup).clone()).map_err(|failure| Impossible(format!("event 0: {failure}")))?;
        for event in events {
            table.apply(event)?;
        }
        Ok(table)
    }

    /// Lets an event happen.
    pub(crate) fn apply(&mut self, event: &Event) -> Result<(), Impossible> {
        let impossible = |message: &str| Impossible(format!("event {}: {message}", event.seq));
        if event.seq != self.n_events {
            return Err(impossible(&format!("event {} should be here", self.n_events)));
        }
        match &event.what {
            What::Created(_) => return Err(impossible("the game exists already")),
            What::Joined { by, name } => {
                let seat = self.seat_mut(*by);
                seat.open = false;
                seat.name.clone_from(name);
            }
            What::Move { by, mv } => {
                let mv = self.rules().parse_move(mv).map_err(|error| impossible(&error.to_string()))?;
                self.check_turn(*by).map_err(|failure| impossible(&failure.to_string()))?;
                self.game.play(mv).map_err(|error| impossible(&error.to_string()))?;
                self.offer = None;
            }
            What::Resign { by } => {
                self.ended = Some((Outcome::Win(by.other().into()), Reason::Resigned));
                self.offer = None;
            }
            What::OfferDraw { by } => self.offer = Some(Offer { kind: OfferKind::Draw, by: *by }),
            What::AskUndo { by } => self.offer = Some(Offer { kind: OfferKind::Undo, by: *by }),
            What::Rematch { by } => self.offer = Some(Offer { kind: OfferKind::Rematch, by: *by }),
            What::Decline { .. } => self.offer = None,
            What::Accept { next, .. } => {
                let offer = self.offer.take().ok_or_else(|| impossible("nothing is offered"))?;
                self.agree(offer, *next);
            }
        }
        self.n_events += 1;
        Ok(())
    }

    fn agree(&mut self, offer: Offer, next: Option<GameId>) {
        match offer.kind {
            OfferKind::Draw => self.ended = Some((Outcome::Draw, Reason::Agreed)),
            OfferKind::Undo => {
                for _ in 0..self.n_to_undo(offer.by) {
                    self.game.undo();
                }
            }
            OfferKind::Rematch => self.next = next,
        }
    }

    /// Returns how many moves must go so that the last one of `side` is taken back; 0 where he has made none here.
    fn n_to_undo(&self, side: Side) -> usize {
        let n_here = self.game.moves().len() - self.setup.moves.len();
        let last_mover = Side::from(!Player::after_moves(self.game.moves().len()));
        let n = if last_mover == side { 1 } else { 2 };
        if n <= n_here { n } else { 0 }
    }

    /// Returns what an action makes happen, for one who may play `you`.
    ///
    /// # Errors
    ///
    /// Returns what stands against it.
    pub(crate) fn judge(&self, you: You, kind: ActionKind, mv: Option<&str>) -> Result<What, Failure> {
        if mv.is_some() && kind != ActionKind::Move {
            return Err(Failure::BadRequest("only a move has a \"move\"".to_owned()));
        }
        let by = self.acting_side(you, kind);
        match kind {
            ActionKind::Move => {
                self.check_going_on()?;
                self.check_turn(by)?;
                let text = mv.ok_or_else(|| Failure::BadRequest("a move needs its \"move\"".to_owned()))?;
                let mv = self.read_move(text)?;
                self.now().after(mv).map_err(|error| illegal(error.into()))?;
                Ok(What::Move { by, mv: mv.display(self.rules()).to_string() })
            }
            ActionKind::Resign => self.check_going_on().map(|()| What::Resign { by }),
            ActionKind::OfferDraw => self.check_can_offer().map(|()| What::OfferDraw { by }),
            ActionKind::AskUndo => {
                self.check_can_offer()?;
                if self.n_to_undo(by) == 0 {
                    return Err(refused("there is no move of yours to take back"));
                }
                Ok(What::AskUndo { by })
            }
            ActionKind::Rematch => self.check_can_play_again().map(|()| What::Rematch { by }),
            ActionKind::Accept => match self.offer {
                Some(offer) if offer.by != by => Ok(What::Accept { by, next: None }),
                Some(_) => Err(refused("this is for the other player to accept")),
                None => Err(refused("nothing is offered")),
            },
            ActionKind::Decline => match self.offer {
                Some(_) => Ok(What::Decline { by }),
                None => Err(refused("nothing is offered")),
            },
        }
    }

    /// Returns for which side the holder of `you` acts; whoever plays both sides acts for the one concerned.
    fn acting_side(&self, you: You, kind: ActionKind) -> Side {
        match you {
            You::First => Side::First,
            You::Second => Side::Second,
            You::Both => match (kind, self.offer) {
                (ActionKind::Accept | ActionKind::Decline, Some(offer)) => offer.by.other(),
                // His last move is the one he regrets.
                (ActionKind::AskUndo, _) => self.next_side().other(),
                _ => self.next_side(),
            },
        }
    }

    fn next_side(&self) -> Side {
        Player::after_moves(self.game.moves().len()).into()
    }

    /// Reads `X B2`, and `B2` where the mark is no choice.
    pub(crate) fn read_move(&self, text: &str) -> Result<Move, Failure> {
        let rules = self.rules();
        let read = match (rules.parse_move(text), self.now().marks()) {
            // Whoever writes no mark is told what is wrong with his square, not that a mark is missing.
            (Err(_), [mark]) if !text.trim().contains(' ') => rules.parse_square(text, *mark),
            (Err(error), [mark]) => rules.parse_square(text, *mark).map_err(|_| error),
            (read, _) => read,
        };
        read.map_err(|error| Failure::BadMove(format!("column {}: {error}", error.at + 1)))
    }

    fn check_going_on(&self) -> Result<(), Failure> {
        match self.status() {
            Status::ToMove(_) => Ok(()),
            Status::Over(_) => Err(refused("the game is over")),
        }
    }

    fn check_turn(&self, by: Side) -> Result<(), Failure> {
        match self.status() {
            Status::ToMove(player) if player == by.into() => Ok(()),
            _ => Err(Failure::NotYourTurn),
        }
    }

    fn check_can_offer(&self) -> Result<(), Failure> {
        self.check_going_on()?;
        match self.offer {
            None => Ok(()),
            Some(_) => Err(refused("something is offered already: accept or decline it first")),
        }
    }

    fn check_can_play_again(&self) -> Result<(), Failure> {
        match (self.status(), self.next, self.offer) {
            (Status::ToMove(_), ..) => Err(refused("the game is not over yet")),
            (_, Some(_), _) => Err(refused("the next game has been started")),
            (_, _, Some(_)) => Err(refused("a rematch is offered already: accept it")),
            _ => Ok(()),
        }
    }

    /// Where the game stands, with what the players agreed on.
    pub(crate) fn status(&self) -> Status {
        match self.ended {
            Some((outcome, _)) => Status::Over(outcome),
            None => self.game.status(),
        }
    }

    fn reason(&self) -> Option<Reason> {
        match (self.ended, self.game.status()) {
            (Some((_, reason)), _) => Some(reason),
            (None, Status::Over(Outcome::Win(_))) => Some(Reason::Line),
            (None, Status::Over(Outcome::Draw)) => Some(Reason::Full),
            (None, Status::ToMove(_)) => None,
        }
    }

    /// How many events there are.
    pub(crate) const fn n_events(&self) -> u64 {
        self.n_events
    }

    /// The moves that stand.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    fn now(&self) -> &State {
        self.game.state()
    }

    fn rules(&self) -> &Rules {
        self.game.start().rules()
    }

    pub(crate) const fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) const fn offer(&self) -> Option<Offer> {
        self.offer
    }

    pub(crate) const fn seat(&self, side: Side) -> &Seat {
        match side {
            Side::First => &self.setup.first,
            Side::Second => &self.setup.second,
        }
    }

    const fn seat_mut(&mut self, side: Side) -> &mut Seat {
        match side {
            Side::First => &mut self.setup.first,
            Side::Second => &mut self.setup.second,
        }
    }

    /// Returns what `secret` opens here.
    pub(crate) fn you(&self, secret: Option<&Secret>) -> Option<You> {
        let key = secret?.key();
        // Both are compared whatever the first comparison says, so that time tells nothing.
        let opens = |side| self.seat(side).key.is_some_and(|stored| stored.matches(&key));
        match (opens(Side::First), opens(Side::Second)) {
            (true, true) => Some(You::Both),
            (true, false) => Some(You::First),
            (false, true) => Some(You::Second),
            (false, false) => None,
        }
    }

    /// Whether one person plays both sides.
    pub(crate) fn is_alone(&self) -> bool {
        match (self.setup.first.key, self.setup.second.key) {
            (Some(first), Some(second)) => first.matches(&second),
            _ => false,
        }
    }

    /// The level of the computer, if it plays `side`.
    pub(crate) fn level(&self, side: Side) -> Option<&str> {
        match &self.seat(side).who {
            Who::Computer(level) => Some(level),
            Who::Person => None,
        }
    }

    /// Where the game stands, as it goes over the wire.
    pub(crate) fn state(&self) -> wire::State {
        let (rules, now) = (self.rules(), self.now());
        let (to_move, game_status, winner) = match self.status() {
            Status::ToMove(player) => (Some(player), GameStatus::Playing, None),
            Status::Over(Outcome::Win(player)) => (None, GameStatus::Won, Some(player.into())),
            Status::Over(Outcome::Draw) => (None, GameStatus::Drawn, None),
        };
        wire::State {
            rules: rules.to_string(),
            position: now.to_string(),
            moves: self.game.moves().iter().map(|&mv| mv.display(rules).to_string()).collect(),
            to_move: to_move.map(Side::from),
            marks: if to_move.is_some() {
                now.marks().iter().copied().map(letter).collect()
            } else {
                Vec::new()
            },
            status: game_status,
            winner,
            reason: self.reason(),
            lines: line_names(now),
            dead: to_move.and_then(|_| now.dead()).map(|dead| reason_of(dead).to_owned()),
            offer: self.offer,
            first: self.sitter(Side::First),
            second: self.sitter(Side::Second),
            previous: self.setup.previous,
            next: self.next,
        }
    }

    fn sitter(&self, side: Side) -> Sitter {
        let Seat { who, name, open, .. } = self.seat(side).clone();
        Sitter { who, name, open, mark: self.now().mark_of(side.into()).map(letter) }
    }
}

/// Returns why a position is dead, in words.
pub(crate) const fn reason_of(dead: Dead) -> &'static str {
    match dead {
        Dead::EveryLineIsBlocked => "every line is blocked",
        Dead::TooFewMovesLeft => "too few moves are left",
    }
}

/// Returns the completed lines by the names of their squares.
pub(crate) fn line_names(state: &State) -> Vec<Vec<String>> {
    let grid = state.rules().grid();
    let name = |board: usize, square| match state {
        State::One(_) => grid.name(square).to_string(),
        State::Many(_) => format!("{}.{}", board + 1, grid.name(square)),
    };
    let names = |board, line: tictac::Line| line.squares().iter().map(|square| name(board, square)).collect();
    (0..state.n_boards())
        .flat_map(|board| state.lines(board).into_iter().map(move |line| (board, line)))
        .map(|(board, line)| names(board, line))
        .collect()
}

const fn letter(mark: Mark) -> char {
    match mark {
        Mark::X => 'X',
        Mark::O => 'O',
    }
}

fn illegal(fault: Fault) -> Failure {
    Failure::Illegal { fault: Some(fault.code.name()), message: fault.message, help: fault.help }
}

fn refused(message: &str) -> Failure {
    Failure::Illegal { fault: None, message: message.to_owned(), help: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(rules: &str) -> Setup {
        let key = |_| Some(Secret::random().key());
        let seat = |n| Seat { who: Who::Person, name: None, open: n == 1, key: key(n) };
        Setup {
            rules: rules.to_owned(),
            opening_mark: OpeningMark::O,
            moves: Vec::new(),
            first: seat(0),
            second: seat(1),
            previous: None,
        }
    }

    /// Does one thing after another, most of it nonsense, and returns the events that came of it.
    fn live_through(rules: &str, mut chance: u64) -> (Table, Vec<Event>) {
        let created = Event { seq: 0, at: 0, salt: 1, what: What::Created(Box::new(setup(rules))) };
        let mut events = vec![created];
        let mut table = Table::from_events(&events).unwrap();
        for _ in 0..400 {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let dice = (chance / 4_294_967_296) as usize;
            let kinds = [
                ActionKind::Move,
                ActionKind::Move,
                ActionKind::Move,
                ActionKind::OfferDraw,
                ActionKind::AskUndo,
                ActionKind::Decline,
                ActionKind::Decline,
                ActionKind::Rematch,
                if dice.is_multiple_of(5) { ActionKind::Resign } else { ActionKind::Move },
                if dice.is_multiple_of(3) { ActionKind::Accept } else { ActionKind::Move },
            ];
            let kind = kinds[dice % kinds.len()];
            let moves: Vec<Move> = table.game().state().moves().collect();
            let mv =
                moves.get(dice / 16 % moves.len().max(1)).map(|&mv| mv.display(table.rules()).to_string());
            let mv = mv.filter(|_| kind == ActionKind::Move);
            let you = [You::First, You::Second, You::Both][dice / 8 % 3];
            if let Ok(what) = table.judge(you, kind, mv.as_deref()) {
                let event = Event { seq: table.n_events(), at: 0, salt: 1, what };
                table.apply(&event).unwrap_or_else(|error| panic!("{rules}: {event:?}: {error}"));
                events.push(event);
            }
        }
        (table, events)
    }

    #[test]
    fn whatever_is_allowed_can_happen_and_the_events_alone_tell_it_again() {
        for rules in ["3,3,3", "misere", "wild", "notakto boards=3", "8,8,5", "1,1,1", "2,7,3 misere"] {
            for seed in 0..30 {
                let (table, events) = live_through(rules, seed);
                let stored: Vec<Event> = events
                    .iter()
                    .map(|event| serde_json::from_str(&crate::live::json(event)).unwrap())
                    .collect();
                let again = Table::from_events(&stored).unwrap();
                assert_eq!(
                    crate::live::json(&again.state()),
                    crate::live::json(&table.state()),
                    "{rules} {seed}"
                );
                assert!(events.len() > 1, "{rules} {seed}: nothing happened");
            }
        }
    }

    #[test]
    fn a_log_that_cannot_be_is_refused() {
        let (_, events) = live_through("3,3,3", 7);
        assert!(Table::from_events(&events[1..]).is_err());
        assert!(Table::from_events(&[events[0].clone(), events[0].clone()]).is_err());
        let mut out_of_turn = vec![events[0].clone()];
        let what = What::Move { by: Side::Second, mv: "X A1".to_owned() };
        out_of_turn.push(Event { seq: 1, at: 0, salt: 1, what });
        assert!(Table::from_events(&out_of_turn).is_err());
    }
}
