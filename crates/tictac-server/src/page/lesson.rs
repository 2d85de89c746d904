//! The lessons: ideas with positions to solve, the same as in the terminal. The board is a form, so no script is needed.

use std::sync::LazyLock;

use axum::Form;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use tictac::{Game, Mark, Move, State, Value};
use tictac_solver::lessons::{Grade, LESSONS, Lesson};
use tictac_solver::{Answer, Hint};

use super::board::{self, BoardView};
use super::error::not_found;
use super::frame::Page;
use super::language::{Language, text};

/// The positions of every lesson, and what is proved about every move.
static POSITIONS: LazyLock<Vec<Vec<SolvedState>>> = LazyLock::new(|| {
    let solved = |state: State| SolvedState { answers: Lesson::survey(&state), state };
    LESSONS.iter().map(|lesson| lesson.states().into_iter().map(solved).collect()).collect()
});

struct SolvedState {
    state: State,
    answers: Vec<(Move, Answer)>,
}

/// The number of the position in a lesson, from 1.
#[derive(Debug, Deserialize)]
pub(super) struct LessonQuery {
    #[serde(default = "first")]
    position: usize,
}

const fn first() -> usize {
    1
}

#[derive(Debug, Deserialize)]
pub(super) struct AttemptForm {
    square: String,
}

/// A lesson as a page shows it.
struct LessonPage<'a> {
    language: Language,
    index: usize,
    lesson: &'a Lesson,
    /// The number of the position, from 1.
    number: usize,
    /// The game: the position, and the move of the student.
    game: Game,
    /// The move, and its grade.
    attempt: Option<(Move, Grade)>,
}

/// `GET /lessons`. The script marks those that were solved in this browser.
pub(super) async fn list(lang: Language) -> Page {
    let title = lang.t("Learn to play well");
    let chapters: Vec<&[Lesson]> = LESSONS.chunk_by(|a, b| a.chapter() == b.chapter()).collect();
    let content = html! {
        h1 { (title) }
        p.lead { (lang.t("Find the best move. The computer checks your answer.")) }
        p #progress .note hidden {}
        div.chapters {
            @for chapter in chapters {
                section.sheet {
                    h2 { (lang.t(chapter[0].chapter())) }
                    ol.lessons start=(number_of(&chapter[0])) {
                        @for lesson in chapter {
                            li data-lesson=(lesson.id) { a href=(lang.path(&path(lesson))) { (lang.t(lesson.title)) } }
                        }
                    }
                }
            }
        }
    };
    Page::new(lang, title, "/lessons", content).with_script("lesson")
}

fn number_of(lesson: &Lesson) -> usize {
    LESSONS.iter().take_while(|other| other.id != lesson.id).count() + 1
}

fn path(lesson: &Lesson) -> String {
    format!("/lessons/{}", lesson.id)
}

fn path_of(lesson: &Lesson, number: usize) -> String {
    if number == 1 { path(lesson) } else { format!("{}?position={number}", path(lesson)) }
}

/// `GET /lessons/{id}`.
pub(super) async fn show(
    lang: Language,
    Path(id): Path<String>,
    Query(LessonQuery { position }): Query<LessonQuery>,
) -> Response {
    respond(lang, &id, position, None)
}

/// `POST /lessons/{id}`: grades the move of the student.
pub(super) async fn attempt(
    lang: Language,
    Path(id): Path<String>,
    Query(LessonQuery { position }): Query<LessonQuery>,
    Form(AttemptForm { square }): Form<AttemptForm>,
) -> Response {
    respond(lang, &id, position, Some(&square))
}

fn respond(language: Language, id: &str, number: usize, square: Option<&str>) -> Response {
    let found = LESSONS.iter().position(|lesson| lesson.id == id).and_then(|index| {
        let position = POSITIONS[index].get(number.checked_sub(1)?)?;
        Some((index, position))
    });
    let Some((index, SolvedState { state, answers })) = found else {
        return (axum::http::StatusCode::NOT_FOUND, not_found(language)).into_response();
    };
    let lesson = &LESSONS[index];
    let mut game = Game::from(state.clone());
    let mv = square.and_then(|square| game.rules().parse_square(square, game.state().marks()[0]).ok());
    // A square that is taken is no attempt.
    let attempt = mv.filter(|&mv| game.play(mv).is_ok()).map(|mv| (mv, Grade::of(state, answers, mv)));
    LessonPage { language, index, lesson, number, game, attempt }.page().into_response()
}

impl LessonPage<'_> {
    fn page(&self) -> Page {
        let (lang, lesson) = (self.language, self.lesson);
        let title = lang.t(lesson.title);
        let is_solved = self.attempt.as_ref().is_some_and(|(_, grade)| grade.is_correct);
        let is_missed = self.attempt.is_some() && !is_solved;
        let board = BoardView { game: &self.game, playable: self.attempt.is_none(), language: lang };
        let content = html! {
            div.game data-lesson=(lesson.id) data-solved[is_solved && self.is_last()] data-missed[is_missed] {
                div.table {
                    div.lesson {
                        p.note { (lang.t(lesson.chapter())) ", " (lang.fill("lesson {number} of {total}", &[("number", &(self.index + 1)), ("total", &LESSONS.len())]))
                            @if self.n_positions() > 1 {
                                ", " (lang.fill("position {number} of {total}", &[("number", &self.number), ("total", &self.n_positions())]))
                            }
                        }
                        h1 { (title) }
                        p.task { (self.mark()) " " (lang.t(lesson.task_at(self.number - 1))) }
                    }
                    form method="post" action=(lang.path(&path_of(lesson, self.number))) { (board.markup()) }
                }
                div.sheet.side {
                    (self.result())
                    (self.buttons())
                }
            }
        };
        Page::new(lang, title, "/lessons", content).with_script("lesson")
    }

    /// Returns which mark the student writes, as it is drawn and, unless the task says it, in words.
    fn mark(&self) -> Markup {
        let (lang, state) = (self.language, &POSITIONS[self.index][self.number - 1].state);
        let task = self.lesson.task_at(self.number - 1);
        let is_told = task.contains("You are ") || task.contains("both players");
        let mark = state.mark_of(state.next_player());
        html! {
            (board::mark(mark.unwrap_or(Mark::X)))
            @match mark {
                _ if is_told => {},
                Some(mark) => { " " b { (lang.fill("You are {mark}.", &[("mark", &mark)])) } },
                None => { " " b { (lang.t("Both players write X.")) } },
            }
        }
    }

    fn n_positions(&self) -> usize {
        POSITIONS[self.index].len()
    }

    fn is_last(&self) -> bool {
        self.number == self.n_positions()
    }

    fn result(&self) -> Markup {
        let (lang, lesson) = (self.language, self.lesson);
        html! {
            @match &self.attempt {
                None => {
                    p.note { (lang.t("Click a square.")) }
                    (self.hints())
                }
                Some((mv, grade)) => {
                    div.banner.good[grade.is_correct].bad[!grade.is_correct] role="alert" {
                        p { b { (if grade.is_correct { lang.t("Correct!") } else { lang.t("Not the best move.") }) } " " (self.explanation(*mv, grade)) }
                        @if grade.is_correct && self.number == 1 { p { (lang.t(lesson.takeaway)) } }
                    }
                }
            }
        }
    }

    /// Returns the hints in the steps of the terminal: the idea, the row, the square.
    fn hints(&self) -> Markup {
        let lang = self.language;
        let SolvedState { state, answers } = &POSITIONS[self.index][self.number - 1];
        let best = Hint::new(state, answers, None).map(|hint| hint.mv);
        html! {
            details {
                summary { (lang.t("Show a hint")) }
                p { (lang.t(self.lesson.hint)) }
                @if let Some(mv) = best {
                    @let name = state.rules().grid().name(mv.square).to_string();
                    details {
                        summary { (lang.t("Another hint")) }
                        p { (lang.fill("Play in row {row}.", &[("row", &name.trim_end_matches(|c: char| c.is_ascii_digit()))])) }
                        details data-answer {
                            summary { (lang.t("Show the move")) }
                            p { (lang.fill("{square} is a best move.", &[("square", &mv.name(state.rules()))])) }
                        }
                    }
                }
            }
        }
    }

    /// Returns what the move leads to, compared with the best one.
    fn explanation(&self, mv: Move, grade: &Grade) -> String {
        let sentence = match (grade.is_correct, grade.best, grade.value) {
            (true, _, Some(Value::Draw)) => text("{square} holds the draw, and no move does better."),
            (true, ..) => text("{square} wins."),
            (false, Some(Value::Win), Some(Value::Draw)) => {
                text("{square} only draws, but another move wins.")
            }
            (false, Some(Value::Win), _) => text("{square} loses, but another move wins."),
            (false, ..) => text("{square} loses, but another move draws."),
        };
        self.language.fill(sentence, &[("square", &mv.name(self.game.rules()))])
    }

    fn buttons(&self) -> Markup {
        let (lang, lesson) = (self.language, self.lesson);
        let is_solved = self.attempt.as_ref().is_some_and(|(_, grade)| grade.is_correct);
        html! {
            div.buttons {
                @if self.attempt.is_some() && !is_solved {
                    a.button.first href=(lang.path(&path_of(lesson, self.number))) { (lang.t("Try again")) }
                }
                @if is_solved && !self.is_last() {
                    a.button.first href=(lang.path(&path_of(lesson, self.number + 1))) { (lang.t("Next position")) }
                } @else if let Some(next) = LESSONS.get(self.index + 1) {
                    a.button.first[is_solved] href=(lang.path(&path(next))) { (if is_solved { lang.t("Next lesson") } else { lang.t("Skip") }) }
                } @else if is_solved {
                    a.button.first href=(lang.path("/")) { (lang.t("Play a game")) }
                }
                a.button href=(lang.path("/lessons")) { (lang.t("All lessons")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hints_name_the_row_and_then_a_correct_square() {
        let language = Language::ENGLISH;
        for (index, lesson) in LESSONS.iter().enumerate() {
            for (place, SolvedState { state, answers }) in POSITIONS[index].iter().enumerate() {
                let (number, game) = (place + 1, Game::from(state.clone()));
                let page = LessonPage { language, index, lesson, number, game, attempt: None };
                let hints = page.hints().into_string();
                let (before, rest) = hints.split_once(" is a best move.").unwrap();
                let square = before.rsplit('>').next().unwrap();
                let mv = state.rules().parse_square(square, state.marks()[0]).unwrap();
                assert!(Grade::of(state, answers, mv).is_correct, "{}: {square}", lesson.id);
                let row = square.rsplit('.').next().unwrap().trim_end_matches(|c: char| c.is_ascii_digit());
                assert!(before.contains(&format!("Play in row {row}.")), "{hints}");
                assert_eq!(rest, "</p></details></details></details>");
            }
        }
    }

    #[test]
    fn every_position_says_which_mark_the_student_writes() {
        let language = Language::ENGLISH;
        for (index, lesson) in LESSONS.iter().enumerate() {
            for (place, SolvedState { state, .. }) in POSITIONS[index].iter().enumerate() {
                let (number, game) = (place + 1, Game::from(state.clone()));
                let page = LessonPage { language, index, lesson, number, game, attempt: None };
                let (words, drawing) = match state.mark_of(state.next_player()) {
                    Some(mark) => (format!("You are {mark}."), board::mark(mark)),
                    None => ("Both players write X.".to_owned(), board::mark(Mark::X)),
                };
                let shown = format!("{} {}", page.mark().into_string(), lesson.task_at(place));
                let is_told =
                    shown.contains(&words[..words.len() - 1]) || shown.contains("both players write X");
                assert!(is_told && shown.contains(&drawing.into_string()), "{shown}");
            }
        }
    }

    #[test]
    fn every_text_of_the_lessons_is_translated() {
        for lesson in LESSONS.iter() {
            let texts = [lesson.title, lesson.task, lesson.takeaway, lesson.hint, lesson.task_at(1)];
            for text in texts.into_iter().chain([lesson.chapter()]) {
                assert!(super::super::language::entries().any(|(english, _)| english == text), "{text}");
            }
        }
    }
}
