//! Conversion between notations.

use proptest::prelude::*;
use tictac::Rules;
use tictac_archive::{AnnotatedGame, Conversion, FoundGame, Letters, Losses, Notation};

use crate::rewriting::{self, read, round_trip};
use crate::texts;

const FORMATS: &str = include_str!("../../../../docs/formats.md");

fn notation(name: &str) -> Notation {
    Notation::ALL.into_iter().find(|notation| notation.name() == name).unwrap()
}

fn conversion(from: Option<Notation>, to: Notation) -> Conversion {
    Conversion { from, to, ..Conversion::default() }
}

/// Converts all games; faults are written as their line, column and code.
fn converted(text: &[u8], conversion: &Conversion) -> String {
    let mut out = Vec::new();
    for found in conversion.games(text).unwrap() {
        let found = found.unwrap();
        let mut game = Vec::new();
        if let Err(faults) = conversion.write(&found, &mut game) {
            for fault in faults {
                game.extend(format!("{}:{} {}", fault.line, fault.column, fault.fault.code).bytes());
            }
        }
        if found.report.game > 1 {
            out.extend(conversion.to.separator(&out, &game).bytes());
        }
        out.extend(game);
    }
    String::from_utf8(out).unwrap()
}

/// The rows of the blocks that open with ```` ```vectors convert ````.
fn vectors() -> Vec<Vec<&'static str>> {
    let blocks = FORMATS.split("```vectors convert\n").skip(1);
    blocks
        .flat_map(|block| block.split("```").next().unwrap().lines())
        .map(|row| row.split(" | ").collect())
        .collect()
}

#[test]
fn games_are_converted_as_in_the_vectors() {
    let rows = vectors();
    assert!(rows.len() > 25, "expected more than 25 vectors, found {}", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let [rules, from, text, to, expected] = row[..] else { panic!("{row:?}") };
        let rules: Rules = rules.parse().unwrap();
        let losses = if to.ends_with(" lossy") { Losses::Accepted } else { Losses::Refused };
        let to = notation(to.trim_end_matches(" lossy"));
        let text = text.replace('⏎', "\n");
        for from in [Some(notation(from)), None] {
            let conversion = Conversion { rules, losses, ..conversion(from, to) };
            let found = converted(text.as_bytes(), &conversion);
            let found = found.trim_end().replace('\n', "⏎");
            if found != expected {
                wrong.push(format!("{row:?}\n{from:?} gave {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_bad_game_does_not_affect_the_others() {
    for (from, text) in [
        ("ttt", "1 X A1\n\n1 X A1\n2 O A1\n\n1 X C3\n"),
        ("pgn", "1. P@a3 *\n1. P@a3 P@a3 *\n1. P@c1 *\n"),
        ("at3", "[Grid \"3x3\"]\n1. a1\n[Grid \"3x3\"]\n1. a1 2. a1\n[Grid \"3x3\"]\n1. c3\n"),
        ("xfen", "xfen 3/3/3 x moves 7\nxfen 3/3/3 x moves 7 7\nxfen 3/3/3 x moves 3\n"),
        ("fen", "3/3/3[PPPPPpppp] w - - 0 1 moves P@a3\n3/3/3 w moves P@a3 P@a3\n3/3/3 w moves P@c1\n"),
    ] {
        let found = read(text.as_bytes(), notation(from), Rules::CLASSIC);
        let good: Vec<bool> = found.iter().map(|found| found.game().is_some()).collect();
        assert_eq!(good, [true, false, true], "{from}: {found:?}");
        let codes: Vec<&str> = found[1].report.faults.iter().map(|fault| fault.fault.code.name()).collect();
        assert_eq!(codes, ["E0207"], "{from}");
        assert_eq!(
            (found[0].game(), found[2].report.game),
            (read(b"1 X A1\n", Notation::Ttt, Rules::CLASSIC)[0].game(), 3),
            "{from}"
        );
    }
}

#[test]
fn several_comments_are_joined_and_empty_ones_ignored() {
    let conversion = conversion(Some(Notation::Pgn), Notation::Ttt);
    for (comments, expected) in [
        ("{one} ; two\n", " # one two"),
        ("{one} {}", " # one"),
        ("; one\n;\n", " # one"),
        ("{} {} {one} {} {two} {}", " # one two"),
    ] {
        let text = format!("1. P@a3 {comments} *\n");
        assert_eq!(converted(text.as_bytes(), &conversion), format!("1 X A1{expected}\n"), "{comments}");
        rewriting::convert(text.as_bytes());
    }
}

#[test]
fn letters_may_name_columns_in_a_record() {
    let mut conversion = conversion(Some(Notation::Ttt), Notation::Ttt);
    conversion.letters = Some(Letters::Columns);
    assert_eq!(converted(b"1 X A3\n2 O B1 # on top\n", &conversion), "1 X C1\n2 O A2 # on top\n");
    let wide = b"[Rules \"2,4,2\"]\n1 X D2\n";
    assert_eq!(converted(wide, &conversion), "[Rules \"2,4,2\"]\n[Result \"*\"]\n1 X B4\n");
    conversion.from = Some(Notation::At3);
    conversion.letters = Some(Letters::Rows);
    assert_eq!(converted(b"1. a3 2. b1\n", &conversion), "1 X A3\n2 O B1\n");
    conversion.from = Some(Notation::Pgn);
    assert!(conversion.games(&b"1. P@a1"[..]).is_err());
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_game_is_read() {
    let long = "c".repeat(tictac_archive::MAX_LINE + 10);
    let text = format!("1. P@a1 {{ {long} }} *\n[Round \"2\"]\n1. P@a1 *\n");
    let found = read(text.as_bytes(), Notation::Pgn, Rules::CLASSIC);
    assert_eq!(found[0].report.faults[0].fault.code.name(), "E0501");
    assert!(found.last().unwrap().game().is_some());
}

#[test]
fn movetext_is_wrapped_before_it_is_wider_than_79_bytes() {
    let squares = (1..=5).flat_map(|column| ["A", "B", "D", "C", "E"].map(|row| format!("{row}{column}")));
    let lines = (1..).zip(squares).map(|(number, square)| {
        let mark = if number % 2 == 1 { 'X' } else { 'O' };
        format!("{number} {mark} {square}\n")
    });
    let text = format!("[Rules \"5,5,5\"]\n{}", lines.collect::<String>());
    let pgn = converted(text.as_bytes(), &conversion(Some(Notation::Ttt), Notation::Pgn));
    let movetext: Vec<&str> = pgn.split_once("\n\n").unwrap().1.lines().collect();
    let widths: Vec<usize> = movetext.iter().map(|line| line.len()).collect();
    assert!(widths.len() > 1 && widths.iter().all(|&width| width <= 79), "{pgn}");
    // A line ends only if the next word would not have fit.
    for (line, next) in movetext.iter().zip(&movetext[1..]) {
        let word = next.split(' ').next().unwrap();
        assert!(line.len() + 1 + word.len() > 79, "{pgn}");
    }
}

fn found(game: AnnotatedGame) -> FoundGame {
    let report = read(b"1 X A1\n", Notation::Ttt, Rules::CLASSIC).remove(0).report;
    FoundGame { report, first_line: Vec::new(), legal_part: game }
}

proptest! {
    #[test]
    fn converting_a_game_and_back_changes_nothing(game in texts::game(&texts::RULES)) {
        let (rules, found) = (game.rules, found(game));
        for to in Notation::ALL {
            let is_represented = round_trip(&found, rules, to);
            let represents_all = matches!(to, Notation::Ttt | Notation::Json | Notation::Pgn);
            prop_assert!(is_represented || !represents_all, "{}", to.name());
        }
        // If the default rules differ from those of the game, the text must state the rules.
        for to in [Notation::Ttt, Notation::Json, Notation::Pgn] {
            prop_assert!(round_trip(&found, Rules::MISERE, to), "{}", to.name());
        }
    }

    #[test]
    fn small_games_without_tags_and_comments_fit_every_notation(mut game in texts::game(&["3,3,3", "3,3,2"])) {
        game.tags.clear();
        game.moves.iter_mut().for_each(|annotated| annotated.comment = None);
        let (rules, opener) = (game.rules, game.opener());
        let found = found(game);
        for to in Notation::ALL {
            let is_represented = round_trip(&found, rules, to);
            prop_assert!(is_represented || (to == Notation::Fen && opener == tictac::Mark::O), "{}", to.name());
        }
    }

    #[test]
    fn no_reader_panics_on_random_text(text in "([a-cP@xo1-9./ \\[\\]\"{};#*()$!-]|\n|Grid|moves|xfen ){0,60}") {
        rewriting::convert(text.as_bytes());
    }
}
