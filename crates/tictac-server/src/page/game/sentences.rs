//! The sentences about a game, addressed to the player who reads them, for pages with and without scripts.

use tictac::{Goal, Player, Rules};

use super::view::Viewer;
use crate::event::{PlayerKind, Side};
use crate::page::link::square_of;
use crate::wire::{EndReason, GameStatus, NoticeKind, OfferKind, SeatView, Update, You};

/// Returns true if the viewer may move now.
pub(super) fn is_my_turn(update: &Update) -> bool {
    update.state.to_move.is_some_and(|side| update.you == Some(You::Both) || is_mine(update, side))
}

/// Returns true if this side belongs to the viewer, and the other one does not.
pub(super) fn is_mine(update: &Update, side: Side) -> bool {
    update.you == Some(side.into())
}

/// Returns true if a seat still waits for a player.
pub(super) const fn is_open(update: &Update) -> bool {
    update.state.first.open || update.state.second.open
}

pub(super) const fn seat_of(update: &Update, side: Side) -> &SeatView {
    match side {
        Side::First => &update.state.first,
        Side::Second => &update.state.second,
    }
}

/// Returns the name of a player in the list of players.
pub(super) fn player_name(update: &Update, side: Side) -> String {
    let player = seat_of(update, side);
    match (&player.name, &player.kind) {
        (Some(name), _) => name.clone(),
        (None, PlayerKind::Computer(level)) => format!("Computer ({level})"),
        (None, PlayerKind::Person) => numbered(side),
    }
}

fn numbered(side: Side) -> String {
    format!("Player {}", Player::from(side))
}

/// Returns what a player is called at the start of a sentence.
fn subject(update: &Update, side: Side) -> String {
    let player = seat_of(update, side);
    match (&player.name, &player.kind, update.you) {
        _ if is_mine(update, side) => "You".to_owned(),
        (Some(name), ..) => name.clone(),
        (None, PlayerKind::Computer(_), _) => "The computer".to_owned(),
        (None, PlayerKind::Person, Some(You::First | You::Second)) => "Your opponent".to_owned(),
        (None, PlayerKind::Person, _) => player.mark.clone().unwrap_or_else(|| numbered(side)),
    }
}

/// Returns the headline of a game, which is also the title of its page.
pub(super) fn status(update: &Update) -> String {
    let state = &update.state;
    match (state.status, state.winner, state.to_move) {
        (GameStatus::Won, Some(winner), _) => match update.you {
            Some(You::First | You::Second) if is_mine(update, winner) => "You win!".to_owned(),
            Some(You::First | You::Second) => "You lose".to_owned(),
            None | Some(You::Both) => format!("{} wins!", subject(update, winner)),
        },
        (GameStatus::Drawn, ..) => "It's a draw".to_owned(),
        _ if is_open(update) && update.you.is_some() => "Waiting for your friend".to_owned(),
        _ if is_open(update) => "Waiting for a second player".to_owned(),
        (.., Some(side)) if is_mine(update, side) => "Your turn".to_owned(),
        (.., Some(side)) => format!("{}'s turn", subject(update, side)),
        (.., None) => String::new(),
    }
}

/// Returns the sentence below the headline; it may be empty.
pub(super) fn detail(update: &Update, rules: &Rules) -> String {
    let state = &update.state;
    let loser = || state.winner.map_or_else(String::new, |winner| subject(update, winner.other()));
    match (state.reason, &state.dead) {
        (Some(EndReason::Line), _) => match (rules.goal(), rules.n_boards()) {
            // The line is drawn on the board.
            (Goal::Complete, _) => String::new(),
            (Goal::Avoid, 1) => format!("{} completed a line. In this variant, that loses.", loser()),
            (Goal::Avoid, _) => format!("{} completed the last line. In this variant, that loses.", loser()),
        },
        (Some(EndReason::Full), _) => "The board is full.".to_owned(),
        (Some(EndReason::Resigned), _) => format!("{} resigned.", loser()),
        (Some(EndReason::Agreed), _) => "Both players agreed.".to_owned(),
        (None, Some(dead)) => format!("Dead draw: {dead}."),
        (None, None) => match &state.marks[..] {
            _ if is_open(update) && is_my_turn(update) => "You can already make your first move.".to_owned(),
            _ if is_open(update) && update.you.is_some() => {
                "The game goes on when they open your link.".to_owned()
            }
            [mark] if update.you != Some(You::Both) && is_my_turn(update) && rules.marks_name_players() => {
                format!("You are {mark}.")
            }
            _ => String::new(),
        },
    }
}

/// Returns the squares of the lines that the last move completed, for screen readers. On several boards, other lines may be older.
pub(super) fn completed_lines(update: &Update) -> Option<String> {
    let last = update.state.moves.last().map(|mv| square_of(mv))?;
    let through = update.state.lines.iter().filter(|line| line.iter().any(|square| square == last));
    let lines: Vec<String> = through.map(|line| line.join("–")).collect();
    let is_end = update.state.reason == Some(EndReason::Line);
    (is_end && !lines.is_empty()).then(|| format!("Line: {}.", lines.join(" and ")))
}

/// Returns the sentence about an open offer.
pub(super) fn offer(update: &Update) -> Option<String> {
    let offer = update.state.offer?;
    let verb = match (offer.kind, is_mine(update, offer.by)) {
        (OfferKind::Draw, true) => "offered a draw",
        (OfferKind::Undo, true) => "asked to take back your last move",
        (OfferKind::Rematch, true) => "asked for a rematch",
        (OfferKind::Draw, false) => "offers a draw",
        (OfferKind::Undo, false) => "wants to take back their last move",
        (OfferKind::Rematch, false) => "wants a rematch",
    };
    Some(format!("{} {verb}.", subject(update, offer.by)))
}

/// Returns the presence of a player in one word.
pub(super) fn presence(update: &Update, side: Side) -> &'static str {
    let is_connected = match side {
        Side::First => update.presence.first,
        Side::Second => update.presence.second,
    };
    match seat_of(update, side).kind {
        _ if seat_of(update, side).open => "invited",
        PlayerKind::Computer(_) => "ready",
        PlayerKind::Person if is_connected || is_mine(update, side) || update.you == Some(You::Both) => {
            "online"
        }
        PlayerKind::Person => "away",
    }
}

/// Returns how many people watch the game besides the viewer, if any.
pub(super) fn spectators(update: &Update, viewer: Viewer) -> Option<String> {
    let n_self = u32::from(update.you.is_none() && viewer == Viewer::Counted);
    match (update.presence.watching.saturating_sub(n_self), update.you) {
        (0, Some(_)) => None,
        (1, Some(_)) => Some("1 person is watching.".to_owned()),
        (n_people, Some(_)) => Some(format!("{n_people} people are watching.")),
        (0, None) => Some("You are watching.".to_owned()),
        (1, None) => Some("You and 1 other person are watching.".to_owned()),
        (n_people, None) => Some(format!("You and {n_people} others are watching.")),
    }
}

/// Returns what the other player has just done, if the rest of the page does not show it.
pub(super) fn notice(update: &Update) -> Option<String> {
    let notice = update.state.notice?;
    let verb = match notice.kind {
        NoticeKind::NewDevice => "opened the game on another device",
        // The player who has declined knows it.
        _ if is_mine(update, notice.by) => return None,
        NoticeKind::DrawDeclined => "declined the draw",
        NoticeKind::UndoDeclined => "did not agree to take back the move",
        NoticeKind::RematchDeclined => "does not want a rematch",
    };
    Some(format!("{} {verb}.", subject(update, notice.by)))
}
