//! The Universal Game Interface: UCI for any game.

use std::cell::RefCell;
use std::io::{self, Write};
use std::time::Duration;

use tictac::solve::Value;
use tictac::{Grid, Marks, Move, Outcome, Player, Rules, State, Status};

use super::lines::Lines;
use crate::computer_player::ComputerPlayer;

/// Answers commands until quit or the end of input.
pub(super) fn speak(
    player: ComputerPlayer,
    rules: Rules,
    lines: &Lines,
    out: &mut impl Write,
) -> io::Result<()> {
    let usual_time = player.time_limit;
    let mut engine = UgiEngine { player, usual_time, letters: Letters::Row, state: State::start(&rules) };
    while let Some(text) = lines.next() {
        let mut words = text.split_whitespace();
        let Some(command) = words.next() else { continue };
        let rest: Vec<&str> = words.collect();
        match command {
            "quit" => return Ok(()),
            "ugi" => engine.introduce(out)?,
            "isready" => writeln!(out, "readyok")?,
            "uginewgame" => engine.state = State::start(engine.state.rules()),
            // There is no search to stop any more.
            "stop" => {}
            "go" => engine.go(&rest, lines, out)?,
            _ => {
                let answer = match command {
                    "setoption" => engine.set_option(&rest),
                    "position" => engine.set_position(&rest),
                    "query" => engine.query(&rest),
                    _ => Err(format!("unknown command: {}", shown(command))),
                };
                match answer {
                    Ok(Some(answer)) => writeln!(out, "{answer}")?,
                    Ok(None) => {}
                    Err(reason) => writeln!(out, "info string {reason}")?,
                }
            }
        }
        out.flush()?;
    }
    Ok(())
}

type Answer = Result<Option<String>, String>;

/// What the letter of a square names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// The row, as in our records.
    Row,
    /// The column, as in chess; digits then count the rows from the top.
    Column,
}

struct UgiEngine {
    player: ComputerPlayer,
    usual_time: Duration,
    letters: Letters,
    state: State,
}

/// A clock is spread over so many moves.
const MOVES_TO_GO: u32 = 20;
/// What is kept back of the time for a move: the answer has to travel.
const MARGIN: Duration = Duration::from_millis(20);
/// Longer than anybody waits.
const ENDLESS: Duration = Duration::from_hours(24 * 365);

impl UgiEngine {
    fn introduce(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "id name tictac {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "id author the tictac contributors")?;
        writeln!(out, "option name Rules type string default {}", self.state.rules())?;
        writeln!(out, "option name Letters type combo default row var row var column")?;
        writeln!(out, "ugiok")
    }

    fn set_option(&mut self, words: &[&str]) -> Answer {
        let place = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let name = words.get(1..place).unwrap_or_default().join(" ");
        let value = words.get(place + 1..).unwrap_or_default().join(" ");
        match name.to_ascii_lowercase().as_str() {
            "rules" => {
                let rules: Rules = value.parse().map_err(|error| format!("{error}"))?;
                self.state = State::start(&rules);
            }
            "letters" => {
                self.letters = match value.as_str() {
                    "row" => Letters::Row,
                    "column" => Letters::Column,
                    _ => return Err(format!("Letters is row or column, not {}", shown(&value))),
                }
            }
            _ => return Err(format!("there is no option {}", shown(&name))),
        }
        Ok(None)
    }

    fn set_position(&mut self, words: &[&str]) -> Answer {
        let place = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = (&words[..place], words.get(place + 1..).unwrap_or_default());
        let rules = *self.state.rules();
        let mut state = match start {
            ["startpos"] => State::start(&rules),
            ["fen", text @ ..] if !text.is_empty() => {
                State::parse(&text.join(" "), &rules).map_err(|error| format!("{error}"))?
            }
            _ => return Err("expected position startpos or position fen …".to_owned()),
        };
        for word in moves {
            let mv = self.read(&state, word)?;
            state.play(mv).map_err(|illegal| format!("{}: {illegal}", shown(word)))?;
        }
        self.state = state;
        Ok(None)
    }

    fn query(&self, words: &[&str]) -> Answer {
        let answer = match (words, self.state.status()) {
            (["gameover"], status) => matches!(status, Status::Over(_)).to_string(),
            (["p1turn"], _) => (self.state.next_player() == Player::First).to_string(),
            (["result"], Status::ToMove(_)) => "none".to_owned(),
            (["result"], Status::Over(Outcome::Draw)) => "draw".to_owned(),
            (["result"], Status::Over(Outcome::Win(Player::First))) => "p1win".to_owned(),
            (["result"], Status::Over(Outcome::Win(Player::Second))) => "p2win".to_owned(),
            _ => return Err(format!("there is no query {}", shown(&words.join(" ")))),
        };
        Ok(Some(format!("response {answer}")))
    }

    fn go(&mut self, words: &[&str], lines: &Lines, out: &mut impl Write) -> io::Result<()> {
        let is_endless = words.contains(&"infinite");
        self.player.time_limit = if is_endless { ENDLESS } else { self.time_for(words) };
        let out = RefCell::new(out);
        // `isready` has to be answered while we think, and `stop` ends it.
        let stop = || {
            while lines.take(|line| line == "isready").is_some() {
                let mut out = out.borrow_mut();
                // Should the manager have gone, the next answer will notice.
                let _ = writeln!(out, "readyok").and_then(|()| out.flush());
            }
            // Nobody can say stop any more once the input has ended.
            lines.is_waiting(|line| matches!(line, "stop" | "quit")) || (is_endless && lines.has_ended())
        };
        let choice = self.player.choose(&self.state, &stop);
        let out = out.into_inner();
        let Some(choice) = choice else {
            writeln!(out, "info string the game is over")?;
            return writeln!(out, "bestmove (none)");
        };
        let known = match (choice.answer.value(), choice.answer.distance) {
            (Some(Value::Win), Some(plies)) => format!("win in {plies} plies"),
            (Some(Value::Loss), Some(plies)) => format!("loss in {plies} plies"),
            (Some(value), _) => value.to_string(),
            (None, _) => "not proven".to_owned(),
        };
        let proven = if choice.proven { "proven best: " } else { "" };
        writeln!(out, "info string {proven}{known}")?;
        writeln!(out, "bestmove {}", self.write(choice.mv))
    }

    /// How long to think: what the manager says, a share of the clock, or as long as usual.
    fn time_for(&self, words: &[&str]) -> Duration {
        let value = |name: &str| {
            let place = words.iter().position(|&word| word == name)?;
            words.get(place + 1)?.parse().ok().map(Duration::from_millis)
        };
        let (clock, increment) = match self.state.next_player() {
            Player::First => (value("p1time").or(value("wtime")), value("p1inc").or(value("winc"))),
            Player::Second => (value("p2time").or(value("btime")), value("p2inc").or(value("binc"))),
        };
        let share = clock.map(|clock| (clock / MOVES_TO_GO + increment.unwrap_or_default()).min(clock));
        value("movetime").or(share).map_or(self.usual_time, |time| time.saturating_sub(MARGIN))
    }

    /// Reads a move: B2, with several boards 2.B2, in wild games X@B2.
    fn read(&self, state: &State, word: &str) -> Result<Move, String> {
        let rules = state.rules();
        let (mark, place) = match word.split_once('@') {
            Some((mark, place)) => (Some(mark), place),
            None => (None, word),
        };
        let mark = match (mark, rules.marks()) {
            (Some(mark), Marks::Either) => mark.to_owned(),
            (None, Marks::Either) => {
                return Err(format!("{}: in wild games a move is X@B2 or O@B2", shown(word)));
            }
            (Some(_), _) => {
                return Err(format!("{}: only in wild games does a move name its mark", shown(word)));
            }
            (None, _) => state.marks()[0].to_string(),
        };
        let named = self.named(rules);
        let mv = named
            .parse_move(&format!("{mark} {place}"))
            .map_err(|error| format!("{}: {error}", shown(word)))?;
        Ok(self.turned(mv, &named, rules))
    }

    fn write(&self, mv: Move) -> String {
        let rules = self.state.rules();
        let named = self.named(rules);
        self.turned(mv, rules, &named).name(&named).to_string().replace(' ', "@")
    }

    /// The rules by whose grid squares are named: where the letter is the column, rows and columns change places.
    fn named(&self, rules: &Rules) -> Rules {
        let grid = Grid::new(rules.grid().columns(), rules.grid().rows());
        let turned = grid.and_then(|grid| Rules::new(grid, rules.line_length()).ok());
        match (self.letters, turned) {
            (Letters::Column, Some(turned)) => {
                let turned = turned.with_goal(rules.goal()).with_marks(rules.marks());
                turned.with_boards(rules.n_boards()).unwrap_or(turned)
            }
            _ => *rules,
        }
    }

    /// Returns a move on the grid of `from` as the same one on the grid of `to`.
    fn turned(&self, mv: Move, from: &Rules, to: &Rules) -> Move {
        let (row, column) = (from.grid().row(mv.square), from.grid().column(mv.square));
        let turned = match self.letters {
            Letters::Row => None,
            Letters::Column => to.grid().square(column, row),
        };
        Move { square: turned.unwrap_or(mv.square), ..mv }
    }
}

/// Returns foreign text so that it fits a line: escaped, and not too long.
fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_default).collect()
}
