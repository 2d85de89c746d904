//! What actions do to the game on the table.

use crate::action::{Action, Effect};
use crate::course::COURSE;
use crate::layout::Layout;
use crate::session::Turn;
use crate::typed::Typed;

use super::menu::Item;
use super::{App, Overlay, Prompt, Question, Scene};

impl App {
    pub(super) fn update_game(&mut self, action: Action, effects: &mut Vec<Effect>) {
        let per_row = Layout::of(self).map_or(1, |layout| layout.boards.per_row);
        let Some(table) = &mut self.table else { return };
        let before = table.session.game().moves().len();
        match action {
            Action::Go(toward) => table.go(toward, per_row),
            Action::Next => table.next_board(),
            Action::Type(c) => {
                if table.type_char(c) {
                    self.place(effects);
                }
            }
            Action::Erase => {
                table.typed.pop();
            }
            Action::At { board, square } => {
                (table.board, table.square) = (board, square);
                self.place(effects);
            }
            Action::Place => self.place_or_go_on(effects),
            Action::PlayOn => table.session.play_on(),
            Action::Hint => self.note = table.ask_hint(),
            Action::Values => table.shows_values = !table.shows_values,
            Action::Undo | Action::Redo | Action::Step(_) => self.travel(&action),
            Action::Close => self.leave(),
            action => self.manage(&action),
        }
        let after = self.table.as_ref().map(|table| table.session.game().moves().len());
        if after != Some(before)
            && let Some(table) = &mut self.table
        {
            table.typed.clear();
        }
    }

    /// What is done with the game as a whole.
    fn manage(&mut self, action: &Action) {
        let Some(table) = &mut self.table else { return };
        if let Some(attempt) = &table.lesson {
            // A lesson is one position: only the next one is new.
            if *action == Action::New {
                let next = (attempt.place + 1) % COURSE.len();
                self.start_lesson(next);
            }
            return;
        }
        let is_under_way =
            !table.session.game().moves().is_empty() && !matches!(table.session.turn(), Turn::Over(_));
        match action {
            Action::New if is_under_way => self.overlay = Some(Overlay::Confirm(Question::New)),
            Action::New => self.restart(),
            Action::Resign => self.overlay = Some(Overlay::Confirm(Question::Resign)),
            Action::Swap => {
                table.session.swap();
                self.note = Some("the sides have changed places".to_owned());
            }
            Action::Players => self.overlay = Some(Overlay::Players(table.session.state().next_player())),
            Action::Save => {
                let name = Typed::proposal(self.saved_as.as_deref().unwrap_or("game.ttt"));
                self.overlay = Some(Overlay::Prompt(Prompt::Save, name));
            }
            _ => {}
        }
    }

    fn travel(&mut self, action: &Action) {
        let Some(table) = &mut self.table else { return };
        let had_ended = matches!(table.session.turn(), Turn::Over(_));
        let (n_steps, nothing) = match action {
            Action::Undo => (table.session.undo(), "there is no move to take back"),
            Action::Redo => (table.session.redo(), "there is no move to make again"),
            Action::Step(by) if *by < 0 => (table.session.step(*by), "this is the beginning"),
            Action::Step(by) => (table.session.step(*by), "this is the last move known"),
            _ => return,
        };
        if n_steps == 0 && !had_ended {
            self.note = Some(nothing.to_owned());
        }
        table.changed();
    }

    fn leave(&mut self) {
        let attempt = self.table.as_ref().and_then(|table| table.lesson.as_ref());
        self.scene = match attempt {
            Some(attempt) => Scene::Lessons(attempt.place),
            None => Scene::Menu(Item::place_of(&self.settings.choice)),
        };
    }

    /// Space or Enter: what it means depends on whose turn it is.
    fn place_or_go_on(&mut self, effects: &mut Vec<Effect>) {
        let Some(table) = &mut self.table else { return };
        if let Some(attempt) = table.lesson.as_ref().filter(|attempt| attempt.mark.is_some()) {
            if attempt.is_solved() {
                let next = attempt.place + 1;
                if next < COURSE.len() { self.start_lesson(next) } else { self.leave() }
            } else {
                self.travel(&Action::Undo);
            }
            return;
        }
        match table.session.turn() {
            Turn::DeadDraw(_) => table.session.stop(),
            Turn::Held(..) => table.session.release(),
            Turn::Over(_) => {
                self.note = Some("the game is over: n begins a new one, u takes back".to_owned());
            }
            Turn::Computer(..) | Turn::Person(_) => {
                if let Some(square) = table.typed_square() {
                    table.square = square;
                }
                self.place(effects);
            }
        }
    }

    fn place(&mut self, effects: &mut Vec<Effect>) {
        let Some(table) = &mut self.table else { return };
        if let Err(reason) = table.place() {
            table.typed.clear();
            self.note = Some(reason);
            return;
        }
        if let Some(attempt) = table.lesson.as_ref().filter(|attempt| attempt.is_solved()) {
            self.settings.learned.insert(attempt.lesson().id.to_owned());
            effects.push(Effect::Remember);
        }
    }
}
