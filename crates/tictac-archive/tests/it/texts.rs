//! Random archives for property tests.

use proptest::prelude::*;
use tictac::{Position, Rules, Status};
use tictac_archive::{AnnotatedGame, AnnotatedMove, Tag};

/// Rules of every kind on one board.
pub(crate) const RULES: [&str; 8] =
    ["3,3,3", "3,3,3 misere", "4,4,3", "2,5,2", "5,2,4 misere", "wild", "notakto", "3,3,3 x-only"];

/// Returns a random game of one of `rules`, with tags and comments.
pub(crate) fn game(rules: &'static [&'static str]) -> impl Strategy<Value = AnnotatedGame> {
    let comments = proptest::collection::vec(proptest::option::weighted(0.2, comment()), 20);
    let tags = proptest::sample::subsequence(vec!["Event", "Date", "X", "O", "Note", "Elo_X"], 0..4);
    let values = proptest::collection::vec("[ -~äé]{0,12}", 4);
    (proptest::sample::select(rules), any::<u64>(), 0..20_usize, comments, tags, values, any::<bool>())
        .prop_map(|(rules, seed, n_moves, comments, tags, values, o_opens)| {
            let rules: Rules = rules.parse().unwrap();
            let tags = tags.into_iter().zip(values);
            let mut game = AnnotatedGame::new(rules);
            game.tags = tags.map(|(name, value)| Tag::new(name, value)).collect();
            game.moves =
                moves(rules, seed, n_moves, o_opens).into_iter().zip(comments).map(annotated).collect();
            game
        })
}

fn annotated((mv, comment): (tictac::Move, Option<String>)) -> AnnotatedMove {
    AnnotatedMove { mv, comment: comment.map(|comment| comment.trim_end().as_bytes().into()) }
}

fn moves(rules: Rules, seed: u64, n_moves: usize, o_opens: bool) -> Vec<tictac::Move> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let opener = if o_opens { tictac::Mark::O } else { tictac::Mark::X };
    let mut position = Position::start_with(&rules, opener).unwrap();
    let mut played = Vec::new();
    while played.len() < n_moves && matches!(position.status(), Status::ToMove(_)) {
        let moves: Vec<_> = position.moves().collect();
        let mv = moves[rng.usize(..moves.len())];
        position.play(mv).unwrap();
        played.push(mv);
    }
    played
}

fn comment() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,20}", "[{}();# \"\\\\$]{0,6}", "[äé→🙂 ]{0,4}"]
}

/// Returns an archive with extra spaces, empty lines and carriage returns.
pub(crate) fn untidy() -> impl Strategy<Value = Vec<u8>> {
    let gaps = proptest::collection::vec(proptest::sample::select(vec!["\n", "\n\n", " \r\n", "\n\t\n"]), 4);
    (proptest::collection::vec(game(&["3,3,3"]), 0..4), gaps, any::<u64>()).prop_map(|(games, gaps, seed)| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut text = Vec::new();
        for (game, gap) in games.iter().zip(gaps) {
            for tag in &game.tags {
                let value = String::from_utf8_lossy(&tag.value).replace('\\', "\\\\").replace('"', "\\\"");
                text.extend(format!("[{}{}\"{value}\"]\n", tag.name, white_space(&mut rng)).bytes());
            }
            for (number, annotated) in (1..).zip(&game.moves) {
                let written = annotated.mv.display(&game.rules).to_string();
                let written = if rng.bool() { written.to_lowercase() } else { written };
                text.extend(format!("{number} {written}").replace(' ', white_space(&mut rng)).bytes());
                if let Some(comment) = &annotated.comment {
                    text.extend(white_space(&mut rng).bytes());
                    text.push(b'#');
                    text.extend(comment);
                }
                text.extend(*rng.choice([&b"\n"[..], b" \n", b"\r\n"].iter()).unwrap());
            }
            text.extend(gap.bytes());
        }
        text
    })
}

fn white_space(rng: &mut fastrand::Rng) -> &'static str {
    rng.choice([" ", "  ", "\t", " \x0B"]).unwrap()
}
