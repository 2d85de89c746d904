//! The commands of line mode.

/// A command typed in line mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineCommand {
    Nothing,
    Board,
    Moves,
    Values,
    Hint,
    Undo,
    Redo,
    Back,
    Forward,
    Start,
    End,
    New(String),
    Resign,
    Swap,
    Stop,
    PlayOn,
    Continue,
    First(String),
    Second(String),
    Save(String),
    Replace(String),
    Open(String),
    Learn(String),
    Next,
    Again,
    Help,
    Quit,
    /// Anything else, which should be a square.
    Square(String),
}

impl LineCommand {
    /// Parses a line; words may be in either case, and many have a short form.
    pub(super) fn parse(line: &str) -> LineCommand {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        match (word.to_lowercase().as_str(), rest.is_empty()) {
            ("", _) => LineCommand::Nothing,
            ("board", _) => LineCommand::Board,
            ("moves", _) => LineCommand::Moves,
            ("values" | "v", _) => LineCommand::Values,
            ("hint" | "h", _) => LineCommand::Hint,
            ("undo" | "u", _) => LineCommand::Undo,
            ("redo", _) => LineCommand::Redo,
            ("back" | "[", _) => LineCommand::Back,
            ("forward" | "]", _) => LineCommand::Forward,
            ("start", _) => LineCommand::Start,
            ("end", _) => LineCommand::End,
            ("new" | "n", _) => LineCommand::New(rest),
            ("resign", _) => LineCommand::Resign,
            ("swap" | "w", _) => LineCommand::Swap,
            ("stop", _) => LineCommand::Stop,
            ("play", false) if rest.eq_ignore_ascii_case("on") => LineCommand::PlayOn,
            ("go", false) if rest.eq_ignore_ascii_case("on") => LineCommand::Continue,
            ("first", _) => LineCommand::First(rest),
            ("second", _) => LineCommand::Second(rest),
            ("save" | "s", _) => LineCommand::Save(rest),
            ("replace", _) => LineCommand::Replace(rest),
            ("open", _) => LineCommand::Open(rest),
            ("learn", _) => LineCommand::Learn(rest),
            ("next", _) => LineCommand::Next,
            ("again", _) => LineCommand::Again,
            ("help" | "?", _) => LineCommand::Help,
            ("quit" | "q" | "exit", _) => LineCommand::Quit,
            _ => LineCommand::Square(line.to_owned()),
        }
    }
}

/// The output of `help`.
pub(super) const HELP: &str = "\
Type a square to play: a letter for the row, from the top, and a digit for the column, such as B2.
With several boards, start with the board: 2.B2. In wild games, start with the mark: X B2.
On a 3x3 board, 1 to 9 are enough.
board            show the board in words
moves            list the moves
hint             show the best square and why
values           show the value of every square
undo, redo       take back a move, play it again
back, forward    step one move back or forward; start and end go all the way
new [RULES]      start a new game, such as new notakto boards=3 or new 4,4,3 misere
first WHO        choose who plays first: person, beginner, casual, club, expert or perfect
second WHO       choose who plays second
swap             swap sides
go on            after stepping back: let the computer move
resign           resign the game
stop, play on    stop or continue a dead draw
save FILE        save the game as a record; replace FILE replaces an existing file
open FILE        open a record; FILE#2 is its second game
learn [N]        list the lessons, or start lesson N; next and again continue
help, quit       show this help, quit
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_everything_else_is_a_square() {
        assert_eq!(LineCommand::parse("  UNDO "), LineCommand::Undo);
        assert_eq!(LineCommand::parse("new  4,4,3 misere"), LineCommand::New("4,4,3 misere".to_owned()));
        assert_eq!(LineCommand::parse("play on"), LineCommand::PlayOn);
        assert_eq!(LineCommand::parse("save my game.ttt"), LineCommand::Save("my game.ttt".to_owned()));
        assert_eq!(LineCommand::parse("b2"), LineCommand::Square("b2".to_owned()));
        assert_eq!(LineCommand::parse("X B2"), LineCommand::Square("X B2".to_owned()));
        assert_eq!(LineCommand::parse("\t"), LineCommand::Nothing);
    }

    #[test]
    fn the_help_names_every_word() {
        let words = "board moves hint values undo redo back forward start end new first second swap go resign stop \
                     play save replace open learn next again help quit";
        for word in words.split_whitespace() {
            assert!(HELP.contains(word), "{word}");
            let command = LineCommand::parse(&format!("{word} on"));
            assert!(!matches!(command, LineCommand::Square(_)), "{word}");
        }
    }
}
