//! Random games are uniform: in every variant, the shares of results match the exact ones.

use tictac::{Playouts, Position, Rules, Tally};

/// The generator `SplitMix64`, so that the test draws the same games every time.
fn random(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// The exact shares (first, second, drawn) and mean length under uniform play.
fn exact(position: &Position) -> [f64; 4] {
    use tictac::{Outcome, Player, Status};
    match position.status() {
        Status::Over(Outcome::Win(Player::First)) => [1.0, 0.0, 0.0, 0.0],
        Status::Over(Outcome::Win(Player::Second)) => [0.0, 1.0, 0.0, 0.0],
        Status::Over(Outcome::Draw) => [0.0, 0.0, 1.0, 0.0],
        Status::ToMove(_) => {
            let after: Vec<_> = position.moves().map(|mv| exact(&position.after(mv).unwrap())).collect();
            let mut mean = [0.0, 0.0, 0.0, 1.0];
            for shares in &after {
                for (mean, share) in mean.iter_mut().zip(shares) {
                    *mean += share / after.len() as f64;
                }
            }
            mean
        }
    }
}

#[track_caller]
fn check(tally: &Tally, [first, second, drawn, length]: [f64; 4]) {
    let n = tally.games() as f64;
    // Five standard deviations of a share; of the mean length, whose deviation is below 3.
    let near = |count: u64, share: f64| {
        (count as f64 / n - share).abs() <= 5.0 * (share * (1.0 - share) / n).sqrt() + 1e-12
    };
    assert!(near(tally.first_wins, first), "{tally:?}, first {first}");
    assert!(near(tally.second_wins, second), "{tally:?}, second {second}");
    assert!(near(tally.drawn, drawn), "{tally:?}, drawn {drawn}");
    assert!((tally.moves as f64 / n - length).abs() <= 15.0 / n.sqrt(), "{tally:?}, length {length}");
}

#[test]
fn tic_tac_toe_has_the_exact_shares() {
    let expected = [737.0 / 1260.0, 121.0 / 420.0, 8.0 / 63.0, 3203.0 / 420.0];
    let tally = Playouts::new(Position::default()).run(2_000_001, &mut random(1));
    assert_eq!(tally.games(), 2_000_001);
    check(&tally, expected);
}

#[test]
fn every_variant_has_the_exact_shares_from_positions_on_the_way() {
    for (rules, text) in [
        ("misere", "X.O/.X./... O"),
        ("wild", "X.O/.O./..X 1"),
        ("wild misere", "X.O/.../..X 2"),
        ("notakto", "X../.../.X. 1"),
        ("3,3,3 x-only", "X../.../... 2"),
        ("4,4,3", "XO.O/.X.O/O..X/XOX. O"),
        ("4,4,4 wild", "XO.O/.X.O/O..X/XOXX 2"),
        ("4,4,4 x-only misere", "X.../.XX./...X/.X.. 2"),
    ] {
        let rules: Rules = rules.parse().unwrap();
        let Ok(position) = Position::parse(text, &rules) else { panic!("{rules}: {text}") };
        let tally = Playouts::new(position).run(200_000, &mut random(2));
        check(&tally, exact(&position));
    }
}

#[test]
fn large_grids_and_finished_games_are_supported() {
    let large = Position::start(&"8,8,5".parse().unwrap()).unwrap();
    assert_eq!(Playouts::new(large).run(1000, &mut random(3)).games(), 1000);
    let over = Position::parse("XXX/OO./... O", &Rules::CLASSIC).unwrap();
    assert_eq!(Playouts::new(over).run(1000, &mut random(4)), Tally::default());
}
