//! The analyst compared with plain searches: best moves on small boards, short wins on large ones.

use std::time::Duration;

use tictac::{Game, Grid, Outcome, Position, Rules, State, Status, Value};
use tictac_solver::level::Level;
use tictac_solver::{Analyst, JudgedMove, Refutation, Verdict};

/// A clock that counts its readings makes every run the same.
fn ticking(n_readings: u64) -> impl Fn() -> Duration {
    let left = std::cell::Cell::new(n_readings);
    move || Duration::from_millis(left.replace(left.get().saturating_sub(1)))
}

const NO_LIMIT: &dyn Fn() -> Duration = &|| Duration::MAX;

struct TestRandom(u64);

impl TestRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// Twelve rules, most of them with more squares than a table of all positions has.
const RULES: [&str; 12] = [
    "3,3,3",
    "misere",
    "wild",
    "notakto",
    "4,3,3",
    "4,4,3",
    "4,4,4",
    "5,4,4",
    "4,4,3 misere",
    "4,4,4 x-only misere",
    "4,4,3 wild",
    "5,5,4",
];

/// A score for the player to move, without any pruning: 100 - n for a win in n plies, the negative for a loss, 0 for a draw.
fn minimax(position: &Position, ply: i32) -> i32 {
    let next = position.next_player();
    match position.status() {
        Status::Over(Outcome::Draw) => 0,
        Status::Over(Outcome::Win(winner)) => {
            if winner == next {
                100 - ply
            } else {
                ply - 100
            }
        }
        Status::ToMove(_) => {
            position.moves().map(|mv| -minimax(&position.after(mv).unwrap(), ply + 1)).max().unwrap()
        }
    }
}

fn compare_with_minimax(n_positions: usize) {
    let mut random = TestRandom(11);
    for rules in RULES {
        let rules: Rules = rules.parse().unwrap();
        let mut analyst = Analyst::new(1 << 24);
        let n_empty = if rules.marks().are_chosen() { 4 } else { 6 };
        let mut n_compared = 0;
        while n_compared < n_positions {
            let mut state = State::start(&rules);
            while state.position().unwrap().empty_squares().len() > n_empty
                && matches!(state.status(), Status::ToMove(_))
            {
                let moves: Vec<_> = state.moves().collect();
                state.play(moves[random.next() as usize % moves.len()]).unwrap();
            }
            if matches!(state.status(), Status::Over(_)) {
                continue;
            }
            n_compared += 1;
            let position = state.position().unwrap();
            let scores: Vec<_> =
                position.moves().map(|mv| (mv, -minimax(&position.after(mv).unwrap(), 1))).collect();
            let top = scores.iter().map(|&(_, score)| score).max().unwrap();
            let best: Vec<_> = scores.iter().filter(|(_, score)| *score == top).map(|&(mv, _)| mv).collect();
            let (played, score) = scores[random.next() as usize % scores.len()];
            assert_eq!(analyst.survey(&state, NO_LIMIT).best(), best, "{rules} {state}");
            let judged = analyst.judge(&state, played, NO_LIMIT);
            let expected = match (top.signum(), score.signum()) {
                _ if score == top => Verdict::Best,
                (1, 0) => Verdict::Mistake,
                (before, after) if before > after => Verdict::Blunder,
                _ => Verdict::Ok,
            };
            assert_eq!(judged.verdict, Some(expected), "{rules} {state} {}", played.name(&rules));
            assert!(judged.best.iter().all(|mv| best.contains(mv)), "{rules} {state}");
            check_refutation(&judged);
        }
    }
}

/// The refutation is legal play to the end, in which the right player wins.
fn check_refutation(judged: &JudgedMove) {
    // A move that loses the game at once needs no refutation.
    let is_over = judged.after.distance == Some(1);
    assert!(!judged.is_error() || is_over || judged.refutation.is_some(), "{}: {judged:?}", judged.state);
    let Some(refutation) = &judged.refutation else { return };
    let mover = judged.state.next_player();
    let (mut state, winner) = match refutation {
        Refutation::Punishes(_) => (judged.state.after(judged.mv).unwrap(), !mover),
        Refutation::Keeps(_) => (judged.state.clone(), mover),
    };
    refutation.moves().iter().for_each(|&mv| state.play(mv).unwrap());
    assert_eq!(state.status(), Status::Over(Outcome::Win(winner)), "{}: {refutation:?}", judged.state);
}

#[test]
fn best_moves_are_those_of_a_plain_minimax() {
    compare_with_minimax(12);
}

#[test]
#[ignore = "takes a minute; the test above is a short version"]
fn best_moves_are_those_of_a_plain_minimax_in_5000_positions() {
    compare_with_minimax(5_000_usize.div_ceil(RULES.len()));
}

/// A plain search for short wins, on a board of one byte per square.
struct PlainSearch {
    lines: Vec<Vec<usize>>,
}

type Marks = Vec<u8>;

impl PlainSearch {
    fn new(grid: Grid, length: usize) -> PlainSearch {
        let (rows, columns) = (grid.rows().cast_signed(), grid.columns().cast_signed());
        let mut lines = Vec::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let squares = (0..length.cast_signed()).map(|n| (row + n * down, column + n * right));
                let squares: Vec<_> = squares.collect();
                if squares.iter().all(|(r, c)| (0..rows).contains(r) && (0..columns).contains(c)) {
                    lines.push(squares.iter().map(|(r, c)| (r * columns + c).cast_unsigned()).collect());
                }
            }
        }
        PlainSearch { lines }
    }

    /// Returns whether `mark` can complete a line with one move.
    fn completes(&self, marks: &Marks, mark: u8) -> bool {
        self.lines.iter().any(|line| {
            let n_own = line.iter().filter(|&&square| marks[square] == mark).count();
            let n_empty = line.iter().filter(|&&square| marks[square] == b'.').count();
            n_empty == 1 && n_own + 1 == line.len()
        })
    }

    /// Returns whether the player of `mark`, who moves, wins within `plies` against every reply.
    fn wins(&self, marks: &mut Marks, mark: u8, plies: u32) -> bool {
        let other = if mark == b'X' { b'O' } else { b'X' };
        if self.completes(marks, mark) {
            return true;
        }
        if plies < 3 {
            return false;
        }
        (0..marks.len()).any(|square| {
            if marks[square] != b'.' {
                return false;
            }
            marks[square] = mark;
            // What does not win against a pass does not win against any reply.
            let wins = !self.completes(marks, other)
                && self.wins(marks, mark, plies - 2)
                && (0..marks.len()).all(|reply| {
                    if marks[reply] != b'.' {
                        return true;
                    }
                    marks[reply] = other;
                    let wins = self.wins(marks, mark, plies - 2);
                    marks[reply] = b'.';
                    wins
                });
            marks[square] = b'.';
            wins
        })
    }

    /// Returns the length of the shortest win of the player to move, if it has at most five plies.
    fn plies(&self, state: &State) -> Option<u32> {
        let text = state.to_string();
        let mut marks: Marks =
            text.bytes().take_while(|&byte| byte != b' ').filter(|&byte| byte != b'/').collect();
        let mark = if state.marks()[0] == tictac::Mark::X { b'X' } else { b'O' };
        matches!(state.status(), Status::ToMove(_)).then_some(())?;
        [1, 3, 5].into_iter().find(|&plies| self.wins(&mut marks, mark, plies))
    }
}

/// Returns a game of a strong player against a beginner.
fn beginners_game(rules: &Rules, seed: u64, analyst: &mut Analyst) -> Game {
    let mut random = TestRandom(seed);
    let mut game = Game::new(rules);
    while matches!(game.status(), Status::ToMove(_)) {
        let is_strong = game.moves().len() % 2 == seed as usize % 2;
        let level = if is_strong { Level::Perfect } else { Level::Beginner };
        let choice = analyst.choose(game.state(), level, &mut || random.next(), &ticking(400)).unwrap();
        game.play(choice.mv).unwrap();
    }
    game
}

fn compare_with_plain_search(n_games: u64) {
    let rules: Rules = "8,8,5".parse().unwrap();
    let plain = PlainSearch::new(rules.grid(), 5);
    let mut analyst = Analyst::new(1 << 24);
    let (mut n_missed, mut n_losing) = (0, 0);
    for seed in 0..n_games {
        let game = beginners_game(&rules, seed, &mut analyst);
        for (number, &mv) in game.moves().iter().enumerate() {
            let judged = analyst.judge(&game.state_after(number), mv, &ticking(120));
            let context = format!("{} {}", judged.state, judged.mv.name(&rules));
            let after = judged.state.after(judged.mv).unwrap();
            let (before, reply) = (plain.plies(&judged.state), plain.plies(&after));
            let found =
                judged.before.distance.filter(|&plies| judged.before.worst == Value::Win && plies <= 5);
            assert_eq!(found, before, "{context}");
            let is_lost = judged.after.best == Value::Loss;
            let found = judged.after.distance.filter(|&plies| is_lost && plies <= 6);
            assert_eq!(found, reply.map(|plies| plies + 1), "{context}");
            check_refutation(&judged);
            let misses = before.is_some() && judged.after.worst != Value::Win;
            let others = || judged.state.moves().map(|mv| judged.state.after(mv).unwrap());
            let loses =
                before.is_none() && reply.is_some() && others().any(|other| plain.plies(&other).is_none());
            assert!(!(misses || loses) || judged.is_error() || judged.is_doubtful(), "{context}");
            (n_missed, n_losing) = (n_missed + u32::from(misses), n_losing + u32::from(loses));
        }
    }
    assert!(n_missed + n_losing > 0);
}

#[test]
fn short_wins_on_a_large_board_are_all_found() {
    compare_with_plain_search(2);
}

#[test]
#[ignore = "takes minutes; the test above is a short version"]
fn short_wins_on_a_large_board_are_all_found_in_200_games() {
    compare_with_plain_search(200);
}
