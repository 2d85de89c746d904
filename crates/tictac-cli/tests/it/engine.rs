//! `tictac engine`: dialogues with a tournament manager.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::tictac;

/// An engine that a test talks to as a tournament manager does: line by line, waiting for replies.
struct RunningEngine {
    child: Child,
    stdin: ChildStdin,
    replies: Lines<BufReader<ChildStdout>>,
}

impl RunningEngine {
    fn start(arguments: &[&str]) -> RunningEngine {
        let mut command = tictac(arguments).command;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        RunningEngine { child, stdin, replies: BufReader::new(stdout).lines() }
    }

    fn send(&mut self, command: &str) {
        writeln!(self.stdin, "{command}").unwrap();
    }

    fn reply(&mut self) -> String {
        self.replies.next().unwrap().unwrap()
    }

    /// Sends a command and returns the rest of the first reply that starts with `expected`.
    fn ask(&mut self, command: &str, expected: &str) -> String {
        self.send(command);
        loop {
            if let Some(rest) = self.reply().strip_prefix(expected) {
                return rest.trim().to_owned();
            }
        }
    }

    fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[track_caller]
fn check(arguments: &[&str], input: &str, expected: &str) {
    let arguments = [&["engine", "--seed", "1", "--think", "10s"], arguments].concat();
    assert_eq!(tictac(arguments).stdin(input).succeed(), expected);
}

#[test]
fn gomocup_plays_a_game_and_wins_it() {
    check(
        &["gomocup"],
        "ABOUT\r\nRECTSTART 4,3\r\nINFO timeout_turn 300\r\nTURN 0,0\r\nEND\r\nBEGIN\r\n",
        &format!(
            "name=\"tictac\", version=\"{}\", author=\"the tictac contributors\", country=\"\"\nOK\n1,2\n",
            env!("CARGO_PKG_VERSION")
        ),
    );
    // The two marks in the top row are ours; the third wins.
    check(&["gomocup", "--line", "3"], "START 3\nBOARD\n0,0,1\n1,0,1\n0,2,2\n1,2,2\nDONE\n", "OK\n2,0\n");
    // In misère the same move would lose.
    let misere = "START 3\nBOARD\n0,0,1\n1,0,1\n0,1,2\n1,1,2\n0,2,2\nDONE\n";
    check(&["gomocup", "--misere"], misere, "OK\n2,1\n");
}

#[test]
fn gomocup_reports_errors_as_the_protocol_requires() {
    check(
        &["gomocup"],
        "TURN 1,1\nSTART 20\nSTART 0\nSTART x\nRECTSTART 8\nSTART 3\nTURN 3,0\nTURN 1\nDANCE\n\nTAKEBACK 1,1\nEND\n",
        "ERROR no game: START comes first\n\
         ERROR 20 x 20 is not supported: a board may have 1 to 64 squares\n\
         ERROR 0 x 0 is not supported: a board may have 1 to 64 squares\n\
         ERROR expected a number, found x\n\
         ERROR expected x,y, found 8\n\
         OK\n\
         ERROR 3,0 is off the board\n\
         ERROR expected x,y, found 1\n\
         UNKNOWN command DANCE\n\
         ERROR 1,1 is empty\n",
    );
}

#[test]
fn gomocup_reads_an_invalid_board_to_its_end_before_it_rejects_it() {
    check(
        &["gomocup"],
        "START 3\nBOARD\n0,0,1\n0,0,2\nDONE\nBOARD\n1,2\nTURN 1,1\nDONE\nBOARD\n0,0,1\n1,0,1\n2,0,1\nDONE\nBOARD\n0,0,3\nDONE\nRESTART\n",
        "OK\n\
         ERROR 0,0 is given twice\n\
         ERROR expected x,y, found 1\n\
         ERROR no game leads to this position with 3 of our marks and 0 of the opponent's\n\
         ERROR field 3 is not supported: 1 is ours, 2 the opponent's\n\
         OK\n",
    );
}

#[test]
fn gomocup_takes_back_the_last_move() {
    check(
        &["gomocup"],
        "START 3\nTURN 1,1\nTAKEBACK 1,1\nTAKEBACK 2,0\nTAKEBACK 1,1\nTAKEBACK 1,1\n",
        "OK\n2,0\nERROR 1,1 was not the last move; send BOARD for another position\nOK\nOK\nERROR 1,1 is empty\n",
    );
}

#[test]
fn ugi_identifies_itself_answers_queries_and_moves() {
    check(
        &["ugi"],
        "ugi\nisready\nuginewgame\nposition startpos moves B2 A1\nquery p1turn\nquery gameover\nquery result\n\
         position fen XX./OO./... X\ngo movetime 100\nposition fen XX./OO./... X moves A3\nquery gameover\nquery result\ngo\nstop\nquit\nisready\n",
        &format!(
            "id name tictac {}\n\
             id author the tictac contributors\n\
             option name Rules type string default 3,3,3\n\
             option name Letters type combo default row var row var column\n\
             ugiok\nreadyok\nresponse true\nresponse false\nresponse none\n\
             info string proven best: win in 1 plies\nbestmove A3\n\
             response true\nresponse p1win\ninfo string the game is over\nbestmove (none)\n",
            env!("CARGO_PKG_VERSION")
        ),
    );
}

#[test]
fn ugi_plays_by_any_rules_and_names_squares_either_way() {
    check(
        &["ugi", "--rules", "3,3,3 x-only misere boards=2"],
        "position fen XX./.../...+XXX/.../...\ngo\n",
        "info string proven best: win in 4 plies\nbestmove 1.C1\n",
    );
    let wild = "setoption name Rules value 2,4,3 wild\nsetoption name Letters value column\n\
                position startpos moves X@c2 O@A1 X@d2\ngo\n";
    check(&["ugi"], wild, "info string proven best: win in 1 plies\nbestmove X@B2\n");
}

#[test]
fn ugi_reports_errors_and_continues() {
    check(
        &["ugi"],
        "dance\nposition\nposition startpos moves Z9\nposition startpos moves A1 A1\nposition startpos moves X@A1\nquery weather\n\
         setoption name Hash value 3\nsetoption name Rules value 9,9,9\nposition fen ...\nisready\n",
        "info string unknown command: dance\n\
         info string expected position startpos or position fen …\n\
         info string Z9: expected a row letter from A to C, found 'Z'\n\
         info string A1: A1 is already taken\n\
         info string X@A1: a move names its mark only in wild games\n\
         info string there is no query weather\n\
         info string there is no option Hash\n\
         info string a grid of 9 rows and 9 columns cannot be played: it may have 1 to 64 squares for now\n\
         info string expected '/' after a row of 3 at column 4, found the end\n\
         readyok\n",
    );
}

#[test]
fn ugi_stops_searching_on_command() {
    let input = "position startpos\nisready\ngo infinite\nisready\nstop\nquit\n";
    let answers = tictac(["engine", "ugi", "--rules", "8,8,6"]).stdin(input).succeed();
    assert!(answers.starts_with("readyok\nreadyok\n"), "{answers}");
    assert!(answers.contains("bestmove "), "{answers}");
}

#[test]
fn ugi_answers_an_infinite_search_only_after_stop() {
    let mut engine = RunningEngine::start(&["engine", "ugi"]);
    engine.send("position fen XX./OO./... X");
    engine.send("go infinite");
    // The win in one is found at once; a reply to every `isready`, and nothing else, shows that it is held back.
    for _ in 0..20 {
        engine.send("isready");
        assert_eq!(engine.reply(), "readyok");
    }
    assert_eq!(engine.ask("stop", "bestmove"), "A3");
    engine.quit();
}

#[test]
fn ugi_does_not_answer_for_an_older_position_after_an_illegal_one() {
    check(
        &["ugi"],
        "position fen XX./OO./... X\nposition startpos moves A1 A1\ngo\nquery result\nposition fen XX./OO./... X\ngo\n",
        "info string A1: A1 is already taken\n\
         info string there is no position: A1: A1 is already taken\nbestmove (none)\n\
         info string there is no position: A1: A1 is already taken\n\
         info string proven best: win in 1 plies\nbestmove A3\n",
    );
}

#[test]
fn two_engines_play_a_match_with_clocks_under_a_manager() {
    // The dialogue of a manager that follows UCI's conventions, with clocks, pondering aside.
    let players = ["perfect", "expert"];
    let mut engines = players.map(|level| {
        let mut engine = RunningEngine::start(&["engine", "--level", level, "--seed", "1", "ugi"]);
        engine.ask("ugi", "ugiok");
        engine
    });
    for game in 0..4 {
        for engine in &mut engines {
            engine.send("uginewgame");
            engine.ask("isready", "readyok");
        }
        let mut moves: Vec<String> = Vec::new();
        let result = loop {
            let position = format!("position startpos moves {}", moves.join(" "));
            let position = position.trim_end_matches(" moves ");
            for engine in &mut engines {
                engine.send(position);
            }
            let results = [0, 1].map(|side| engines[side].ask("query result", "response"));
            assert_eq!(results[0], results[1], "{moves:?}");
            if results[0] != "none" {
                break results[0].clone();
            }
            let side = (moves.len() + game) % 2;
            assert_eq!(
                engines[side].ask("query p1turn", "response"),
                moves.len().is_multiple_of(2).to_string()
            );
            moves.push(engines[side].ask("go p1time 5000 p2time 5000 p1inc 50 p2inc 50", "bestmove"));
        };
        // The perfect player is first in even games.
        let lost = if game % 2 == 0 { "p2win" } else { "p1win" };
        assert!(moves.len() >= 5 && result != lost, "{result}: {moves:?}");
    }
    engines.into_iter().for_each(RunningEngine::quit);
}

/// Runs what python-chess 1.11.2 sends as it drives the engine for two games with `examples/manager/match.py`, and returns the
/// replies that a manager waits for.
fn run_recorded_session() -> Vec<String> {
    let mut engine = RunningEngine::start(&["engine", "--seed", "1", "ugi"]);
    let mut replies = Vec::new();
    for line in include_str!("../../../../games/engine/python-chess.txt").lines() {
        match line.split_once(' ') {
            // A manager waits here; `*` stands for any move.
            Some(("<", expected)) => {
                let (word, rest) = expected.split_once(' ').unwrap_or((expected, ""));
                let reply = loop {
                    let reply = engine.reply();
                    if reply.split(' ').next() == Some(word) {
                        break reply;
                    }
                    let is_side_note = ["id ", "option ", "info "].iter().any(|word| reply.starts_with(word));
                    assert!(is_side_note, "{reply:?} instead of {expected:?}");
                };
                assert!(rest == "*" || reply == expected, "{reply:?} instead of {expected:?}");
                replies.push(reply);
            }
            Some((">", command)) => engine.send(command),
            _ => panic!("{line:?} is neither a command nor a reply"),
        }
    }
    assert!(engine.child.wait().unwrap().success());
    replies
}

#[test]
fn ugi_follows_a_recorded_session_of_a_uci_manager() {
    let replies = run_recorded_session();
    assert!(replies.iter().filter(|reply| reply.starts_with("bestmove")).count() >= 8, "{replies:?}");
}

#[test]
fn ugi_holds_back_the_answer_of_a_ponder_search() {
    let mut engine = RunningEngine::start(&["engine", "ugi"]);
    assert_eq!(engine.ask("uci", "uciok"), "");
    for word in ["ponderhit", "stop"] {
        engine.send("position fen XX./OO./... X");
        engine.send("go ponder wtime 1000 btime 1000");
        for _ in 0..5 {
            engine.send("isready");
            assert_eq!(engine.reply(), "readyok");
        }
        assert_eq!(engine.ask(word, "bestmove"), "A3");
    }
    // Outside of a search these are ignored without a word.
    for command in ["ponderhit", "stop", "debug on", "register later"] {
        engine.send(command);
    }
    engine.send("isready");
    assert_eq!(engine.reply(), "readyok");
    engine.quit();
}

#[test]
fn a_very_long_command_is_cut_and_the_next_one_is_read() {
    let input = format!("{}\nisready\n", "x".repeat(1_000_000));
    let answers = tictac(["engine", "ugi"]).stdin(input).succeed();
    assert_eq!(answers, format!("info string unknown command: {}\nreadyok\n", "x".repeat(40)));
}

#[test]
fn ugi_ends_with_its_input_even_without_a_time_limit() {
    let start = std::time::Instant::now();
    let said =
        tictac(["engine", "ugi", "--rules", "8,8,5"]).stdin("position startpos\ngo infinite\n").succeed();
    assert!(said.contains("bestmove "), "{said}");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
