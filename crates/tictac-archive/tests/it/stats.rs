//! Statistics compared with counts by hand and by brute force.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tictac::{Move, Outcome, Player, Rules, State, Status};
use tictac_archive::{Input, ReadMeter, Results, Stats, StatsOptions, Symmetries, stats};
use tictac_solver::{Oracle, Question, Survey, Verdict};

use crate::inputs::folder;

fn count(test: &str, archive: &str, options: &StatsOptions) -> Stats {
    let path: PathBuf = folder(test).join("archive.ttt");
    fs::write(&path, archive).unwrap();
    stats(vec![Input::File(path)], options, &ReadMeter::default())
}

/// Calls `visit` with every continuation of a game to its end.
fn for_every_game(now: &State, moves: &mut Vec<Move>, visit: &mut dyn FnMut(&State, &[Move])) {
    let replies: Vec<Move> = now.moves().collect();
    if replies.is_empty() {
        visit(now, moves);
    }
    for mv in replies {
        moves.push(mv);
        for_every_game(&now.after(mv).unwrap(), moves, visit);
        moves.pop();
    }
}

fn archive_of_every_game(rules: &Rules) -> String {
    let mut archive = String::new();
    for_every_game(&State::start(rules), &mut Vec::new(), &mut |_, moves| {
        if *rules != Rules::CLASSIC {
            writeln!(archive, "[Rules \"{rules}\"]").unwrap();
        }
        for (number, &mv) in (1..).zip(moves) {
            writeln!(archive, "{number} {}", mv.display(rules)).unwrap();
        }
        archive.push('\n');
    });
    archive
}

/// The same statistics, computed by brute force.
#[derive(Default)]
struct Plain {
    results: Results,
    lengths: HashMap<usize, u64>,
    first_moves: HashMap<Move, u64>,
    perfect: u64,
    best: [u64; 2],
    judged: [u64; 2],
}

impl Plain {
    fn of_every_game(rules: &Rules) -> Plain {
        let mut oracle = Oracle::new(rules, 1 << 24);
        let mut known: HashMap<State, HashMap<Move, Verdict>> = HashMap::new();
        let mut plain = Plain::default();
        let start = State::start(rules);
        for_every_game(&start, &mut Vec::new(), &mut |end, moves| {
            match end.status() {
                Status::Over(Outcome::Win(Player::First)) => plain.results.first_won += 1,
                Status::Over(Outcome::Win(Player::Second)) => plain.results.second_won += 1,
                Status::Over(Outcome::Draw) => plain.results.drawn += 1,
                Status::ToMove(_) => unreachable!(),
            }
            *plain.lengths.entry(moves.len()).or_default() += 1;
            *plain.first_moves.entry(moves[0]).or_default() += 1;
            let mut now = start.clone();
            let mut has_error = false;
            for (number, &mv) in moves.iter().enumerate() {
                if !known.contains_key(&now) {
                    let answers = oracle.moves(&now, Question::Strong, &|| false);
                    let verdict = |mv| Survey::new(answers.clone()).verdict(mv).unwrap();
                    known.insert(now.clone(), answers.iter().map(|&(mv, _)| (mv, verdict(mv))).collect());
                }
                let verdict = known[&now][&mv];
                plain.judged[number % 2] += 1;
                plain.best[number % 2] += u64::from(verdict == Verdict::Best);
                has_error |= matches!(verdict, Verdict::Mistake | Verdict::Blunder);
                now.play(mv).unwrap();
            }
            plain.perfect += u64::from(!has_error);
        });
        plain
    }
}

#[track_caller]
fn check_every_game(rules: &str) {
    let rules: Rules = rules.parse().unwrap();
    let archive = archive_of_every_game(&rules);
    let options = StatsOptions { symmetries: Symmetries::Apart, n_threads: 2, ..StatsOptions::default() };
    let stats = count(&format!("stats_of_every_game_of_{rules}"), &archive, &options);
    let plain = Plain::of_every_game(&rules);
    let [found] = &stats.by_rules[..] else { panic!("{rules}: {}", stats.by_rules.len()) };
    assert_eq!((found.rules, found.results), (rules, plain.results));
    assert_eq!(stats.n_bytes, archive.len() as u64);
    let lengths: HashMap<usize, u64> =
        found.lengths.iter().map(|(&n, results)| (n, results.games())).collect();
    assert_eq!(lengths, plain.lengths);
    let tree = found.openings.tree(1);
    let first_moves: HashMap<Move, u64> =
        tree.replies.iter().map(|opening| (opening.moves[0], opening.results.games())).collect();
    assert_eq!(first_moves, plain.first_moves);
    let n_second: u64 =
        tree.replies.iter().flat_map(|opening| &opening.replies).map(|o| o.results.games()).sum();
    assert_eq!(n_second, plain.results.games() - lengths.get(&1).unwrap_or(&0));
    let play = &found.play;
    assert_eq!(
        (play.perfect, play.flawed, play.unjudged),
        (plain.perfect, plain.results.games() - plain.perfect, 0)
    );
    let sides = [play.first, play.second];
    assert_eq!(sides.map(|side| side.best), plain.best);
    assert_eq!(sides.map(|side| side.judged()), plain.judged);
}

#[test]
fn all_255168_games_of_tic_tac_toe_are_counted_as_by_brute_force() {
    check_every_game("3,3,3");
}

#[test]
fn games_of_other_rules_are_counted_as_by_brute_force() {
    for rules in
        ["2,3,2 misere", "2,2,2 wild", "2,3,3 wild misere", "2,2,2 x-only misere boards=2", "2,3,2 x-only"]
    {
        check_every_game(rules);
    }
}

#[test]
fn symmetric_openings_and_errors_are_merged() {
    let archive = archive_of_every_game(&Rules::CLASSIC);
    let stats = count("stats_symmetrical", &archive, &StatsOptions::default());
    let found = &stats.by_rules[0];
    let tree = found.openings.tree(1);
    // Corners, edges and the centre.
    let games: Vec<u64> = tree.replies.iter().map(|opening| opening.results.games()).collect();
    assert_eq!(games, [4 * 29_592, 4 * 27_732, 25_872]);
    assert_eq!(tree.replies.iter().map(|opening| opening.replies.len()).sum::<usize>(), 12);
    let error = &found.play.first_errors[0];
    let is_error = |verdict| matches!(verdict, Verdict::Mistake | Verdict::Blunder);
    assert!(is_error(error.verdict) && error.games > 1000, "{error:?}");
    assert!(!error.best.contains(&error.mv) && !error.best.is_empty());
}

#[test]
fn games_that_o_opens_count_for_the_first_player() {
    let archive = "1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n\n1 O B2 # a comment\n\n[Rules \"3,3,3\"]\n1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n";
    let stats = count("stats_o_opens", archive, &StatsOptions::default());
    let found = &stats.by_rules[0];
    assert_eq!((found.o_opened, stats.totals.o_won, stats.totals.unfinished), (3, 2, 1));
    assert_eq!((found.results.first_won, found.results.unfinished), (2, 1));
    let names: Vec<String> = found
        .openings
        .tree(1)
        .replies
        .iter()
        .map(|opening| opening.moves[0].display(&Rules::CLASSIC).to_string())
        .collect();
    assert_eq!(names, ["X A1", "X B2"]);
}

#[test]
fn bad_games_and_unreadable_files_are_counted_separately() {
    let folder = folder("stats_bad_games");
    fs::write(folder.join("a.ttt"), "1 X A1\n\nnonsense\n\n1 X A1\n2 O A1\n\n1 X B2\n").unwrap();
    fs::write(folder.join("empty.ttt"), "\n").unwrap();
    let inputs = ["a.ttt", "none.ttt", "empty.ttt"].map(|name| Input::File(folder.join(name)));
    let stats = stats(inputs.into(), &StatsOptions::default(), &ReadMeter::default());
    assert_eq!((stats.totals.bad, stats.totals.unfinished, stats.totals.moves), (2, 3, 3));
    assert_eq!(stats.unreadable.len(), 1);
    assert!(stats.unreadable[0].0.ends_with("none.ttt"));
    assert_eq!(stats.by_rules[0].results.games(), 3);
}

#[test]
fn rules_are_counted_separately_for_any_number_of_threads() {
    let mut archive = String::new();
    for rules in ["2,3,2 misere", "3,3,3", "2,2,2 wild", "2,2,2 x-only misere boards=2"] {
        archive += &archive_of_every_game(&rules.parse().unwrap()).chars().take(400_000).collect::<String>();
        archive += "\n\n";
    }
    let archive = archive.repeat(2);
    let counted = |n_threads| {
        let options = StatsOptions { n_threads, ..StatsOptions::default() };
        let stats = count(&format!("stats_mixed_{n_threads}"), &archive, &options);
        let by_rules = stats.by_rules.iter().map(|found| {
            format!("{} {:?} {:?} {:?}", found.rules, found.results, found.play, found.openings.tree(1))
        });
        (by_rules.collect::<Vec<_>>(), stats.totals, stats.n_bytes)
    };
    let expected = counted(1);
    assert_eq!(expected.0.len(), 4);
    for n_threads in 2..=4 {
        assert_eq!(counted(n_threads), expected);
    }
}

#[test]
fn moves_that_are_not_proved_in_time_are_unjudged() {
    let archive = "[Rules \"8,8,5\"]\n1 X D4\n2 O D5\n3 X A1\n";
    let options = StatsOptions { think: Duration::ZERO, ..StatsOptions::default() };
    let play = count("stats_unjudged", archive, &options).by_rules[0].play.clone();
    assert_eq!((play.perfect, play.flawed, play.unjudged), (0, 0, 1));
    assert_eq!((play.first.unjudged, play.second.unjudged), (2, 1));
}
