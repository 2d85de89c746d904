//! The line protocol of Gomocup and Piskvork.

use std::io::{self, Write};
use std::str::FromStr;
use std::time::Duration;

use tictac::{Board, Game, Goal, Grid, Mark, Move, Position, Rules, SquareSet, State, Status};

use super::lines::CommandLines;
use super::{EngineReply, shown};
use crate::computer_player::ComputerPlayer;

/// Replies to commands until END or the end of the input.
pub(super) fn run(
    player: ComputerPlayer,
    line: Option<usize>,
    goal: Goal,
    lines: &CommandLines,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut brain = GomocupBrain { player, line, goal, game: None };
    while let Some(text) = lines.next() {
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        let reply = match command.to_ascii_uppercase().as_str() {
            "" => continue,
            "END" => return Ok(()),
            "BOARD" => brain.board(lines),
            command => brain.reply_to(command, rest.trim()),
        };
        match reply {
            Ok(Some(line)) | Err(line) => writeln!(out, "{line}")?,
            Ok(None) => {}
        }
        out.flush()?;
    }
    Ok(())
}

struct GomocupBrain {
    player: ComputerPlayer,
    line: Option<usize>,
    goal: Goal,
    // None before START.
    game: Option<Game>,
}

const OK: &str = "OK";
/// The length of a line in tournaments.
const FIVE: usize = 5;
/// Subtracted from the time for a move, because the reply takes time to arrive.
const MARGIN: Duration = Duration::from_millis(50);

impl GomocupBrain {
    fn reply_to(&mut self, command: &str, rest: &str) -> EngineReply {
        match command {
            "START" => {
                let size = number(rest)?;
                self.start(size, size)
            }
            "RECTSTART" => {
                let (width, height) = pair(rest)?;
                self.start(height, width)
            }
            "RESTART" => {
                let rules = *self.game()?.start().rules();
                self.game = Some(Game::new(&rules));
                Ok(Some(OK.to_owned()))
            }
            "BEGIN" => self.choose_move(),
            "TURN" => {
                self.play(pair(rest)?)?;
                self.choose_move()
            }
            "TAKEBACK" => self.take_back(pair(rest)?),
            "INFO" => {
                self.set_info(rest);
                Ok(None)
            }
            "ABOUT" => Ok(Some(format!(
                "name=\"tictac\", version=\"{}\", author=\"the tictac contributors\", country=\"\"",
                env!("CARGO_PKG_VERSION")
            ))),
            _ => Err(format!("UNKNOWN command {}", shown(command))),
        }
    }

    fn start(&mut self, rows: usize, columns: usize) -> EngineReply {
        let refused =
            || format!("ERROR {columns} x {rows} is not supported: a board may have 1 to 64 squares");
        let grid = Grid::new(rows, columns).ok_or_else(refused)?;
        let line = self.line.unwrap_or(FIVE.min(rows.max(columns)));
        let rules = Rules::new(grid, line).map_err(|reason| format!("ERROR {reason}"))?;
        self.game = Some(Game::new(&rules.with_goal(self.goal)));
        Ok(Some(OK.to_owned()))
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "ERROR no game: START comes first".to_owned())
    }

    fn play(&mut self, at: (usize, usize)) -> Result<(), String> {
        let game = self.game()?;
        let mv = game_move(game.state(), at)?;
        let (x, y) = at;
        game.play(mv).map_err(|_| match game.status() {
            Status::Over(_) => "ERROR the game is over".to_owned(),
            Status::ToMove(_) => format!("ERROR {x},{y} is already taken"),
        })
    }

    /// Plays our move and returns it.
    fn choose_move(&mut self) -> EngineReply {
        let state = self.game()?.state().clone();
        let Some(choice) = self.player.choose(&state, &|| false) else {
            return Err("ERROR the game is over".to_owned());
        };
        self.game()?.play(choice.mv).map_err(|_| "ERROR no legal move was found".to_owned())?;
        let grid = state.rules().grid();
        Ok(Some(format!("{},{}", grid.column(choice.mv.square), grid.row(choice.mv.square))))
    }

    /// Takes back the last move, whose square the manager names.
    fn take_back(&mut self, at: (usize, usize)) -> EngineReply {
        let game = self.game()?;
        let square = game_move(game.state(), at)?.square;
        let (x, y) = at;
        let Some(place) = game.moves().iter().position(|mv| mv.square == square) else {
            return Err(format!("ERROR {x},{y} is empty"));
        };
        if place + 1 == game.moves().len() {
            game.undo();
            return Ok(Some(OK.to_owned()));
        }
        Err(format!("ERROR {x},{y} was not the last move; send BOARD for another position"))
    }

    /// Reads a position, in which the manager marks our squares, and replies with a move.
    fn board(&mut self, lines: &CommandLines) -> EngineReply {
        let mut marks = Ok(Vec::new());
        loop {
            let Some(text) = lines.next() else { return Err("ERROR the input ended in BOARD".to_owned()) };
            if text.eq_ignore_ascii_case("DONE") {
                break;
            }
            // The rest of the command, up to DONE, has to be read before it is rejected.
            marks = marks.and_then(|mut marks| match triple(&text)? {
                _ if marks.len() == SquareSet::CAPACITY => Err("ERROR more marks than squares".to_owned()),
                mark => {
                    marks.push(mark);
                    Ok(marks)
                }
            });
        }
        let marks = marks?;
        let rules = *self.game()?.start().rules();
        self.game = Some(Game::from(State::One(position(&rules, &marks)?)));
        self.choose_move()
    }

    fn set_info(&mut self, rest: &str) {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        // Zero means as fast as possible. We have no use for the other keys.
        if key.eq_ignore_ascii_case("timeout_turn")
            && let Ok(milliseconds) = value.trim().parse()
        {
            self.player.time_limit = Duration::from_millis(milliseconds).saturating_sub(MARGIN);
        }
    }
}

/// Returns the move of the player to move at column, row.
fn game_move(state: &State, (x, y): (usize, usize)) -> Result<Move, String> {
    let square =
        state.rules().grid().square(y, x).ok_or_else(|| format!("ERROR {x},{y} is off the board"))?;
    Ok(Move::new(square, state.marks()[0]))
}

/// Returns the position in which we are to move: field 1 is ours, 2 the opponent's.
fn position(rules: &Rules, marks: &[(usize, usize, u8)]) -> Result<Position, String> {
    let mut board = Board::EMPTY;
    let mut counts = [0, 0];
    for &(x, y, field) in marks {
        let square = rules.grid().square(y, x).ok_or_else(|| format!("ERROR {x},{y} is off the board"))?;
        if board.occupied().contains(square) {
            return Err(format!("ERROR {x},{y} is given twice"));
        }
        let is_ours = match field {
            1 => true,
            2 => false,
            _ => return Err(format!("ERROR field {field} is not supported: 1 is ours, 2 the opponent's")),
        };
        counts[usize::from(is_ours)] += 1;
        board = board.with(square, if is_ours { Mark::X } else { Mark::O });
    }
    let [theirs, ours] = counts;
    // It is our move: with equal numbers of marks we went first, with one less the opponent did.
    let opener = if ours == theirs { Mark::X } else { Mark::O };
    Position::set_up(board, opener, rules).map_err(|_| {
        format!(
            "ERROR no game leads to this position with {ours} of our marks and {theirs} of the opponent's"
        )
    })
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("ERROR expected a number, found {}", shown(text)))
}

fn pair(text: &str) -> Result<(usize, usize), String> {
    let (x, y) = text.split_once(',').ok_or_else(|| format!("ERROR expected x,y, found {}", shown(text)))?;
    Ok((number(x)?, number(y)?))
}

fn triple(text: &str) -> Result<(usize, usize, u8), String> {
    let (at, field) = text
        .rsplit_once(',')
        .ok_or_else(|| format!("ERROR expected x,y,field or DONE, found {}", shown(text)))?;
    let (x, y) = pair(at)?;
    Ok((x, y, number(field)?))
}
