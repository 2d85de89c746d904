//! Applies actions to the menu, the rules form and the list of lessons.

use super::menu::{MENU, MenuItem};
use super::rules_form::{RULES_FIELDS, RulesForm};
use super::{App, AppScreen};
use crate::action::{Action, Arrow, Effect};
use crate::seat::Seat;
use crate::words::counted;
use tictac_solver::lessons::LESSONS;

/// The number of games by which Page Up and Page Down move in an archive.
const PAGE: isize = 10;

/// Returns the selection after an arrow key; left and right do not change it.
fn moved(selected: usize, arrow: Arrow, last: usize) -> usize {
    match arrow {
        Arrow::Up => selected.saturating_sub(1),
        Arrow::Down => (selected + 1).min(last),
        Arrow::Left | Arrow::Right => selected,
    }
}

impl App {
    pub(super) fn update_menu(&mut self, action: &Action, effects: &mut Vec<Effect>) {
        let AppScreen::Menu(selected) = &mut self.screen else { return };
        let (item, ..) = MENU[*selected];
        match action {
            Action::Cursor(Arrow::Left) => item.change(&mut self.settings, -1),
            Action::Cursor(Arrow::Right) => item.change(&mut self.settings, 1),
            Action::Cursor(arrow) => *selected = moved(*selected, *arrow, MENU.len() - 1),
            Action::Next => self.settings.person_first = !self.settings.person_first,
            Action::Confirm => self.select(item, effects),
            Action::Pick(index) if *index < MENU.len() => self.select(MENU[*index].0, effects),
            Action::Close if self.view.is_some() => self.screen = AppScreen::Game,
            _ => {}
        }
    }

    fn select(&mut self, item: MenuItem, effects: &mut Vec<Effect>) {
        self.screen = AppScreen::Menu(item as usize);
        self.settings.menu_item = item;
        effects.push(Effect::SaveSettings);
        match (item, item.game(&self.settings)) {
            (_, Some((rules, seats))) => {
                self.adapts = self.settings.adapts && seats.contains(&Seat::Computer(self.settings.level));
                self.start_game(&rules, seats);
            }
            (MenuItem::Open, _) => self.ask_for_file(),
            (MenuItem::Learn, _) => self.show_lessons(),
            _ => self.screen = AppScreen::Rules(RulesForm::new(&self.settings)),
        }
    }

    /// Shows the lessons; a lesson that is due again is selected, otherwise the first that is not solved.
    pub(crate) fn show_lessons(&mut self) {
        let settings = &self.settings;
        let due = LESSONS.iter().position(|lesson| settings.lesson_schedule.is_due(lesson.id, self.today));
        let open = || LESSONS.iter().position(|lesson| !settings.solved_lessons.contains(lesson.id));
        self.screen = AppScreen::Lessons(due.or_else(open).unwrap_or(0));
    }

    /// Returns what the player has learned, for the end of the last lesson.
    pub(crate) fn lessons_summary(&self) -> String {
        let is_solved = |id: &str| self.settings.solved_lessons.contains(id);
        match LESSONS.iter().filter(|lesson| !is_solved(lesson.id)).count() {
            0 => "That was the last lesson: you have solved them all.".to_owned(),
            n_open => format!("That was the last lesson. {} still to solve.", counted(n_open, "lesson")),
        }
    }

    pub(super) fn update_rules_form(&mut self, action: &Action, effects: &mut Vec<Effect>) {
        let AppScreen::Rules(form) = &mut self.screen else { return };
        let last = RULES_FIELDS.len() - 1;
        match action {
            Action::Cursor(Arrow::Left) => form.change(-1),
            Action::Cursor(Arrow::Right) => form.change(1),
            Action::Cursor(arrow) => form.selected = moved(form.selected, *arrow, last),
            Action::Next => form.selected = moved(form.selected, Arrow::Down, last),
            Action::Pick(index) => {
                form.selected = (*index).min(last);
                form.change(1);
            }
            Action::Confirm => {
                let (rules, seats) = (form.rules, form.seats);
                (self.settings.rules, self.settings.seats) = (rules, seats);
                effects.push(Effect::SaveSettings);
                self.adapts = false;
                self.start_game(&rules, seats);
            }
            Action::Close => self.screen = AppScreen::Menu(MenuItem::Rules as usize),
            _ => {}
        }
    }

    pub(super) fn update_archive(&mut self, action: &Action, effects: &mut Vec<Effect>) {
        let state = self.view.as_ref().map(|view| view.session.state().clone());
        let AppScreen::Archive(archive) = &mut self.screen else { return };
        let last = archive.shown().len().saturating_sub(1);
        match action {
            Action::Cursor(arrow) => archive.selected = moved(archive.selected, *arrow, last),
            Action::Step(by) => {
                let target = archive.selected.saturating_add_signed(by.saturating_mul(PAGE));
                archive.selected = target.min(last);
            }
            Action::Confirm => effects.extend(archive.selected_name().map(Effect::Open)),
            Action::Pick(index) => {
                archive.selected = (*index).min(last);
                effects.extend(archive.selected_name().map(Effect::Open));
            }
            Action::Search if archive.searched.is_some() => (archive.searched, archive.selected) = (None, 0),
            Action::Search if state.is_some() => (archive.searched, archive.selected) = (state, 0),
            Action::Search => {
                self.message = Some("There is no position yet: play or open a game first.".to_owned());
            }
            Action::Close => self.screen = AppScreen::Menu(MenuItem::Open as usize),
            _ => {}
        }
    }

    pub(super) fn update_lessons(&mut self, action: &Action) {
        let AppScreen::Lessons(selected) = self.screen else { return };
        let last = LESSONS.len() - 1;
        match action {
            Action::Cursor(arrow) => self.screen = AppScreen::Lessons(moved(selected, *arrow, last)),
            Action::Confirm => self.start_lesson(selected),
            Action::Pick(index) if *index < LESSONS.len() => self.start_lesson(*index),
            Action::Close => self.screen = AppScreen::Menu(MenuItem::Learn as usize),
            _ => {}
        }
    }
}
