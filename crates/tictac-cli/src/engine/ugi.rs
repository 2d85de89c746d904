//! The Universal Game Interface: UCI for any game.

use std::cell::RefCell;
use std::io::{self, Write};
use std::time::Duration;

use tictac::{Move, Outcome, Player, Rules, State, Status, Value};
use tictac_archive::Letters;

use super::lines::CommandLines;
use super::{EngineReply, shown};
use crate::computer_player::ComputerPlayer;

/// Replies to commands until quit or the end of the input.
pub(super) fn run(
    player: ComputerPlayer,
    rules: Rules,
    lines: &CommandLines,
    out: &mut impl Write,
) -> io::Result<()> {
    let default_time = player.time_limit;
    let state = State::start(&rules);
    let mut engine = UgiEngine { player, default_time, letters: Letters::Rows, state, refused: None };
    while let Some(text) = lines.next() {
        let mut words = text.split_whitespace();
        let Some(command) = words.next() else { continue };
        let rest: Vec<&str> = words.collect();
        match command {
            "quit" => return Ok(()),
            // A manager that knows only UCI drives the engine just as well.
            "ugi" | "uci" => engine.introduce(command, out)?,
            "isready" => writeln!(out, "readyok")?,
            "uginewgame" | "ucinewgame" => engine.set_state(State::start(engine.state.rules())),
            // The search has ended already; the others have no meaning here.
            "stop" | "ponderhit" | "debug" | "register" => {}
            "go" => engine.go(&rest, lines, out)?,
            _ => {
                let reply = match command {
                    "setoption" => engine.set_option(&rest),
                    "position" => engine.set_position(&rest).inspect_err(|reason| {
                        engine.refused = Some(reason.clone());
                    }),
                    "query" => engine.query(&rest),
                    _ => Err(format!("unknown command: {}", shown(command))),
                };
                match reply {
                    Ok(Some(line)) => writeln!(out, "{line}")?,
                    Ok(None) => {}
                    Err(reason) => writeln!(out, "info string {reason}")?,
                }
            }
        }
        out.flush()?;
    }
    Ok(())
}

struct UgiEngine {
    player: ComputerPlayer,
    default_time: Duration,
    letters: Letters,
    state: State,
    // Why the last `position` was refused. Until the next one there is no position to answer for: `state` is an older one.
    refused: Option<String>,
}

/// The remaining time is divided by this number of moves.
const MOVES_TO_GO: u32 = 20;
/// Subtracted from the time for a move, because the reply takes time to arrive.
const MARGIN: Duration = Duration::from_millis(20);
/// The time limit of `go infinite` and `go ponder`.
const NO_LIMIT: Duration = Duration::from_hours(24 * 365);

impl UgiEngine {
    fn introduce(&self, protocol: &str, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "id name tictac {}\nid author the tictac contributors", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "option name Rules type string default {}", self.state.rules())?;
        writeln!(out, "option name Letters type combo default row var row var column")?;
        writeln!(out, "{protocol}ok")
    }

    fn set_state(&mut self, state: State) {
        (self.state, self.refused) = (state, None);
    }

    fn set_option(&mut self, words: &[&str]) -> EngineReply {
        let place = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let name = words.get(1..place).unwrap_or_default().join(" ");
        let value = words.get(place + 1..).unwrap_or_default().join(" ");
        match name.to_ascii_lowercase().as_str() {
            "rules" => {
                let rules: Rules = value.parse().map_err(|error| format!("{error}"))?;
                self.set_state(State::start(&rules));
            }
            "letters" => {
                self.letters = match value.as_str() {
                    "row" => Letters::Rows,
                    "column" => Letters::Columns,
                    _ => return Err(format!("Letters is row or column, not {}", shown(&value))),
                }
            }
            _ => return Err(format!("there is no option {}", shown(&name))),
        }
        Ok(None)
    }

    fn set_position(&mut self, words: &[&str]) -> EngineReply {
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
            let mv = self.parse_move(&state, word)?;
            state.play(mv).map_err(|illegal| format!("{}: {illegal}", shown(word)))?;
        }
        self.set_state(state);
        Ok(None)
    }

    fn query(&self, words: &[&str]) -> EngineReply {
        if let (["gameover" | "p1turn" | "result"], Some(reason)) = (words, &self.refused) {
            return Err(format!("there is no position: {reason}"));
        }
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

    fn go(&mut self, words: &[&str], lines: &CommandLines, out: &mut impl Write) -> io::Result<()> {
        if let Some(reason) = &self.refused {
            writeln!(out, "info string there is no position: {reason}")?;
            return writeln!(out, "bestmove (none)");
        }
        // The reply waits for the manager: in a `ponder` search, for the opponent's move.
        let is_held = words.contains(&"infinite") || words.contains(&"ponder");
        self.player.time_limit = if is_held { NO_LIMIT } else { self.time_for(words) };
        let out = RefCell::new(out);
        // While the search runs, `isready` needs a reply, and `stop` ends it. So does `ponderhit`: the opponent's time was
        // enough to think.
        let stop = || {
            while lines.take(|line| line == "isready").is_some() {
                let mut out = out.borrow_mut();
                // If the manager has closed the pipe, the next write reports it.
                let _ = writeln!(out, "readyok").and_then(|()| out.flush());
            }
            // After the end of the input, `stop` cannot arrive any more.
            lines.is_waiting(|line| matches!(line, "stop" | "ponderhit" | "quit"))
                || (is_held && lines.has_ended())
        };
        let choice = self.player.choose(&self.state, &stop);
        // However early the answer is found, the manager gets it when it asks for it.
        while is_held && !stop() && lines.wait() {}
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
        writeln!(out, "bestmove {}", self.move_text(choice.mv))
    }

    /// Returns the time for a move: what the manager sets, a share of the clock, or the default.
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
        value("movetime").or(share).map_or(self.default_time, |time| time.saturating_sub(MARGIN))
    }

    /// Parses a move: B2, with several boards 2.B2, in wild games X@B2.
    fn parse_move(&self, state: &State, word: &str) -> Result<Move, String> {
        let text = match (word.split_once('@'), state.marks()) {
            (Some((mark, place)), [_, _, ..]) => format!("{mark} {place}"),
            (None, [mark]) => format!("{mark} {word}"),
            (None, _) => {
                return Err(format!("{}: in wild games a move names its mark, such as X@B2", shown(word)));
            }
            (Some(_), _) => {
                return Err(format!("{}: a move names its mark only in wild games", shown(word)));
            }
        };
        let naming = self.letters.naming_rules(state.rules());
        let mv = naming.parse_move(&text).map_err(|error| format!("{}: {error}", shown(word)))?;
        Ok(self.letters.convert(mv, &naming, state.rules()))
    }

    fn move_text(&self, mv: Move) -> String {
        let rules = self.state.rules();
        let naming = self.letters.naming_rules(rules);
        self.letters.convert(mv, rules, &naming).name(&naming).to_string().replace(' ', "@")
    }
}
