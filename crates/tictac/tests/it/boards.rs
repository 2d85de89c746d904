//! Boards that are not ordinary: marks that drop, joined edges, layers, shapes, exact lines and missing squares.

use std::collections::{BTreeSet, HashSet};

use tictac::notation::{Code, Fault, Record};
use tictac::{
    BoardEdges, IllegalMove, Line, Outcome, Playouts, Position, Rules, RunLength, Square, SquareSet, State,
    Status, perft,
};

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Lines found by walking over coordinates, in every direction, from every square.
fn walked_lines(rules: &Rules) -> BTreeSet<SquareSet> {
    let (grid, edges, k) = (rules.grid(), rules.lines().edges(), rules.line_length());
    let sizes = [grid.columns(), grid.rows_per_layer(), grid.layers()].map(usize::cast_signed);
    let joined = [edges.join_columns(), edges.join_rows(), false];
    let mut lines = BTreeSet::new();
    for start in grid.squares() {
        let row = grid.row(start).cast_signed();
        let place = [grid.column(start).cast_signed(), row % sizes[1], row / sizes[1]];
        for direction in 0..27 {
            let vector = [direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1];
            let at = |step: isize| {
                let mut place = place;
                for axis in 0..3 {
                    place[axis] += step * vector[axis];
                    if joined[axis] {
                        place[axis] = place[axis].rem_euclid(sizes[axis]);
                    }
                    if !(0..sizes[axis]).contains(&place[axis]) {
                        return None;
                    }
                }
                grid.square((place[2] * sizes[1] + place[1]).cast_unsigned(), place[0].cast_unsigned())
            };
            let squares: Option<SquareSet> = (0..k.cast_signed()).map(at).collect();
            lines.extend(squares.filter(|squares| squares.len() == k && squares.is_subset(rules.squares())));
        }
    }
    lines
}

const STRAIGHT: [&str; 16] = [
    "3,3,3",
    "6,7,4 drop",
    "3,3,3 torus",
    "4,5,3 torus",
    "3,5,5 torus",
    "2,2,2 torus",
    "4,4,3 cylinder",
    "3,6,3 cylinder drop",
    "4,3,3 tube",
    "4x4x4,4",
    "3x3x3,3",
    "3x4x2,3",
    "2x2x2,2 drop",
    "5,5,4 without=C3",
    "4,4,3 exact",
    "3,4,3 cylinder exact",
];

#[test]
fn lines_are_those_that_a_walk_over_the_board_finds() {
    for text in STRAIGHT {
        let rules = rules(text);
        let found: Vec<SquareSet> = rules.lines().possible_in(rules.squares()).map(Line::squares).collect();
        let distinct: BTreeSet<SquareSet> = found.iter().copied().collect();
        assert_eq!(distinct.len(), found.len(), "{text}: each line is listed once");
        assert_eq!(distinct, walked_lines(&rules), "{text}");
        for line in rules.lines().possible_in(rules.squares()) {
            assert_eq!(rules.lines().path(line).collect::<SquareSet>(), line.squares(), "{text}");
        }
    }
}

#[test]
fn published_numbers_of_lines() {
    let count = |text: &str| rules(text).lines().possible_in(rules(text).squares()).count();
    assert_eq!(count("3,3,3 torus"), 12);
    assert_eq!(count("qubic"), 76);
    assert_eq!(count("connect-four"), 69);
    assert_eq!(count("3x3x3,3"), 49);
    assert_eq!(count("4,4,4 shape=fatty"), 9);
    assert_eq!(count("4,4,3 shape=el"), 36);
    assert_eq!(count("4,4,3 shape=el torus"), 64);
}

#[test]
fn a_set_has_a_line_exactly_if_a_walk_finds_one() {
    for text in STRAIGHT {
        let rules = rules(text);
        let walked = walked_lines(&rules);
        let mut bits = 0x2545_F491_4F6C_DD1D_u64;
        for round in 0..300 {
            bits = bits.rotate_left(11).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            let set = SquareSet::from_bits(if round % 2 == 0 { bits } else { bits | (bits >> 17) })
                & rules.squares();
            let lines = rules.lines().possible_in(rules.squares());
            let is_exact = rules.lines().run_length() == RunLength::Exactly;
            let expected = if is_exact {
                let mut lines = lines.filter(|line| line.squares().is_subset(set));
                lines.any(|line| rules.lines().ends(line).is_disjoint(set))
            } else {
                walked.iter().any(|line| line.is_subset(set))
            };
            assert_eq!(rules.lines().any_in(set), expected, "{text}: {set:?}");
            assert_eq!(rules.lines().all_in(set).next().is_some(), expected, "{text}: {set:?}");
        }
    }
}

#[test]
fn five_in_a_row_are_no_line_where_exactly_four_count() {
    let run = |n: usize| (0..n).filter_map(Square::new).collect::<SquareSet>();
    assert!(rules("6,6,4 exact").lines().any_in(run(4)));
    assert!(!rules("6,6,4 exact").lines().any_in(run(5)));
    assert!(rules("6,6,4").lines().any_in(run(5)));
    assert!(rules("4,4,4 torus exact").lines().any_in(run(4)), "a row that goes round has no ends");
}

/// Legal squares and ends of games by a second implementation, on boards of rows of characters.
fn naive_count(rules: &Rules, lines: &[SquareSet], sets: [SquareSet; 2], depth: u32) -> u64 {
    let occupied = sets[0] | sets[1];
    if lines.iter().any(|line| line.is_subset(sets[1])) {
        return u64::from(depth == 0);
    }
    if depth == 0 {
        return 1;
    }
    let grid = rules.grid();
    let fall = if grid.layers() > 1 { grid.rows_per_layer() } else { 1 };
    let is_free = |row: usize, column: usize| {
        grid.square(row, column)
            .is_some_and(|square| rules.squares().contains(square) && !occupied.contains(square))
    };
    let playable = grid.squares().iter().filter(|&square| {
        let (row, column) = (grid.row(square), grid.column(square));
        is_free(row, column) && (rules.plays_anywhere() || !is_free(row + fall, column))
    });
    playable.map(|square| naive_count(rules, lines, [sets[1], sets[0].with(square)], depth - 1)).sum()
}

#[test]
fn move_sequences_are_counted_as_by_a_naive_program() {
    for (text, depth) in [
        ("4,4,3 drop", 7),
        ("3,3,3 torus", 6),
        ("2x2x2,2 drop", 6),
        ("3x3x3,3", 4),
        ("3x3x3,3 drop", 5),
        ("3,4,3 cylinder drop", 8),
        ("4,4,3 without=B2,D4 drop", 7),
        ("3,3,3 without=B2", 8),
        ("4,4,4 shape=fatty", 5),
    ] {
        let rules = rules(text);
        let lines: Vec<SquareSet> = rules.lines().possible_in(rules.squares()).map(Line::squares).collect();
        for depth in 1..=depth {
            let expected = naive_count(&rules, &lines, [SquareSet::EMPTY; 2], depth);
            assert_eq!(perft(&State::start(&rules), depth), expected, "{text} at {depth}");
        }
    }
}

fn n_positions(text: &str) -> usize {
    let mut layer = HashSet::from([Position::start(&rules(text)).unwrap()]);
    let mut n = 0;
    while !layer.is_empty() {
        n += layer.len();
        layer = layer
            .iter()
            .flat_map(|position| position.moves().map(|mv| position.after(mv).unwrap()))
            .collect();
    }
    n
}

#[test]
fn connect_four_on_four_by_four_has_the_published_number_of_positions() {
    assert_eq!(n_positions("4,4,4 drop"), 161_029);
}

#[test]
fn tic_tac_toe_on_a_torus_is_never_drawn() {
    let mut positions = vec![Position::start(&rules("3,3,3 torus")).unwrap()];
    let mut seen = HashSet::new();
    while let Some(position) = positions.pop() {
        assert_ne!(position.status(), Status::Over(Outcome::Draw));
        let next = position.moves().map(|mv| position.after(mv).unwrap());
        positions.extend(next.filter(|after| seen.insert(*after)));
    }
}

#[test]
fn a_mark_that_would_float_is_refused_with_the_square_on_which_it_lands() {
    let connect_four = rules("connect-four");
    let record = Record::parse("1 X F4\n2 O D4\n", &connect_four).unwrap();
    let error = record.game().unwrap_err();
    assert_eq!((error.line, error.at), (2, 4));
    assert_eq!(error.to_string(), "line 2, column 5: a mark does not stay on D4: it drops to E4");
    let tictac::notation::EntryError::Illegal(illegal) = error.reason else { panic!("{error}") };
    assert!(matches!(illegal, IllegalMove::NotLowest { .. }));
    assert_eq!(Fault::from(illegal).code, Code::NotLowest);
    let game = Record::parse("1 X F4\n2 O E4\n", &connect_four).unwrap().game().unwrap();
    assert_eq!(game.to_string().parse(), Ok(game.clone()));
    assert_eq!(Code::NotLowest.name(), "E0208");
}

#[test]
fn a_missing_square_is_refused_by_name() {
    let rules = rules("3,3,3 without=B2");
    let mut state = State::start(&rules);
    let error = state.play(state.parse_move("B2").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "the board has no square B2");
    assert_eq!(state.to_string(), ".../.#./... X");
    assert_eq!(State::parse(".../.#./... X", &rules).as_ref(), Ok(&state));
    assert!(State::parse(".../.../... X", &rules).is_err());
    assert_eq!(rules.max_moves(), 8);
}

#[test]
fn positions_that_no_order_of_moves_reaches_are_refused() {
    let refused =
        |text: &str, position: &str| Position::parse(position, &rules(text)).unwrap_err().to_string();
    assert_eq!(
        refused("4,4,4 drop", "..../..../X.../O... X"),
        "the marks cannot have been written in turns without breaking a rule on the way"
    );
    assert_eq!(
        refused("4,4,4 drop", "..../X.../..../.O.. X"),
        "the mark on B1 is above an empty square, but marks drop"
    );
    assert!(Position::parse("..../..../O.../X... X", &rules("4,4,4 drop")).is_ok());
    for text in [
        "6,7,4 drop",
        "6,7,4 drop misere",
        "8,8,8 drop",
        "4x4x4,4 drop",
        "4,4,3 exact",
        "3,3,3 torus",
        "5,5,4 without=C3 drop misere",
    ] {
        for seed in 0..40 {
            let mut position = Position::start(&rules(text)).unwrap();
            let mut random: u64 = seed;
            while let Some(mv) = {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let moves: Vec<_> = position.moves().collect();
                moves.get((random >> 33) as usize % moves.len().max(1)).copied()
            } {
                position.play(mv).unwrap();
                assert_eq!(Position::parse(&position.to_string(), &rules(text)), Ok(position), "{text}");
            }
        }
    }
}

#[test]
fn marks_land_on_the_lowest_free_square() {
    let score_four = rules("score-four");
    let start = Position::start(&score_four).unwrap();
    let bottom: SquareSet = (48..64).filter_map(Square::new).collect();
    assert_eq!(start.playable_squares(), bottom);
    let top = Square::new(5).unwrap();
    assert_eq!(score_four.landing_square(top, SquareSet::EMPTY), Square::new(53));
    assert_eq!(score_four.landing_square(top, bottom), Square::new(37));
    assert_eq!(score_four.column_of(top).len(), 4);
    let with_hole = rules("4,4,3 drop without=C2");
    let square = with_hole.landing_square(Square::new(1).unwrap(), SquareSet::EMPTY);
    assert_eq!(square, Square::new(5), "a missing square carries marks");
}

#[test]
fn a_dropping_game_is_dead_when_no_order_of_moves_completes_a_line() {
    let text = "4,4,4 drop";
    let mut alive = 0;
    let mut dead = 0;
    let mut positions = vec![Position::start(&rules(text)).unwrap()];
    let mut random = 1_u64;
    for _ in 0..400 {
        let mut position = positions[0];
        while let Status::ToMove(_) = position.status() {
            let moves: Vec<_> = position.moves().collect();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(moves[(random >> 33) as usize % moves.len()]).unwrap();
            if position.empty_squares().len() == 6
                && position.status() == Status::ToMove(position.next_player())
            {
                positions.push(position);
            }
        }
    }
    for position in &positions[1..] {
        let can_win = leads_to_line(position);
        assert_eq!(position.is_dead(), !can_win, "{position}");
        if can_win { alive += 1 } else { dead += 1 }
    }
    assert!(alive > 5 && dead > 1, "{alive} {dead}");
}

fn leads_to_line(position: &Position) -> bool {
    matches!(position.status(), Status::Over(Outcome::Win(_)))
        || position.moves().any(|mv| leads_to_line(&position.after(mv).unwrap()))
}

#[test]
fn playouts_follow_the_rules() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ (state >> 31)
    };
    let torus = Playouts::new(Position::start(&rules("3,3,3 torus")).unwrap()).run(2000, &mut random);
    assert_eq!((torus.games(), torus.drawn), (2000, 0));
    let connect_four =
        Playouts::new(Position::start(&rules("connect-four")).unwrap()).run(20_000, &mut random);
    // The first player wins 55.5 % of random games, and 0.26 % are drawn.
    let first = connect_four.first_wins as f64 / 20_000.0;
    assert!((0.54..0.575).contains(&first) && connect_four.drawn < 120, "{connect_four:?}");
}

#[test]
fn rules_that_have_no_meaning_are_refused_with_a_reason() {
    for (text, reason) in [
        ("4,4,4 drop torus", "there is no lowest square"),
        ("4,4,4 tube drop", "there is no lowest square"),
        ("4x4x4,4 torus", "a torus has one layer"),
        ("4,4,4 shape=fatty exact", "a shape has none"),
        ("4x4x2,4 shape=fatty", "one layer"),
        ("3,3,3 without=A1,B2,C3,A3,C1,B1", "no line fits"),
        ("3,3,3 shape=fatty", "write 3,3,4"),
        ("3,3,3 without=A1,A1", "twice"),
        ("3,3,3 without=D1", "row letter"),
        ("4x4x5,4", "1 to 64 squares"),
        ("4,4,4 torus cylinder", "contradicts"),
        ("4,4,4 drop drop", "given twice"),
        ("shape=XYZ", "not a shape"),
        ("2,2,3 shape=XXX", "no line fits"),
        ("cyclinder", "did you mean cylinder"),
    ] {
        let error = text.parse::<Rules>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert_eq!(rules("torus").lines().edges(), BoardEdges::Torus);
    assert_eq!(rules("4,4,4 drop x-only boards=2").n_boards(), 2);
}

#[test]
fn a_position_fits_into_a_few_words() {
    assert!(size_of::<Position>() <= 80, "{}", size_of::<Position>());
}
