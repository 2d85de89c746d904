//! Cases for `game-check`. Each input determines the requirement that it tests.

use fastrand::Rng;
use tictac::{Rules, Square, Status};

use super::move_check::{hostile, single_lines, square_name};
use super::mutate::{ALPHABET, mutated, neighbours};
use super::{games, line_forms};
use crate::assignment::CourseProgram;
use crate::case::Case;
use crate::judge::checkers::suspects;

const PLAYERS: [char; 2] = ['X', 'O'];

/// Positions in which every rule is broken in turn, besides all positions after at most two moves.
const N_BROKEN_POSITIONS: usize = 250;
/// Positions in which several rules are broken at once, and as many finished games with more lines.
const N_FAULTY: usize = 40;
/// Whole games with a few bytes changed at random.
const N_MUTATED: usize = 800;

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let mut inputs: Vec<Vec<u8>> = vec![Vec::new(), b"\n".to_vec(), b"\n\n".to_vec()];
    inputs.extend(single_lines());
    inputs.extend(second_lines());
    inputs.extend(games::to_every_line().iter().flat_map(|(_, game)| variants(game, rng)));
    inputs.extend(several_errors());
    let games = games::to_every_position(Rules::CLASSIC, rng);
    let (short, long): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.len() <= 2);
    let sample = rng.choose_multiple(long, N_BROKEN_POSITIONS);
    inputs.extend(short.into_iter().chain(sample).flat_map(|game| one_rule_broken(game)));
    inputs.extend(games.iter().map(|game| record(game, players(rng))));
    inputs.extend(games.iter().filter(|game| is_over(game)).map(|game| with_line_after_end(game, rng)));
    inputs.extend(late_forms());
    inputs.extend(several_faults(&games, rng));
    inputs.extend(neighbours(b"1 O B2\n2 X c3 # d\n", ALPHABET));
    for _ in 0..N_MUTATED {
        let game = games::random(Rules::CLASSIC, rng);
        inputs.push(mutated(&record(&game, PLAYERS), rng));
    }
    inputs.extend(hostile());
    inputs.extend(hostile_games());
    inputs
        .into_iter()
        .map(|input| Case::new(suspects(CourseProgram::GameCheck.assignment(), &input)[0], input))
        .collect()
}

/// Returns the players in the order of their moves: either may move first.
fn players(rng: &mut Rng) -> [char; 2] {
    *rng.choice(&[PLAYERS, ['O', 'X']]).expect("two orders")
}

fn is_over(game: &[Square]) -> bool {
    matches!(games::position(Rules::CLASSIC, game).status(), Status::Over(_))
}

/// Returns records in which the second of three lines has every form and many lengths. Longer lines must not change what
/// is read after them.
fn second_lines() -> Vec<Vec<u8>> {
    let mut lines = line_forms::with_one_form(["2", "O", "B", "2"]);
    lines.extend(line_forms::of_many_lengths("2 O B2"));
    lines.iter().map(|line| super::text(["1 X A1", line, "3 X C3"])).collect()
}

fn record(game: &[Square], players: [char; 2]) -> Vec<u8> {
    super::text(game.iter().enumerate().map(|(at, square)| line(at + 1, players[at % 2], *square)))
}

fn line(number: usize, player: char, square: Square) -> String {
    format!("{number} {player} {}", square_name(square))
}

/// Returns a game in different notations, and with one more line after its end.
fn variants(game: &[Square], rng: &mut Rng) -> Vec<Vec<u8>> {
    let plain = record(game, PLAYERS);
    let text = String::from_utf8_lossy(&plain).into_owned();
    vec![
        plain.clone(),
        record(game, ['O', 'X']),
        text.trim_end().into(),
        text.to_lowercase().into(),
        with_mixed_case(&text, rng),
        with_mixed_case(&text, rng),
        text.replace('\n', "\r\n").into(),
        text.replace('\n', " # well played\n").into(),
        text.replace(' ', "\t ").into(),
        format!("{text}{}\n", line(game.len() + 1, PLAYERS[game.len() % 2], free_square(game))).into(),
        format!("{text}nonsense\n").into(),
        format!("{text}\n").into(),
    ]
}

fn with_mixed_case(text: &str, rng: &mut Rng) -> Vec<u8> {
    text.bytes().map(|byte| if rng.bool() { byte.to_ascii_lowercase() } else { byte }).collect()
}

/// Returns the first free square, or A1 if there is none.
fn free_square(game: &[Square]) -> Square {
    let squares = || Rules::CLASSIC.squares().iter();
    squares().find(|square| !game.contains(square)).or(squares().next()).expect("a board has squares")
}

/// Returns an unfinished game, followed by each kind of line that breaks exactly one rule.
fn one_rule_broken(game: &[Square]) -> Vec<Vec<u8>> {
    let position = games::position(Rules::CLASSIC, game);
    if !matches!(position.status(), Status::ToMove(_)) {
        return Vec::new();
    }
    let before = record(game, PLAYERS);
    let (number, player) = (game.len() + 1, PLAYERS[game.len() % 2]);
    let other = if player == 'X' { 'O' } else { 'X' };
    let free = free_square(game);
    let mut lines = vec![line(number + 1, player, free), line(9, player, free)];
    if number > 1 {
        lines.push(line(number, other, free));
        lines.push(line(number - 1, player, free));
        lines.push(line(1, player, free));
        lines.extend(game.iter().map(|&taken| line(number, player, taken)));
    }
    lines.into_iter().map(|line| [&before[..], line.as_bytes(), b"\n"].concat()).collect()
}

/// Returns records with several errors, of which the first must be reported.
fn several_errors() -> Vec<Vec<u8>> {
    let good = "1 X A1\n2 O B2\n3 X A2\n4 O C2\n";
    [
        format!("{good}5 X A1\nnonsense\n"),
        format!("{good}nonsense\n5 X A1\n"),
        format!("{good}6 X A3\nnonsense\n"),
        format!("{good}5 O A3\nnonsense\n"),
        format!("{good}5 X A3\n6 O C3\nnonsense\n"),
        format!("{good}5 X A3\nnonsense\n6 O C3\n"),
        format!("{good}5 X A3\n6 O C9\n"),
        format!("{good}5 X A3\n\n"),
        format!("{good}5 X A9\n6 O A1\n"),
        format!("{good}5 X A1\n5 X A3\n"),
        "2 X A1\nnonsense\n".to_owned(),
        "nonsense\n2 X A1\n".to_owned(),
        "1 X A1\n2 X A1\n3 Q\n".to_owned(),
        "1 X A1\n\n2 O B2\n".to_owned(),
        "\n1 X A1\n".to_owned(),
        "1 X A1\n2 O B2\n\n".to_owned(),
    ]
    .into_iter()
    .map(Into::into)
    .collect()
}

/// Returns a finished game with one more line.
fn with_line_after_end(game: &[Square], rng: &mut Rng) -> Vec<u8> {
    let players = players(rng);
    let next = line((game.len() + 1).min(9), players[game.len() % 2], free_square(game));
    let tail = match rng.u8(..4) {
        0 => "nonsense\n".to_owned(),
        1 => format!("{next} # again\n"),
        _ => format!("{next}\n"),
    };
    [&record(game, players)[..], tail.as_bytes()].concat()
}

/// Returns a whole game in which the fifth or the last line has every form.
fn late_forms() -> Vec<Vec<u8>> {
    let game = ["1 X A1", "2 O B2", "3 X C3", "4 O A2", "5 X C2", "6 O C1", "7 X A3", "8 O B3", "9 X B1"];
    let mut inputs = Vec::new();
    for (at, plain) in [(4, ["5", "X", "C", "2"]), (8, ["9", "X", "B", "1"])] {
        for line in line_forms::with_one_form(plain) {
            let mut lines = game.map(str::to_owned);
            lines[at] = line;
            inputs.push(super::text(lines));
        }
    }
    inputs
}

/// Returns games followed by a line that breaks several rules at once, or by any line after the end of the game; sometimes more lines
/// follow. The smallest number of moves is four: early lines are tried elsewhere.
fn several_faults(games: &[Vec<Square>], rng: &mut Rng) -> Vec<Vec<u8>> {
    let (over, open): (Vec<_>, Vec<_>) =
        games.iter().filter(|game| game.len() >= 4).partition(|game| is_over(game));
    let full = over.iter().filter(|game| game.len() == 9).copied().collect::<Vec<_>>();
    let sample = [(open, N_FAULTY), (over, N_FAULTY / 2), (full, N_FAULTY / 2)];
    let sample = sample.into_iter().flat_map(|(games, n)| rng.choose_multiple(games, n)).collect::<Vec<_>>();
    let mut inputs = Vec::new();
    for game in sample {
        let next = game.len() + 1;
        let numbers = [next, next + 1, next - 1, next - 2, 1, 8, 9].into_iter().filter(|number| *number <= 9);
        let squares = [free_square(game), game[0], game[game.len() - 1]];
        for number in numbers {
            for (player, square) in
                PLAYERS.into_iter().flat_map(|player| squares.map(|square| (player, square)))
            {
                let is_wrong = [number != next, player != PLAYERS[game.len() % 2], game.contains(&square)];
                if is_over(game) || is_wrong.iter().filter(|wrong| **wrong).count() > 1 {
                    let more = ["", "", "nonsense\n", "1 X A1\n"][rng.usize(..4)];
                    let line = line(number, player, square);
                    inputs.push([&record(game, PLAYERS)[..], format!("{line}\n{more}").as_bytes()].concat());
                }
            }
        }
    }
    inputs
}

fn hostile_games() -> Vec<Vec<u8>> {
    let won = "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n";
    vec![
        "1 X A1\n".repeat(20_000).into_bytes(),
        "\n".repeat(50_000).into_bytes(),
        [won.as_bytes(), &vec![b'x'; 70_000]].concat(),
        format!("{won}{}", "6 O C1\n".repeat(10_000)).into_bytes(),
        format!("1 X A1 # {}\n2 O B2\n", "c".repeat(1_000_000)).into_bytes(),
    ]
}
