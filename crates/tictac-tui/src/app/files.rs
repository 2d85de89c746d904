//! Saving a game, and the files that were opened last.

use super::{App, Confirmation, Dialog, FileDialog, FilePrompt};
use crate::action::Effect;
use crate::record::SaveError;
use crate::settings::MAX_RECENT_FILES;
use crate::text_input::TextInput;
use crate::words::sentence;

impl App {
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
