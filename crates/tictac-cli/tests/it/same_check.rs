//! `tictac check`, `tictac show` and the server's `/check` report the same about the same text.

use serde_json::Value;
use tictac::Rules;

use crate::tictac;

const FAULTS: &[u8] = include_bytes!("../../../../games/archives/faults.ttt");

const TEXTS: &[&[u8]] = &[
    b"",
    b"\n \t\r\n",
    b"1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n",
    b"1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2\n",
    b"1 O B2\n2 X A1",
    // Malformed lines.
    b"1 X",
    b"nonsense\n\n1 X B2\n",
    b"1 X D1\nmore\nlines\n",
    b"1 X B2# no space\n",
    b"1 X \x1b[2J\xff\n",
    // Illegal moves.
    b"1 X B2\n2 O B2\n3 X A1\n",
    b"1 X B2\n3 O A1\n",
    b"1 X B2\n2 X A1\n",
    b"1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n6 O C1\n",
    // Tags.
    b"[Rules \"4,4,4\"]\n[X \"Ada\"]\n1 X D4\n2 O E1\n",
    b"[Rules \"2,5,2\"]\n1 X E1\n2 O A2\n",
    b"[ Rules\t\"4,4,4\" ] \r\n1 X D4\n",
    b"[Rules \"chess\"]\n1 e4\n",
    b"[Rules 4,4,4]\n1 X A1\n",
    b"[Rules \"notakto boards=2\"]\n1 X 2.B2\n2 X 1.A1\n3 X 3.A1\n",
    b"[X \"Ada\"]\n[X \"Bob\"]\n1 X A1\n",
    b"1 X A1\n[X \"Ada\"]\n",
    b"[Event \"\xff\"]\n1 X A1\n",
    // Claimed results.
    b"[Result \"X\"]\n1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n",
    b"[Result \"won\"]\n1 X A1\n2 O A1\n",
    b"[Result \"O\"]\n\n1 X A1\n",
    // White space.
    b"1 X A1\r\n2 O A2\r\n\r\n1 O B2\r\n",
    b"1\tx \x0b a1 \x0c\n2 O\tA2\n \x0b\x0c\t\n1 X B2\n",
    b"\n\n  \n1 X A1\n\n \n\n1 X B2\n2 O B2\n\n\n",
    b" 1 X A1\n",
    b"1 X A1\n 2 O A2\n",
    b"\x0b[X \"Ada\"]\n1 X A1\n",
    // Several games.
    b"1 X A1\n\n1 X A1\n2 O A1\n\n[Rules \"misere\"]\n1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n",
    FAULTS,
];

#[test]
fn the_server_and_the_command_report_the_same() {
    for text in TEXTS {
        let name = String::from_utf8_lossy(text);
        let reply = tictac_server::check::check(&Rules::CLASSIC, text);
        let reply = serde_json::to_value(reply).unwrap();
        let ended = tictac(["check", "--json"]).stdin(text).run();
        let games: Vec<Value> =
            ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(reply["ok"], ended.status == Some(0), "{name}");
        assert_eq!(games.len(), reply["games"].as_array().unwrap().len(), "{name}");
        for (game, checked) in games.iter().zip(reply["games"].as_array().unwrap()) {
            assert_eq!(game["line"], checked["line"], "{name}");
            assert_eq!(game["moves"], checked["moves"].as_array().unwrap().len(), "{name}");
            let errors = game["errors"].as_array().unwrap();
            let faults = checked["faults"].as_array().unwrap();
            assert_eq!(errors.len(), faults.len(), "{name}");
            for (error, fault) in errors.iter().zip(faults) {
                for field in ["line", "column", "code", "message", "help"] {
                    assert_eq!(error[field], fault[field], "{field} in {name}");
                }
            }
            let status = match game["outcome"].as_str().unwrap() {
                "x_won" | "o_won" => "won",
                "unfinished" => "playing",
                outcome => outcome,
            };
            assert!(status == "bad" || checked["status"] == status, "{name}");
        }
    }
}

#[test]
fn show_reports_the_first_fault_of_the_first_game_as_check_does() {
    for text in TEXTS {
        let name = String::from_utf8_lossy(text);
        let checked = tictac(["check", "--json"]).stdin(text).run().stdout;
        let game: Value = serde_json::from_str(checked.lines().next().unwrap()).unwrap();
        // The board does not depend on the claimed result, so `show` ignores it.
        let is_result = |error: &&Value| error["code"] == "E0303" || error["code"] == "E0304";
        let first = game["errors"].as_array().unwrap().iter().find(|error| !is_result(error));
        let shown = tictac(["show"]).stdin(text).run();
        match first {
            None => assert_eq!((shown.status, shown.stderr.as_str()), (Some(0), ""), "{name}"),
            Some(error) => {
                let [code, message] = ["code", "message"].map(|field| error[field].as_str().unwrap());
                let expected =
                    format!("<stdin>:{}:{}: error[{code}]: {message}\n", error["line"], error["column"]);
                assert_eq!(shown.status, Some(1), "{name}");
                assert!(shown.stderr.starts_with(&expected), "{name}\n{}", shown.stderr);
            }
        }
    }
}
