//! Speed of the engine on one core: `cargo xtask bench engine`.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use tictac::notation::{Record, RecordReader, Referee};
use tictac::{Playouts, Position, Rules, State, perft};

fn main() {
    divan::main();
}

const SEVEN_MOVES: &[u8] = b"1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
const COMMENTED: &[u8] =
    b"1 X B2 # the centre\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3 # two ways\n6 O A3\n7 X B1 # won\n";

/// Parsing alone, byte by byte, as the checkers do it.
#[divan::bench(args = ["seven moves", "with comments"])]
fn parse_record(bencher: Bencher<'_, '_>, which: &str) {
    let text = if which == "seven moves" { SEVEN_MOVES } else { COMMENTED };
    bencher.counter(BytesCount::new(text.len())).bench(|| {
        let mut reader = RecordReader::new(&Rules::CLASSIC);
        black_box(text).iter().filter_map(|&byte| reader.push(byte).expect("a good record")).count()
    });
}

/// Parsing and judging, without keeping the game.
#[divan::bench]
fn judge_record(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SEVEN_MOVES.len())).bench(|| {
        let mut reader = RecordReader::new(&Rules::CLASSIC);
        let mut referee = Referee::new(&Rules::CLASSIC);
        for &byte in black_box(SEVEN_MOVES) {
            if let Some(entry) = reader.push(byte).expect("a good record") {
                referee.judge(entry).expect("a legal game");
            }
        }
        referee.status()
    });
}

/// Parsing a record into a game with its history.
#[divan::bench]
fn record_to_game(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SEVEN_MOVES.len())).bench(|| {
        let record = Record::parse(black_box(SEVEN_MOVES), &Rules::CLASSIC).expect("a good record");
        record.game().expect("a legal game").status()
    });
}

/// All 255,168 games of tic-tac-toe, one item per leaf.
#[divan::bench(sample_count = 20)]
fn perft_3x3_depth_9(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(127_872u64)).bench(|| perft(black_box(&State::default()), 9));
}

/// Uniform random games to the end, one item per game.
#[divan::bench(args = ["3,3,3", "3,3,3 wild", "notakto", "4,4,4", "8,8,5"])]
fn playouts(bencher: Bencher<'_, '_>, rules: &str) {
    const N: u64 = 100_000;
    let mut playouts = Playouts::new(Position::start(&rules.parse().expect("rules")).expect("one board"));
    let mut random = random();
    bencher.counter(ItemsCount::new(N)).bench_local(move || playouts.run(N, &mut random));
}

/// Whether a line can still be completed, for the empty board (quick) and near the end.
#[divan::bench(args = [".../.../... X", "XO./OXX/.XO O"])]
fn is_dead(bencher: Bencher<'_, '_>, text: &str) {
    let position = Position::parse(text, &Rules::CLASSIC).expect("a position");
    bencher.bench(|| black_box(&position).is_dead());
}

/// A random number generator that is good enough for statistics and too fast to affect the measurement.
fn random() -> impl FnMut() -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move || {
        state = state.wrapping_add(0xA076_1D64_78BD_642F);
        let wide = u128::from(state) * u128::from(state ^ 0xE703_7ED1_A0B4_28DB);
        (wide >> 64) as u64 ^ wide as u64
    }
}
