//! The sentences about a game, addressed to the player who reads them, for pages with and without scripts.

use tictac::{Goal, Outcome, Player, Status};

use super::view::ViewedGame;
use crate::event::PlayerKind;
use crate::hosted_game::squares_of_line;
use crate::page::home::level_title;
use crate::page::language::text;
use crate::wire::{EndReason, NoticeKind, OfferKind, You};

impl ViewedGame<'_> {
    /// Returns true if the viewer may move now.
    pub(super) fn is_my_turn(&self) -> bool {
        self.hosted.to_move().is_some_and(|side| self.you == Some(You::Both) || self.is_mine(side))
    }

    /// Returns true if this side belongs to the viewer, and the other one does not.
    pub(super) fn is_mine(&self, side: Player) -> bool {
        self.you == Some(side.into())
    }

    /// Returns the name of a player next to the board.
    pub(in crate::page) fn player_name(&self, side: Player) -> String {
        let seat = self.hosted.seat(side);
        match (&seat.name, &seat.kind) {
            (Some(name), _) => name.clone(),
            (None, PlayerKind::Computer(level)) => {
                self.lang.fill("Computer ({level})", &[("level", &level_title(self.lang, level))])
            }
            (None, PlayerKind::Person) if seat.open => self.lang.t("Your friend").to_owned(),
            (None, PlayerKind::Person) => self.mark_or_number(side),
        }
    }

    fn mark_or_number(&self, side: Player) -> String {
        match self.hosted.game.state().mark_of(side) {
            Some(mark) => mark.to_string(),
            None => self.lang.fill("Player {number}", &[("number", &side)]),
        }
    }

    /// Returns what a player other than the viewer is called in a sentence.
    fn subject(&self, side: Player) -> String {
        let seat = self.hosted.seat(side);
        match (&seat.name, &seat.kind, self.you) {
            (Some(name), ..) => name.clone(),
            (None, PlayerKind::Computer(_), _) => self.lang.t("The computer").to_owned(),
            (None, PlayerKind::Person, Some(You::First | You::Second)) => {
                self.lang.t("Your opponent").to_owned()
            }
            (None, PlayerKind::Person, _) => self.mark_or_number(side),
        }
    }

    /// Returns a sentence about a player: `yours` if it is the viewer, or else `theirs` with their name.
    fn about(&self, side: Player, yours: &str, theirs: &str) -> String {
        if self.is_mine(side) {
            self.lang.t(yours).to_owned()
        } else {
            self.lang.fill(theirs, &[("name", &self.subject(side))])
        }
    }

    /// Returns the headline of a game, which is also the title of its page.
    pub(super) fn status(&self) -> String {
        let is_open = self.hosted.is_open();
        match self.hosted.status() {
            Status::Over(Outcome::Win(winner)) => self.about(winner, text("You win!"), text("{name} wins")),
            Status::Over(Outcome::Draw) => self.lang.t("Draw!").to_owned(),
            Status::ToMove(_) if is_open && self.you.is_some() => {
                self.lang.t("Waiting for your friend").to_owned()
            }
            Status::ToMove(_) if is_open => self.lang.t("Waiting for a second player").to_owned(),
            Status::ToMove(side) => self.about(side, text("Your turn"), text("{name}'s turn")),
        }
    }

    /// Returns how the headline looks: as a win, a loss, a draw, or the viewer's turn.
    pub(super) fn mood(&self) -> &'static str {
        match self.hosted.status() {
            Status::Over(Outcome::Win(winner)) if self.is_mine(!winner) => "loss",
            Status::Over(Outcome::Win(_)) => "win",
            Status::Over(Outcome::Draw) => "draw",
            Status::ToMove(_) if self.is_my_turn() && !self.hosted.is_open() => "turn",
            Status::ToMove(_) => "",
        }
    }

    /// Returns the title of a link to a game.
    pub(super) fn title(&self) -> String {
        let [first, second] = Player::BOTH.map(|side| self.subject(side));
        self.lang.fill("{first} against {second}: tic-tac-toe", &[("first", &first), ("second", &second)])
    }

    /// Returns the title and the text of the message that it is the viewer's turn.
    pub(crate) fn turn_message(&self) -> (String, String) {
        let opponent = self.you.and_then(You::side).map_or(Player::First, |side| !side);
        let name = self.subject(opponent);
        (self.status(), self.lang.fill("Your game against {name} goes on.", &[("name", &name)]))
    }

    /// Returns the sentence below the headline; it may be empty.
    pub(super) fn detail(&self) -> String {
        let (lang, hosted, rules) = (self.lang, self.hosted, self.hosted.game.rules());
        let loser = |yours: &str, theirs: &str| {
            hosted.winner().map_or_else(String::new, |winner| self.about(!winner, yours, theirs))
        };
        match (hosted.end_reason(), hosted.dead()) {
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
            (None, Some(dead)) => lang.fill("Dead draw: {reason}.", &[("reason", &lang.t(&dead))]),
            (None, None) => match hosted.marks() {
                _ if hosted.is_open() && self.is_my_turn() => {
                    lang.t("You can already make your first move.").to_owned()
                }
                _ if hosted.is_open() && self.you.is_some() => {
                    lang.t("The game goes on when they open your link.").to_owned()
                }
                [mark] if self.you != Some(You::Both) && self.is_my_turn() && rules.marks_name_players() => {
                    lang.fill("You are {mark}.", &[("mark", mark)])
                }
                _ => String::new(),
            },
        }
    }

    /// Returns the squares of the lines that the last move completed, for screen readers. On several boards, other lines may be older.
    pub(super) fn completed_lines(&self) -> Option<String> {
        let (state, last) = (self.hosted.game.state(), self.hosted.game.moves().last()?);
        let board = last.board as usize;
        let through = state.lines(board).into_iter().filter(|line| line.squares().contains(last.square));
        let lines: Vec<String> = through.map(|line| squares_of_line(state, board, line).join("–")).collect();
        let is_end = self.hosted.end_reason() == Some(EndReason::Line);
        (is_end && !lines.is_empty())
            .then(|| self.lang.fill("Line: {lines}.", &[("lines", &lines.join(", "))]))
    }

    /// Returns the score of the series for screen readers, from the viewer's side if they have one.
    pub(super) fn score(&self, [left, right]: [Player; 2]) -> String {
        let score = self.hosted.score();
        self.lang.fill(
            "Score: {left} {wins}, {right} {losses}, draws {draws}",
            &[
                ("left", &self.player_name(left)),
                ("wins", &score.wins(left)),
                ("right", &self.player_name(right)),
                ("losses", &score.wins(right)),
                ("draws", &score.draws),
            ],
        )
    }

    /// Returns the pending offer as a sentence.
    pub(super) fn offer_sentence(&self) -> Option<String> {
        let offer = self.hosted.offer?;
        let (yours, theirs) = match offer.kind {
            OfferKind::Draw => (text("You offered a draw."), text("{name} offers a draw.")),
            OfferKind::Undo => (
                text("You asked to take back your last move."),
                text("{name} wants to take back their last move."),
            ),
            OfferKind::Rematch => (text("You asked for a rematch."), text("{name} wants a rematch.")),
        };
        Some(self.about(offer.by, yours, theirs))
    }

    /// Returns the presence of a player in one word, and whether they are there.
    pub(super) fn presence(&self, side: Player) -> (&'static str, bool) {
        let seat = self.hosted.seat(side);
        let is_viewer = self.is_mine(side) || self.you == Some(You::Both);
        match seat.kind {
            _ if seat.open => (self.lang.t("invited"), false),
            PlayerKind::Computer(_) => (self.lang.t("ready"), true),
            PlayerKind::Person if self.presence.has(side) || is_viewer => (self.lang.t("online"), true),
            PlayerKind::Person => (self.lang.t("away"), false),
        }
    }

    /// Returns how many people watch the game besides the viewer, if any.
    pub(super) fn spectators(&self) -> Option<String> {
        let lang = self.lang;
        Some(match (self.presence.watching, self.you) {
            (0, Some(_)) => return None,
            (1, Some(_)) => lang.t("1 person is watching.").to_owned(),
            (n_people, Some(_)) => lang.fill("{number} people are watching.", &[("number", &n_people)]),
            (0, None) => lang.t("You are watching.").to_owned(),
            (1, None) => lang.t("You and 1 other person are watching.").to_owned(),
            (n_people, None) => lang.fill("You and {number} others are watching.", &[("number", &n_people)]),
        })
    }

    /// Returns what the other player has just done, if the rest of the page does not show it.
    pub(super) fn notice_sentence(&self) -> Option<String> {
        let notice = self.hosted.notice?;
        let (yours, theirs) = match notice.kind {
            NoticeKind::NewDevice => (
                text("You opened the game on another device."),
                text("{name} opened the game on another device."),
            ),
            NoticeKind::Unknown => return None,
            // The player who has declined knows it.
            _ if self.is_mine(notice.by) => return None,
            NoticeKind::DrawDeclined => ("", text("{name} declined the draw.")),
            NoticeKind::UndoDeclined => ("", text("{name} did not agree to take back the move.")),
            NoticeKind::RematchDeclined => ("", text("{name} does not want a rematch.")),
        };
        Some(self.about(notice.by, yours, theirs))
    }
}
