//! The analyst: chooses moves, says what every move is worth, and judges the moves of games, within a time limit.

mod forced_wins;

use core::time::Duration;
use std::fmt;

use crate::hint::Hint;
use crate::judge::{JudgedMove, Refutation, Verdict};
use crate::level::look_ahead::LookAhead;
use crate::level::perfect::StopSignals;
use crate::level::{Choice, Level, perfect, pick};
use crate::proof::ProofSource;
use crate::{Answer, Oracle, Question};
use forced_wins::ForcedWins;
use tictac::{Board, Game, Grid, Move, Outcome, Position, Rules, Square, State, Status, Value};

/// A source of random numbers; the library has none of its own.
pub type Rng<'a> = &'a mut dyn FnMut() -> u64;

/// Returns the time that is left to think; the library reads no clock.
///
/// It returns [`Duration::ZERO`] as soon as the caller needs an answer, because the time is over or the task is
/// cancelled. `&|| Duration::MAX` sets no limit. It is called regularly, so a counter in place of a clock gives a limit
/// that is the same on every machine.
pub type TimeLeft<'a> = &'a dyn Fn() -> Duration;

/// Chooses and judges moves, for any rules and any level.
///
/// It keeps what it has proved about the rules that it was used with last. A method that runs out of time returns
/// the best that it has found.
///
/// ```
/// use std::time::Duration;
/// use tictac_solver::Analyst;
/// use tictac_solver::level::Level;
/// use tictac::{Rules, State};
///
/// let state = State::parse("XX./OO./... X", &Rules::CLASSIC)?;
/// let mut analyst = Analyst::new(1 << 20);
/// let choice = analyst.choose(&state, Level::Perfect, &mut || 7, &|| Duration::MAX);
/// assert_eq!(choice.map(|choice| choice.mv.display(&Rules::CLASSIC).to_string()).as_deref(), Some("X A3"));
/// # Ok::<(), tictac::notation::PositionError>(())
/// ```
pub struct Analyst {
    // The most recently used oracle is the last one.
    oracles: Vec<Oracle>,
    max_oracles: usize,
    max_bytes: usize,
}

/// What is proved about a position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// What is proved about the position, for the player to move.
    pub position: Answer,
    /// Every legal move with what is proved about it, for the player who makes it; distances include the move.
    pub moves: Vec<(Move, Answer)>,
}

/// What is known about every move of a position, and what a perfect player would do where that is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Every legal move with what is proved about it.
    pub answers: Vec<(Move, Answer)>,
    /// The move of a perfect player, unless the best move is already among the proved ones.
    pub choice: Option<Choice>,
}

impl Advice {
    /// Returns the best move with the reasons for it, or `None` if there is no move in `state`.
    pub fn hint(&self, state: &State) -> Option<Hint> {
        Hint::new(state, &self.answers, self.choice.as_ref())
    }
}

impl Survey {
    /// Returns the survey that follows from the answers about all moves.
    pub fn new(moves: Vec<(Move, Answer)>) -> Survey {
        Survey { position: Answer::from_moves(&moves), moves }
    }

    /// Returns what is proved about a move.
    pub fn answer(&self, mv: Move) -> Answer {
        self.moves.iter().find(|(other, _)| *other == mv).map_or(Answer::UNKNOWN, |&(_, answer)| answer)
    }

    /// Returns the verdict on a move, or `None` if too little is proved.
    pub fn verdict(&self, mv: Move) -> Option<Verdict> {
        Verdict::of(&self.position, &self.answer(mv))
    }

    /// Returns the moves of which it is proved that no other one is better.
    ///
    /// Where values are known and distances are not, these are all moves that are known to keep the value. Where the value is not
    /// known, there are none.
    pub fn best(&self) -> Vec<Move> {
        let Some(value) = self.position.value() else { return Vec::new() };
        let distance = self.position.distance;
        let is_best = |answer: &Answer| {
            answer.value() == Some(value) && (distance.is_none() || answer.distance == distance)
        };
        self.moves.iter().filter(|(_, answer)| is_best(answer)).map(|&(mv, _)| mv).collect()
    }

    /// Combines what is known about the position and about its moves.
    fn tighten(&mut self) {
        let position = self.position.and(Answer::from_moves(&self.moves));
        for (_, answer) in &mut self.moves {
            // No move is worth more than the position.
            answer.best = answer.best.min(position.best);
            answer.proven |= answer.value() == Some(Value::Draw);
        }
        self.position = Answer {
            proven: position.distance.is_some() || position.value() == Some(Value::Draw),
            ..position
        };
    }

    /// Returns whether the value of every move is known or, to judge the move `focus`, enough of them.
    fn is_enough(&self, focus: Option<Move>) -> bool {
        let has_value = |(_, answer): &(Move, Answer)| answer.value().is_some();
        let Some(mv) = focus.filter(|_| self.position.value().is_some()) else {
            return self.moves.iter().all(has_value);
        };
        self.answer(mv).value().is_some() && !self.best().is_empty()
    }
}

impl Analyst {
    /// Returns an analyst that keeps results for one set of rules at a time and uses at most about `max_bytes` of memory.
    pub const fn new(max_bytes: usize) -> Analyst {
        Analyst { oracles: Vec::new(), max_oracles: 1, max_bytes }
    }

    /// Returns an analyst that keeps results for up to `max_oracles` sets of rules, which share its memory evenly.
    #[must_use]
    pub fn with_max_oracles(self, max_oracles: usize) -> Analyst {
        Analyst { max_oracles: max_oracles.max(1), ..self }
    }

    /// Returns whether the analyst keeps results for these rules.
    pub fn remembers(&self, rules: &Rules) -> bool {
        self.oracles.iter().any(|oracle| oracle.rules() == rules)
    }

    /// Returns the oracle for `rules`, and creates it if there is none.
    pub fn oracle(&mut self, rules: &Rules) -> &mut Oracle {
        let known = self.oracles.iter().position(|oracle| oracle.rules() == rules);
        let oracle = if let Some(place) = known {
            self.oracles.remove(place)
        } else {
            if self.oracles.len() >= self.max_oracles {
                self.oracles.remove(0);
            }
            Oracle::new(rules, self.max_bytes / self.max_oracles)
        };
        self.oracles.push(oracle);
        self.oracles.last_mut().expect("an oracle was just added")
    }

    /// Returns a move for the player to move, or `None` when the game is over.
    ///
    /// The same random numbers give the same move unless the time runs out.
    pub fn choose(
        &mut self,
        state: &State,
        level: Level,
        rng: Rng<'_>,
        time_left: TimeLeft<'_>,
    ) -> Option<Choice> {
        let is_over = || time_left().is_zero();
        if let Some(strength) = level.strength() {
            let seen = LookAhead::overlooking(state, strength, rng).run(&is_over);
            let mv = pick(&seen.best, rng)?;
            return Some(Choice { mv, answer: Answer::UNKNOWN, proven: false });
        }
        // Half of the time goes into proofs, the rest into looking ahead where nothing was proved.
        let total = time_left();
        let stop = StopSignals { proof: &|| time_left() <= total / 2, all: &is_over };
        perfect::choose(state, self.oracle(state.rules()), rng, stop)
    }

    /// Returns every legal move with what can be proved about it in time.
    ///
    /// On one board of up to 12 squares everything is proved, however little time there is.
    pub fn survey(&mut self, state: &State, time_left: TimeLeft<'_>) -> Survey {
        self.survey_for(state, None, time_left)
    }

    /// Surveys the moves in half of the time and, if the best one is still unknown, chooses as a perfect player
    /// would in the rest.
    pub fn advise(&mut self, state: &State, rng: Rng<'_>, time_left: TimeLeft<'_>) -> Advice {
        let half = time_left() / 2;
        let answers = self.survey(state, &|| time_left().saturating_sub(half)).moves;
        let is_open = Hint::is_open(&answers);
        let choice = if is_open { self.choose(state, Level::Perfect, rng, time_left) } else { None };
        Advice { answers, choice }
    }

    /// Judges a legal move in `state`.
    pub fn judge(&mut self, state: &State, mv: Move, time_left: TimeLeft<'_>) -> JudgedMove {
        // A tenth of the time is left for the refutation.
        let rest = time_left() / 10;
        let survey = self.survey_for(state, Some(mv), &|| time_left().saturating_sub(rest));
        self.judge_among(state, &survey, mv, time_left)
    }

    /// Judges a legal move in `state`, given a survey of all moves; the time is for the refutation.
    pub fn judge_among(
        &mut self,
        state: &State,
        survey: &Survey,
        mv: Move,
        time_left: TimeLeft<'_>,
    ) -> JudgedMove {
        let mut judged = JudgedMove::among(state, survey, mv);
        judged.refutation = self.refute(&judged, &|| time_left().is_zero());
        judged.algebra = self.algebra(&judged);
        judged
    }

    /// Judges the moves of a game, in order; each move has an equal share of the time that is left when its turn comes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tictac::{Game, Rules};
    /// use tictac_solver::{Analyst, Verdict};
    ///
    /// let mut game = Game::new(&Rules::CLASSIC);
    /// for text in ["A1", "A2", "B1", "C1"] {
    ///     game.play(game.state().parse_move(text)?)?;
    /// }
    /// let mut analyst = Analyst::new(1 << 20);
    /// let judged = analyst.judge_game(&game, &|| Duration::MAX);
    /// let verdicts: Vec<_> = judged.filter_map(|judged| judged.verdict).collect();
    /// assert_eq!(verdicts, [Verdict::Best, Verdict::Blunder, Verdict::Best, Verdict::Best]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge_game<'a>(
        &'a mut self,
        game: &'a Game,
        time_left: TimeLeft<'a>,
    ) -> impl Iterator<Item = JudgedMove> + use<'a> {
        let mut state = game.start().clone();
        let n_moves = game.moves().len();
        game.moves().iter().enumerate().map(move |(number, &mv)| {
            let end = share_end(time_left, n_moves - number);
            let judged = self.judge(&state, mv, &|| time_left().saturating_sub(end));
            state.play(mv).expect("the moves of a game are legal");
            judged
        })
    }

    /// Surveys a position; where not everything can be proved in time, what decides about `focus` comes first.
    fn survey_for(&mut self, state: &State, focus: Option<Move>, time_left: TimeLeft<'_>) -> Survey {
        let rules = state.rules();
        let stop = || time_left().is_zero();
        if Oracle::is_too_large(rules) {
            return Survey::new(state.moves().map(|mv| (mv, Answer::UNKNOWN)).collect());
        }
        let oracle = self.oracle(rules);
        let position = state.position().filter(|_| rules.is_mnk() && !oracle.is_quick());
        let Some(position) = position else {
            let is_tiny = oracle.is_tiny();
            let moves = oracle.moves(state, Question::Strong, &|| !is_tiny && stop());
            return Survey::new(moves);
        };
        let mut survey = forced_results(position, &stop);
        let mut order: Vec<usize> = (0..survey.moves.len()).collect();
        order.sort_by_key(|&place| {
            let mv = survey.moves[place].0;
            (focus != Some(mv), remoteness(state, mv.square))
        });
        if !stop() && !survey.is_enough(focus) {
            oracle.with_tables(&stop, |source| {
                prove_values(state, &mut survey, (focus, &order), source, &stop);
            });
        }
        find_distances(state, &mut survey, (focus, &order), oracle, time_left);
        survey
    }

    /// Returns the play that shows why a move was wrong, as far as it is found.
    fn refute(&mut self, judged: &JudgedMove, stop: &dyn Fn() -> bool) -> Option<Refutation> {
        if !judged.is_error() && !judged.is_doubtful() {
            return None;
        }
        let loses = judged.after.value() == Some(Value::Loss);
        let after = judged.state.after(judged.mv).ok()?;
        let line = self.line(if loses { &after } else { &judged.state }, stop);
        let refutation = if loses { Refutation::Punishes(line) } else { Refutation::Keeps(line) };
        Some(refutation).filter(|refutation| !refutation.moves().is_empty())
    }

    /// Returns the shortest play that wins for the player to move, as far as it is found.
    fn line(&mut self, state: &State, stop: &dyn Fn() -> bool) -> Vec<Move> {
        if matches!(state.status(), Status::Over(_)) {
            return Vec::new();
        }
        let oracle = self.oracle(state.rules());
        let position = state.position().filter(|position| position.rules().is_mnk() && !oracle.is_quick());
        let Some(position) = position else {
            let is_tiny = oracle.is_tiny();
            return oracle.principal_line(state, &|| !is_tiny && stop());
        };
        // This search is short, and the value that it explains is known, so it is not stopped.
        let win = ForcedWins::new(state.rules(), &|| false).find(position);
        let marks = position.marks().iter().flat_map(|&mark| [mark, !mark]).cycle();
        let squares = win.iter().flat_map(|win| &win.line).filter_map(|&square| Square::new(square as usize));
        let line: Vec<Move> = squares.zip(marks).map(|(square, mark)| Move::new(square, mark)).collect();
        if line.is_empty() { oracle.principal_line(state, stop) } else { line }
    }

    /// Returns what the algebra of Notakto says about the boards after the move.
    fn algebra(&mut self, judged: &JudgedMove) -> Option<String> {
        let after = judged.state.after(judged.mv).ok()?;
        let State::Many(boards) = &after else { return None };
        let quotient = self.oracle(judged.state.rules()).quotient()?;
        Some(format!("the boards are then worth {}", quotient.explain(boards.boards())))
    }
}

impl fmt::Debug for Analyst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<&Rules> = self.oracles.iter().map(Oracle::rules).collect();
        f.debug_struct("Analyst").field("rules", &rules).finish_non_exhaustive()
    }
}

/// Returns the time that must be left when the first of `n` equal shares ends.
fn share_end(time_left: TimeLeft<'_>, n: usize) -> Duration {
    let left = time_left();
    left.saturating_sub(left / n.max(1) as u32)
}

/// Returns the moves that end the game or are followed by a short forced win, with the others as unknown.
fn forced_results(position: &Position, stop: &dyn Fn() -> bool) -> Survey {
    let mut wins = ForcedWins::new(position.rules(), stop);
    // If the opponent could not win after a pass, no move allows it.
    let is_threatened = wins.threat(position).is_some();
    let mut result = |mv: Move| {
        let after = position.after(mv).expect("a move from `moves` is legal");
        let (value, plies) = match after.status() {
            Status::Over(Outcome::Draw) => return Answer::proving(Value::Draw),
            Status::Over(Outcome::Win(_)) => (Value::Win, Some(1)),
            Status::ToMove(_) => match wins.plies_after(position, mv.square.index() as u32) {
                Some(plies) => (Value::Win, Some(plies)),
                None if !is_threatened => return Answer::UNKNOWN,
                None => match wins.find(&after) {
                    Some(win) => (Value::Loss, win.is_shortest.then_some(win.line.len() as u32 + 1)),
                    None => return Answer::UNKNOWN,
                },
            },
        };
        Answer { distance: plies, proven: plies.is_some(), ..Answer::proving(value) }
    };
    let moves: Vec<(Move, Answer)> = position.moves().map(|mv| (mv, result(mv))).collect();
    let mut survey = Survey::new(moves);
    if let Some(win) = wins.find(position) {
        let distance = win.is_shortest.then_some(win.line.len() as u32);
        survey.position = Answer { distance, proven: distance.is_some(), ..Answer::proving(Value::Win) };
        let first = win.line.first().copied();
        for (mv, answer) in &mut survey.moves {
            if Some(mv.square.index() as u32) == first && answer.value().is_none() {
                *answer = survey.position;
            }
        }
    }
    survey.tighten();
    survey
}

/// The number of nodes that the provers get for each question in the first round.
const FIRST_NODES: u64 = 1 << 9;

/// Asks the provers about the position and every open move in rounds, in each of which a question gets four times as many nodes.
fn prove_values(
    state: &State,
    survey: &mut Survey,
    (focus, order): (Option<Move>, &[usize]),
    source: &mut dyn ProofSource,
    stop: &dyn Fn() -> bool,
) {
    let mut max_nodes = FIRST_NODES;
    while !stop() && !survey.is_enough(focus) {
        survey.position = narrow(source, state, survey.position, max_nodes);
        for &place in order {
            if stop() || survey.is_enough(focus) {
                break;
            }
            let (mv, answer) = survey.moves[place];
            let after = state.after(mv).expect("a move from `moves` is legal");
            let known = Answer { distance: None, ..answer.for_mover() };
            if known.value().is_none() {
                survey.moves[place].1 = narrow(source, &after, known, max_nodes).for_mover();
                survey.tighten();
            }
        }
        survey.tighten();
        max_nodes = max_nodes.saturating_mul(4);
    }
}

/// Asks whether the player to move wins, and loses, as far as that is not known.
fn narrow(source: &mut dyn ProofSource, state: &State, known: Answer, max_nodes: u64) -> Answer {
    let mut answer = known;
    if answer.value().is_none() && answer.best == Value::Win {
        match source.has_value(state, Value::Win, max_nodes) {
            Some(true) => answer.worst = Value::Win,
            Some(false) => answer.best = Value::Draw,
            None => {}
        }
    }
    if answer.value().is_none() && answer.worst == Value::Loss {
        match source.has_value(state, Value::Loss, max_nodes) {
            Some(true) => answer.best = Value::Loss,
            Some(false) => answer.worst = Value::Draw,
            None => {}
        }
    }
    answer
}

/// Searches the distances of the moves that keep a win or a loss, each in its share of the time.
fn find_distances(
    state: &State,
    survey: &mut Survey,
    (focus, order): (Option<Move>, &[usize]),
    oracle: &mut Oracle,
    time_left: TimeLeft<'_>,
) {
    let value = survey.position.value();
    let keeps = |answer: &Answer| answer.value() == value && answer.distance.is_none();
    if !matches!(value, Some(Value::Win | Value::Loss))
        || focus.is_some_and(|mv| survey.answer(mv).value() != value)
    {
        return;
    }
    let open: Vec<usize> = order.iter().copied().filter(|&place| keeps(&survey.moves[place].1)).collect();
    // The position first: it tells which distance is the best one.
    if survey.position.distance.is_none() && !time_left().is_zero() {
        let end = share_end(time_left, open.len() + 1);
        let timed = oracle.solve(state, Question::Strong, &|| time_left() <= end);
        survey.position = timed.and(survey.position);
    }
    for (n_done, &place) in open.iter().enumerate() {
        let end = share_end(time_left, open.len() - n_done);
        if time_left().is_zero() {
            break;
        }
        let (mv, answer) = survey.moves[place];
        let after = state.after(mv).expect("a move from `moves` is legal");
        let timed = oracle.solve(&after, Question::Strong, &|| time_left() <= end).for_mover();
        survey.moves[place].1 = Answer { distance: timed.distance, proven: timed.proven, ..answer };
    }
    survey.tighten();
}

/// Returns the distance of a square from the nearest mark, and from the middle of the board.
fn remoteness(state: &State, square: Square) -> (usize, usize) {
    let grid = state.rules().grid();
    let taken = state.boards().next().map(Board::occupied).unwrap_or_default();
    let nearest = taken.iter().map(|other| distance(grid, square, other)).min().unwrap_or(0);
    let middle = grid.square(grid.rows() / 2, grid.columns() / 2);
    (nearest, middle.map_or(0, |middle| distance(grid, square, middle)))
}

fn distance(grid: Grid, one: Square, other: Square) -> usize {
    grid.row(one).abs_diff(grid.row(other)).max(grid.column(one).abs_diff(grid.column(other)))
}
