//! One game of an archive, read only as far as it is needed.

use std::io::{self, BufReader, Read};

use tictac::Rules;
use tictac_archive::{FollowedGame, decompress, follow_game};

/// A reader that fails if anything after its text is read, like a user who has not typed more.
struct Typed(&'static [u8]);

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("read too far")) } else { self.0.read(buffer) }
    }
}

/// Returns the rules and the number of moves, the place and code of the fault, or the number of games.
fn follow(input: impl Read, number: u64, n_moves: Option<u32>) -> String {
    match follow_game(BufReader::new(input), &Rules::CLASSIC, number, n_moves).unwrap() {
        FollowedGame::Legal { rules, referee } => format!("{rules}: {} moves", referee.n_accepted()),
        FollowedGame::Faulty(fault) => format!("{}:{} {}", fault.line, fault.column, fault.fault.code),
        FollowedGame::Missing { n_games } => format!("{n_games} games"),
    }
}

#[test]
fn nothing_is_read_after_the_last_move_that_is_wanted() {
    assert_eq!(follow(Typed(b"1 X B2\n2 O C2\n"), 1, Some(2)), "3,3,3: 2 moves");
    assert_eq!(follow(Typed(b"1 X B2\n\n[Rules \"4,4,4\"]\n1"), 2, Some(0)), "4,4,4: 0 moves");
    assert_eq!(follow(Typed(b"1"), 1, Some(0)), "3,3,3: 0 moves");
    assert_eq!(follow(Typed(b"1 X B2\n\n1"), 2, Some(0)), "3,3,3: 0 moves");
    assert_eq!(follow(&b"1 X B2\nnonsense"[..], 1, Some(1)), "3,3,3: 1 moves");
}

#[test]
fn nothing_is_read_after_the_end_of_the_game() {
    assert_eq!(follow(Typed(b"\n1 X B2\n2 O C2\n \t\n"), 1, None), "3,3,3: 2 moves");
    assert_eq!(follow(Typed(b"1 X B2\n\n\n1 X A1\n2 O A1\n\n1 O C3\n\n"), 3, None), "3,3,3: 1 moves");
}

#[test]
fn a_game_without_moves_ends_before_the_tags_of_the_next_one() {
    let text = b"[Rules \"4,4,4\"]\n\n[X \"Ada\"]\n\n1 X B2\n\n[X \"Ada\"]\n\n\n1 X B2\n2 O A1\n";
    for (number, expected) in [
        (1, "4,4,4: 0 moves"),
        (2, "3,3,3: 1 moves"),
        (3, "3,3,3: 0 moves"),
        (4, "3,3,3: 2 moves"),
        (5, "4 games"),
    ] {
        assert_eq!(follow(&text[..], number, None), expected, "{number}");
    }
}

#[test]
fn a_fault_is_returned_before_its_line_ends() {
    assert_eq!(follow(Typed(b"1 X B2\n2 O D"), 1, None), "2:5 E0106");
    assert_eq!(follow(Typed(b"1 X B2\n2 O B2\n"), 1, Some(5)), "2:5 E0207");
    assert_eq!(follow(Typed(b"[Rules \"chess\"]\n"), 1, Some(0)), "1:9 E0302");
    assert_eq!(follow(Typed(b" 1"), 1, None), "1:1 E0101");
}

#[test]
fn faults_of_other_games_and_of_the_result_do_not_matter() {
    let text = &b"nonsense\n\n[Result \"X\"]\n1 X A1\n\nnonsense\n"[..];
    assert_eq!(follow(text, 2, None), "3,3,3: 1 moves");
    assert_eq!(follow(text, 1, None), "1:1 E0101");
    assert_eq!(follow(text, 3, None), "6:1 E0101");
}

#[test]
fn a_missing_game_is_reported_with_the_number_of_games() {
    for (text, n_games) in [(&b"1 X A1\n\n1 X B2"[..], 2), (b" \n", 0)] {
        assert_eq!(follow(text, 0, None), format!("{n_games} games"));
        assert_eq!(follow(text, 3, None), format!("{n_games} games"));
    }
    assert_eq!(follow(&b""[..], 1, None), "3,3,3: 0 moves");
    assert_eq!(follow(&b" \n"[..], 1, Some(0)), "3,3,3: 0 moves");
}

#[test]
fn one_byte_is_enough_to_know_that_a_text_is_not_compressed() {
    let mut text = [0; 1];
    decompress(Typed(b"1")).unwrap().read_exact(&mut text).unwrap();
    assert_eq!(&text, b"1");
    assert!(decompress(Typed(b"\x1F")).is_err(), "the second byte of gzip is needed");
    let mut plain = Vec::new();
    decompress(&b"\x28\xB5 plain"[..]).unwrap().read_to_end(&mut plain).unwrap();
    assert_eq!(plain, b"\x28\xB5 plain");
}
