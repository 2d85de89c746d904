//! The commands of line mode.

use std::io::{self, Write};

use tictac::Player;

use super::{LineMode, describe};
use crate::app::exercise::LessonStep;
use crate::record::SaveMode;
use crate::session::GameSession;

impl LineMode<'_> {
    /// Runs a command; words may be in either case, and anything that is not a command should be a square.
    pub(super) fn run(&mut self, line: &str, out: &mut impl Write) -> io::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let is_on = rest.eq_ignore_ascii_case("on");
        let word = word.to_lowercase();
        let is_help = match word.as_str() {
            "hint" | "h" | "values" | "v" | "why" | "review" => true,
            "undo" | "u" | "back" | "[" | "start" | "swap" | "w" => self.session().is_under_way(),
            _ => false,
        };
        self.view_mut().count.has_help |= is_help;
        let next_step = self.next_step.take();
        match word.as_str() {
            "" => Ok(()),
            "board" => {
                describe::boards(self.session().state(), out)?;
                self.write_status(out)
            }
            "moves" => self.write_moves(out),
            "values" | "v" => {
                let state = self.session().state().clone();
                describe::values(&state, &self.engine.survey(&state, &|| false), out)
            }
            "why" => self.write_verdict(out),
            "review" => self.write_review(out),
            "resume" => self.resume(out),
            "hint" | "h" => self.write_hint(out),
            "undo" | "u" => self.step(GameSession::undo, out),
            "redo" => self.step(GameSession::redo, out),
            "back" | "[" => self.step(|session| session.step(-1), out),
            "forward" | "]" => self.step(|session| session.step(1), out),
            "start" => self.step(|session| session.step(isize::MIN), out),
            "end" => self.step(|session| session.step(isize::MAX), out),
            "new" | "n" => self.begin(rest, out),
            "resign" => match self.view_mut().session.resign() {
                Some(_) => self.write_status(out),
                None => writeln!(out, "There is nothing to resign."),
            },
            "swap" | "w" => {
                self.view_mut().session.swap();
                self.write_game(out)
            }
            "stop" => {
                self.view_mut().session.stop();
                self.write_status(out)
            }
            "play" if is_on => {
                self.view_mut().session.has_played_on = true;
                self.write_status(out)
            }
            "go" if is_on => {
                self.view_mut().session.is_paused = false;
                Ok(())
            }
            "first" => self.set_seat(Player::First, rest, out),
            "second" => self.set_seat(Player::Second, rest, out),
            "save" | "s" => self.save(rest, SaveMode::Create, out),
            "replace" => self.save(rest, SaveMode::Replace, out),
            "open" => self.open(rest, out),
            "learn" => self.learn(rest, out),
            "next" => self.next_lesson(next_step, out),
            "again" => self.begin_step(self.lesson().unwrap_or(LessonStep::first(0)), out),
            "help" | "?" => write!(out, "{HELP}"),
            _ => self.play(line, out),
        }
    }
}

const HELP: &str = "\
Type a square to play: a letter for the row, from the top, and a digit for the column, such as B2.
With several boards, start with the board: 2.B2. In wild games, start with the mark: X B2.
On a 3x3 board, 1 to 9 are enough.
board            show the board in words
moves            list the moves
hint             show the best square and why
values           show the value of every square
why              show the verdict on the last move, and the better move
review           show the mistakes of the game, and the better moves
undo, redo       take back a move, play it again
back, forward    step one move back or forward; start and end go all the way
new [RULES]      start a new game, such as new notakto boards=3 or new 4,4,3 misere
first WHO        choose who plays first: person, beginner, casual, club, expert or perfect
second WHO       choose who plays second
swap             swap sides
go on            after stepping back: let the computer move
resign           resign the game
resume           continue the unfinished game of an earlier run
stop, play on    stop or continue a dead draw
save FILE        save the game as a record; replace FILE replaces an existing file
open FILE        open a record; FILE#2 is its second game
learn [N]        list the lessons, or start lesson N; next and again continue
help, quit       show this help, quit
";
