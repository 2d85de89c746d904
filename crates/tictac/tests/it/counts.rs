//! Counts of positions and games, compared with the table of exact counts.

use std::collections::HashMap;

use tictac::{Boards, Outcome, Player, Position, Rules, State, Status, perft};

use crate::corpus::{reachable, table};

const COUNTS: &str = include_str!("../../../../games/counts.csv");

#[test]
fn two_boards_of_notakto_have_the_positions_and_games_that_are_known() {
    let (rules, expected) = table(COUNTS).find(|(rules, _)| rules.n_boards() == 2).unwrap();
    let mut layer = HashMap::from([(Boards::start(&rules).unwrap(), 1u64)]);
    let (mut positions, mut classes, mut won) = (0, 0, HashMap::<Player, u64>::new());
    let mut canonical_seen = std::collections::HashSet::new();
    while !layer.is_empty() {
        let mut next: HashMap<Boards, u64> = HashMap::new();
        positions += layer.len();
        for (boards, games) in layer {
            classes += usize::from(canonical_seen.insert(boards.canonical()));
            assert!(boards.canonical().status() == boards.status());
            if let Status::Over(Outcome::Win(player)) = boards.status() {
                *won.entry(player).or_default() += games;
            }
            for mv in boards.moves() {
                *next.entry(boards.after(mv).unwrap()).or_default() += games;
            }
        }
        layer = next;
    }
    let games = won[&Player::First] + won[&Player::Second];
    let counted = [positions as u64, classes as u64, 0, games, won[&Player::First], won[&Player::Second]];
    for (column, counted) in counted.iter().enumerate().filter(|&(column, _)| column != 2) {
        assert_eq!(counted.to_string(), expected[column]);
    }
}

#[test]
fn perft_of_tic_tac_toe_matches_the_well_known_counts() {
    let expected = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
    for (depth, expected) in (0..).zip(expected) {
        assert_eq!(perft(&State::default(), depth), expected, "depth {depth}");
    }
}

#[test]
fn positions_by_ply_match_the_well_known_counts() {
    let mut by_ply = [0; 10];
    let mut classes = vec![std::collections::HashSet::new(); 10];
    for position in reachable(Rules::CLASSIC) {
        by_ply[position.n_moves()] += 1;
        classes[position.n_moves()].insert(position.canonical());
        assert!(position.canonical().status() == position.status());
    }
    assert_eq!(by_ply, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    let classes: Vec<usize> = classes.iter().map(std::collections::HashSet::len).collect();
    assert_eq!(classes, [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
}

#[test]
fn games_by_length_match_the_well_known_counts() {
    fn count(position: &Position, by_length: &mut [u64; 10]) {
        if let Status::Over(_) = position.status() {
            by_length[position.n_moves()] += 1;
        }
        position.moves().for_each(|mv| count(&position.after(mv).unwrap(), by_length));
    }
    let mut by_length = [0; 10];
    count(&Position::default(), &mut by_length);
    assert_eq!(by_length, [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872]);
}
