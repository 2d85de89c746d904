//! `cargo xtask fuzz --only programs`: the five programs never panic, whatever their input.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tictac_programs::computer::ComputerSides;
use tictac_programs::{game_check, lab3, move_check, notakto, run_on_bytes, tictactoe};

fuzz_target!(|bytes: &[u8]| {
    run_on_bytes(move_check::MoveCheck::default(), bytes);
    run_on_bytes(game_check::GameCheck::default(), bytes);
    run_on_bytes(lab3::Lab3Session::default(), bytes);
    let tokens = tictactoe::Tokens::default();
    run_on_bytes(
        tictactoe::TictactoeSession::new(tokens, "", ComputerSides::default()).expect("an empty board"),
        bytes,
    );
    for n_boards in [1, 3] {
        run_on_bytes(
            notakto::NotaktoSession::new(n_boards, ComputerSides::default()).expect("boards"),
            bytes,
        );
    }
});
