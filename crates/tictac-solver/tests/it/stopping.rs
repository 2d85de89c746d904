//! Every question to the solver and to the computer player can be stopped at any time.
//!
//! How soon a question ends is measured in processor time between two calls of the callback: the search is deterministic, so the
//! shortest of several runs is the time that each step takes by itself, however busy the machine is.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tictac::{Game, Position, Rules, State, Value};
use tictac_solver::level::Level;
use tictac_solver::{Analyst, Oracle, Question, Solver};

/// The memory of an oracle: that of the server's.
const BYTES: usize = 24 << 20;
/// The longest work between two calls of the callback, and after it has returned true.
const LONGEST_STEP: Duration = Duration::from_millis(10);
/// The number of calls after the callback has returned true: a loop that is not told would go on asking.
const MAX_CALLS_AFTER: u64 = 16;

/// Rules for which the solver uses each of its methods.
const RULES: [&str; 13] = [
    "8,8,5",
    "8,8,4",
    "7,7,4",
    "6,6,4 misere",
    "8,8,5 wild",
    "5,5,4 wild misere",
    "4,3,3 wild",
    "6,4,3 x-only",
    "5,5,4 x-only misere",
    "notakto boards=8",
    "4,4,4 x-only misere boards=3",
    "5,4,3 x-only misere boards=2",
    "5,5,5 x-only boards=4",
];

type Ask = fn(&State, &dyn Fn() -> bool);

const QUESTIONS: [(&str, Ask); 10] = [
    ("solve weakly", |state, stop| ignore(oracle(state).solve(state, Question::Weak, stop))),
    ("solve strongly", |state, stop| ignore(oracle(state).solve(state, Question::Strong, stop))),
    ("value", |state, stop| ignore(oracle(state).has_value(state, Value::Win, stop))),
    ("moves weakly", |state, stop| ignore(oracle(state).moves(state, Question::Weak, stop))),
    ("moves strongly", |state, stop| ignore(oracle(state).moves(state, Question::Strong, stop))),
    ("line", |state, stop| ignore(oracle(state).principal_line(state, stop))),
    ("judge", |state, stop| judge(&game_to(state), stop)),
    ("choose perfectly", |state, stop| choose(state, Level::Perfect, stop)),
    ("choose expertly", |state, stop| choose(state, Level::Expert, stop)),
    ("survey", |state, stop| ignore(Analyst::new(BYTES).survey(state, &|| time_left(stop)))),
];

fn ignore<T>(_: T) {}

fn oracle(state: &State) -> Oracle {
    Oracle::new(state.rules(), BYTES)
}

fn judge(game: &Game, stop: &dyn Fn() -> bool) {
    Analyst::new(BYTES).judge_game(game, &|| time_left(stop)).for_each(drop);
}

fn choose(state: &State, level: Level, stop: &dyn Fn() -> bool) {
    Analyst::new(BYTES).choose(state, level, &mut || 7, &|| time_left(stop));
}

/// An hour, until the callback returns true.
fn time_left(stop: &dyn Fn() -> bool) -> Duration {
    if stop() { Duration::ZERO } else { Duration::from_secs(3_600) }
}

/// Returns a game of two moves by the rules of `state`.
fn game_to(state: &State) -> Game {
    let mut game = Game::from(State::start(state.rules()));
    for _ in 0..2 {
        let mv = game.state().moves().next().unwrap();
        game.play(mv).unwrap();
    }
    game
}

/// Returns the processor time that this thread has used.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.try_into().unwrap())
}

/// The calls of the callback in one run of a question.
struct Run {
    /// The times between calls, from the start of the question to its end.
    steps: Vec<Duration>,
    n_calls_after: u64,
}

/// Asks a question and stops it at the given call.
fn run(ask: Ask, state: &State, stop_at: u64) -> Run {
    let steps = RefCell::new(Vec::new());
    let (last, n_calls) = (Cell::new(processor_time()), Cell::new(0));
    let step = || {
        let now = processor_time();
        steps.borrow_mut().push(now.saturating_sub(last.replace(now)));
    };
    ask(state, &|| {
        step();
        n_calls.set(n_calls.get() + 1);
        n_calls.get() > stop_at
    });
    step();
    Run { steps: steps.into_inner(), n_calls_after: n_calls.get().saturating_sub(stop_at + 1) }
}

#[test]
fn every_question_ends_within_ten_milliseconds_of_being_stopped() {
    for rules in RULES {
        let state = State::start(&rules.parse::<Rules>().unwrap());
        for (name, ask) in QUESTIONS {
            for stop_at in [0, 1, 7, 200] {
                let what = format!("{rules}: {name}, stopped at call {stop_at}");
                let mut found = run(ask, &state, stop_at);
                assert!(
                    found.n_calls_after <= MAX_CALLS_AFTER,
                    "{what}: {} calls after",
                    found.n_calls_after
                );
                for _ in 0..8 {
                    if found.steps.iter().all(|step| *step <= LONGEST_STEP) {
                        break;
                    }
                    let again = run(ask, &state, stop_at);
                    let steps = found.steps.iter().zip(&again.steps);
                    found.steps = steps.map(|(one, other)| *one.min(other)).collect();
                }
                let longest = found.steps.iter().max().unwrap();
                assert!(*longest <= LONGEST_STEP, "{what}: {longest:?} between calls");
            }
        }
    }
}

#[test]
fn every_search_asks_whether_to_stop_at_least_every_256_nodes() {
    for rules in RULES {
        let rules: Rules = rules.parse().unwrap();
        let Some(position) = Position::start(&rules) else { continue };
        for question in [Question::Weak, Question::Strong] {
            let mut solver = Solver::new(&rules, BYTES);
            let n_calls = Cell::new(0);
            solver.solve(&position, question, &|| {
                n_calls.set(n_calls.get() + 1);
                n_calls.get() > 500
            });
            let nodes = solver.nodes();
            assert!(nodes <= (n_calls.get() + 1) * 256, "{rules}: {nodes} nodes, {} calls", n_calls.get());
        }
    }
}
