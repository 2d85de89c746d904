//! The computer in `tictactoe`, against every possible sequence of replies.

use tictac::{Outcome, Player, Rules, Status};
use tictac_programs::computer::{ComputerSides, Sides};
use tictac_programs::tictactoe::{TictactoeSession, Tokens};
use tictac_programs::{Dialogue, Progress};

use crate::program::{GameProgram, output_of, run_program};

/// Plays every reply to the computer's moves and returns how often the computer won.
fn count_wins(session: &TictactoeSession, side: Player) -> usize {
    let mut n_wins = 0;
    for mv in session.position().moves() {
        let mut next = session.clone();
        let grid = Rules::CLASSIC.grid();
        let mut progress = Progress::NeedsInput;
        let mut out = Vec::new();
        for byte in format!("{} {}\n", grid.row(mv.square) + 1, grid.column(mv.square) + 1).bytes() {
            progress = next.push(byte, &mut out);
        }
        match (next.position().status(), progress) {
            (Status::Over(Outcome::Win(winner)), _) => {
                assert_eq!(winner, side, "{}", String::from_utf8_lossy(&out));
                n_wins += 1;
            }
            (_, Progress::Done(_)) => {}
            _ => n_wins += count_wins(&next, side),
        }
    }
    n_wins
}

#[test]
fn the_computer_never_loses_and_punishes_mistakes() {
    for side in Player::BOTH {
        for seed in 0..20 {
            let computer = ComputerSides::new(Sides::One(side), fastrand::Rng::with_seed(seed));
            let mut session = TictactoeSession::new(Tokens::default(), "", computer).unwrap();
            session.start(&mut Vec::new());
            assert!(count_wins(&session, side) > 0, "{side:?}, seed {seed}");
        }
    }
}

#[test]
fn the_computer_wins_the_fastest_way() {
    for seed in 0..20_u32 {
        let seed = seed.to_string();
        let arguments = ["--board", "XX-OO----", "--computer", "X", "--seed", &seed];
        let (stdout, _) = output_of(&run_program(GameProgram::Tictactoe, &arguments, b""));
        assert!(stdout.contains("X's turn: 1 3\n") && stdout.contains("X wins via Row 1\n"), "{stdout}");
    }
}
