//! Certificates with a single change are refused.

use tictac::{Mark, Player, Position, Rules, SquareSet, Value};
use tictac_proof::{Aim, Certificate};

use super::{is_accepted, oracle, samples};

/// Returns every text in which one line is changed by `change`, with the number of that line.
fn with_one_line_changed<'a>(
    text: &'a str,
    change: impl Fn(&'a str) -> Vec<String>,
) -> impl Iterator<Item = (usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).flat_map(move |number| {
        let lines = lines.clone();
        let changed = change(lines[number]).into_iter();
        changed.map(move |line| {
            let lines = [&lines[..number], &[line.as_str()], &lines[number + 1..]].concat();
            (number + 1, lines.join("\n") + "\n")
        })
    })
}

fn is_entry(line: &str) -> bool {
    line.contains(" move ") || line.contains(" pairs") || line.contains(" weight")
}

#[test]
fn a_certificate_that_lacks_a_line_or_its_end_is_refused() {
    for text in samples() {
        assert!(is_accepted(&text));
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for number in 0..lines.len() {
            assert!(!is_accepted(&lines[..number].concat()), "{text} until line {number}");
            let dropped = [&lines[..number], &lines[number + 1..]].concat().concat();
            assert!(!is_accepted(&dropped), "{text} without line {}", number + 1);
            let twice = [&lines[..=number], &lines[number..]].concat().concat();
            assert!(!is_accepted(&twice), "{text} with line {} twice", number + 1);
        }
        for end in 0..text.len() - 1 {
            assert!(!is_accepted(&text[..end]), "{text} until byte {end}");
        }
    }
}

#[test]
fn another_claim_about_the_same_strategies_is_refused() {
    let swaps = |line: &str| {
        let words = [("win", "draw"), ("win", "loss"), ("draw", "win"), ("draw", "loss"), ("loss", "win")];
        let more =
            [("first", "second"), ("second", "first"), ("wins", "holds"), ("holds", "wins"), ("1", "3")];
        let is_heading = !is_entry(line) && !line.starts_with("rules") && !line.starts_with("start");
        let swaps = words.iter().chain(&more).filter(|_| is_heading);
        swaps.filter(|(old, _)| line.contains(old)).map(|(old, new)| line.replacen(old, new, 1)).collect()
    };
    for text in samples() {
        let mut n_changed = 0;
        for (line, changed) in with_one_line_changed(&text, swaps) {
            assert!(!is_accepted(&changed), "line {line} of {changed}");
            n_changed += 1;
        }
        assert!(n_changed >= 4);
    }
}

#[test]
fn a_changed_position_is_refused() {
    // A different, additional or missing mark, in the start or in an entry.
    let changes = |line: &str| {
        let from = if line.starts_with("start ") { 6 } else { 0 };
        let is_position = from > 0 || is_entry(line);
        let until = line[from..].find(' ').map_or(0, |end| from + end);
        let places = (from..until).filter(|_| is_position);
        places
            .flat_map(|place| {
                ["X", "O", "."].map(|mark| format!("{}{mark}{}", &line[..place], &line[place + 1..]))
            })
            .filter(|changed| changed != line)
            .collect()
    };
    for text in samples() {
        for (line, changed) in with_one_line_changed(&text, changes) {
            assert!(!is_accepted(&changed), "line {line} of {changed}");
        }
    }
}

/// Returns the entries of a certificate on one board: their line, position, owner, aim and text.
fn entries(text: &str) -> Vec<(usize, Position, Player, Aim, String)> {
    let certificate = Certificate::read(text.as_bytes()).unwrap();
    let rules = *certificate.start().rules();
    let mut strategy = None;
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("strategy") {
            let owner = if line.contains("first") { Player::First } else { Player::Second };
            strategy = Some((owner, if line.contains("wins") { Aim::Win } else { Aim::Hold }));
        } else if let (true, Some((owner, aim))) = (is_entry(line), strategy) {
            let words: Vec<&str> = line.split(' ').collect();
            let position = Position::parse(&words[..2].join(" "), &rules).unwrap();
            entries.push((number, position, owner, aim, line.to_owned()));
        }
    }
    entries
}

fn with_line(text: &str, number: usize, line: &str) -> String {
    let lines =
        (1..).zip(text.lines()).map(|(place, original)| if place == number { line } else { original });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn a_move_that_loses_the_value_is_refused() {
    for text in samples().iter().filter(|text| !text.contains("boards=")) {
        let rules = *Certificate::read(text.as_bytes()).unwrap().start().rules();
        let mut value_of = oracle(rules);
        let mut n_worse = 0;
        for (number, position, _, aim, line) in entries(text) {
            let Some((before, after)) = line.split_once(" move ") else { continue };
            let leaf: String = after.split(' ').skip(2).fold(String::new(), |text, word| text + " " + word);
            for square in rules.squares() {
                let mark = position.mark_of(position.next_player()).unwrap_or(Mark::X);
                let mv = tictac::Move::new(square, mark);
                let is_worse = position.after(mv).is_err() || {
                    let value = value_of(&position.after(mv).unwrap().into()).unwrap();
                    value == Value::Win || (aim == Aim::Win && value == Value::Draw)
                };
                if is_worse {
                    let line = format!("{before} move {}{leaf}", mv.display(&rules));
                    assert!(!is_accepted(&with_line(text, number, &line)), "{line} in {text}");
                    n_worse += 1;
                }
            }
        }
        assert!(n_worse > 0, "{text}");
    }
}

/// Returns the empty squares of each line that the opponent can still complete after the move of an entry.
fn opponents_lines(position: &Position, owner: Player, line: &str) -> Vec<SquareSet> {
    let rules = *position.rules();
    let after = match line.split_once(" move ") {
        Some((_, mv)) => {
            let mv: Vec<&str> = mv.split(' ').take(2).collect();
            position.after(rules.parse_move(&mv.join(" ")).unwrap()).unwrap()
        }
        None => *position,
    };
    let other = after.mark_of(!owner).unwrap();
    let n_empty = after.empty_squares().len();
    let n_turns = if after.next_player() == owner { n_empty / 2 } else { n_empty.div_ceil(2) };
    let open = rules.lines().all_in(rules.squares() - after.board().squares(!other));
    let empty = open.map(|line| line.squares() - after.board().squares(other));
    empty.filter(|empty| empty.len() <= n_turns).collect()
}

#[test]
fn a_falsified_leaf_is_refused() {
    let mut n_changed = [0, 0];
    for text in samples().iter().filter(|text| text.contains("pairs") || text.contains("weight")) {
        for (number, position, owner, _, line) in entries(text) {
            if let Some((before, _)) = line.split_once(" pairs") {
                // `prove` prefers a weight to pairs, so a weight does not work here.
                assert!(!is_accepted(&with_line(text, number, &format!("{before} weight"))), "{line}");
                n_changed[0] += 1;
            }
            let Some((before, _)) = line.split_once(" weight") else { continue };
            if !opponents_lines(&position, owner, &line).is_empty() {
                assert!(!is_accepted(&with_line(text, number, &format!("{before} pairs"))), "{line}");
                n_changed[1] += 1;
            }
        }
    }
    assert!(n_changed.iter().all(|&n| n > 0), "{n_changed:?}");
}

/// Returns whether the pairs are disjoint, empty after the move of the entry, and each line contains one.
fn are_pairs_valid(pairs: &[String], position: &Position, owner: Player, line: &str) -> bool {
    let rules = position.rules();
    let squares = |pair: &String| -> SquareSet {
        pair.split('-').map(|name| rules.parse_square(name, Mark::X).unwrap().square).collect()
    };
    let taken = line.split_once(" move ").map_or(SquareSet::EMPTY, |(_, mv)| {
        SquareSet::of(rules.parse_square(mv.split(' ').nth(1).unwrap(), Mark::X).unwrap().square)
    });
    let all = pairs.iter().map(squares).fold(SquareSet::EMPTY, |all, pair| all | pair);
    all.len() == 2 * pairs.len()
        && all.is_subset(position.empty_squares() - taken)
        && opponents_lines(position, owner, line)
            .iter()
            .all(|&line| pairs.iter().any(|pair| squares(pair).is_subset(line)))
}

/// Returns the pairs of a leaf with one pair removed, or with its second square changed.
fn changed_pairs(rules: &Rules, pairs: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for place in 0..pairs.len() {
        found.push([&pairs[..place], &pairs[place + 1..]].concat());
        for square in rules.squares() {
            let (one, _) = pairs[place].split_once('-').unwrap();
            let mut other = pairs.to_vec();
            other[place] = format!("{one}-{}", rules.grid().name(square));
            found.push(other);
        }
    }
    found
}

#[test]
fn a_changed_pair_is_refused_unless_the_pairs_are_still_valid() {
    let mut n_refused = 0;
    for text in samples().iter().filter(|text| text.contains("pairs")) {
        for (number, position, owner, _, line) in entries(text) {
            let Some((before, after)) = line.split_once(" pairs ") else { continue };
            let pairs: Vec<String> = after.split(' ').map(str::to_owned).collect();
            for pairs in changed_pairs(position.rules(), &pairs) {
                let tampered = format!("{before} pairs {}", pairs.join(" ")).trim_end().to_owned();
                let is_right = are_pairs_valid(&pairs, &position, owner, &line);
                assert_eq!(is_accepted(&with_line(text, number, &tampered)), is_right, "{tampered}");
                n_refused += usize::from(!is_right);
            }
        }
    }
    assert!(n_refused > 500, "{n_refused}");
}

/// Checks the error of a certificate with these lines, from its value on.
#[track_caller]
fn check_refuted(rules: &str, start: &str, lines: &[&str], expected: &str) {
    let lines = lines.join("\n");
    let text = format!("tictac certificate 1\nrules {rules}\nstart {start}\nvalue {lines}\nend\n");
    let refuted = Certificate::read(text.as_bytes()).unwrap().verify().unwrap_err();
    assert_eq!(refuted.to_string(), expected, "{text}");
}

#[test]
fn each_flaw_has_its_line_and_position() {
    let wins = "win\nstrategy first wins";
    check_refuted(
        "1,4,2",
        ".... X",
        &[wins, ".... X move X A2", "X.O. X move X A2"],
        "line 7: in X.O. X: the strategy never reaches this position: remove the entry",
    );
    check_refuted(
        "1,4,2",
        ".... X",
        &[wins, ".... X move X A2", ".... X move X A3"],
        "line 7: in .... X: line 6 has the same position or a symmetric image of it",
    );
    check_refuted(
        "1,4,4",
        ".... X",
        &[wins, ".... X weight"],
        "line 6: in .... X: pairs and weight prove that a player does not lose, not that the player wins",
    );
    check_refuted(
        "1,4,2",
        ".... X",
        &["loss\nstrategy second wins", ".... X move X A2"],
        "line 6: in .... X: the second player is not to move",
    );
    check_refuted(
        "1,4,2",
        ".X.. O",
        &["win\nstrategy second wins", ".X.. O move O A2"],
        "line 6: in .X.. O: A2 is already taken",
    );
}

#[test]
fn a_draw_is_no_win_and_a_finished_game_has_no_entries() {
    let wins = "win\nstrategy first wins";
    let (last, dead) = ("XOX/XOO/OX. X", "XOX/OOX/.XO X");
    check_refuted(
        "3,3,3",
        last,
        &[wins, &format!("{last} move X C3")],
        "line 6: in XOX/XOO/OXX O: the game ends in a draw, but a win is claimed",
    );
    check_refuted(
        "3,3,3",
        dead,
        &[wins],
        &format!("line 5: in {dead}: no entry for the first player to move"),
    );
    check_refuted(
        "1,2,2 misere",
        "X. O",
        &["loss\nstrategy first wins"],
        "line 5: in XO X: the game ends in a draw, but a win is claimed",
    );
    check_refuted(
        "1,4,2",
        "XX.O O",
        &["loss\nstrategy first wins", "XX.O O pairs"],
        "line 6: in XX.O O: the game is over: an entry needs a player to move",
    );
    check_refuted(
        "1,4,2",
        "XX.O O",
        &["win\nstrategy second wins"],
        "line 5: in XX.O O: the game ends with a win of the first player",
    );
}

#[test]
fn leaves_are_refused_for_rules_to_which_they_do_not_apply() {
    for rules in ["1,4,3 misere", "1,4,3 wild", "1,4,3 wild misere", "1,4,3 x-only"] {
        let start = if rules.contains("misere") && !rules.contains("wild") { ".... X" } else { ".... 1" };
        check_refuted(
            rules,
            start,
            &["draw\nstrategy first holds", &format!("{start} weight"), "strategy second holds"],
            &format!(
                "line 6: in {start}: pairs and weight require one board, a different mark for each player, and lines that win"
            ),
        );
    }
    check_refuted(
        "1,1,1",
        ". X",
        &["draw\nstrategy first holds", ". X move X A1 weight", "strategy second holds"],
        "line 6: in . X: the game is over after this move: remove pairs or weight",
    );
}
