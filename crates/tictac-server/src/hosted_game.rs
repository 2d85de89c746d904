//! A game as its events define it: the moves, the pending offer, and which action is allowed next.
//!
//! This module uses no storage, clocks or sockets: the same events always give the same game.

mod clock;
mod permission;
mod seats;
mod view;

use std::fmt;

use tictac::notation::Fault;
use tictac::{Game, IllegalMove, Mark, Outcome, Player, Rules, State, Status};

use crate::event::{
    ActionKind, EventKind, GameEvent, OpeningMark, PlayerAction, PlayerKind, SeriesScore, Setup,
};
use crate::failure::Failure;
use crate::token::{GameId, SecretHash};
use crate::wire::{EndReason, Notice, Offer, OfferKind};

use self::clock::HostedClock;
pub(crate) use self::seats::Arrival;
pub(crate) use self::view::{line_names, square_name};

/// A game as its events define it.
#[derive(Clone, Debug)]
pub(crate) struct HostedGame {
    pub(crate) setup: Setup,
    /// The start and the moves, without those taken back.
    pub(crate) game: Game,
    /// The outcome, if the players ended the game and not the rules.
    ended: Option<(Outcome, EndReason)>,
    pub(crate) offer: Option<Offer>,
    /// What the last event means to the other player, unless the rest of the state shows it.
    notice: Option<Notice>,
    next: Option<GameId>,
    /// The time that the players have left, if there is a clock.
    pub(crate) clock: Option<HostedClock>,
    /// The time of the last event.
    pub(crate) last_at: u64,
    /// The unused links for other devices of the first and the second player.
    device_links: [Option<SecretHash>; 2],
    /// The offers of the first and the second player since the last move, by kind.
    n_offers: [[u8; 3]; 2],
    n_device_events: u32,
    /// Changes whenever a secret becomes valid or invalid.
    pub(crate) secrets_version: u32,
    pub(crate) n_events: u64,
}

impl HostedGame {
    /// Returns the game after its first event. The moves of `setup` are rewritten in canonical form.
    pub(crate) fn new(mut setup: Setup) -> Result<HostedGame, Failure> {
        let rules: Rules = setup.rules.parse().map_err(|error| Failure::BadRules(format!("{error}")))?;
        let mark = match setup.opening_mark {
            OpeningMark::X => Mark::X,
            OpeningMark::O => Mark::O,
        };
        let game = play_all(State::start_with(&rules, mark), &setup.moves)?;
        setup.moves = move_texts(&game);
        Ok(HostedGame {
            clock: setup.clock.map(HostedClock::new),
            setup,
            game,
            last_at: 0,
            ended: None,
            offer: None,
            notice: None,
            next: None,
            device_links: [None, None],
            n_offers: [[0; 3]; 2],
            n_device_events: 0,
            secrets_version: 0,
            n_events: 1,
        })
    }

    /// Returns the game after its creation at the time `at`, from which on the clock runs if both seats are taken.
    #[must_use]
    pub(crate) fn created_at(mut self, at: u64) -> HostedGame {
        self.last_at = at;
        self.run_clock(at);
        self
    }

    /// Returns the game after all of its stored events, or how they contradict each other: the store is damaged, or was written by a
    /// later version.
    pub(crate) fn from_events(events: &[GameEvent]) -> Result<HostedGame, String> {
        let [GameEvent { seq: 0, at, kind: EventKind::Created(setup), .. }, later @ ..] = events else {
            return Err("event 0 does not create the game".to_owned());
        };
        let hosted = HostedGame::new((**setup).clone());
        let mut hosted = hosted.map_err(|failure| format!("event 0: {failure}"))?.created_at(*at);
        later.iter().try_for_each(|event| hosted.apply(event))?;
        Ok(hosted)
    }

    /// Applies the next event, or returns how it contradicts the earlier ones.
    pub(crate) fn apply(&mut self, event: &GameEvent) -> Result<(), String> {
        let impossible = |message: &dyn fmt::Display| format!("event {}: {message}", event.seq);
        if event.seq != self.n_events {
            return Err(impossible(&format_args!("expected event {}", self.n_events)));
        }
        self.notice = None;
        match &event.kind {
            EventKind::Created(_) => return Err(impossible(&"the game already exists")),
            EventKind::Action(action) => {
                self.take_at(action, event.at).map_err(|failure| impossible(&failure))?;
            }
            EventKind::Flag { by } => {
                self.fall_flag(*by, event.at).map_err(|failure| impossible(&failure))?;
            }
            EventKind::Resumed { from } => {
                self.resume_clock(*from, event.at).map_err(|failure| impossible(&failure))?;
            }
            EventKind::Decided { winner } => {
                let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
                self.end(outcome, EndReason::Decided, event.at);
            }
            EventKind::Joined { .. }
            | EventKind::DeviceLink { .. }
            | EventKind::DeviceJoined { .. }
            | EventKind::DevicesRevoked { .. } => {
                self.change_seats(&event.kind);
                self.run_clock(event.at);
            }
        }
        self.n_events += 1;
        self.last_at = event.at;
        Ok(())
    }

    /// Takes an action at the time `at`.
    fn take_at(&mut self, action: &PlayerAction, at: u64) -> Result<(), Failure> {
        self.check_clock(at)?;
        let n_moves = self.game.moves().len();
        self.take(action)?;
        self.turn_clock(action.kind, n_moves, at);
        Ok(())
    }

    fn take(&mut self, action: &PlayerAction) -> Result<(), Failure> {
        // Whatever the action is, it replaces or answers a pending offer.
        let mut offer = None;
        match action.kind {
            ActionKind::Move => {
                self.check_turn(action.by)?;
                let mv = self.parse_move(action.mv.as_deref().unwrap_or_default())?;
                self.game.play(mv).map_err(illegal)?;
                self.n_offers = [[0; 3]; 2];
            }
            ActionKind::Resign => {
                self.ended = Some((Outcome::Win(!action.by), EndReason::Resigned));
            }
            ActionKind::OfferDraw => offer = Some(OfferKind::Draw),
            ActionKind::AskUndo => offer = Some(OfferKind::Undo),
            ActionKind::Rematch => offer = Some(OfferKind::Rematch),
            ActionKind::Decline => {
                let declined = self.offer.filter(|offer| offer.by != action.by);
                self.notice = declined.map(|offer| Notice { kind: offer.kind.into(), by: action.by });
            }
            ActionKind::Accept => match self.offer {
                None => return Err(refused("there is no offer")),
                Some(Offer { kind: OfferKind::Draw, .. }) => {
                    self.ended = Some((Outcome::Draw, EndReason::Agreed));
                }
                Some(Offer { kind: OfferKind::Undo, by }) => {
                    for _ in 0..self.n_to_undo(by) {
                        self.game.undo();
                    }
                }
                Some(Offer { kind: OfferKind::Rematch, .. }) => self.next = action.next,
            },
        }
        self.offer = offer.map(|kind| Offer { kind, by: action.by });
        if let Some(offer) = self.offer {
            let n_offers = &mut self.n_offers[offer.by as usize][offer.kind as usize];
            *n_offers = n_offers.saturating_add(1);
        }
        Ok(())
    }

    /// Returns how many moves to undo to take back the last move of `side`, or 0 if it has made none since the setup.
    fn n_to_undo(&self, side: Player) -> usize {
        let n = if self.next_side() == side { 2 } else { 1 };
        if n <= self.n_moves_here() { n } else { 0 }
    }

    /// Returns the number of moves since the setup, without those taken back.
    pub(crate) fn n_moves_here(&self) -> usize {
        self.game.moves().len() - self.setup.moves.len()
    }

    /// Returns the side whose turn it is, or would be if the game went on.
    fn next_side(&self) -> Player {
        Player::after_moves(self.game.moves().len())
    }

    /// Returns the status, including endings that the players agreed on.
    pub(crate) fn status(&self) -> Status {
        match self.ended {
            Some((outcome, _)) => Status::Over(outcome),
            None => self.game.status(),
        }
    }

    /// Returns the score of the series, with this game if it is over.
    pub(crate) fn score(&self) -> SeriesScore {
        match self.status() {
            Status::ToMove(_) => self.setup.score,
            Status::Over(Outcome::Draw) => self.setup.score.after(None),
            Status::Over(Outcome::Win(player)) => self.setup.score.after(Some(player)),
        }
    }

    /// Returns whether the server may have to act in this game: for the computer, for a player of both sides, or in its tournament.
    pub(crate) fn needs_server(&self) -> bool {
        self.setup.tournament.is_some()
            || self.is_solo()
            || [Player::First, Player::Second].into_iter().any(|side| self.level(side).is_some())
    }

    /// Returns the level of the computer if it plays `side`.
    pub(crate) fn level(&self, side: Player) -> Option<&str> {
        match &self.seat(side).kind {
            PlayerKind::Computer(level) => Some(level),
            PlayerKind::Person => None,
        }
    }
}

/// Plays moves that are given as text.
pub(crate) fn play_all(start: State, moves: &[String]) -> Result<Game, Failure> {
    let mut game = Game::from(start);
    for text in moves {
        let mv = game.rules().parse_move(text);
        let mv = mv.map_err(|error| Failure::BadMove(format!("{text:?}: {error}")))?;
        game.play(mv).map_err(illegal)?;
    }
    Ok(game)
}

pub(crate) fn move_texts(game: &Game) -> Vec<String> {
    game.moves().iter().map(|mv| mv.display(game.rules()).to_string()).collect()
}

fn illegal(error: IllegalMove) -> Failure {
    let Fault { message, help, .. } = error.into();
    Failure::Illegal { message, help }
}

fn refused(message: &str) -> Failure {
    Failure::Illegal { message: message.to_owned(), help: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::StoredSeat;
    use crate::token::Secret;
    use crate::wire::{You, to_json};

    fn setup(rules: &str) -> Setup {
        let seat = |open| StoredSeat {
            kind: PlayerKind::Person,
            name: None,
            open,
            secret_hash: Some(Secret::random().hash()),
            devices: Vec::new(),
        };
        Setup {
            rules: rules.to_owned(),
            opening_mark: OpeningMark::O,
            moves: Vec::new(),
            first: seat(false),
            second: seat(true),
            previous: None,
            score: SeriesScore::default(),
            clock: None,
            public: false,
            tournament: None,
        }
    }

    /// Tries random actions, most of them refused, and returns the game and its events.
    fn play_randomly(rules: &str, mut rng: u64) -> (HostedGame, Vec<GameEvent>) {
        let kind = EventKind::Created(Box::new(setup(rules)));
        let mut events = vec![GameEvent { seq: 0, at: 0, salt: None, kind }];
        let mut hosted = HostedGame::from_events(&events).unwrap();
        for _ in 0..400 {
            rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let random = (rng / 4_294_967_296) as usize;
            let kinds = [
                ActionKind::Move,
                ActionKind::Move,
                ActionKind::Move,
                ActionKind::OfferDraw,
                ActionKind::AskUndo,
                ActionKind::Decline,
                ActionKind::Decline,
                ActionKind::Rematch,
                if random.is_multiple_of(5) { ActionKind::Resign } else { ActionKind::Move },
                if random.is_multiple_of(3) { ActionKind::Accept } else { ActionKind::Move },
            ];
            let kind = kinds[random % kinds.len()];
            let moves: Vec<tictac::Move> = hosted.game.state().moves().collect();
            let mv = moves
                .get(random / 16 % moves.len().max(1))
                .map(|&mv| mv.display(hosted.game.rules()).to_string());
            let mv = mv.filter(|_| kind == ActionKind::Move);
            let you = [You::First, You::Second, You::Both][random / 8 % 3];
            if let Ok(kind) = hosted.permit(you, kind, mv.as_deref()).map(EventKind::Action) {
                let event = GameEvent { seq: hosted.n_events, at: 0, salt: None, kind };
                hosted.apply(&event).unwrap_or_else(|error| panic!("{rules}: {event:?}: {error}"));
                events.push(event);
            }
        }
        (hosted, events)
    }

    #[test]
    fn stored_events_give_the_same_game_again() {
        for rules in ["3,3,3", "misere", "wild", "notakto boards=3", "8,8,5", "1,1,1", "2,7,3 misere"] {
            for seed in 0..30 {
                let (hosted, events) = play_randomly(rules, seed);
                let stored: Vec<GameEvent> =
                    events.iter().map(|event| serde_json::from_str(&to_json(event)).unwrap()).collect();
                let again = HostedGame::from_events(&stored).unwrap();
                assert_eq!(to_json(&again.state()), to_json(&hosted.state()), "{rules} {seed}");
                assert!(events.len() > 1, "{rules} {seed}: no action was permitted");
            }
        }
    }

    #[test]
    fn contradictory_events_are_refused() {
        let (_, events) = play_randomly("3,3,3", 7);
        assert!(HostedGame::from_events(&events[1..]).is_err());
        assert!(HostedGame::from_events(&[events[0].clone(), events[0].clone()]).is_err());
        for (by, mv) in [(Player::Second, "O A1"), (Player::First, "X A1"), (Player::First, "O Z9")] {
            let mv = Some(mv.to_owned());
            let kind = EventKind::Action(PlayerAction { kind: ActionKind::Move, by, mv, next: None });
            let event = GameEvent { seq: 1, at: 0, salt: None, kind };
            assert!(HostedGame::from_events(&[events[0].clone(), event.clone()]).is_err(), "{event:?}");
        }
    }
}
