//! The current game on the screen: the session, the cursor, and what is shown beside the board.

use tictac::{Mark, Move, Player, Square};
use tictac_solver::lessons::Grade;
use tictac_solver::level::Choice;
use tictac_solver::{Advice, Answer, Hint, balance};

use super::exercise::{Exercise, ExerciseAttempt};
use super::game_review::GameReview;
use crate::action::Arrow;
use crate::engine::EngineTask;
use crate::online::OnlineInfo;
use crate::record::OpenedRecord;
use crate::seat::Seat;
use crate::session::{GameEnding, GameSession, NextTurn};
use crate::words;

/// The current game on the screen.
#[derive(Clone, Debug)]
pub struct GameView {
    /// The game being played.
    pub session: GameSession,
    /// The board that the cursor is on, from 0.
    pub board: usize,
    /// The square that the cursor is on.
    pub square: Square,
    /// The mark to play next, where the player may choose it.
    pub mark: Mark,
    /// The first characters of a square's name, while it is being typed.
    pub typed: String,
    /// Whether every square shows its value.
    pub shows_values: bool,
    /// The hint for the current position, once it was requested and found.
    pub hint: Option<Hint>,
    /// The attempt at a lesson or at a mistake, if the game is one.
    pub exercise: Option<ExerciseAttempt>,
    /// What the server says, if the game is on one.
    pub online: Option<OnlineInfo>,
    /// The verdicts on the moves.
    pub review: GameReview,
    /// Whether and how the game counts in the history.
    pub count: GameCount,
    /// The record from which the game was opened, if any.
    pub source: Option<OpenedRecord>,
    wants_hint: bool,
    // What is proved about every move of the current position.
    survey: Option<Vec<(Move, Answer)>>,
    // A perfect player's choice, where the survey leaves the best move open.
    choice: Option<Choice>,
    has_advice: bool,
}

/// Whether and how a game counts in the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCount {
    /// Whether the player took a move back, changed the players, or looked at a hint, values or verdicts during the game.
    pub has_help: bool,
    /// Whether the game has been over, and counted if it counts.
    pub is_done: bool,
}

impl GameView {
    /// Returns a view of a game with the cursor in the middle.
    pub fn new(session: GameSession) -> GameView {
        let grid = session.rules().grid();
        let middle = grid.square((grid.rows() - 1) / 2, (grid.columns() - 1) / 2);
        GameView {
            session,
            board: 0,
            square: middle.expect("the middle lies on the grid"),
            mark: Mark::X,
            typed: String::new(),
            shows_values: false,
            hint: None,
            exercise: None,
            online: None,
            review: GameReview::default(),
            count: GameCount::default(),
            source: None,
            wants_hint: false,
            survey: None,
            choice: None,
            has_advice: false,
        }
    }

    /// Returns a view of the position of an exercise.
    pub fn exercise(exercise: Exercise, seed: u64) -> GameView {
        let session = GameSession::new(exercise.state(), [Seat::Person; 2], seed);
        GameView { exercise: Some(ExerciseAttempt::new(exercise)), ..GameView::new(session) }
    }

    /// Returns whether the game is played at this terminal, and is no exercise.
    pub(crate) const fn is_game_here(&self) -> bool {
        self.exercise.is_none() && self.online.is_none()
    }

    /// Returns what a player is called.
    pub fn player_name(&self, player: Player) -> String {
        match &self.online {
            Some(online) => online.names[player as usize].clone(),
            None => words::seat_name(&self.session, player),
        }
    }

    /// Returns how the game counts if it ends now.
    pub(super) const fn final_count(&self) -> GameCount {
        let has_help = self.count.has_help || self.shows_values || self.review.is_shown;
        GameCount { has_help, is_done: self.count.is_done || self.source.is_some() }
    }

    /// Returns every move of the current position with what is proved about it, once that is known.
    pub fn answers(&self) -> Option<&[(Move, Answer)]> {
        self.survey.as_deref()
    }

    /// Returns what is proved about playing on a square, with the selected mark where there is a choice.
    pub fn value_of(&self, board: usize, square: Square) -> Option<Answer> {
        let mark = self.session.only_mark().unwrap_or(self.mark);
        let mv = Move { board: board as u32, square, mark };
        self.answers()?.iter().find(|(other, _)| *other == mv).map(|&(_, answer)| answer)
    }

    /// Returns the estimate for a square about which nothing is proved, by the balance of open lines: `+`, `=` or `-`.
    pub fn estimate_of(&self, board: usize, square: Square) -> Option<char> {
        /// The balance from which on one side is said to be better.
        const BETTER: i32 = 30;
        let mark = self.session.only_mark().unwrap_or(self.mark);
        let after = self.session.state().after(Move { board: board as u32, square, mark }).ok()?;
        Some(match -balance(&after)? {
            BETTER.. => '+',
            value if value <= -BETTER => '-',
            _ => '=',
        })
    }

    /// Returns the task that the engine has to run for this view, if any.
    pub fn task(&self) -> Option<EngineTask> {
        let state = || self.session.state().clone();
        let to_judge = self.next_to_judge();
        match self.session.turn() {
            NextTurn::Computer(_, level) => {
                Some(EngineTask::Choose { state: state(), level, seed: self.session.move_seed() })
            }
            _ if to_judge.is_some() => to_judge.map(|(state, mv)| EngineTask::Judge(state, mv)),
            NextTurn::Over(GameEnding::ByRules(_)) => None,
            NextTurn::Over(_) if !self.shows_values => None,
            _ if self.wants_hint => {
                Some(EngineTask::Advise { state: state(), seed: self.session.move_seed() })
            }
            _ => {
                let is_waiting = self.exercise.as_ref().is_some_and(|attempt| attempt.answers.is_none());
                let is_wanted = (self.shows_values || is_waiting) && self.answers().is_none();
                is_wanted.then(|| EngineTask::Survey(state()))
            }
        }
    }

    /// Stores what is proved about every move of the current position; returns the hint if one was requested.
    pub fn store_survey(&mut self, answers: Vec<(Move, Answer)>) -> Option<String> {
        if let Some(attempt) = &mut self.exercise
            && self.session.game().moves().is_empty()
        {
            attempt.answers = Some(answers.clone());
        }
        self.survey = Some(answers);
        if self.wants_hint { self.find_hint() } else { None }
    }

    /// Stores advice on the current position; returns the hint.
    pub fn store_advice(&mut self, advice: Advice) -> Option<String> {
        (self.choice, self.has_advice) = (advice.choice, true);
        // A survey that is already there had twice the time of the one in the advice.
        if self.answers().is_some() { self.find_hint() } else { self.store_survey(advice.answers) }
    }

    /// Requests a hint; returns it if it is already known, or why there is none.
    pub fn request_hint(&mut self) -> Option<String> {
        if let Some(hint) = self.exercise.as_mut().and_then(ExerciseAttempt::next_hint) {
            return Some(hint);
        }
        match self.session.turn() {
            NextTurn::Over(_) => return Some("The game is over.".to_owned()),
            NextTurn::Computer(..) => return Some("It is the computer's turn.".to_owned()),
            _ => self.wants_hint = true,
        }
        self.find_hint()
    }

    /// Shows the hint and returns it in words, if enough is known.
    fn find_hint(&mut self) -> Option<String> {
        let (state, answers) = (self.session.state(), self.answers()?);
        if !self.has_advice && Hint::is_open(answers) {
            return None;
        }
        let hint = Hint::new(state, answers, self.choice.as_ref())?;
        self.wants_hint = false;
        let text = format!("Hint: {}.", hint.sentence(&self.session.rules()));
        (self.board, self.square) = (hint.mv.board as usize, hint.mv.square);
        if self.session.only_mark().is_none() {
            self.mark = hint.mv.mark;
        }
        self.hint = Some(hint);
        Some(text)
    }

    /// Returns the move on the square under the cursor; where marks drop, on the square to which it falls.
    pub(super) fn move_at_cursor(&self) -> Move {
        let mark = self.session.only_mark().unwrap_or(self.mark);
        let board = self.session.state().boards().nth(self.board).unwrap_or_default();
        let landing = self.session.rules().landing_square(self.square, board.occupied());
        Move { board: self.board as u32, square: landing.unwrap_or(self.square), mark }
    }

    /// Plays on the square under the cursor.
    ///
    /// # Errors
    ///
    /// Returns why the move is rejected, as a sentence.
    pub fn play(&mut self) -> Result<(), String> {
        let mv = self.move_at_cursor();
        let answers = match &self.exercise {
            Some(attempt) if attempt.grade.is_some() => {
                return Err("Press u to take the move back.".to_owned());
            }
            Some(attempt) => {
                Some(attempt.answers.clone().ok_or("One moment, the solver is still thinking.")?)
            }
            None => None,
        };
        self.session.play(mv).map_err(|error| words::sentence(&error))?;
        if let (Some(attempt), Some(answers)) = (&mut self.exercise, answers) {
            let grade = Grade::of(self.session.game().start(), &answers, mv);
            if let Exercise::Lesson(step) = &mut attempt.exercise {
                step.is_missed |= !grade.is_correct;
            }
            attempt.grade = Some(grade);
        }
        self.position_changed();
        Ok(())
    }

    /// Discards what belonged to the previous position.
    pub fn position_changed(&mut self) {
        self.typed.clear();
        (self.hint, self.wants_hint) = (None, false);
        (self.survey, self.choice, self.has_advice) = (None, None, false);
        if let Some(attempt) = &mut self.exercise
            && self.session.game().moves().is_empty()
        {
            attempt.grade = None;
        }
    }

    /// Moves the cursor, over the edge of a board to the next one; `per_row` boards are drawn side by side.
    pub fn move_cursor(&mut self, arrow: Arrow, per_row: usize) {
        let (grid, n_boards) = (self.session.rules().grid(), self.session.state().n_boards());
        let (down, right, boards_on) = match arrow {
            Arrow::Up => (-1, 0, -per_row.cast_signed()),
            Arrow::Down => (1, 0, per_row.cast_signed()),
            Arrow::Left => (0, -1, -1),
            Arrow::Right => (0, 1, 1),
        };
        let (row, column) = (grid.row(self.square), grid.column(self.square));
        let next = row.checked_add_signed(down).zip(column.checked_add_signed(right));
        if let Some(square) = next.and_then(|(row, column)| grid.square(row, column)) {
            self.square = square;
        } else if let Some(board) = self.board.checked_add_signed(boards_on).filter(|&board| board < n_boards)
        {
            let wrapped =
                |place: usize, by: isize, size: usize| (place + size).saturating_add_signed(by) % size;
            let (row, column) = (wrapped(row, down, grid.rows()), wrapped(column, right, grid.columns()));
            self.board = board;
            self.square = grid.square(row, column).expect("a wrapped place lies on the grid");
        }
    }

    /// Moves the cursor to the next board that is not finished.
    pub fn next_board(&mut self) {
        let state = self.session.state();
        let n_boards = state.n_boards();
        let mut boards = (1..=n_boards).map(|ahead| (self.board + ahead) % n_boards);
        self.board = boards.find(|&board| !state.open_squares(board).is_empty()).unwrap_or(self.board);
    }

    /// Types a letter or digit; returns true when it completes the name of a square, which is then under the cursor.
    pub fn type_char(&mut self, c: char) -> bool {
        let c = c.to_ascii_uppercase();
        let grid = self.session.rules().grid();
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
            if c.is_ascii_uppercase() && (c as usize - 'A' as usize) < grid.rows() {
                self.typed.push(c);
            }
            return false;
        }
        self.typed.push(c);
        let Some(square) = self.typed_square() else {
            self.typed.clear();
            return false;
        };
        self.square = square;
        // On a wide board a 1 may be the start of 12.
        grid.column(square) + 1 > grid.columns() / 10
    }

    /// Types a digit without a letter: the number of a board, of a square of a small board, or of a column.
    fn type_digit(&mut self, digit: usize) -> bool {
        let grid = self.session.rules().grid();
        let Some(index) = digit.checked_sub(1) else { return false };
        if self.session.state().n_boards() > 1 {
            if index < self.session.state().n_boards() {
                self.board = index;
            }
            return false;
        }
        if grid.len() <= 9 {
            let square = grid.square(index / grid.columns(), index % grid.columns());
            self.square = square.unwrap_or(self.square);
            return square.is_some();
        }
        self.square = grid.square(grid.row(self.square), index).unwrap_or(self.square);
        false
    }

    /// Returns the square whose name has been typed, if it is complete.
    pub fn typed_square(&self) -> Option<Square> {
        let one_board = self.session.rules().with_boards(1).ok()?;
        one_board.parse_square(&self.typed, Mark::X).ok().map(|mv| mv.square)
    }

    /// Returns a sentence about the last move if the computer made it.
    pub fn computer_move_text(&self) -> Option<String> {
        words::computer_move(&self.session, "played")
    }
}
