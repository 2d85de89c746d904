//! What actions do on the first screen, the form of rules and the list of lessons.

use crate::action::{Action, Effect, Toward};
use crate::course::COURSE;
use crate::typed::Typed;

use super::form::{Field, Form};
use super::menu::Item;
use super::{App, Overlay, Prompt, Scene};

impl App {
    pub(super) fn update_menu(&mut self, action: &Action, effects: &mut Vec<Effect>) {
        let Scene::Menu(place) = self.scene else { return };
        let item = Item::ALL[place];
        match action {
            Action::Go(Toward::Up) => self.scene = Scene::Menu(place.saturating_sub(1)),
            Action::Go(Toward::Down) => self.scene = Scene::Menu((place + 1).min(Item::ALL.len() - 1)),
            Action::Go(Toward::Left) => item.change(&mut self.settings, -1),
            Action::Go(Toward::Right) => item.change(&mut self.settings, 1),
            Action::Next => self.settings.begins = !self.settings.begins,
            Action::Place => self.choose(item, effects),
            Action::Pick(place) if *place < Item::ALL.len() => self.choose(Item::ALL[*place], effects),
            Action::Close if self.table.is_some() => self.scene = Scene::Game,
            _ => {}
        }
    }

    fn choose(&mut self, item: Item, effects: &mut Vec<Effect>) {
        self.scene = Scene::Menu(Item::place_of(item.word()));
        item.word().clone_into(&mut self.settings.choice);
        effects.push(Effect::Remember);
        match (item, item.game(&self.settings)) {
            (_, Some((rules, seats))) => self.start(&rules, seats),
            (Item::Open, _) => self.overlay = Some(Overlay::Prompt(Prompt::Open, Typed::default())),
            (Item::Learn, _) => {
                let is_open = |id: &str| !self.settings.learned.contains(id);
                let next = COURSE.iter().position(|lesson| is_open(lesson.id));
                self.scene = Scene::Lessons(next.unwrap_or(0));
            }
            _ => self.scene = Scene::Rules(Form::new(&self.settings)),
        }
    }

    pub(super) fn update_form(&mut self, action: &Action, effects: &mut Vec<Effect>) {
        let Scene::Rules(form) = &mut self.scene else { return };
        match action {
            Action::Go(Toward::Up) => form.go(-1),
            Action::Go(Toward::Down) | Action::Next => form.go(1),
            Action::Go(Toward::Left) => form.change(-1),
            Action::Go(Toward::Right) => form.change(1),
            Action::Pick(place) => {
                form.field = (*place).min(Field::ALL.len() - 1);
                form.change(1);
            }
            Action::Place => {
                let (rules, seats) = (form.rules, form.seats);
                (self.settings.rules, self.settings.seats) = (rules, seats);
                effects.push(Effect::Remember);
                self.start(&rules, seats);
            }
            Action::Close => self.scene = Scene::Menu(Item::place_of(Item::Rules.word())),
            _ => {}
        }
    }

    pub(super) fn update_lessons(&mut self, action: &Action) {
        let Scene::Lessons(place) = self.scene else { return };
        match action {
            Action::Go(Toward::Up) => self.scene = Scene::Lessons(place.saturating_sub(1)),
            Action::Go(Toward::Down) => self.scene = Scene::Lessons((place + 1).min(COURSE.len() - 1)),
            Action::Place => self.start_lesson(place),
            Action::Pick(place) if *place < COURSE.len() => self.start_lesson(*place),
            Action::Close => self.scene = Scene::Menu(Item::place_of(Item::Learn.word())),
            _ => {}
        }
    }
}
