//! The arguments, typed; their doc comments are the help.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::charset::Charset;
use crate::paint::Paint;
use crate::{
    analyze, check, completions, convert, engine, explain, fmt, grade, man, perft, play, serve, show, solve,
    stats, verify,
};

/// Play, check, solve and teach the tic-tac-toe family
///
/// One rule engine for any grid of up to 64 squares, any line length, lines that win or lose (misère), own marks, either
/// mark (wild) or X only, one board or many (Notakto).
#[derive(Parser)]
#[command(name = "tictac", version, arg_required_else_help = true, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Cli {
    /// When to use colour; `auto` means on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    /// Write nothing but ASCII: boards, bars and signs without Unicode
    #[arg(long, global = true)]
    ascii: bool,

    #[command(subcommand)]
    command: Command,
}

const AFTER_LONG_HELP: &str = "\
Squares are named as in the course's records: the letter is the row, A on top, and the digit the column.

Rules are written m,n,k (rows, columns, how many in a row), then any of: wild, x-only, misere, boards=N.
Short names: classic, misere, wild, notakto.

Exit status: 0 yes, 1 no (a bad record or position), 2 could not tell (wrong usage, unreadable input).

Examples:
  tictac play --o perfect
  tictac show 'X.O/.X./... O'
  tictac check games/
  tictac analyze game.ttt
  tictac perft --rules 4,4,4
  tictac help show";

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Show(show::Args),
    Check(check::Args),
    Explain(explain::Args),
    Engine(engine::Args),
    Fmt(fmt::Args),
    Convert(convert::Args),
    Analyze(analyze::Args),
    Stats(stats::Args),
    Grade(Box<grade::Args>),
    Perft(perft::Args),
    Solve(solve::Args),
    Verify(verify::Args),
    Serve(serve::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Cli {
    /// Reads the arguments of this process.
    pub(crate) fn from_environment() -> Request {
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        // Whoever says nothing at a terminal wants to play; without one, help is the better answer.
        if arguments.len() == 1 && play::is_possible() {
            arguments.push("play".into());
        }
        let color = color_asked_for(&arguments);
        let mut command = Cli::command().color(color);
        let understood = command
            .try_get_matches_from_mut(arguments)
            .and_then(|matches| Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command)));
        match understood {
            Ok(cli) => Request::Do(cli),
            Err(answer) => Request::Say { answer, color },
        }
    }

    fn run(&self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Play(args) => play::run(args, self.color, self.charset(), out),
            Command::Show(args) => show::run(args, self.paint(&io::stdout()), out),
            Command::Check(args) => check::run(args, self.paint(&io::stdout()), self.charset(), out),
            Command::Explain(args) => explain::run(args, self.paint(&io::stdout()), out),
            Command::Engine(args) => engine::run(args, out),
            Command::Fmt(args) => {
                fmt::run(args, self.paint(&io::stdout()), self.paint(&io::stderr()), self.charset(), out)
            }
            Command::Convert(args) => convert::run(args, self.paint(&io::stderr()), self.charset(), out),
            Command::Analyze(args) => {
                analyze::run(args, self.paint(&io::stdout()), self.paint(&io::stderr()), self.charset(), out)
            }
            Command::Stats(args) => {
                stats::run(args, self.paint(&io::stdout()), self.paint(&io::stderr()), self.charset(), out)
            }
            Command::Grade(args) => grade::run(args, self.paint(&io::stdout()), out),
            Command::Perft(args) => perft::run(args, out),
            Command::Solve(args) => solve::run(args, self.paint(&io::stdout()), out),
            Command::Verify(args) => verify::run(args, out),
            Command::Serve(args) => serve::run(args, out),
            Command::Completions(args) => completions::run(args, out),
            Command::Man(args) => man::run(args, out),
        }
    }

    fn paint(&self, stream: &impl IsTerminal) -> Paint {
        Paint::new(self.color, stream)
    }

    fn charset(&self) -> Charset {
        if self.ascii { Charset::Ascii } else { Charset::Unicode }
    }
}

/// What the arguments come to.
pub(crate) enum Request {
    /// Something to do.
    Do(Cli),
    /// Something that clap has to say: help, the version, or what is wrong with the arguments.
    Say { answer: clap::Error, color: ColorChoice },
}

impl Request {
    /// Does what the arguments ask for.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        match self {
            Request::Do(cli) => cli.run(out),
            Request::Say { answer, .. } => {
                // Not `exit`, which would not mind if help cannot be written.
                let printed = answer.print().and_then(|()| io::stdout().flush());
                // Where the complaint itself cannot be written, there is nobody left to tell.
                if !answer.use_stderr() {
                    printed?;
                }
                Ok(if answer.exit_code() == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
            }
        }
    }

    /// Returns how to write to `stream`.
    pub(crate) fn paint(&self, stream: &impl IsTerminal) -> Paint {
        match self {
            Request::Do(cli) => cli.paint(stream),
            Request::Say { color, .. } => Paint::new(*color, stream),
        }
    }

    /// Returns in which characters to write.
    pub(crate) fn charset(&self) -> Charset {
        match self {
            Request::Do(cli) => cli.charset(),
            Request::Say { .. } => Charset::Unicode,
        }
    }
}

/// Help and usage errors are written while the arguments are still being read, so their colour needs a look ahead.
fn color_asked_for(arguments: &[OsString]) -> ColorChoice {
    let mut words = arguments.iter().filter_map(|argument| argument.to_str());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(choice) = value.and_then(|value| value.parse().ok()) {
            return choice;
        }
    }
    ColorChoice::Auto
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_make_sense_to_clap() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_colour_of_help_is_found_before_the_arguments_are_read() {
        let asked =
            |line: &str| color_asked_for(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("tictac --color never --help"), ColorChoice::Never);
        assert_eq!(asked("tictac show --help --color=always"), ColorChoice::Always);
        assert_eq!(asked("tictac show --color"), ColorChoice::Auto);
        assert_eq!(asked("tictac show --colorful=never"), ColorChoice::Auto);
    }

    /// Splits at blanks, except between single quotes; the examples need no more of a shell.
    fn shell_words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (place, part) in line.split('\'').enumerate() {
            if place % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }

    #[test]
    fn every_example_in_the_help_can_be_typed_like_that() {
        let mut n_examples = 0;
        let top = Cli::command();
        for command in top.get_subcommands().chain([&top]) {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let before = n_examples;
            for example in help.lines().filter_map(|line| line.strip_prefix("  tictac ")) {
                // An explanation, a pipe and redirections are not for us.
                let end = ["  ", " | ", " < ", " > "].iter().filter_map(|mark| example.find(mark)).min();
                let example = &example[..end.unwrap_or(example.len())];
                if !example.starts_with("help") {
                    let words = [vec!["tictac".to_owned()], shell_words(example)].concat();
                    assert!(Cli::try_parse_from(&words).is_ok(), "{words:?}");
                }
                n_examples += 1;
            }
            assert!(n_examples > before, "{} has no examples", command.get_name());
        }
    }
}
