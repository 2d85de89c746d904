//! A game as its events define it: the moves, the pending offer, and which action is allowed next.
//!
//! This module uses no storage, clocks or sockets: the same events always give the same game.

mod clock;
mod seats;
mod view;

use tictac::notation::Fault;
use tictac::{Game, IllegalMove, Mark, Move, Outcome, Player, Rules, State, Status};

use crate::event::{
    ActionKind, EventKind, GameEvent, OpeningMark, PlayerAction, PlayerKind, SeriesScore, Setup,
};
use crate::failure::Failure;
use crate::token::{GameId, SecretHash};
use crate::wire::{EndReason, Notice, Offer, OfferKind, You};

use self::clock::HostedClock;
pub(crate) use self::seats::Arrival;
pub(crate) use self::view::{line_names, square_name, squares_of_line};

/// How often a player may make the same offer between two moves.
const MAX_OFFERS: u8 = 3;

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
    pub(crate) notice: Option<Notice>,
    pub(crate) next: Option<GameId>,
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

/// What a player does, read from the text of a client or of the store.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameAction {
    Move(Move),
    Resign,
    Offer(OfferKind),
    /// Accepts the offer of the other player; of a rematch, with the new game.
    Accept(Option<GameId>),
    Decline,
}

impl HostedGame {
    /// Returns the game after its first event. The moves of `setup` are rewritten in canonical form.
    pub(crate) fn new(mut setup: Setup) -> Result<HostedGame, Failure> {
        let mark = match setup.opening_mark {
            OpeningMark::X => Mark::X,
            OpeningMark::O => Mark::O,
        };
        let game = play_all(State::start_with(&setup.rules, mark), &read_moves(&setup.rules, &setup.moves)?)?;
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
        if event.seq != self.n_events {
            return Err(format!("event {}: expected event {}", event.seq, self.n_events));
        }
        self.change(&event.kind, event.at).map_err(|failure| format!("event {}: {failure}", event.seq))
    }

    /// Makes the change of the next event.
    pub(crate) fn change(&mut self, kind: &EventKind, at: u64) -> Result<(), Failure> {
        if let EventKind::Action(action) = kind {
            return self.take(action.by, self.read(action.kind, action.mv.as_deref(), action.next)?, at);
        }
        self.notice = None;
        match kind {
            EventKind::Created(_) => return Err(refused("the game already exists")),
            EventKind::Flag { by } => self.fall_flag(*by, at)?,
            EventKind::Resumed { from } => self.resume_clock(*from, at)?,
            EventKind::Decided { winner } => {
                self.end(winner.map_or(Outcome::Draw, Outcome::Win), EndReason::Decided, at);
            }
            _ => {
                self.change_seats(kind);
                self.run_clock(at);
            }
        }
        self.n_events += 1;
        self.last_at = at;
        Ok(())
    }

    /// Reads an action that is given as text.
    fn read(&self, kind: ActionKind, mv: Option<&str>, next: Option<GameId>) -> Result<GameAction, Failure> {
        Ok(match kind {
            ActionKind::Move => {
                let text = mv.ok_or_else(|| Failure::BadRequest("missing field \"move\"".to_owned()))?;
                GameAction::Move(self.parse_move(text)?)
            }
            ActionKind::Resign => GameAction::Resign,
            ActionKind::OfferDraw => GameAction::Offer(OfferKind::Draw),
            ActionKind::AskUndo => GameAction::Offer(OfferKind::Undo),
            ActionKind::Rematch => GameAction::Offer(OfferKind::Rematch),
            ActionKind::Accept => GameAction::Accept(next),
            ActionKind::Decline => GameAction::Decline,
        })
    }

    /// Returns an action as it is stored.
    pub(crate) fn stored(&self, by: Player, action: GameAction) -> EventKind {
        let (kind, mv, next) = match action {
            GameAction::Move(mv) => (ActionKind::Move, Some(mv.display(self.game.rules()).to_string()), None),
            GameAction::Resign => (ActionKind::Resign, None, None),
            GameAction::Offer(OfferKind::Draw) => (ActionKind::OfferDraw, None, None),
            GameAction::Offer(OfferKind::Undo) => (ActionKind::AskUndo, None, None),
            GameAction::Offer(OfferKind::Rematch) => (ActionKind::Rematch, None, None),
            GameAction::Accept(next) => (ActionKind::Accept, None, next),
            GameAction::Decline => (ActionKind::Decline, None, None),
        };
        EventKind::Action(PlayerAction { kind, by, mv, next })
    }

    /// Takes an action at the time `at`.
    pub(crate) fn take(&mut self, by: Player, action: GameAction, at: u64) -> Result<(), Failure> {
        self.check_clock(at)?;
        let n_moves = self.game.moves().len();
        // Whatever the action is, it replaces or answers a pending offer.
        let answered = self.offer.take();
        self.notice = None;
        match action {
            GameAction::Move(mv) => {
                self.check_turn(by)?;
                self.game.play(mv).map_err(illegal)?;
                self.n_offers = [[0; 3]; 2];
            }
            GameAction::Resign => self.ended = Some((Outcome::Win(!by), EndReason::Resigned)),
            GameAction::Offer(kind) => {
                self.offer = Some(Offer { kind, by });
                let n_offers = &mut self.n_offers[by as usize][kind as usize];
                *n_offers = n_offers.saturating_add(1);
            }
            GameAction::Decline => {
                let declined = answered.filter(|offer| offer.by != by);
                self.notice = declined.map(|offer| Notice { kind: offer.kind.into(), by });
            }
            GameAction::Accept(next) => {
                let offer = answered.ok_or_else(|| refused("there is no offer"))?;
                match offer.kind {
                    OfferKind::Draw => self.ended = Some((Outcome::Draw, EndReason::Agreed)),
                    OfferKind::Undo => {
                        for _ in 0..self.n_to_undo(offer.by) {
                            self.game.undo();
                        }
                    }
                    OfferKind::Rematch => self.next = next,
                }
            }
        }
        self.turn_clock(action, n_moves, at);
        self.n_events += 1;
        self.last_at = at;
        Ok(())
    }

    /// Reads an action of a client that may play `you`, and returns it with the side that acts, or why it is not allowed. Whether a move
    /// is legal is known when it is taken.
    pub(crate) fn permit(
        &self,
        you: You,
        kind: ActionKind,
        mv: Option<&str>,
    ) -> Result<(Player, GameAction), Failure> {
        use ActionKind::{Accept, AskUndo, Decline, Move, OfferDraw, Rematch, Resign};
        if mv.is_some() && kind != Move {
            return Err(Failure::BadRequest("only an action of kind \"move\" has a \"move\"".to_owned()));
        }
        let by = self.acting_side(you, kind);
        let has_asked = |offer: OfferKind| self.n_offers[by as usize][offer as usize] >= MAX_OFFERS;
        let reason = match (kind, self.offer) {
            (Move | Resign | OfferDraw | AskUndo, _) if self.is_over() => "the game is over",
            (OfferDraw | AskUndo, Some(_)) => "accept or decline the pending offer first",
            (OfferDraw, None) if has_asked(OfferKind::Draw) => ASKED_TOO_OFTEN,
            (AskUndo, None) if has_asked(OfferKind::Undo) => ASKED_TOO_OFTEN,
            (AskUndo, None) if self.n_to_undo(by) == 0 => "you have no move to take back",
            (Rematch, _) if self.setup.tournament.is_some() => "a game of a tournament has no rematch",
            (Rematch, _) if !self.is_over() => "the game is not over yet",
            (Rematch, _) if self.next.is_some() => "the rematch has already started",
            (Rematch, Some(offer)) if offer.by == by => "you have already asked for a rematch",
            (Rematch, None) if has_asked(OfferKind::Rematch) => "you have asked for a rematch three times",
            // Both players want one.
            (Rematch, Some(_)) => return Ok((by, GameAction::Accept(None))),
            (Accept | Decline, None) => "there is no offer",
            (Accept, Some(offer)) if offer.by == by => "only the other player can accept this offer",
            (Move, _) => {
                self.check_turn(by)?;
                return Ok((by, self.read(kind, mv, None)?));
            }
            (Resign | OfferDraw | AskUndo | Rematch | Accept | Decline, _) => {
                return Ok((by, self.read(kind, None, None)?));
            }
        };
        Err(refused(reason))
    }

    /// Returns the side that a client acts for. A client that plays both sides acts for the one concerned.
    fn acting_side(&self, you: You, kind: ActionKind) -> Player {
        you.side().unwrap_or_else(|| match (kind, self.offer) {
            (ActionKind::Accept | ActionKind::Decline, Some(offer)) => !offer.by,
            // The move to take back is the last one.
            (ActionKind::AskUndo, _) => !self.next_side(),
            _ => self.next_side(),
        })
    }

    /// Parses `X B2`, or `B2` if only one mark may be written.
    fn parse_move(&self, text: &str) -> Result<Move, Failure> {
        let rules = self.game.rules();
        let parsed = match (rules.parse_move(text), self.game.state().marks()) {
            // Without a mark, an error in the square is more useful than "missing mark".
            (Err(_), [mark]) if !text.trim().contains(' ') => rules.parse_square(text, *mark),
            (Err(error), [mark]) => rules.parse_square(text, *mark).map_err(|_| error),
            (parsed, _) => parsed,
        };
        parsed.map_err(|error| Failure::BadMove(format!("column {}: {error}", error.at + 1)))
    }

    fn check_turn(&self, by: Player) -> Result<(), Failure> {
        if self.to_move() == Some(by) { Ok(()) } else { Err(Failure::NotYourTurn) }
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

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.status(), Status::Over(_))
    }

    pub(crate) fn to_move(&self) -> Option<Player> {
        match self.status() {
            Status::ToMove(player) => Some(player),
            Status::Over(_) => None,
        }
    }

    pub(crate) fn winner(&self) -> Option<Player> {
        match self.status() {
            Status::Over(Outcome::Win(player)) => Some(player),
            _ => None,
        }
    }

    /// Returns the score of the series, with this game if it is over.
    pub(crate) fn score(&self) -> SeriesScore {
        if self.is_over() { self.setup.score.after(self.winner()) } else { self.setup.score }
    }

    /// Returns whether the server may have to act in this game: for the computer, for a player of both sides, or in its tournament.
    pub(crate) fn needs_server(&self) -> bool {
        self.setup.tournament.is_some()
            || self.is_solo()
            || Player::BOTH.into_iter().any(|side| self.level(side).is_some())
    }

    /// Returns the level of the computer if it plays `side`.
    pub(crate) fn level(&self, side: Player) -> Option<&str> {
        match &self.seat(side).kind {
            PlayerKind::Computer(level) => Some(level),
            PlayerKind::Person => None,
        }
    }
}

const ASKED_TOO_OFTEN: &str = "you have asked three times: wait for the next move";

/// Returns the game with these moves, which are given as text. If each player has their own mark, the first move tells who opens.
pub(crate) fn game_of(rules: &Rules, moves: &[String]) -> Result<Game, Failure> {
    let moves = read_moves(rules, moves)?;
    let opener = moves.first().map_or(Mark::X, |mv| mv.mark);
    play_all(State::start_with(rules, opener), &moves)
}

fn read_moves(rules: &Rules, moves: &[String]) -> Result<Vec<Move>, Failure> {
    let read = |text: &String| {
        rules.parse_move(text).map_err(|error| Failure::BadMove(format!("{text:?}: {error}")))
    };
    moves.iter().map(read).collect()
}

fn play_all(start: State, moves: &[Move]) -> Result<Game, Failure> {
    let mut game = Game::from(start);
    moves.iter().try_for_each(|&mv| game.play(mv)).map_err(illegal)?;
    Ok(game)
}

pub(crate) fn move_texts(game: &Game) -> Vec<String> {
    game.moves().iter().map(|mv| mv.display(game.rules()).to_string()).collect()
}

fn illegal(error: IllegalMove) -> Failure {
    let Fault { message, help, .. } = error.into();
    Failure::Illegal { message, help }
}

pub(crate) fn refused(message: &str) -> Failure {
    Failure::Illegal { message: message.to_owned(), help: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::StoredSeat;
    use crate::token::Secret;
    use crate::wire::to_json;

    fn setup(rules: &str) -> Setup {
        let seat = |open| StoredSeat {
            kind: PlayerKind::Person,
            name: None,
            open,
            secret_hash: Some(Secret::random().hash()),
            devices: Vec::new(),
        };
        Setup {
            rules: rules.parse().unwrap(),
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
            if let Ok((by, action)) = hosted.permit(you, kind, mv.as_deref()) {
                let (seq, kind) = (hosted.n_events, hosted.stored(by, action));
                let event = GameEvent { seq, at: 0, salt: None, kind };
                hosted.take(by, action, 0).unwrap_or_else(|error| panic!("{rules}: {event:?}: {error}"));
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
