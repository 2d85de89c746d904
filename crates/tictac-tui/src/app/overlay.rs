//! What actions do to what lies on top: prompts, questions, who plays.

use tictac::Player;

use crate::action::{Action, Effect, Toward};

use super::table::Table;
use super::{App, Overlay, Prompt, Question};

/// How many lines of help there are at most.
const MAX_LINES: usize = 1000;

impl App {
    /// Lets an action happen to what lies on top.
    pub(super) fn update_overlay(&mut self, action: Action, effects: &mut Vec<Effect>) {
        let Some(overlay) = self.overlay.take() else { return };
        self.overlay = match (overlay, action) {
            (Overlay::Prompt(prompt, mut text), Action::Type(c)) => {
                text.insert(c);
                Some(Overlay::Prompt(prompt, text))
            }
            (Overlay::Prompt(prompt, mut text), Action::Erase) => {
                text.erase();
                Some(Overlay::Prompt(prompt, text))
            }
            (Overlay::Prompt(prompt, mut text), Action::Edit(edit)) => {
                text.edit(edit);
                Some(Overlay::Prompt(prompt, text))
            }
            (Overlay::Prompt(prompt, typed), Action::Place) if !typed.text().trim().is_empty() => {
                let name = typed.text().trim().to_owned();
                match prompt {
                    Prompt::Save => effects.extend(self.save(&name, false)),
                    Prompt::Open => effects.push(Effect::Open(name)),
                }
                None
            }
            (Overlay::Confirm(question), Action::Answer(true)) => {
                self.confirmed(question, effects);
                None
            }
            (Overlay::Players(player), Action::Go(toward)) => Some(self.seat_players(player, toward)),
            (Overlay::Help(from), Action::Go(Toward::Down)) => Some(Overlay::Help((from + 1).min(MAX_LINES))),
            (Overlay::Help(from), Action::Go(Toward::Up)) => Some(Overlay::Help(from.saturating_sub(1))),
            (Overlay::Help(_) | Overlay::Players(_), _)
            | (Overlay::Confirm(_), Action::Answer(false))
            | (_, Action::Close) => None,
            (overlay, _) => Some(overlay),
        };
    }

    fn seat_players(&mut self, player: Player, toward: Toward) -> Overlay {
        let Some(table) = &mut self.table else { return Overlay::Players(player) };
        let seat = table.session.seat(player);
        match toward {
            Toward::Up | Toward::Down => return Overlay::Players(!player),
            Toward::Left => table.session.set_seat(player, seat.previous()),
            Toward::Right => table.session.set_seat(player, seat.next()),
        }
        Overlay::Players(player)
    }

    fn confirmed(&mut self, question: Question, effects: &mut Vec<Effect>) {
        let Some(table) = &mut self.table else { return };
        match question {
            Question::New => self.restart(),
            Question::Resign => {
                if table.session.resign().is_none() {
                    self.note = Some("nobody is here to resign".to_owned());
                }
            }
            Question::Replace { name, .. } => effects.extend(self.save(&name, true)),
        }
    }

    pub(super) fn restart(&mut self) {
        if let Some(table) = &mut self.table {
            table.session.restart();
            let shows_values = table.shows_values;
            *table = Table::new(table.session.clone());
            table.shows_values = shows_values;
        }
        self.note = None;
    }

    fn save(&mut self, name: &str, replace: bool) -> Option<Effect> {
        let table = self.table.as_ref()?;
        match table.session.record() {
            Ok(text) => Some(Effect::Save { name: name.to_owned(), text: table.with_kept(&text), replace }),
            Err(reason) => {
                self.note = Some(reason.to_string());
                None
            }
        }
    }
}
