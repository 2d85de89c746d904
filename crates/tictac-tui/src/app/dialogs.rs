//! Applies actions to a dialog: file names, confirmations, the choice of players, the help.

use tictac::Player;

use super::game_view::GameView;
use super::rules_form::cycled;
use super::{App, Confirmation, Dialog, FileDialog, FilePrompt};
use crate::action::{Action, Arrow, Effect};
use crate::online::OnlineRequest;
use crate::record::{SaveError, SaveMode, record_text};
use crate::seat::Seat;
use crate::settings::MAX_RECENT_FILES;
use crate::text_input::TextInput;
use crate::words::sentence;

/// The limit on scrolling; drawing stops at the last line of the help.
const MAX_HELP_LINES: usize = 1000;

impl App {
    pub(super) fn update_dialog(&mut self, action: Action, effects: &mut Vec<Effect>) {
        let Some(dialog) = self.dialog.take() else { return };
        self.dialog = match (dialog, action) {
            (Dialog::FileName(dialog), action) => self.update_file_dialog(dialog, action, effects),
            (Dialog::Confirm(confirmation), Action::Confirm) => {
                self.confirmed(confirmation, effects);
                None
            }
            (Dialog::Players(player), Action::Cursor(arrow)) => Some(self.update_players(player, arrow)),
            (Dialog::Help(from), Action::Cursor(Arrow::Down)) => {
                Some(Dialog::Help((from + 1).min(MAX_HELP_LINES)))
            }
            (Dialog::Help(from), Action::Cursor(Arrow::Up)) => Some(Dialog::Help(from.saturating_sub(1))),
            (Dialog::Help(_) | Dialog::Players(_) | Dialog::LessonsDone, _) | (_, Action::Close) => None,
            (dialog, _) => Some(dialog),
        };
    }

    fn update_file_dialog(
        &mut self,
        mut dialog: FileDialog,
        action: Action,
        effects: &mut Vec<Effect>,
    ) -> Option<Dialog> {
        match action {
            Action::Type(c) => dialog.input.insert(c),
            Action::Edit(edit) => dialog.input.edit(edit),
            Action::Cursor(Arrow::Up) => dialog.choose(-1),
            Action::Cursor(Arrow::Down) => dialog.choose(1),
            Action::Next => effects.push(Effect::Complete(dialog.input.text())),
            Action::Completed(text, names) => {
                dialog.input = TextInput::suggestion(&text);
                dialog.input.is_suggestion = false;
                (dialog.names, dialog.selected) = (names, None);
            }
            Action::Close => return None,
            Action::Confirm if !dialog.input.text().trim().is_empty() => {
                let name = dialog.input.text().trim().to_owned();
                match dialog.prompt {
                    FilePrompt::Save => effects.extend(self.save(&name, SaveMode::Create)),
                    FilePrompt::Open => effects.push(Effect::Open(name)),
                }
                return None;
            }
            _ => {}
        }
        Some(Dialog::FileName(dialog))
    }

    fn update_players(&mut self, player: Player, arrow: Arrow) -> Dialog {
        let Some(view) = &mut self.view else { return Dialog::Players(player) };
        let by = match arrow {
            Arrow::Up | Arrow::Down => return Dialog::Players(!player),
            Arrow::Left => -1,
            Arrow::Right => 1,
        };
        view.count.has_help |= view.session.is_under_way();
        let seat = &mut view.session.seats[player as usize];
        *seat = cycled(&Seat::all(), *seat, by);
        Dialog::Players(player)
    }

    fn confirmed(&mut self, confirmation: Confirmation, effects: &mut Vec<Effect>) {
        match confirmation {
            Confirmation::New => self.restart(),
            Confirmation::Resume(kept) => self.resume(*kept),
            Confirmation::Resign if self.is_online() => {
                effects.push(Effect::Send(OnlineRequest::Resign));
            }
            Confirmation::Resign => {
                if self.view.as_mut().and_then(|view| view.session.resign()).is_none() {
                    self.message = Some("There is no one to resign.".to_owned());
                }
            }
            Confirmation::Replace { name, .. } => effects.extend(self.save(&name, SaveMode::Replace)),
        }
    }

    pub(crate) fn restart(&mut self) {
        if let Some(view) = &mut self.view {
            view.session.restart();
            if let Some(person) = view.session.single_person().filter(|_| self.adapts) {
                view.session.seats[!person as usize] = Seat::Computer(self.settings.level);
            }
            let shows_values = view.shows_values;
            *view = GameView::new(view.session.clone());
            view.shows_values = shows_values;
        }
        self.reset_clock();
        self.message = None;
    }

    fn save(&mut self, name: &str, mode: SaveMode) -> Option<Effect> {
        let view = self.view.as_ref()?;
        match record_text(&view.session, view.source.as_ref()) {
            Ok(text) => Some(Effect::Save { name: name.to_owned(), text, mode }),
            Err(reason) => {
                self.message = Some(sentence(&reason.to_string()));
                None
            }
        }
    }

    pub(super) fn finish_saving(&mut self, result: Result<String, SaveError>) {
        match result {
            Ok(name) => {
                self.message = Some(format!("Saved as {name}."));
                self.saved_as = Some(name);
            }
            Err(SaveError::Exists { name, warning }) => {
                self.dialog = Some(Dialog::Confirm(Confirmation::Replace { name, warning }));
            }
            Err(SaveError::Failed(reason)) => self.message = Some(sentence(&reason)),
        }
    }

    /// Opens the dialog to open a file, with the files that were opened last.
    pub(super) fn ask_for_file(&mut self) {
        let names = self.settings.recent_files.clone();
        let (prompt, input) = (FilePrompt::Open, TextInput::default());
        self.dialog = Some(Dialog::FileName(FileDialog { prompt, input, names, selected: None }));
    }

    /// Remembers a file as the last one opened.
    pub(super) fn note_recent_file(&mut self, file: &str, effects: &mut Vec<Effect>) {
        let recent = &mut self.settings.recent_files;
        recent.retain(|other| other != file);
        recent.insert(0, file.to_owned());
        recent.truncate(MAX_RECENT_FILES);
        effects.push(Effect::SaveSettings);
    }
}

impl FileDialog {
    /// Chooses the next or previous name of the list.
    fn choose(&mut self, by: isize) {
        let Some(last) = self.names.len().checked_sub(1) else { return };
        let next = self.selected.map_or(0, |index| index.saturating_add_signed(by).min(last));
        self.selected = Some(next);
        self.input = TextInput::suggestion(&self.names[next]);
    }
}
