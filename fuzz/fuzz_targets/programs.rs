//! `cargo fuzz run -s none programs`: the five programs never panic, whatever their input.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tictac_programs::computer::Computer;
use tictac_programs::{converse, game_check, lab3, move_check, notakto, tictactoe};

fuzz_target!(|bytes: &[u8]| {
    converse(move_check::MoveCheck::default(), bytes);
    converse(game_check::GameCheck::default(), bytes);
    converse(lab3::Session::default(), bytes);
    let tokens = tictactoe::Tokens::default();
    converse(tictactoe::Session::new(tokens, "", Computer::default()).expect("an empty board"), bytes);
    for n_boards in [1, 3] {
        converse(notakto::Session::new(n_boards, Computer::default()).expect("boards"), bytes);
    }
});
