//! The game on the table: the session, the cursor, and what is shown beside the board.

use tictac::level::{Advice, Choice};
use tictac::notation::{SpokenHint, best_prospect, prospect};
use tictac::solve::Answer;
use tictac::{Hint, Mark, Move, Rules, Square, State};

use crate::action::Toward;
use crate::course::{self, COURSE, Lesson};
use crate::engine::EngineTask;
use crate::files::path_of;
use crate::kept::Kept;
use crate::session::{Ending, Session, Turn};

/// The game on the table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The game.
    pub session: Session,
    /// The board that the cursor is on, from 0.
    pub board: usize,
    /// The square that the cursor is on.
    pub square: Square,
    /// The mark to be written next, where there is a choice.
    pub mark: Mark,
    /// The start of a square that is being typed.
    pub typed: String,
    /// Whether every square shows its value.
    pub shows_values: bool,
    /// The hint that was asked for, while it holds.
    pub hint: Option<Hint>,
    /// The lesson, if this is one.
    pub lesson: Option<Attempt>,
    /// Where the game was read from, if it was.
    pub name: Option<String>,
    /// The file that the game was read from, as it was named, and what it said besides the moves.
    pub source: Option<(String, Kept)>,
    wants_hint: bool,
    survey: Option<(State, Vec<(Move, Answer)>)>,
    // What a perfect player would do where the survey does not say it; nothing where he was not asked.
    advice: Option<(State, Option<Choice>)>,
}

/// An attempt at a lesson.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The place of the lesson in the course.
    pub place: usize,
    /// What the solver says of it, once it is made.
    pub mark: Option<course::Mark>,
    answers: Option<Vec<(Move, Answer)>>,
}

impl Attempt {
    /// The lesson.
    pub fn lesson(&self) -> &'static Lesson {
        &COURSE[self.place]
    }

    /// Returns whether the lesson is solved.
    pub fn is_solved(&self) -> bool {
        self.mark.as_ref().is_some_and(|mark| mark.is_right)
    }
}

impl Table {
    /// Returns a table with this game on it, the cursor in the middle.
    pub fn new(session: Session) -> Table {
        let grid = session.rules().grid();
        let middle = grid.square((grid.rows() - 1) / 2, (grid.columns() - 1) / 2);
        Table {
            session,
            board: 0,
            square: middle.expect("the middle lies on the grid"),
            mark: Mark::X,
            typed: String::new(),
            shows_values: false,
            hint: None,
            lesson: None,
            name: None,
            source: None,
            wants_hint: false,
            survey: None,
            advice: None,
        }
    }

    /// Returns a table with the position of a lesson on it.
    pub fn lesson(place: usize, seed: u64) -> Table {
        let state = COURSE[place].state();
        let session = Session::new(state, [crate::seat::Seat::Person; 2], seed);
        Table { lesson: Some(Attempt { place, mark: None, answers: None }), ..Table::new(session) }
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.session.rules()
    }

    /// Returns whether the game was read from this file.
    pub fn is_from(&self, file: &str) -> bool {
        self.source.as_ref().is_some_and(|(name, _)| path_of(name) == path_of(file))
    }

    /// Returns a record of the game with what was said of it where it was read.
    pub fn with_kept(&self, record: &str) -> String {
        let moves = self.session.game().moves();
        self.source.as_ref().map_or_else(|| record.to_owned(), |(_, kept)| kept.add_to(record, moves))
    }

    /// What is proved about the moves of the position at hand, as far as it is known yet.
    pub fn answers(&self) -> Option<&[(Move, Answer)]> {
        let (state, answers) = self.survey.as_ref()?;
        (state == self.session.state()).then_some(answers)
    }

    /// What is proved about writing on a square, with the mark at hand where there is a choice.
    pub fn value_of(&self, board: usize, square: Square) -> Option<Answer> {
        let mark = self.session.only_mark().unwrap_or(self.mark);
        let mv = Move { board: board as u32, square, mark };
        self.answers()?.iter().find(|(other, _)| *other == mv).map(|&(_, answer)| answer)
    }

    /// What the computer should think about now.
    pub fn task(&self) -> Option<EngineTask> {
        let state = self.session.state().clone();
        match self.session.turn() {
            Turn::Computer(_, level) => {
                Some(EngineTask::Choose { state, level, seed: self.session.chance() })
            }
            Turn::Over(_) | Turn::DeadDraw(_) if !self.shows_values => None,
            Turn::Over(Ending::ByRules(_)) => None,
            _ => {
                let lesson_waits = self.lesson.as_ref().is_some_and(|attempt| attempt.answers.is_none());
                let is_wanted = self.shows_values || lesson_waits;
                if self.wants_hint {
                    Some(EngineTask::Advise { state, seed: self.session.chance() })
                } else {
                    (is_wanted && self.answers().is_none()).then_some(EngineTask::Survey { state })
                }
            }
        }
    }

    /// Hears what every move of the position at hand brings; returns the hint, if one was asked for.
    pub fn hear_survey(&mut self, answers: Vec<(Move, Answer)>) -> Option<String> {
        if let Some(attempt) = &mut self.lesson
            && self.session.game().moves().is_empty()
        {
            attempt.answers = Some(answers.clone());
        }
        self.survey = Some((self.session.state().clone(), answers));
        if self.wants_hint { self.give_hint() } else { None }
    }

    /// Hears the same and what a perfect player would do; returns the hint.
    pub fn hear_advice(&mut self, advice: Advice) -> Option<String> {
        self.advice = Some((self.session.state().clone(), advice.choice));
        // A survey without a choice had twice the time.
        if self.answers().is_some() { self.give_hint() } else { self.hear_survey(advice.answers) }
    }

    /// Asks for a hint; returns it if it is known already.
    pub fn ask_hint(&mut self) -> Option<String> {
        match self.session.turn() {
            Turn::Over(_) => return Some("the game is over".to_owned()),
            Turn::Computer(..) => return Some("it is the computer's turn".to_owned()),
            _ => self.wants_hint = true,
        }
        self.give_hint()
    }

    fn give_hint(&mut self) -> Option<String> {
        let (state, answers) = (self.session.state(), self.answers()?);
        let advice = self.advice.as_ref().filter(|(other, _)| other == state).map(|(_, choice)| choice);
        let hint = match advice {
            Some(Some(choice)) => Hint::with_choice(state, answers, choice)?,
            None if Hint::is_open(answers) => return None,
            Some(None) | None => Hint::new(state, answers)?,
        };
        self.wants_hint = false;
        let words = format!("Hint: {}", SpokenHint { rules: self.rules(), hint: &hint });
        (self.board, self.square) = (hint.mv.board as usize, hint.mv.square);
        if self.session.only_mark().is_none() {
            self.mark = hint.mv.mark;
        }
        self.hint = Some(hint);
        Some(words)
    }

    /// Places a mark where the cursor is.
    ///
    /// # Errors
    ///
    /// Returns why not, in words.
    pub fn place(&mut self) -> Result<(), String> {
        let mark = self.session.only_mark().unwrap_or(self.mark);
        let mv = Move { board: self.board as u32, square: self.square, mark };
        if let Some(attempt) = &mut self.lesson {
            if attempt.mark.is_some() {
                return Err("u takes the move back".to_owned());
            }
            let answers = attempt.answers.as_ref().ok_or("one moment: the solver is looking")?;
            self.session.play(mv).map_err(|refusal| refusal.to_string())?;
            attempt.mark = Some(attempt.lesson().mark(answers, mv));
        } else {
            self.session.play(mv).map_err(|refusal| refusal.to_string())?;
        }
        self.changed();
        Ok(())
    }

    /// Forgets what held only before the position changed.
    pub fn changed(&mut self) {
        self.typed.clear();
        self.hint = None;
        self.wants_hint = false;
        if let Some(attempt) = &mut self.lesson
            && self.session.game().moves().is_empty()
        {
            attempt.mark = None;
        }
    }

    /// Moves the cursor; over the edge of a board to its neighbour, `per_row` of which stand side by side.
    pub fn go(&mut self, toward: Toward, per_row: usize) {
        let (grid, n_boards) = (self.rules().grid(), self.session.state().n_boards());
        let (mut row, mut column) = (grid.row(self.square), grid.column(self.square));
        let neighbour = |ahead: bool, distance: usize| {
            let board = if ahead { self.board + distance } else { self.board.wrapping_sub(distance) };
            (board < n_boards).then_some(board)
        };
        let (last_row, last_column) = (grid.rows() - 1, grid.columns() - 1);
        let (is_edge, over) = match toward {
            Toward::Up => (row == 0, neighbour(false, per_row)),
            Toward::Down => (row == last_row, neighbour(true, per_row)),
            Toward::Left => (column == 0, neighbour(false, 1)),
            Toward::Right => (column == last_column, neighbour(true, 1)),
        };
        if is_edge && over.is_none() {
            return;
        }
        match toward {
            Toward::Up => row = if is_edge { last_row } else { row - 1 },
            Toward::Down => row = if is_edge { 0 } else { row + 1 },
            Toward::Left => column = if is_edge { last_column } else { column - 1 },
            Toward::Right => column = if is_edge { 0 } else { column + 1 },
        }
        if is_edge {
            self.board = over.unwrap_or(self.board);
        }
        self.square = grid.square(row, column).unwrap_or(self.square);
    }

    /// Goes to the next living board.
    pub fn next_board(&mut self) {
        let state = self.session.state();
        let n_boards = state.n_boards();
        let mut boards = (1..=n_boards).map(|ahead| (self.board + ahead) % n_boards);
        self.board = boards.find(|&board| !state.open_squares(board).is_empty()).unwrap_or(self.board);
    }

    /// Takes a typed letter or digit; returns whether a square is complete and the cursor on it.
    pub fn type_char(&mut self, c: char) -> bool {
        let c = c.to_ascii_uppercase();
        let grid = self.rules().grid();
        if self.typed.is_empty() {
            if let Some(digit) = c.to_digit(10) {
                return self.type_digit(digit as usize);
            }
            if self.session.only_mark().is_none()
                && let Some(mark) = u8::try_from(c).ok().and_then(Mark::from_byte)
            {
                self.mark = mark;
                return false;
            }
            let names_row = c.is_ascii_uppercase() && (c as usize - 'A' as usize) < grid.rows();
            if names_row {
                self.typed.push(c);
            }
            return false;
        }
        self.typed.push(c);
        let Some(square) = self.typed_square() else {
            // Not a square and not the start of one.
            self.typed.clear();
            return false;
        };
        self.square = square;
        // On wide boards 1 may be the start of 12.
        grid.column(square) + 1 > grid.columns() / 10
    }

    /// A digit by itself is a board, a square of a small board, or a column.
    fn type_digit(&mut self, digit: usize) -> bool {
        let grid = self.rules().grid();
        let Some(place) = digit.checked_sub(1) else { return false };
        if self.session.state().n_boards() > 1 {
            if place < self.session.state().n_boards() {
                self.board = place;
            }
            return false;
        }
        if grid.len() <= 9 {
            let Some(square) = grid.square(place / grid.columns(), place % grid.columns()) else {
                return false;
            };
            self.square = square;
            return true;
        }
        self.square = grid.square(grid.row(self.square), place).unwrap_or(self.square);
        false
    }

    /// The square that has been typed, if it is one.
    pub fn typed_square(&self) -> Option<Square> {
        let one_board = self.rules().with_boards(1).ok()?;
        one_board.parse_square(&self.typed, Mark::X).ok().map(|mv| mv.square)
    }

    /// What the computer said of its last move, in words.
    pub fn remark(&self) -> Option<String> {
        let remark = self.session.remark()?;
        let name = self.session.state().name(remark.player);
        let words = format!("{name} played {}", self.session.name(remark.choice.mv));
        Some(if remark.level == tictac::level::Level::Perfect {
            format!("{words} ({})", proof_of(&remark.choice))
        } else {
            words
        })
    }
}

/// What is proved about a move of a perfect player, in words.
pub(crate) fn proof_of(choice: &Choice) -> String {
    if choice.proven {
        format!("proven: {}", best_prospect(&choice.answer))
    } else {
        format!("not proven: {}", prospect(&choice.answer))
    }
}
