//! Levels of play: perfect play holds what can be held, and the other levels make mistakes as intended.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tictac::{Outcome, Rules, State, Status, Value};
use tictac_solver::Analyst;
use tictac_solver::level::Level;

/// A clock that never runs out.
const NO_LIMIT: &dyn Fn() -> Duration = &|| Duration::MAX;

/// Returns the value for the player to move by a plain search of every game, independent of the library's oracle.
fn brute_value(state: &State, known: &mut HashMap<State, Value>) -> Value {
    if let Status::Over(outcome) = state.status() {
        return match outcome {
            Outcome::Draw => Value::Draw,
            Outcome::Win(winner) if winner == state.next_player() => Value::Win,
            Outcome::Win(_) => Value::Loss,
        };
    }
    let key = state.canonical();
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let replies = state.moves().map(|mv| brute_value(&state.after(mv).unwrap(), known).for_other());
    let value = replies.max().unwrap();
    known.insert(key, value);
    value
}

/// Plays the perfect player against every possible opponent, from every state that it should hold.
struct PerfectPlayTest {
    analyst: Analyst,
    values: HashMap<State, Value>,
    held: HashSet<State>,
    random: u64,
}

impl PerfectPlayTest {
    fn new() -> PerfectPlayTest {
        PerfectPlayTest {
            analyst: Analyst::new(1 << 24),
            values: HashMap::new(),
            held: HashSet::new(),
            random: 1,
        }
    }

    /// The perfect player is to move in `state`.
    fn hold(&mut self, state: &State) {
        let value = brute_value(state, &mut self.values);
        if !self.held.insert(state.canonical()) || matches!(state.status(), Status::Over(_)) {
            return;
        }
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let random = self.random / 7;
        let choice = self.analyst.choose(state, Level::Perfect, &mut || random, NO_LIMIT).unwrap();
        assert!(choice.proven, "{state}");
        let after = state.after(choice.mv).unwrap();
        let kept = brute_value(&after, &mut self.values).for_other();
        assert_eq!(kept, value, "{} in {state}", choice.mv.display(state.rules()));
        assert_eq!(choice.answer.value(), Some(value), "{state}");
        for reply in after.moves().collect::<Vec<_>>() {
            self.hold(&after.after(reply).unwrap());
        }
    }
}

/// Every state that legal play can reach, one for each class of equal ones.
fn reachable(start: &State) -> Vec<State> {
    let mut found = HashSet::from([start.canonical()]);
    let mut queue = vec![start.clone()];
    let mut all = Vec::new();
    while let Some(state) = queue.pop() {
        for mv in state.moves() {
            let after = state.after(mv).unwrap();
            if found.insert(after.canonical()) {
                queue.push(after);
            }
        }
        all.push(state);
    }
    all
}

#[track_caller]
fn perfect_holds_every_position(rules: &str) {
    let rules: Rules = rules.parse().unwrap();
    let mut play_test = PerfectPlayTest::new();
    for state in reachable(&State::start(&rules)) {
        play_test.hold(&state);
    }
}

#[test]
fn perfect_never_loses_what_can_be_held_on_three_by_three() {
    for rules in ["classic", "misere", "wild", "wild misere", "notakto", "3,3,3 x-only"] {
        perfect_holds_every_position(rules);
    }
}

#[test]
fn perfect_never_loses_what_can_be_held_on_two_boards_of_notakto() {
    perfect_holds_every_position("notakto boards=2");
}

#[test]
fn perfect_holds_three_and_four_boards_of_notakto_as_either_player_against_everything() {
    // Four boards have millions of positions, but the perfect player allows only some of them.
    for n_boards in [3, 4] {
        let rules = Rules::NOTAKTO.with_boards(n_boards).unwrap();
        let start = State::start(&rules);
        let mut play_test = BoardsPlayTest::new();
        play_test.hold(&start);
        for mv in start.moves() {
            play_test.hold(&start.after(mv).unwrap());
        }
        assert!(play_test.n_wins > 100, "{n_boards} boards: {}", play_test.n_wins);
    }
}

/// Like [`PerfectPlayTest`], for more boards than a plain search can solve: a player with a proved win must win in the end.
struct BoardsPlayTest {
    analyst: Analyst,
    held: HashSet<State>,
    n_wins: usize,
}

impl BoardsPlayTest {
    fn new() -> BoardsPlayTest {
        BoardsPlayTest { analyst: Analyst::new(1 << 24), held: HashSet::new(), n_wins: 0 }
    }

    fn hold(&mut self, state: &State) {
        let choice = self.analyst.choose(state, Level::Perfect, &mut || 5, NO_LIMIT).unwrap();
        if choice.answer.value() == Some(Value::Win) {
            self.win(state);
        }
    }

    fn win(&mut self, state: &State) {
        if let Status::Over(outcome) = state.status() {
            assert_eq!(outcome, Outcome::Win(state.next_player()), "{state}");
            self.n_wins += 1;
            return;
        }
        if !self.held.insert(state.canonical()) {
            return;
        }
        let choice = self.analyst.choose(state, Level::Perfect, &mut || 5, NO_LIMIT).unwrap();
        let after = state.after(choice.mv).unwrap();
        if let Status::Over(outcome) = after.status() {
            assert_eq!(outcome, Outcome::Win(state.next_player()), "{after}");
            return;
        }
        for reply in after.moves().collect::<Vec<_>>() {
            self.win(&after.after(reply).unwrap());
        }
    }
}

/// Returns the points of `one` against `other` in 3×3 games, two for a win and one for a draw; each opens every other game.
fn points(one: Level, other: Level, n_games: u64) -> u64 {
    let mut analyst = Analyst::new(1 << 20);
    let mut seed = 17_u64;
    let mut rng = move || {
        seed ^= seed.wrapping_mul(0x2545_F491_4F6C_DD1D).rotate_left(29).wrapping_add(0x9E37_79B9);
        seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
    };
    let mut points = 0;
    for game in 0..n_games {
        let first_is_one = game % 2 == 0;
        let mut state = State::start(&Rules::CLASSIC);
        let outcome = loop {
            let player = match state.status() {
                Status::Over(outcome) => break outcome,
                Status::ToMove(player) => player,
            };
            let is_one = (player == tictac::Player::First) == first_is_one;
            let level = if is_one { one } else { other };
            let choice = analyst.choose(&state, level, &mut rng, NO_LIMIT).unwrap();
            state.play(choice.mv).unwrap();
        };
        points += match outcome {
            Outcome::Draw => 1,
            Outcome::Win(player) if (player == tictac::Player::First) == first_is_one => 2,
            Outcome::Win(_) => 0,
        };
    }
    points
}

#[test]
fn every_level_beats_the_one_below() {
    for pair in Level::ALL.windows(2) {
        let points = points(pair[1], pair[0], 300);
        assert!(points > 310, "{} against {}: {points} of 600", pair[1], pair[0]);
    }
}

#[test]
fn the_same_random_numbers_give_the_same_move() {
    let state = State::start(&"5,5,4".parse().unwrap());
    let mut analyst = Analyst::new(1 << 20);
    for level in [Level::Beginner, Level::Casual, Level::Club, Level::Expert] {
        let mut choose = |n: u64| analyst.choose(&state, level, &mut || n, NO_LIMIT);
        assert_eq!(choose(12_345), choose(12_345), "{level}");
    }
}

#[test]
fn an_expert_blocks_on_a_large_board() {
    let rules: Rules = "8,8,5".parse().unwrap();
    let position = "......../......../.XOOOO../......../....XXX./......../......../........ X";
    let state = State::parse(position, &rules).unwrap();
    let choice = Analyst::new(1 << 20).choose(&state, Level::Expert, &mut || 99, NO_LIMIT).unwrap();
    let name = choice.mv.display(&rules).to_string();
    assert_eq!(name, "X C7");
}

#[test]
fn a_level_name_parses_back() {
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert_eq!(
        "master".parse::<Level>().unwrap_err().to_string(),
        "there is no level \"master\"; there are beginner, casual, club, expert, perfect"
    );
}

#[test]
fn perfect_wins_a_won_game_on_a_large_board_against_an_expert() {
    // 6,6,4 is a win for the first player.
    let rules: Rules = "6,6,4".parse().unwrap();
    let mut analyst = Analyst::new(1 << 26);
    let mut state = State::start(&rules);
    while let Status::ToMove(player) = state.status() {
        let level = if player == tictac::Player::First { Level::Perfect } else { Level::Expert };
        let choice = analyst.choose(&state, level, &mut || 3, NO_LIMIT).unwrap();
        assert!(choice.proven || level == Level::Expert, "{state}");
        state.play(choice.mv).unwrap();
    }
    assert_eq!(state.status(), Status::Over(Outcome::Win(tictac::Player::First)));
}

/// Returns a clock that starts at `total` and loses a millisecond with every call.
fn ticking(total: u64) -> impl Fn() -> Duration {
    let left = std::cell::Cell::new(total + 1);
    move || {
        left.set(left.get().saturating_sub(1));
        Duration::from_millis(left.get())
    }
}

#[test]
fn an_engine_without_time_still_makes_a_legal_move() {
    for rules in ["8,8,5", "3,3,3", "5,5,4 misere", "notakto boards=3"] {
        let state = State::start(&rules.parse().unwrap());
        for level in Level::ALL {
            let mut analyst = Analyst::new(1 << 20);
            let choice = analyst.choose(&state, level, &mut || 7, &|| Duration::ZERO).unwrap();
            assert!(state.after(choice.mv).is_ok(), "{rules}, {level}");
        }
        assert_eq!(
            Analyst::new(1 << 20).survey(&state, &|| Duration::ZERO).moves.len(),
            state.moves().count()
        );
    }
}

#[test]
fn half_of_the_time_goes_into_proofs_and_the_rest_into_looking_ahead() {
    // The win of the first player on 6,6,4 is found quickly, if there is time for it.
    let state = State::start(&"6,6,4".parse().unwrap());
    let total = Duration::from_secs(10);
    let choose = |later: Duration| {
        let n_calls = std::cell::Cell::new(0);
        let time_left = || {
            n_calls.set(n_calls.get() + 1);
            match n_calls.get() {
                1 => total,
                _ if later <= total / 2 && n_calls.get() > 100 => Duration::ZERO,
                _ => later,
            }
        };
        let choice = Analyst::new(1 << 26).choose(&state, Level::Perfect, &mut || 7, &time_left).unwrap();
        (choice.proven, n_calls.get())
    };
    let (is_proven, n_calls) = choose(total / 2);
    assert!(!is_proven && n_calls > 100, "the search goes on without proofs: {n_calls}");
    assert!(choose(total / 2 + Duration::from_nanos(1)).0);
}

#[test]
fn a_survey_with_little_time_finds_what_is_forced() {
    let rules: Rules = "8,8,5".parse().unwrap();
    let state =
        State::parse("......../......../.XXXX.../......../..OO.OO./......../......../........ X", &rules)
            .unwrap();
    let survey = Analyst::new(1 << 22).survey(&state, &ticking(300));
    let answer = |name: &str| survey.answer(rules.parse_move(name).unwrap());
    assert_eq!((answer("X C1").value(), answer("X C6").value()), (Some(Value::Win), Some(Value::Win)));
    // Everything but a win at once lets O complete its line.
    assert_eq!(answer("X H1").value(), Some(Value::Loss));
    assert_eq!(survey.moves.len(), state.moves().count());
}

#[test]
fn advice_holds_a_choice_only_where_the_best_move_is_open() {
    let classic = State::start(&Rules::CLASSIC);
    let advice = Analyst::new(1 << 20).advise(&classic, &mut || 7, NO_LIMIT);
    assert_eq!(advice.choice, None);
    assert!(advice.hint(&classic).unwrap().proven);
    let large = State::start(&"8,8,5".parse().unwrap());
    let advice = Analyst::new(1 << 22).advise(&large, &mut || 7, &ticking(400));
    assert_eq!(advice.hint(&large).unwrap().mv, advice.choice.unwrap().mv);
}

#[test]
fn an_analyst_keeps_the_oracles_that_were_used_last() {
    let [a, b, c]: [Rules; 3] = ["3,3,3", "misere", "wild"].map(|rules| rules.parse().unwrap());
    let mut analyst = Analyst::new(1 << 20).with_max_oracles(2);
    for rules in [a, b, a, c] {
        assert_eq!(*analyst.oracle(&rules).rules(), rules);
    }
    assert_eq!([a, b, c].map(|rules| analyst.remembers(&rules)), [true, false, true]);
    let mut analyst = Analyst::new(1 << 20);
    analyst.oracle(&a);
    analyst.oracle(&b);
    assert_eq!([a, b].map(|rules| analyst.remembers(&rules)), [false, true]);
}
