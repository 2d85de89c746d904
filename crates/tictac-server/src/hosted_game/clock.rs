//! The clock of a game, reckoned from the stored times of its events.
//!
//! The clock of the player to move runs while both seats are taken. The computer has no clock: its time is the server's own.

use tictac::{Outcome, Player};

use super::{GameAction, HostedGame, refused};
use crate::failure::Failure;
use crate::time_control::TimeControl;
use crate::wire::{ClockView, EndReason};

/// The clocks of both players. Times are in milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct HostedClock {
    pub(crate) control: TimeControl,
    /// The time that the first and the second player had when their clock last stopped.
    left: [u64; 2],
    /// The player whose clock runs, and since when.
    running: Option<(Player, u64)>,
}

impl HostedClock {
    pub(super) const fn new(control: TimeControl) -> HostedClock {
        HostedClock { control, left: [control.initial(); 2], running: None }
    }

    /// Returns when the time of the player whose clock runs is over.
    const fn deadline(&self) -> Option<u64> {
        match self.running {
            Some((side, since)) => Some(since.saturating_add(self.left[side as usize])),
            None => None,
        }
    }

    /// Stops the running clock at the time `at` and returns whose it was.
    fn stop(&mut self, at: u64) -> Option<Player> {
        let (side, since) = self.running.take()?;
        let left = &mut self.left[side as usize];
        // Another node may have a slightly different time, but no player gets more than they had.
        *left = left.saturating_sub(at.saturating_sub(since));
        Some(side)
    }

    pub(crate) fn view(&self) -> ClockView {
        let [first, second] = self.left;
        let running = self.running.map(|(side, _)| side);
        ClockView { control: self.control, first, second, running, until: self.deadline() }
    }
}

impl HostedGame {
    /// Returns when the time of the player to move is over, if their clock runs.
    pub(crate) fn deadline(&self) -> Option<u64> {
        self.clock.as_ref().and_then(HostedClock::deadline)
    }

    /// Returns the player whose time is over at the time `now`.
    pub(crate) fn fallen_flag(&self, now: u64) -> Option<Player> {
        let clock = self.clock.as_ref()?;
        let (side, _) = clock.running?;
        clock.deadline().is_some_and(|deadline| deadline <= now).then_some(side)
    }

    /// Lets the clock of the player to move run from the time `at`, unless it already runs or must not run yet.
    pub(crate) fn run_clock(&mut self, at: u64) {
        let is_waiting = self.is_open();
        let player = self.to_move().filter(|&side| !is_waiting && self.level(side).is_none());
        if let (Some(clock), Some(side)) = (&mut self.clock, player) {
            clock.running.get_or_insert((side, at));
        }
    }

    /// Checks that the player to move had time left at the time `at`.
    pub(super) fn check_clock(&self, at: u64) -> Result<(), Failure> {
        match self.fallen_flag(at) {
            Some(_) => Err(refused("the time of the player to move was over")),
            None => Ok(()),
        }
    }

    /// Changes the clock after an action at the time `at`, of a game that had `n_moves` before.
    pub(super) fn turn_clock(&mut self, action: GameAction, n_moves: usize, at: u64) {
        let is_over = self.is_over();
        let is_turned = self.game.moves().len() != n_moves;
        let side = self.next_side();
        let Some(clock) = &mut self.clock else { return };
        if !is_over && !is_turned {
            return;
        }
        let stopped = clock.stop(at);
        if is_over {
            return;
        }
        if !matches!(action, GameAction::Move(_)) {
            let left = &mut clock.left[side as usize];
            *left = clock.control.after_undo(*left);
        } else if let Some(mover) = stopped {
            let left = &mut clock.left[mover as usize];
            *left = clock.control.after_move(*left);
        }
        self.run_clock(at);
    }

    /// Ends the game because the time of a player is over.
    pub(super) fn fall_flag(&mut self, by: Player, at: u64) -> Result<(), Failure> {
        if self.fallen_flag(at) != Some(by) {
            return Err(refused("the player still had time"));
        }
        self.end(Outcome::Win(!by), EndReason::Time, at);
        Ok(())
    }

    /// Ends the game without a move at the time `at`.
    pub(super) fn end(&mut self, outcome: Outcome, reason: EndReason, at: u64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(at);
        }
        self.offer = None;
        self.ended = Some((outcome, reason));
    }

    /// Does not count the time from `from` to `at`, in which the server was down, or by which its clock was set. It may have been set back.
    pub(super) fn resume_clock(&mut self, from: u64, at: u64) -> Result<(), Failure> {
        let Some((_, since)) = self.clock.as_mut().and_then(|clock| clock.running.as_mut()) else {
            return Err(refused("no clock was running"));
        };
        if from < self.last_at {
            return Err(refused("the server was not down at that time"));
        }
        *since = since.saturating_add(at).saturating_sub(from);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac::{Rules, Status};

    use crate::event::{
        ActionKind, EventKind, GameEvent, OpeningMark, PlayerKind, SeriesScore, Setup, StoredSeat,
    };
    use crate::wire::You;

    const SECOND: u64 = 1_000;

    fn game(clock: &str, second: PlayerKind, open: bool) -> HostedGame {
        let seat = |kind, open| StoredSeat { kind, name: None, open, secret_hash: None, devices: Vec::new() };
        let setup = Setup {
            rules: Rules::CLASSIC,
            opening_mark: OpeningMark::X,
            moves: Vec::new(),
            first: seat(PlayerKind::Person, false),
            second: seat(second, open),
            previous: None,
            score: SeriesScore::default(),
            clock: Some(clock.parse().unwrap()),
            public: false,
            tournament: None,
        };
        HostedGame::new(setup).unwrap().created_at(0)
    }

    fn apply(game: &mut HostedGame, at: u64, kind: EventKind) -> Result<(), String> {
        game.apply(&GameEvent { seq: game.n_events, at, salt: None, kind })
    }

    #[track_caller]
    fn act(game: &mut HostedGame, seconds: u64, you: You, kind: ActionKind, mv: Option<&str>) {
        let (by, action) = game.permit(you, kind, mv).unwrap();
        apply(game, seconds * SECOND, game.stored(by, action)).unwrap();
    }

    /// Returns the seconds left of both players at a time in seconds, and whose clock runs.
    fn left(game: &HostedGame, seconds: u64) -> ([u64; 2], Option<Player>) {
        let view = game.clock.as_ref().unwrap().view();
        ([Player::First, Player::Second].map(|side| view.left(side, seconds * SECOND) / SECOND), view.running)
    }

    #[test]
    fn moves_are_charged_and_add_the_increment() {
        let mut game = game("1+2", PlayerKind::Person, false);
        assert_eq!(left(&game, 10), ([50, 60], Some(Player::First)));
        act(&mut game, 10, You::First, ActionKind::Move, Some("B2"));
        assert_eq!(left(&game, 11), ([52, 59], Some(Player::Second)));
        // An offer does not stop the clock, and neither does a declined one.
        act(&mut game, 12, You::First, ActionKind::OfferDraw, None);
        act(&mut game, 13, You::Second, ActionKind::Decline, None);
        assert_eq!(left(&game, 15), ([52, 55], Some(Player::Second)));
        act(&mut game, 15, You::Second, ActionKind::Move, Some("A1"));
        assert_eq!(left(&game, 15), ([52, 57], Some(Player::First)));
        // After the end, no clock runs.
        act(&mut game, 20, You::First, ActionKind::Resign, None);
        assert_eq!((left(&game, 90), game.deadline()), (([47, 57], None), None));
    }

    #[test]
    fn a_move_that_is_taken_back_does_not_give_its_time_back() {
        let mut game = game("1+0", PlayerKind::Person, false);
        act(&mut game, 10, You::First, ActionKind::Move, Some("B2"));
        act(&mut game, 12, You::First, ActionKind::AskUndo, None);
        act(&mut game, 15, You::Second, ActionKind::Accept, None);
        assert_eq!(left(&game, 16), ([49, 55], Some(Player::First)));
        let mut slow = super::tests::game("2d", PlayerKind::Person, false);
        act(&mut slow, 86_400, You::First, ActionKind::Move, Some("B2"));
        act(&mut slow, 86_400, You::First, ActionKind::AskUndo, None);
        act(&mut slow, 86_410, You::Second, ActionKind::Accept, None);
        assert_eq!(left(&slow, 86_410).0[0], 2 * 86_400);
    }

    #[test]
    fn days_are_counted_for_every_move() {
        let mut game = game("1d", PlayerKind::Person, false);
        act(&mut game, 80_000, You::First, ActionKind::Move, Some("B2"));
        act(&mut game, 160_000, You::Second, ActionKind::Move, Some("A1"));
        assert_eq!(left(&game, 160_000), ([86_400, 86_400], Some(Player::First)));
        assert_eq!(game.fallen_flag(246_399_999), None);
        assert_eq!(game.fallen_flag(246_400_000), Some(Player::First));
    }

    #[test]
    fn no_clock_runs_before_both_seats_are_taken() {
        let mut game = game("1+0", PlayerKind::Person, true);
        act(&mut game, 500, You::First, ActionKind::Move, Some("B2"));
        assert_eq!(left(&game, 900), ([60, 60], None));
        let joined = EventKind::Joined { by: Player::Second, name: None, key: None };
        apply(&mut game, 1_000 * SECOND, joined).unwrap();
        assert_eq!(left(&game, 1_010), ([60, 50], Some(Player::Second)));
        // Another device of a player changes nothing.
        apply(&mut game, 1_005 * SECOND, EventKind::DevicesRevoked { by: Player::First }).unwrap();
        assert_eq!(left(&game, 1_010), ([60, 50], Some(Player::Second)));
    }

    #[test]
    fn the_computer_has_no_clock() {
        let mut game = game("1+0", PlayerKind::Computer("perfect".to_owned()), false);
        act(&mut game, 5, You::First, ActionKind::Move, Some("B2"));
        assert_eq!(left(&game, 500), ([55, 60], None));
        act(&mut game, 500, You::Second, ActionKind::Move, Some("A1"));
        assert_eq!(left(&game, 501), ([54, 60], Some(Player::First)));
    }

    #[test]
    fn a_flag_falls_when_the_time_is_over_and_not_before() {
        let mut game = game("1+0", PlayerKind::Person, false);
        let flag = |by| EventKind::Flag { by };
        assert!(apply(&mut game, 59_999, flag(Player::First)).is_err());
        assert!(apply(&mut game, 60_000, flag(Player::Second)).is_err());
        let (by, late) = game.permit(You::First, ActionKind::Move, Some("B2")).unwrap();
        assert!(game.clone().take(by, late, 60_000).is_err());
        let late = game.stored(by, late);
        assert!(apply(&mut game, 60_000, late).is_err());
        apply(&mut game, 60_000, flag(Player::First)).unwrap();
        assert_eq!(game.status(), Status::Over(Outcome::Win(tictac::Player::Second)));
        assert_eq!(game.end_reason(), Some(EndReason::Time));
        assert!(apply(&mut game, 60_001, flag(Player::First)).is_err());
    }

    #[test]
    fn time_in_which_the_server_was_down_is_not_charged() {
        let mut game = game("1+0", PlayerKind::Person, false);
        act(&mut game, 10, You::First, ActionKind::Move, Some("B2"));
        let resumed = |from| EventKind::Resumed { from: from * SECOND };
        assert!(apply(&mut game, 500 * SECOND, resumed(9)).is_err(), "before the last event");
        apply(&mut game, 500 * SECOND, resumed(30)).unwrap();
        assert_eq!(left(&game, 510), ([50, 30], Some(Player::Second)));
        // Down again at once.
        apply(&mut game, 900 * SECOND, resumed(500)).unwrap();
        assert_eq!(left(&game, 910), ([50, 30], Some(Player::Second)));
        act(&mut game, 920, You::Second, ActionKind::Resign, None);
        assert!(apply(&mut game, 950 * SECOND, resumed(940)).is_err(), "no clock runs");
    }

    #[test]
    fn a_time_that_goes_back_takes_nothing() {
        let mut game = game("1+0", PlayerKind::Person, false);
        act(&mut game, 10, You::First, ActionKind::Move, Some("B2"));
        act(&mut game, 8, You::Second, ActionKind::Move, Some("A1"));
        assert_eq!(left(&game, 8), ([50, 60], Some(Player::First)));
        // The clock of the system is set back by ten seconds when the player has thought for eleven.
        act(&mut game, 30, You::First, ActionKind::Move, Some("C3"));
        apply(&mut game, 31 * SECOND, EventKind::Resumed { from: 41 * SECOND }).unwrap();
        assert_eq!(left(&game, 31), ([28, 49], Some(Player::Second)));
    }
}
