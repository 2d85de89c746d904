//! Analysis: the value of every move of a position, or of every position of a game.

use std::cell::Cell;
use std::time::{Duration, Instant};

use serde::Serialize;
use tictac::{Game, Move, Outcome, Player, Rules, State, Status, Value};
use tictac_solver::{Analyst, Answer, JudgedMove, Question, Refutation, Survey, Verdict};
use tokio_util::sync::CancellationToken;

use crate::config::ServerLimits;
use crate::failure::Failure;
use crate::hosted_game::line_names;
use crate::platform::thread_time;
use crate::service::rules_within;
use crate::wire::VERSION;

/// The analysis of a position.
#[derive(Debug, Serialize)]
pub(crate) struct Analysis {
    version: u32,
    rules: String,
    position: String,
    to_move: Option<Player>,
    value: Option<String>,
    distance: Option<u32>,
    /// Whether value and distance are proven.
    proven: bool,
    dead: Option<String>,
    moves: Vec<AnalysedMove>,
}

/// A legal move with its value for the player who makes it.
#[derive(Debug, Serialize)]
struct AnalysedMove {
    #[serde(rename = "move")]
    mv: String,
    /// `None` if it is not proven.
    value: Option<String>,
    /// Plies to the end of the game, including this move; `None` for a draw or if it is not proven.
    distance: Option<u32>,
}

/// The analysis of a game: one entry per position, including the start.
#[derive(Debug, Serialize)]
pub(crate) struct JudgedGame {
    version: u32,
    rules: String,
    plies: Vec<PositionFacts>,
    /// The best play after the last move, if one player can force a win.
    line: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PositionFacts {
    to_move: Option<Player>,
    outcome: Option<&'static str>,
    lines: Vec<Vec<String>>,
    finished: Vec<usize>,
    dead: Option<String>,
    value: Option<String>,
    distance: Option<u32>,
    moves: Vec<MoveFacts>,
    /// The judgement of the move that was played here.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<PlayedMove>,
}

/// What an analyst says about a move of the game.
#[derive(Debug, Serialize)]
struct PlayedMove {
    verdict: Option<String>,
    /// The probable verdict where none is proved.
    estimate: Option<String>,
    sign: &'static str,
    reason: Option<String>,
    /// Play after the move with which the opponent wins.
    punished_by: Vec<String>,
    /// Play in place of the move that wins.
    missed: Vec<String>,
}

impl PlayedMove {
    fn new(judged: &JudgedMove, rules: &Rules) -> PlayedMove {
        let (punished_by, missed) = match &judged.refutation {
            Some(Refutation::Punishes(moves)) => (names(moves, rules), Vec::new()),
            Some(Refutation::Keeps(moves)) => (Vec::new(), names(moves, rules)),
            None => (Vec::new(), Vec::new()),
        };
        PlayedMove {
            verdict: judged.verdict.as_ref().map(Verdict::to_string),
            estimate: judged.estimate.as_ref().map(Verdict::to_string),
            sign: judged.sign(),
            reason: judged.reason(),
            punished_by,
            missed,
        }
    }
}

#[derive(Debug, Serialize)]
struct MoveFacts {
    #[serde(flatten)]
    analysed: AnalysedMove,
    verdict: Option<String>,
}

impl Analysis {
    /// Returns whether the value of every move is proven.
    pub(crate) fn is_complete(&self) -> bool {
        self.moves.iter().all(|analysed| analysed.value.is_some())
    }
}

impl JudgedGame {
    /// Returns whether the value of every move of every position is proven.
    pub(crate) fn is_complete(&self) -> bool {
        self.plies.iter().flat_map(|ply| &ply.moves).all(|facts| facts.analysed.value.is_some())
    }
}

/// Parses a position, checking that its rules are within the limits of this server.
pub(crate) fn parse(
    rules: Option<&str>,
    position: Option<&str>,
    limits: &ServerLimits,
) -> Result<State, Failure> {
    let rules = rules_within(rules, limits)?;
    match position {
        None => Ok(State::start(&rules)),
        Some(text) if text.len() > 1_000 => {
            Err(Failure::BadRequest("the position is longer than 1,000 bytes".to_owned()))
        }
        Some(text) => {
            State::parse(text, &rules).map_err(|error| Failure::BadRequest(format!("position: {error}")))
        }
    }
}

/// The time of one analysis, on the thread that created it. It also ends when the client has disconnected.
///
/// Time of the processor is what counts: the threads of analyses give way to all others, so on a busy machine they may get
/// only a few hundredths of the time that passes, and easy positions would stay unsolved.
pub(crate) struct AnalysisTime<'a> {
    /// The time of the processor that this thread had used when the analysis began.
    start: Duration,
    since: Instant,
    /// Returns the limit, which shrinks while others wait.
    limit: &'a dyn Fn() -> Duration,
    cancelled: CancellationToken,
    /// What the clock of the thread said last, and when it is asked again.
    used: Cell<Duration>,
    asked: Cell<Instant>,
}

impl<'a> AnalysisTime<'a> {
    /// How many times its limit an analysis may take on a busy machine, however little it could work.
    const PATIENCE: u32 = 5;

    /// Starts an analysis of `limit` on the current thread.
    pub(crate) fn start(limit: &'a dyn Fn() -> Duration, cancelled: CancellationToken) -> AnalysisTime<'a> {
        AnalysisTime {
            start: thread_time(),
            since: Instant::now(),
            limit,
            cancelled,
            used: Cell::default(),
            asked: Cell::new(Instant::now()),
        }
    }

    /// Returns the time that is left; none once the client has gone.
    fn left(&self) -> Duration {
        let (now, limit) = (Instant::now(), (self.limit)());
        // The clock of a thread is slower to read than that of the machine, so it is asked less often.
        let used = if now < self.asked.get() { self.used.get() } else { self.read(now) };
        let is_late = now.duration_since(self.since) >= limit * Self::PATIENCE;
        if is_late || self.cancelled.is_cancelled() { Duration::ZERO } else { limit.saturating_sub(used) }
    }

    fn read(&self, now: Instant) -> Duration {
        let used = thread_time().saturating_sub(self.start);
        self.used.set(used);
        self.asked.set(now + READING_INTERVAL);
        used
    }
}

/// How long a reading of the clock of a thread is used.
const READING_INTERVAL: Duration = Duration::from_millis(1);

/// Analyses a position within `time`.
pub(crate) fn analyse(state: &State, analyst: &mut Analyst, time: &AnalysisTime<'_>) -> Analysis {
    let survey = analyst.survey(state, &|| time.left());
    let (answer, to_move) = match state.status() {
        Status::ToMove(player) => (survey.position, Some(player)),
        Status::Over(_) => {
            (analyst.oracle(state.rules()).solve(state, Question::Strong, &|| time.left().is_zero()), None)
        }
    };
    Analysis {
        version: VERSION,
        rules: state.rules().to_string(),
        position: state.to_string(),
        to_move,
        value: value(&answer),
        distance: answer.distance,
        proven: answer.proven,
        dead: state.dead().map(|dead| dead.to_string()),
        moves: survey.moves.iter().map(|(mv, answer)| AnalysedMove::new(state, *mv, answer)).collect(),
    }
}

/// Analyses every position of a game within `time`.
pub(crate) fn judge(game: &Game, analyst: &mut Analyst, time: &AnalysisTime<'_>) -> JudgedGame {
    let (n_moves, rules) = (game.moves().len(), game.rules());
    // Late positions are solved first because they are easier. If time runs out, only the opening stays unsolved.
    let mut plies: Vec<PositionFacts> = Vec::with_capacity(n_moves + 1);
    for ply in (0..=n_moves).rev() {
        // One hard position must not use up the time of all others.
        let end = time.left().saturating_sub(time.left() / (ply as u32 + 1) * 2);
        let share = || time.left().saturating_sub(end);
        let state = game.state_after(ply);
        // A tenth of the time is left for the refutation.
        let rest = share() / 10;
        let survey = analyst.survey(&state, &|| share().saturating_sub(rest));
        let played = game.moves().get(ply).map(|&mv| analyst.judge_among(&state, &survey, mv, &share));
        plies.push(facts(&state, &survey, played.as_ref()));
    }
    let line = match plies[0].value.as_deref() {
        Some("win" | "loss") => analyst.oracle(rules).principal_line(game.state(), &|| time.left().is_zero()),
        _ => Vec::new(),
    };
    plies.reverse();
    JudgedGame { version: VERSION, rules: rules.to_string(), plies, line: names(&line, rules) }
}

fn names(moves: &[Move], rules: &Rules) -> Vec<String> {
    moves.iter().map(|mv| mv.display(rules).to_string()).collect()
}

fn facts(state: &State, survey: &Survey, judged: Option<&JudgedMove>) -> PositionFacts {
    let (to_move, outcome) = match state.status() {
        Status::ToMove(player) => (Some(player), None),
        Status::Over(Outcome::Draw) => (None, Some("draw")),
        Status::Over(Outcome::Win(Player::First)) => (None, Some("first")),
        Status::Over(Outcome::Win(Player::Second)) => (None, Some("second")),
    };
    let best = survey.position;
    let judge = |(mv, answer): &(Move, Answer)| MoveFacts {
        analysed: AnalysedMove::new(state, *mv, answer),
        verdict: survey.verdict(*mv).as_ref().map(Verdict::to_string),
    };
    let n_boards = state.n_boards();
    let has_line = |board: &usize| n_boards > 1 && !state.lines(board - 1).is_empty();
    PositionFacts {
        to_move,
        outcome,
        lines: line_names(state),
        finished: (1..=n_boards).filter(has_line).collect(),
        dead: to_move.and_then(|_| state.dead()).map(|dead| dead.to_string()),
        value: value(&best),
        distance: best.distance,
        moves: survey.moves.iter().map(judge).collect(),
        played: judged.map(|judged| PlayedMove::new(judged, state.rules())),
    }
}

impl AnalysedMove {
    fn new(state: &State, mv: Move, answer: &Answer) -> AnalysedMove {
        let mv = mv.display(state.rules()).to_string();
        AnalysedMove { mv, value: value(answer), distance: answer.distance }
    }
}

fn value(answer: &Answer) -> Option<String> {
    answer.value().as_ref().map(Value::to_string)
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::hosted_game::game_of;

    const TIME: Duration = Duration::from_secs(2);

    fn ask(rules: &str, moves: &[&str]) -> JudgedGame {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let rules = rules.parse().unwrap();
        let mut analyst = Analyst::new(16 << 20);
        let time = AnalysisTime::start(&|| TIME, CancellationToken::new());
        judge(&game_of(&rules, &moves).unwrap(), &mut analyst, &time)
    }

    #[test]
    fn every_position_of_a_game_has_its_facts() {
        let judged = ask("3,3,3", &["X A1", "O A2", "X B1", "O C1", "X B2"]);
        assert_eq!(judged.plies.len(), 6);
        assert_eq!(judged.plies[0].value.as_deref(), Some("draw"));
        assert_eq!(judged.plies[2].value.as_deref(), Some("win"));
        let last = &judged.plies[5];
        assert_eq!((last.value.as_deref(), last.distance), (Some("loss"), Some(2)));
        assert_eq!(judged.line.len(), 2);
    }

    #[test]
    fn every_move_has_the_verdict_of_the_library() {
        let judged = ask("3,3,3", &["X A1", "O A2"]);
        for (ply, mv, verdict) in
            [(1, "O A2", "blunder"), (1, "O B2", "best"), (2, "X B1", "best"), (2, "X C2", "mistake")]
        {
            let judged = judged.plies[ply].moves.iter().find(|judged| judged.analysed.mv == mv).unwrap();
            assert_eq!(judged.verdict.as_deref(), Some(verdict), "{mv}");
        }
    }

    #[test]
    fn an_ended_game_shows_its_line_and_its_winner() {
        let judged = ask("notakto boards=2", &["X 1.A1", "X 1.A2", "X 1.A3"]);
        let last = &judged.plies[3];
        assert_eq!((last.outcome, &last.finished[..]), (None, &[1][..]));
        assert_eq!(last.lines, [["1.A1", "1.A2", "1.A3"]]);
        let judged = ask("3,3,3", &["O A1", "X B1", "O A2", "X B2", "O A3"]);
        assert_eq!(judged.plies[5].outcome, Some("first"));
        assert_eq!(judged.plies[5].moves.len(), 0);
    }

    #[test]
    fn a_large_board_is_answered_in_time() {
        let (start, since) = (thread_time(), Instant::now());
        let judged = ask("8,8,5", &["X D4", "O E5"]);
        let used = thread_time().saturating_sub(start);
        assert!(used < Duration::from_secs(4), "{used:?}");
        // On a very busy machine the deadline comes before the thread could work for long.
        let is_late = since.elapsed() >= TIME * AnalysisTime::PATIENCE;
        assert!(used >= Duration::from_secs(1) || is_late, "{used:?}");
        assert_eq!(judged.plies.len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn time_in_which_the_thread_did_not_run_does_not_count() {
        let (limit, slept) = (Cell::new(Duration::from_secs(2)), Duration::from_millis(100));
        let read = || limit.get();
        let time = AnalysisTime::start(&read, CancellationToken::new());
        std::thread::sleep(slept);
        assert!(time.left() > Duration::from_secs(1));
        // Others have come: the time that has passed is five times what is left to each.
        limit.set(slept / AnalysisTime::PATIENCE);
        assert!(time.left().is_zero());
    }

    #[test]
    fn an_analysis_ends_when_its_client_has_gone() {
        let cancelled = CancellationToken::new();
        let time = AnalysisTime::start(&|| Duration::from_mins(1), cancelled.clone());
        assert!(!time.left().is_zero());
        cancelled.cancel();
        assert!(time.left().is_zero());
    }

    #[test]
    fn a_move_of_the_game_has_its_refutation_and_reason() {
        let judged = ask("3,3,3", &["X A1", "O A2"]);
        let played = judged.plies[1].played.as_ref().unwrap();
        assert_eq!((played.verdict.as_deref(), played.sign), (Some("blunder"), "??"));
        assert_eq!((played.punished_by.len(), played.missed.len()), (5, 0));
        assert!(played.reason.as_deref().unwrap().starts_with("X replies "), "{played:?}");
    }
}
