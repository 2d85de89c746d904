//! Benchmarks of the solver on small boards, on one core: `cargo xtask bench oracle`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tictac::{Position, Rules, SquareSet};
use tictac_solver::{Question, Quotient, Solver};

fn main() {
    divan::main();
}

/// The first answer of a new solver, for which all positions of the board are solved.
#[divan::bench(args = ["3,3,3", "3,3,3 misere", "3,3,3 wild", "3,3,3 wild misere", "notakto", "3,3,3 x-only", "4,3,3"])]
fn first_answer(bencher: Bencher<'_, '_>, rules: &str) {
    let rules: Rules = rules.parse().expect("rules");
    let start = Position::start(&rules).expect("one board");
    bencher.bench(|| Solver::new(&rules, 1 << 20).solve(black_box(&start), Question::Strong, &|| false));
}

/// Further answers, measured per position.
#[divan::bench(args = ["3,3,3", "3,3,3 wild"])]
fn look_ups(bencher: Bencher<'_, '_>, rules: &str) {
    let rules: Rules = rules.parse().expect("rules");
    let mut solver = Solver::new(&rules, 1 << 20);
    let positions = some_positions(rules);
    solver.solve(&positions[0], Question::Strong, &|| false);
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        let distances = positions.iter().filter_map(|position| {
            solver.look_up(black_box(position), Question::Strong).and_then(|answer| answer.distance)
        });
        distances.sum::<u32>()
    });
}

/// Derivation and proof of the misère quotient of Notakto.
#[divan::bench]
fn quotient_of_notakto() -> Quotient {
    Quotient::derive(&Rules::NOTAKTO).expect("a quotient")
}

/// Sums of boards by the quotient, measured per board.
#[divan::bench]
fn sums_of_notakto_boards(bencher: Bencher<'_, '_>) {
    let quotient = Quotient::derive(&Rules::NOTAKTO).expect("a quotient");
    let boards: Vec<SquareSet> = (0..100_000).map(|i| SquareSet::from_bits(i * 7919 % 512)).collect();
    bencher.counter(ItemsCount::new(boards.len())).bench(|| quotient.total(black_box(&boards)));
}

/// Returns the positions within four moves of the start.
fn some_positions(rules: Rules) -> Vec<Position> {
    let mut positions = vec![Position::start(&rules).expect("one board")];
    let mut layer = positions.clone();
    for _ in 0..4 {
        let after = |position: &Position| {
            position.moves().map(|mv| position.after(mv).expect("a legal move")).collect::<Vec<_>>()
        };
        layer = layer.iter().flat_map(after).collect();
        positions.extend(&layer);
    }
    positions
}
