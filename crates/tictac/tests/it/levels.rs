//! Levels of play: perfection holds what can be held, and the others err as they should.

use std::collections::{HashMap, HashSet};

use tictac::level::{Level, Patience};
use tictac::solve::{Oracle, Value};
use tictac::{Outcome, Playable, Rules, State, Status};

/// The value for the player to move, by looking at every end: nothing of the library's oracle is in it.
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
    let replies = state.moves().map(|mv| brute_value(&state.play(mv).unwrap(), known).for_other());
    let value = replies.max().unwrap();
    known.insert(key, value);
    value
}

/// Lets the perfect player answer everything that can be tried against him, from every state that he should hold.
struct Siege {
    oracle: Oracle,
    values: HashMap<State, Value>,
    held: HashSet<State>,
    chance: u64,
}

impl Siege {
    fn new(rules: &Rules) -> Siege {
        Siege { oracle: Oracle::new(rules, 1 << 24), values: HashMap::new(), held: HashSet::new(), chance: 1 }
    }

    /// The perfect player is to move in `state`.
    fn hold(&mut self, state: &State) {
        let value = brute_value(state, &mut self.values);
        if !self.held.insert(state.canonical()) || matches!(state.status(), Status::Over(_)) {
            return;
        }
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let chance = self.chance / 7;
        let choice =
            Level::Perfect.choose(state, &mut self.oracle, &mut || chance, Patience::ENDLESS).unwrap();
        assert!(choice.proven, "{state}");
        let after = state.play(choice.mv).unwrap();
        let kept = brute_value(&after, &mut self.values).for_other();
        assert_eq!(kept, value, "{} in {state}", state.rules().written(choice.mv));
        assert_eq!(choice.answer.value(), Some(value), "{state}");
        for reply in after.moves().collect::<Vec<_>>() {
            self.hold(&after.play(reply).unwrap());
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
            let after = state.play(mv).unwrap();
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
    let mut siege = Siege::new(&rules);
    for state in reachable(&State::start(&rules)) {
        siege.hold(&state);
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
    // All positions of four boards are millions; those that the perfect player lets happen are fewer.
    for n_boards in [3, 4] {
        let rules = Rules::NOTAKTO.with_boards(n_boards).unwrap();
        let start = State::start(&rules);
        let mut siege = BoardsSiege::new(&rules);
        siege.hold(&start);
        for mv in start.moves() {
            siege.hold(&start.play(mv).unwrap());
        }
        assert!(siege.n_wins > 100, "{n_boards} boards: {}", siege.n_wins);
    }
}

/// As [`Siege`], on more boards than brute force can judge: whoever is said to win must win to the very end.
struct BoardsSiege {
    oracle: Oracle,
    held: HashSet<State>,
    n_wins: usize,
}

impl BoardsSiege {
    fn new(rules: &Rules) -> BoardsSiege {
        BoardsSiege { oracle: Oracle::new(rules, 1 << 24), held: HashSet::new(), n_wins: 0 }
    }

    fn hold(&mut self, state: &State) {
        let choice = Level::Perfect.choose(state, &mut self.oracle, &mut || 5, Patience::ENDLESS).unwrap();
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
        let choice = Level::Perfect.choose(state, &mut self.oracle, &mut || 5, Patience::ENDLESS).unwrap();
        let after = state.play(choice.mv).unwrap();
        if let Status::Over(outcome) = after.status() {
            assert_eq!(outcome, Outcome::Win(state.next_player()), "{after}");
            return;
        }
        for reply in after.moves().collect::<Vec<_>>() {
            self.win(&after.play(reply).unwrap());
        }
    }
}

/// The points, of two a game, that `one` makes against `other` in 3×3 games with each of them first.
fn points(one: Level, other: Level, n_games: u64) -> u64 {
    let mut oracle = Oracle::new(&Rules::CLASSIC, 1 << 20);
    let mut seed = 17_u64;
    let mut chance = move || {
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
            let choice = level.choose(&state, &mut oracle, &mut chance, Patience::ENDLESS).unwrap();
            state.make(choice.mv).unwrap();
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
fn the_same_chance_gives_the_same_move() {
    let state = State::start(&"5,5,4".parse().unwrap());
    let mut oracle = Oracle::new(state.rules(), 1 << 20);
    for level in [Level::Beginner, Level::Casual, Level::Club, Level::Expert] {
        let mut choose = |n: u64| level.choose(&state, &mut oracle, &mut || n, Patience::ENDLESS);
        assert_eq!(choose(12_345), choose(12_345), "{level}");
    }
}

#[test]
fn an_expert_blocks_on_a_large_board() {
    let rules: Rules = "8,8,5".parse().unwrap();
    let position = "......../......../.XOOOO../......../....XXX./......../......../........ X";
    let state = State::parse(&rules, position).unwrap();
    let mut oracle = Oracle::new(&rules, 1 << 20);
    let choice = Level::Expert.choose(&state, &mut oracle, &mut || 99, Patience::ENDLESS).unwrap();
    let name = rules.written(choice.mv).to_string();
    assert_eq!(name, "X C7");
}

#[test]
fn a_name_reads_back() {
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
    // 6,6,4 is a win for whoever begins.
    let rules: Rules = "6,6,4".parse().unwrap();
    let mut oracle = Oracle::new(&rules, 1 << 26);
    let mut state = State::start(&rules);
    while let Status::ToMove(player) = state.status() {
        let level = if player == tictac::Player::First { Level::Perfect } else { Level::Expert };
        let choice = level.choose(&state, &mut oracle, &mut || 3, Patience::ENDLESS).unwrap();
        assert!(choice.proven || level == Level::Expert, "{state}");
        state.make(choice.mv).unwrap();
    }
    assert_eq!(state.status(), Status::Over(Outcome::Win(tictac::Player::First)));
}
