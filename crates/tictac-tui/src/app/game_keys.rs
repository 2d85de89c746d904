//! Applies actions to the current game.

use super::exercise::{Exercise, LessonStep};
use super::{App, AppScreen, Confirmation, Dialog, FileDialog, FilePrompt};
use crate::action::{Action, Effect};
use crate::layout::Layout;
use crate::online::OnlineRequest;
use crate::review::MistakeReview;
use crate::session::{GameSession, NextTurn};
use crate::text_input::{TextEdit, TextInput};
use crate::words::sentence;
use tictac_solver::lessons::LESSONS;

impl App {
    pub(super) fn update_game(&mut self, action: Action, effects: &mut Vec<Effect>) {
        let per_row = Layout::of(self).map_or(1, |layout| layout.boards.per_row);
        let Some(view) = &mut self.view else { return };
        let is_over = matches!(view.session.turn(), NextTurn::Over(_));
        view.count.has_help |= match action {
            Action::Hint | Action::Values | Action::Verdicts | Action::Review => !is_over,
            Action::Undo | Action::Swap | Action::Step(..0) => view.session.is_under_way(),
            _ => false,
        };
        match action {
            Action::Cursor(arrow) => view.move_cursor(arrow, per_row),
            Action::Next => view.next_board(),
            Action::Type(c) => {
                if view.type_char(c) {
                    self.play(effects);
                }
            }
            Action::Edit(TextEdit::Backspace) => {
                view.typed.pop();
            }
            Action::PlayAt(board, square) => {
                (view.board, view.square) = (board, square);
                self.play(effects);
            }
            Action::Confirm => self.play_or_continue(effects),
            Action::Ask(request) => effects.push(Effect::Send(request)),
            Action::PlayOn => view.session.has_played_on = true,
            Action::Hint => self.message = view.request_hint(),
            Action::Values => view.shows_values = !view.shows_values,
            Action::Verdicts if view.exercise.is_none() => view.review.is_shown = !view.review.is_shown,
            Action::Undo => self.step(GameSession::undo, "There is no move to take back."),
            Action::Redo => self.step(GameSession::redo, "There is no move to redo."),
            Action::Step(by) => {
                let nothing =
                    if by < 0 { "This is the start of the game." } else { "This is the last move." };
                self.step(|session| session.step(by), nothing);
            }
            Action::Close => self.leave_game(),
            action => self.update_whole_game(&action),
        }
    }

    /// Applies the actions that concern the game as a whole.
    fn update_whole_game(&mut self, action: &Action) {
        let Some(view) = &mut self.view else { return };
        if view.exercise.is_some() {
            // An exercise is a single position, so of these actions only the next one makes sense.
            if *action == Action::New {
                self.next_exercise();
            }
            return;
        }
        let is_over = matches!(view.session.turn(), NextTurn::Over(_));
        match action {
            Action::New if view.session.is_under_way() => {
                self.dialog = Some(Dialog::Confirm(Confirmation::New));
            }
            Action::New => self.restart(),
            Action::Resign if is_over => self.message = Some("The game is over.".to_owned()),
            Action::Resign => self.dialog = Some(Dialog::Confirm(Confirmation::Resign)),
            Action::Swap if is_over => {
                view.session.swap();
                self.restart();
            }
            Action::Swap => {
                view.session.swap();
                self.message = Some("The players have swapped sides.".to_owned());
            }
            Action::Review => view.start_review(),
            Action::Players => self.dialog = Some(Dialog::Players(view.session.state().next_player())),
            Action::Save => {
                let input = TextInput::suggestion(self.saved_as.as_deref().unwrap_or("game.ttt"));
                let (prompt, names) = (FilePrompt::Save, Vec::new());
                self.dialog = Some(Dialog::FileName(FileDialog { prompt, input, names, selected: None }));
            }
            _ => {}
        }
    }

    /// Steps back or forward through the moves; the message is `nothing` if there was no move to step over.
    fn step(&mut self, step: impl FnOnce(&mut GameSession) -> usize, nothing: &str) {
        let Some(view) = &mut self.view else { return };
        let had_ended = matches!(view.session.turn(), NextTurn::Over(_));
        if step(&mut view.session) == 0 && !had_ended {
            self.message = Some(nothing.to_owned());
            view.typed.clear();
        } else {
            view.position_changed();
        }
    }

    fn leave_game(&mut self) {
        let attempt = self.view.as_ref().and_then(|view| view.exercise.as_ref());
        match attempt.map(|attempt| attempt.exercise.clone()) {
            Some(Exercise::Lesson(step)) => self.screen = AppScreen::Lessons(step.index),
            Some(Exercise::Mistake(review)) => self.view = Some(review.game),
            None => self.screen = AppScreen::Menu(self.settings.menu_item as usize),
        }
    }

    /// Goes to the next lesson or mistake; after the last one, to the list of lessons or the reviewed game.
    fn next_exercise(&mut self) {
        let Some(attempt) = self.view.as_ref().and_then(|view| view.exercise.clone()) else { return };
        match attempt.exercise {
            Exercise::Lesson(step) => self.next_lesson_step(step),
            Exercise::Mistake(review) if review.index + 1 < review.mistakes.len() => {
                let index = review.index + 1;
                self.start_exercise(Exercise::Mistake(Box::new(MistakeReview { index, ..*review })));
            }
            Exercise::Mistake(_) => {
                self.leave_game();
                self.message = Some("That was the last mistake of this game.".to_owned());
            }
        }
    }

    /// Goes to the next position or lesson; after the last lesson on a game, to the list with a closing word.
    fn next_lesson_step(&mut self, step: LessonStep) {
        let chapter = step.lesson().chapter();
        let next = LESSONS.get(step.index + 1).filter(|lesson| lesson.chapter() == chapter);
        if let Some(next) = step.next() {
            self.start_exercise(Exercise::Lesson(next));
        } else if next.is_some() {
            self.start_lesson(step.index + 1);
        } else if step.next_lesson().is_none() {
            self.show_lessons();
            self.dialog = Some(Dialog::LessonsDone);
        } else {
            self.show_lessons();
            self.message = Some(format!(
                "That was the last lesson on {chapter}. Now play a game, and review your mistakes with m."
            ));
        }
    }

    /// Space or Enter: plays on the square under the cursor, or continues if there is no move to make.
    fn play_or_continue(&mut self, effects: &mut Vec<Effect>) {
        let Some(view) = &mut self.view else { return };
        if let Some(attempt) = view.exercise.as_ref().filter(|attempt| attempt.grade.is_some()) {
            if attempt.is_solved() {
                self.next_exercise();
            } else {
                view.session.undo();
                view.position_changed();
            }
            return;
        }
        match view.session.turn() {
            NextTurn::DeadDraw(_) => view.session.stop(),
            NextTurn::Paused(..) => view.session.is_paused = false,
            NextTurn::Over(_) if view.online.is_none() => {
                self.message = Some("The game is over: n for a new game, m to review it.".to_owned());
            }
            _ => {
                if let Some(square) = view.typed_square() {
                    view.square = square;
                }
                self.play(effects);
            }
        }
    }

    pub(crate) fn play(&mut self, effects: &mut Vec<Effect>) {
        let Some(view) = &mut self.view else { return };
        if view.online.is_some() {
            view.typed.clear();
            let mv = view.move_at_cursor();
            self.message = match view.session.turn() {
                NextTurn::Over(_) => Some("The game is over: m for a rematch, q to leave.".to_owned()),
                // The move is made when the server has reported it.
                _ => view.session.clone().play(mv).err().map(|reason| sentence(&reason)),
            };
            if self.message.is_none() {
                effects.push(Effect::Send(OnlineRequest::Move(mv)));
            }
            return;
        }
        if let Err(reason) = view.play() {
            view.typed.clear();
            self.message = Some(reason);
            return;
        }
        if let Some(attempt) = view.exercise.as_ref().filter(|attempt| attempt.is_solved())
            && let Exercise::Lesson(step) = attempt.exercise
            && step.next().is_none()
        {
            let id = step.lesson().id;
            self.settings.solved_lessons.insert(id.to_owned());
            self.settings.lesson_schedule.solved(id, step.is_missed, self.today);
            effects.push(Effect::SaveSettings);
        }
    }
}
