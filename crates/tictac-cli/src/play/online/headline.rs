//! What is going on in a game on a server, in words.

use std::time::Duration;

use super::client::{GameUpdate, RemoteOffer, RemotePlayer, printable};

impl GameUpdate {
    pub(super) fn own_player(&self) -> Option<&RemotePlayer> {
        match self.you.as_deref()? {
            "first" => Some(&self.state.first),
            "second" => Some(&self.state.second),
            _ => None,
        }
    }

    /// Returns whether a player has yet to join.
    pub(super) const fn is_waiting(&self) -> bool {
        self.state.first.open || self.state.second.open
    }

    /// Returns whether it is this player's turn in a game with two players.
    pub(super) fn can_move(&self) -> bool {
        let state = &self.state;
        let is_open = state.first.open || state.second.open;
        let is_next =
            self.you.as_deref() == Some("both") || (self.you.is_some() && state.to_move == self.you);
        !is_open && is_next && state.status == "playing"
    }

    /// Returns whether the other player waits for an answer to an offer.
    pub(super) fn has_offer(&self) -> bool {
        let by_other = self.state.offer.as_ref().is_some_and(|offer| Some(&offer.by) != self.you.as_ref());
        self.you.is_some() && by_other
    }

    /// Returns a player as this player calls them.
    fn name_of(&self, side: &str) -> String {
        if self.you.as_deref() == Some(side) {
            return "You".to_owned();
        }
        let mark = || self.player(side).mark.as_deref().map(printable);
        self.listed_name(side).or_else(mark).unwrap_or_else(|| format!("The {side} player"))
    }

    /// Returns the name of a player, unless it is a person who has not told one.
    pub(super) fn listed_name(&self, side: &str) -> Option<String> {
        let player = self.player(side);
        let name = player.name.as_deref().map(printable).filter(|name| !name.is_empty());
        name.or_else(|| player.who.get("computer").map(|_| "The computer".to_owned()))
    }

    fn player(&self, side: &str) -> &RemotePlayer {
        if side == "first" { &self.state.first } else { &self.state.second }
    }

    /// Returns that the other player has declined an offer, if that is what happened last.
    pub(super) fn notice_text(&self) -> Option<String> {
        let RemoteOffer { kind, by } = self.state.notice.as_ref()?;
        let is_own = self.you.as_ref() == Some(by);
        let what = kind.strip_suffix("-declined").filter(|_| !is_own)?;
        let what = match what {
            "draw" => "the draw",
            "undo" => "to take back a move",
            _ => "a rematch",
        };
        Some(format!("{} has declined {what}.", self.name_of(by)))
    }

    fn offer_text(&self, RemoteOffer { kind, by }: &RemoteOffer) -> String {
        let what = match kind.as_str() {
            "draw" => "for a draw",
            "undo" => "to take back a move",
            _ => "for a rematch",
        };
        match &self.you {
            Some(you) if you == by => format!("You have asked {what}."),
            Some(_) => format!("{} asks {what}: accept or decline?", self.name_of(by)),
            None => format!("{} asks {what}.", self.name_of(by)),
        }
    }

    /// Returns the time that both players had left when the update was sent, if the game has a clock.
    pub(super) fn times_left(&self) -> Option<[Duration; 2]> {
        let clock = self.state.clock.as_ref()?;
        let left = |side: &str, stopped: u64| {
            let is_running = clock.running.as_deref() == Some(side);
            let until = clock.until.filter(|_| is_running).zip(self.now);
            Duration::from_millis(until.map_or(stopped, |(until, now)| until.saturating_sub(now)))
        };
        Some([left("first", clock.first), left("second", clock.second)])
    }

    /// Returns the same in words.
    pub(super) fn times(&self) -> Option<String> {
        let [first, second] = self.times_left()?.map(|left| {
            humantime::format_duration(Duration::from_secs(left.as_millis().div_ceil(1000) as u64))
        });
        Some(format!("Time left: {} {first}, {} {second}", self.name_of("first"), self.name_of("second")))
    }

    /// Returns whose turn it is, what is offered, or how the game has ended.
    pub(super) fn headline(&self) -> String {
        let state = &self.state;
        if let Some(offer) = state.offer.as_ref().filter(|offer| offer.kind == "rematch") {
            return self.offer_text(offer);
        }
        if let Some(winner) = &state.winner {
            let verb = if self.you.as_ref() == Some(winner) { "win" } else { "wins" };
            let reason = match (state.reason.as_deref(), &self.you) {
                (Some("resigned"), Some(you)) if you != winner && you != "both" => ": you resigned",
                (Some("resigned"), _) => ": the other player resigned",
                (Some("time"), Some(you)) if you != winner && you != "both" => ": your time is up",
                (Some("time"), _) => ": the other player ran out of time",
                _ => "",
            };
            return format!("{} {verb}{reason}.", self.name_of(winner));
        }
        if state.status != "playing" {
            return "The game is drawn.".to_owned();
        }
        if self.is_waiting() {
            let who = if self.you.is_some() { "your friend" } else { "the second player" };
            return format!("Waiting for {who} … (Ctrl-C leaves)");
        }
        if let Some(offer) = &state.offer {
            return self.offer_text(offer);
        }
        match &state.to_move {
            Some(side) if self.you.as_ref() == Some(side) => "Your turn.".to_owned(),
            Some(side) => format!("{}'s turn.", self.name_of(side)),
            None => "The game goes on.".to_owned(),
        }
    }
}
