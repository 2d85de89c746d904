//! What can be typed in line mode.

/// A line that somebody typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
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
    GoOn,
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
    /// Anything else: a square, it is hoped.
    Square(String),
}

impl Command {
    /// Reads a line; words in either case, and most of them by their first letter too.
    pub(super) fn parse(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        match (word.to_lowercase().as_str(), rest.is_empty()) {
            ("", _) => Command::Nothing,
            ("board", _) => Command::Board,
            ("moves", _) => Command::Moves,
            ("values" | "v", _) => Command::Values,
            ("hint" | "h", _) => Command::Hint,
            ("undo" | "u", _) => Command::Undo,
            ("redo", _) => Command::Redo,
            ("back" | "[", _) => Command::Back,
            ("forward" | "]", _) => Command::Forward,
            ("start", _) => Command::Start,
            ("end", _) => Command::End,
            ("new" | "n", _) => Command::New(rest),
            ("resign", _) => Command::Resign,
            ("swap" | "w", _) => Command::Swap,
            ("stop", _) => Command::Stop,
            ("play", false) if rest.eq_ignore_ascii_case("on") => Command::PlayOn,
            ("go", false) if rest.eq_ignore_ascii_case("on") => Command::GoOn,
            ("first", _) => Command::First(rest),
            ("second", _) => Command::Second(rest),
            ("save" | "s", _) => Command::Save(rest),
            ("replace", _) => Command::Replace(rest),
            ("open", _) => Command::Open(rest),
            ("learn", _) => Command::Learn(rest),
            ("next", _) => Command::Next,
            ("again", _) => Command::Again,
            ("help" | "?", _) => Command::Help,
            ("quit" | "q" | "exit", _) => Command::Quit,
            _ => Command::Square(line.to_owned()),
        }
    }
}

/// What `help` says.
pub(super) const HELP: &str = "\
Type a square to place a mark: the letter is the row, A on top, and the digit the column: B2.
With several boards the board comes first: 2.B2. In wild games the mark: X B2. On a 3x3 board 1 to 9 will do.
board            the board in words
moves            the moves so far
hint             the best square, and why
values           what every square is worth
undo, redo       take back, make again, as often as you like
back, forward    one move back or forward; start, end: all the way
new [RULES]      a new game, such as new notakto boards=3 or new 4,4,3 misere
first WHO        who plays first: person, beginner, casual, club, expert or perfect; second WHO likewise
swap             change sides
go on            after going back: let the computer move
resign           give up
stop, play on    what to do about a dead draw
save FILE        save the game as a record; replace FILE writes over another one
open FILE        open a record; FILE#2 is its second game; forward steps through it, a square takes over
learn [N]        the lessons, or lesson N; next and again go through them
help, quit       these words; the end
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_everything_else_is_a_square() {
        assert_eq!(Command::parse("  UNDO "), Command::Undo);
        assert_eq!(Command::parse("new  4,4,3 misere"), Command::New("4,4,3 misere".to_owned()));
        assert_eq!(Command::parse("play on"), Command::PlayOn);
        assert_eq!(Command::parse("save my game.ttt"), Command::Save("my game.ttt".to_owned()));
        assert_eq!(Command::parse("b2"), Command::Square("b2".to_owned()));
        assert_eq!(Command::parse("X B2"), Command::Square("X B2".to_owned()));
        assert_eq!(Command::parse("\t"), Command::Nothing);
    }

    #[test]
    fn help_names_every_word() {
        let words = "board moves hint values undo redo back forward start end new first second swap go resign stop \
                     play save replace open learn next again help quit";
        for word in words.split_whitespace() {
            assert!(HELP.contains(word), "{word}");
            assert!(!matches!(Command::parse(&format!("{word} on")), Command::Square(_)), "{word}");
        }
    }
}
