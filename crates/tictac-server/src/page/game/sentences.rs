//! The sentences about a game, addressed to the player who reads them, for pages with and without scripts.

use tictac::{Goal, Player, Rules};

use super::view::Viewer;
use crate::event::PlayerKind;
use crate::page::home::level_title;
use crate::page::language::{Language, text};
use crate::page::link::square_of;
use crate::wire::{EndReason, GameStatus, NoticeKind, OfferKind, SeatView, Update, You};

/// Returns true if the viewer may move now.
pub(super) fn is_my_turn(update: &Update) -> bool {
    update.state.to_move.is_some_and(|side| update.you == Some(You::Both) || is_mine(update, side))
}

/// Returns true if this side belongs to the viewer, and the other one does not.
pub(super) fn is_mine(update: &Update, side: Player) -> bool {
    update.you == Some(side.into())
}

/// Returns true if a seat still waits for a player.
pub(super) const fn is_open(update: &Update) -> bool {
    update.state.first.open || update.state.second.open
}

pub(in crate::page) const fn seat_of(update: &Update, side: Player) -> &SeatView {
    match side {
        Player::First => &update.state.first,
        Player::Second => &update.state.second,
    }
}

/// Returns the name of a player next to the board.
pub(in crate::page) fn player_name(update: &Update, side: Player, lang: Language) -> String {
    let player = seat_of(update, side);
    match (&player.name, &player.kind) {
        (Some(name), _) => name.clone(),
        (None, PlayerKind::Computer(level)) => {
            lang.fill("Computer ({level})", &[("level", &level_title(lang, level))])
        }
        (None, PlayerKind::Person) if player.open => lang.t("Your friend").to_owned(),
        (None, PlayerKind::Person) => {
            player.mark.map_or_else(|| numbered(side, lang), |mark| mark.to_string())
        }
    }
}

fn numbered(side: Player, lang: Language) -> String {
    lang.fill("Player {number}", &[("number", &side)])
}

/// Returns what a player other than the viewer is called in a sentence.
fn subject(update: &Update, side: Player, lang: Language) -> String {
    let player = seat_of(update, side);
    match (&player.name, &player.kind, update.you) {
        (Some(name), ..) => name.clone(),
        (None, PlayerKind::Computer(_), _) => lang.t("The computer").to_owned(),
        (None, PlayerKind::Person, Some(You::First | You::Second)) => lang.t("Your opponent").to_owned(),
        (None, PlayerKind::Person, _) => {
            player.mark.map_or_else(|| numbered(side, lang), |mark| mark.to_string())
        }
    }
}

/// Returns a sentence about a player: `yours` if it is the viewer, or else `theirs` with their name.
fn about(update: &Update, side: Player, lang: Language, yours: &str, theirs: &str) -> String {
    if is_mine(update, side) {
        lang.t(yours).to_owned()
    } else {
        lang.fill(theirs, &[("name", &subject(update, side, lang))])
    }
}

/// Returns the headline of a game, which is also the title of its page.
pub(super) fn status(update: &Update, lang: Language) -> String {
    let state = &update.state;
    match (state.status, state.winner, state.to_move) {
        (GameStatus::Won, Some(winner), _) => {
            about(update, winner, lang, text("You win!"), text("{name} wins"))
        }
        (GameStatus::Drawn, ..) => lang.t("Draw!").to_owned(),
        _ if is_open(update) && update.you.is_some() => lang.t("Waiting for your friend").to_owned(),
        _ if is_open(update) => lang.t("Waiting for a second player").to_owned(),
        (.., Some(side)) => about(update, side, lang, text("Your turn"), text("{name}'s turn")),
        (.., None) => String::new(),
    }
}

/// Returns how the headline looks: as a win, a loss, a draw, or the viewer's turn.
pub(super) fn mood(update: &Update) -> &'static str {
    let state = &update.state;
    match (state.status, state.winner) {
        (GameStatus::Won, Some(winner)) if is_mine(update, !winner) => "loss",
        (GameStatus::Won, _) => "win",
        (GameStatus::Drawn, _) => "draw",
        (GameStatus::Playing, _) if is_my_turn(update) && !is_open(update) => "turn",
        (GameStatus::Playing, _) => "",
    }
}

/// Returns the title of a link to a game.
pub(super) fn title(update: &Update, lang: Language) -> String {
    let [first, second] = [Player::First, Player::Second].map(|side| subject(update, side, lang));
    lang.fill("{first} against {second}: tic-tac-toe", &[("first", &first), ("second", &second)])
}

/// Returns the text of a message to the player whose turn it is.
pub(super) fn invitation_to_move(update: &Update, lang: Language) -> String {
    let opponent = update.you.and_then(You::side).map_or(Player::First, |side| !side);
    let name = subject(update, opponent, lang);
    lang.fill("Your game against {name} goes on.", &[("name", &name)])
}

/// Returns the sentence below the headline; it may be empty.
pub(super) fn detail(update: &Update, rules: &Rules, lang: Language) -> String {
    let state = &update.state;
    let loser = |yours: &str, theirs: &str| {
        state.winner.map_or_else(String::new, |winner| about(update, !winner, lang, yours, theirs))
    };
    match (state.reason, &state.dead) {
        (Some(EndReason::Line), _) => match (rules.goal(), rules.n_boards()) {
            // The line is drawn on the board.
            (Goal::Complete, _) => String::new(),
            (Goal::Avoid, 1) => loser(
                text("You completed a line. In this variant, that loses."),
                text("{name} completed a line. In this variant, that loses."),
            ),
            (Goal::Avoid, _) => loser(
                text("You completed the last line. In this variant, that loses."),
                text("{name} completed the last line. In this variant, that loses."),
            ),
        },
        (Some(EndReason::Full), _) => lang.t("The board is full.").to_owned(),
        (Some(EndReason::Resigned), _) => loser(text("You resigned."), text("{name} resigned.")),
        (Some(EndReason::Time), _) => loser(text("Your time ran out."), text("{name} ran out of time.")),
        (Some(EndReason::Agreed), _) => lang.t("Both players agreed.").to_owned(),
        (Some(EndReason::Decided), _) => lang.t("Decided in the tournament.").to_owned(),
        (None, Some(dead)) => lang.fill("Dead draw: {reason}.", &[("reason", &lang.t(dead))]),
        (None, None) => match &state.marks[..] {
            _ if is_open(update) && is_my_turn(update) => {
                lang.t("You can already make your first move.").to_owned()
            }
            _ if is_open(update) && update.you.is_some() => {
                lang.t("The game goes on when they open your link.").to_owned()
            }
            [mark] if update.you != Some(You::Both) && is_my_turn(update) && rules.marks_name_players() => {
                lang.fill("You are {mark}.", &[("mark", mark)])
            }
            _ => String::new(),
        },
    }
}

/// Returns the squares of the lines that the last move completed, for screen readers. On several boards, other lines may be older.
pub(super) fn completed_lines(update: &Update, lang: Language) -> Option<String> {
    let last = update.state.moves.last().map(|mv| square_of(mv))?;
    let through = update.state.lines.iter().filter(|line| line.iter().any(|square| square == last));
    let lines: Vec<String> = through.map(|line| line.join("–")).collect();
    let is_end = update.state.reason == Some(EndReason::Line);
    (is_end && !lines.is_empty()).then(|| lang.fill("Line: {lines}.", &[("lines", &lines.join(", "))]))
}

/// Returns the score of the series for screen readers, from the viewer's side if they have one.
pub(super) fn score(update: &Update, [left, right]: [Player; 2], lang: Language) -> String {
    let score = update.state.score;
    let wins = |side| if side == Player::First { score.first } else { score.second };
    let [left_name, right_name] = [left, right].map(|side| player_name(update, side, lang));
    lang.fill(
        "Score: {left} {wins}, {right} {losses}, draws {draws}",
        &[
            ("left", &left_name),
            ("wins", &wins(left)),
            ("right", &right_name),
            ("losses", &wins(right)),
            ("draws", &score.draws),
        ],
    )
}

/// Returns the pending offer as a sentence.
pub(super) fn offer(update: &Update, lang: Language) -> Option<String> {
    let offer = update.state.offer?;
    let (yours, theirs) = match offer.kind {
        OfferKind::Draw => (text("You offered a draw."), text("{name} offers a draw.")),
        OfferKind::Undo => (
            text("You asked to take back your last move."),
            text("{name} wants to take back their last move."),
        ),
        OfferKind::Rematch => (text("You asked for a rematch."), text("{name} wants a rematch.")),
    };
    Some(about(update, offer.by, lang, yours, theirs))
}

/// Returns the presence of a player in one word, and whether they are there.
pub(super) fn presence(update: &Update, side: Player, lang: Language) -> (&'static str, bool) {
    let is_connected = match side {
        Player::First => update.presence.first,
        Player::Second => update.presence.second,
    };
    match seat_of(update, side).kind {
        _ if seat_of(update, side).open => (lang.t("invited"), false),
        PlayerKind::Computer(_) => (lang.t("ready"), true),
        PlayerKind::Person if is_connected || is_mine(update, side) || update.you == Some(You::Both) => {
            (lang.t("online"), true)
        }
        PlayerKind::Person => (lang.t("away"), false),
    }
}

/// Returns how many people watch the game besides the viewer, if any.
pub(super) fn spectators(update: &Update, viewer: Viewer, lang: Language) -> Option<String> {
    let n_self = u32::from(update.you.is_none() && viewer == Viewer::Counted);
    let sentence = match (update.presence.watching.saturating_sub(n_self), update.you) {
        (0, Some(_)) => return None,
        (1, Some(_)) => lang.t("1 person is watching.").to_owned(),
        (n_people, Some(_)) => lang.fill("{number} people are watching.", &[("number", &n_people)]),
        (0, None) => lang.t("You are watching.").to_owned(),
        (1, None) => lang.t("You and 1 other person are watching.").to_owned(),
        (n_people, None) => lang.fill("You and {number} others are watching.", &[("number", &n_people)]),
    };
    Some(sentence)
}

/// Returns what the other player has just done, if the rest of the page does not show it.
pub(super) fn notice(update: &Update, lang: Language) -> Option<String> {
    let notice = update.state.notice?;
    let (yours, theirs) = match notice.kind {
        NoticeKind::NewDevice => (
            text("You opened the game on another device."),
            text("{name} opened the game on another device."),
        ),
        // The player who has declined knows it.
        NoticeKind::Unknown => return None,
        _ if is_mine(update, notice.by) => return None,
        NoticeKind::DrawDeclined => ("", text("{name} declined the draw.")),
        NoticeKind::UndoDeclined => ("", text("{name} did not agree to take back the move.")),
        NoticeKind::RematchDeclined => ("", text("{name} does not want a rematch.")),
    };
    Some(about(update, notice.by, lang, yours, theirs))
}
