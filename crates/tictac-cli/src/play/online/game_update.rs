//! What is going on in a game on a server, in words and for the screen.

use std::time::Duration;

use tictac::Player;
use tictac_server::wire::{EndReason, GameStatus, NoticeKind, OfferKind, PlayerKind, You};
use tictac_tui::{GameClock, GameEnding, GameSession, OnlineChoice, OnlineGame, OnlineInfo, Seat};

use super::client::{GameUpdate, printable};

impl GameUpdate {
    /// Returns the side of this player; nothing for a spectator, and for a player who has both.
    pub(super) fn own_side(&self) -> Option<Player> {
        self.you.and_then(You::side)
    }

    pub(super) fn is_over(&self) -> bool {
        self.state.status != GameStatus::Playing
    }

    /// Returns whether a player has yet to join.
    pub(super) fn is_waiting(&self) -> bool {
        self.state.first.open || self.state.second.open
    }

    /// Returns whether the player has something to decide: it is their turn, or the other player has made an offer.
    pub(super) fn is_asked(&self) -> bool {
        let can_move = !self.is_waiting() && self.state.to_move.is_some_and(|side| self.plays(side));
        can_move || self.has_offer()
    }

    fn plays(&self, side: Player) -> bool {
        self.you.is_some_and(|you| you.side().is_none_or(|own| own == side))
    }

    /// Returns whether the other player waits for an answer to an offer.
    fn has_offer(&self) -> bool {
        self.you.is_some() && self.state.offer.is_some_and(|offer| Some(offer.by) != self.own_side())
    }

    /// Returns a player as this player calls them.
    fn name_of(&self, side: Player) -> String {
        if self.own_side() == Some(side) {
            return "You".to_owned();
        }
        let mark = || self.state.seat(side).mark.map(|mark| mark.to_string());
        let place = if side == Player::First { "first" } else { "second" };
        self.listed_name(side).or_else(mark).unwrap_or_else(|| format!("The {place} player"))
    }

    /// Returns the name of a player, unless it is a person who has not told one.
    fn listed_name(&self, side: Player) -> Option<String> {
        let seat = self.state.seat(side);
        let name = seat.name.as_deref().map(printable).filter(|name| !name.is_empty());
        name.or_else(|| (seat.kind != PlayerKind::Person).then(|| "The computer".to_owned()))
    }

    /// Returns that the other player has declined an offer, if that is what happened last.
    pub(super) fn notice_text(&self) -> Option<String> {
        let notice = self.state.notice.filter(|notice| self.own_side() != Some(notice.by))?;
        let what = match notice.kind {
            NoticeKind::DrawDeclined => "the draw",
            NoticeKind::UndoDeclined => "to take back a move",
            NoticeKind::RematchDeclined => "a rematch",
            NoticeKind::NewDevice | NoticeKind::Unknown => return None,
        };
        Some(format!("{} has declined {what}.", self.name_of(notice.by)))
    }

    fn offer_text(&self, kind: OfferKind, by: Player) -> String {
        let what = match kind {
            OfferKind::Draw => "for a draw",
            OfferKind::Undo => "to take back a move",
            OfferKind::Rematch => "for a rematch",
        };
        match self.you {
            Some(_) if self.own_side() == Some(by) => format!("You have asked {what}."),
            Some(_) => format!("{} asks {what}: accept or decline?", self.name_of(by)),
            None => format!("{} asks {what}.", self.name_of(by)),
        }
    }

    /// Returns the time that both players had left when the update was sent, if the game has a clock.
    fn times_left(&self) -> Option<[Duration; 2]> {
        let (clock, now) = (self.state.clock?, self.now.unwrap_or_default());
        Some(Player::BOTH.map(|side| Duration::from_millis(clock.left(side, now))))
    }

    /// Returns the same in words.
    pub(super) fn times(&self) -> Option<String> {
        let [first, second] = self.times_left()?.map(|left| {
            humantime::format_duration(Duration::from_secs(left.as_millis().div_ceil(1000) as u64))
        });
        let [one, other] = Player::BOTH.map(|side| self.name_of(side));
        Some(format!("Time left: {one} {first}, {other} {second}"))
    }

    /// Returns whose turn it is, what is offered, or how the game has ended.
    pub(super) fn headline(&self) -> String {
        let state = &self.state;
        if let Some(offer) = state.offer.filter(|offer| offer.kind == OfferKind::Rematch) {
            return self.offer_text(offer.kind, offer.by);
        }
        if let Some(winner) = state.winner {
            let verb = if self.own_side() == Some(winner) { "win" } else { "wins" };
            let reason = match (state.reason, self.own_side() == Some(!winner)) {
                (Some(EndReason::Resigned), true) => ": you resigned",
                (Some(EndReason::Resigned), false) => ": the other player resigned",
                (Some(EndReason::Time), true) => ": your time is up",
                (Some(EndReason::Time), false) => ": the other player ran out of time",
                _ => "",
            };
            return format!("{} {verb}{reason}.", self.name_of(winner));
        }
        if self.is_over() {
            return "The game is drawn.".to_owned();
        }
        if self.is_waiting() {
            let who = if self.you.is_some() { "your friend" } else { "the second player" };
            return format!("Waiting for {who} … (Ctrl-C leaves)");
        }
        if let Some(offer) = state.offer {
            return self.offer_text(offer.kind, offer.by);
        }
        match state.to_move {
            Some(side) if self.own_side() == Some(side) => "Your turn.".to_owned(),
            Some(side) => format!("{}'s turn.", self.name_of(side)),
            None => "The game goes on.".to_owned(),
        }
    }

    /// Returns the game as the screen shows it.
    pub(super) fn shown(&self) -> OnlineGame {
        let seats = Player::BOTH.map(|side| if self.plays(side) { Seat::Person } else { Seat::Remote });
        let ending = self.is_over().then_some(GameEnding::OnServer(self.state.winner));
        let names = Player::BOTH.map(|side| {
            let is_own = self.own_side() == Some(side);
            match self.listed_name(side) {
                Some(name) if is_own => format!("{name} (you)"),
                Some(name) => name,
                None if is_own => "you".to_owned(),
                None if self.you.is_some() => "your friend".to_owned(),
                None => "person".to_owned(),
            }
        });
        let choice = match (self.you, self.has_offer()) {
            (None, _) => OnlineChoice::Watch,
            (Some(_), true) => OnlineChoice::Answer,
            (Some(_), false) => OnlineChoice::Play,
        };
        let running = self.state.clock.and_then(|clock| clock.running);
        OnlineGame {
            session: GameSession::online(self.moves.clone(), seats, ending),
            clock: self.times_left().map(GameClock::with_times),
            info: OnlineInfo { names, headline: self.headline(), choice, running },
        }
    }
}
