//! Sentences about a game, as the page says them before any script runs.

use tictac::{Goal, Rules};

use crate::event::{Side, Who};
use crate::wire::{GameStatus, OfferKind, Reason, Sitter, Update, You};

/// Returns whether the reader may move now.
pub(super) fn is_my_turn(update: &Update) -> bool {
    match (update.state.to_move, update.you) {
        (None, _) | (_, None) => false,
        (Some(_), Some(You::Both)) => true,
        (Some(side), Some(you)) => you == seat_of(side),
    }
}

const fn seat_of(side: Side) -> You {
    match side {
        Side::First => You::First,
        Side::Second => You::Second,
    }
}

/// Returns whether this side is the reader's own, and only that.
pub(super) fn is_mine(update: &Update, side: Side) -> bool {
    update.you == Some(seat_of(side))
}

/// The one who sits on a side.
pub(super) const fn sitter(update: &Update, side: Side) -> &Sitter {
    match side {
        Side::First => &update.state.first,
        Side::Second => &update.state.second,
    }
}

/// What a side is called: its mark, where marks name players.
pub(super) fn side_name(update: &Update, side: Side) -> String {
    match (sitter(update, side).mark, side) {
        (Some(mark), _) => mark.to_string(),
        (None, Side::First) => "First player".to_owned(),
        (None, Side::Second) => "Second player".to_owned(),
    }
}

/// What a player calls himself, or what he is.
pub(super) fn player_name(update: &Update, side: Side) -> String {
    let sitter = sitter(update, side);
    match (&sitter.name, &sitter.who, side) {
        (Some(name), ..) => name.clone(),
        (None, Who::Computer(level), _) => format!("Computer, {level}"),
        (None, Who::Person, Side::First) => "First player".to_owned(),
        (None, Who::Person, Side::Second) => "Second player".to_owned(),
    }
}

/// Where the game stands, in a few words.
pub(super) fn sentence(update: &Update) -> String {
    let state = &update.state;
    match (state.status, state.winner, state.to_move) {
        (GameStatus::Won, Some(winner), _) => match update.you {
            None | Some(You::Both) => format!("{} wins", side_name(update, winner)),
            Some(_) if is_mine(update, winner) => "You win".to_owned(),
            Some(_) => "You lose".to_owned(),
        },
        (GameStatus::Drawn, ..) => "Draw".to_owned(),
        _ if state.first.open || state.second.open => {
            if update.you.is_some() { "Waiting for your friend" } else { "Waiting for a player" }.to_owned()
        }
        (_, _, to_move) => match update.you {
            None | Some(You::Both) => {
                format!("{} to move", to_move.map_or_else(String::new, |side| side_name(update, side)))
            }
            Some(_) if is_my_turn(update) => "Your move".to_owned(),
            Some(_) => "The other player's move".to_owned(),
        },
    }
}

/// Why it stands so.
pub(super) fn why(update: &Update, rules: &Rules) -> String {
    let state = &update.state;
    let lines = completed(update);
    let winner = state.winner.map_or_else(String::new, |side| side_name(update, side));
    let loser = state.winner.map_or_else(String::new, |side| side_name(update, side.other()));
    match (state.reason, &state.dead, rules.goal()) {
        (Some(Reason::Line), _, Goal::Complete) => format!("{winner} completed {lines}."),
        (Some(Reason::Line), _, Goal::Avoid) if rules.n_boards() > 1 => {
            format!("{loser} completed the last line, {lines}, and that loses here.")
        }
        (Some(Reason::Line), _, Goal::Avoid) => format!("{loser} completed {lines}, and a line loses here."),
        (Some(Reason::Full), ..) => "The board is full without a line.".to_owned(),
        (Some(Reason::Resigned), ..) => format!("{loser} resigned."),
        (Some(Reason::Agreed), ..) => "Both agreed to it.".to_owned(),
        (None, Some(dead), _) => format!("This can only be a draw now: {dead}."),
        (None, None, _) => match state.marks[..] {
            [mark] if is_my_turn(update) && rules.marks_name_players() => format!("You write {mark}."),
            _ => String::new(),
        },
    }
}

/// The lines that the last move completed; on several boards others had theirs before.
fn completed(update: &Update) -> String {
    let last = update.state.moves.last().and_then(|mv| mv.split(' ').next_back()).unwrap_or_default();
    let through = update.state.lines.iter().filter(|line| line.iter().any(|square| square == last));
    through.map(|line| line.join("–")).collect::<Vec<String>>().join(" and ")
}

/// What is offered, and by whom.
pub(super) fn offer(update: &Update) -> Option<String> {
    let offer = update.state.offer?;
    Some(if is_mine(update, offer.by) {
        match offer.kind {
            OfferKind::Draw => "You offer a draw.",
            OfferKind::Undo => "You ask to take back your last move.",
            OfferKind::Rematch => "You would like a rematch.",
        }
        .to_owned()
    } else {
        let wish = match offer.kind {
            OfferKind::Draw => "offers a draw",
            OfferKind::Undo => "asks to take back the last move",
            OfferKind::Rematch => "would like a rematch",
        };
        let known = sitter(update, offer.by).name.clone();
        format!("{} {wish}.", known.unwrap_or_else(|| side_name(update, offer.by)))
    })
}
