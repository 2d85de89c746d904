//! The command line: global options, subcommands, and what to do with arguments that cannot be run.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use crate::charset::Charset;
use crate::paint::OutputStyle;
use crate::{
    analyze, check, completions, convert, engine, explain, fmt, grade, man, perft, play, serve, show, solve,
    stats, usage, verify,
};

/// Play, check, solve and grade tic-tac-toe and its variants
///
/// Plays by the rules of any m,n,k game on up to 64 squares: ordinary, misère (a line loses), wild (either mark), X only,
/// and X only on several boards (Notakto).
#[derive(Parser)]
#[command(name = "tictac", version, override_usage = USAGE, after_long_help = AFTER_LONG_HELP, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: GlobalOptions,

    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// The options of all commands.
#[derive(clap::Args)]
struct GlobalOptions {
    /// When to use colour; `auto` means on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    /// Write only ASCII characters
    #[arg(long, global = true)]
    ascii: bool,
}

const USAGE: &str = "\
tictac [OPTIONS]            play in the terminal
       tictac [OPTIONS] <COMMAND>";

const AFTER_LONG_HELP: &str = "\
Squares are named by row and column: A1 is at the top left, A3 at the top right of a 3x3 board.

Rules are written as m,n,k (rows, columns, marks in a row), followed by any of: wild, x-only, misere, boards=N. \
Short names: classic, misere, wild, notakto.

Exit status: 0 yes, 1 no (a wrong record or position), 2 no answer (wrong usage, unreadable input).

Examples:
  tictac play --o perfect
  tictac show 'X.O/.X./... O'
  tictac check games/
  tictac analyze game.ttt
  tictac perft --rules 4,4,4
  tictac help show";

#[derive(Subcommand)]
enum CliCommand {
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

impl CliCommand {
    fn run(&self, style: OutputStyle, out: &mut (impl Write + Send)) -> anyhow::Result<ExitCode> {
        match self {
            CliCommand::Play(args) => play::run(args, style, out),
            CliCommand::Show(args) => show::run(args, style, out),
            CliCommand::Check(args) => check::run(args, style, out),
            CliCommand::Explain(args) => explain::run(args, style, out),
            CliCommand::Engine(args) => engine::run(args, style, out),
            CliCommand::Fmt(args) => fmt::run(args, style, out),
            CliCommand::Convert(args) => convert::run(args, style, out),
            CliCommand::Analyze(args) => analyze::run(args, style, out),
            CliCommand::Stats(args) => stats::run(args, style, out),
            CliCommand::Grade(args) => grade::run(args, style, out),
            CliCommand::Perft(args) => perft::run(args, style, out),
            CliCommand::Solve(args) => solve::run(args, style, out),
            CliCommand::Verify(args) => verify::run(args, style, out),
            CliCommand::Serve(args) => serve::run(args, style, out),
            CliCommand::Completions(args) => completions::run(args, style, out),
            CliCommand::Man(args) => man::run(args, style, out),
        }
    }
}

/// What this process was asked to do.
pub(crate) struct CliInvocation {
    pub(crate) style: OutputStyle,
    // `None` without a command and without a terminal to play on; the error is help, the version, or a usage error.
    command: Result<Option<CliCommand>, clap::Error>,
}

impl CliInvocation {
    /// Parses the arguments of this process. Without a command, `tictac` on a terminal means `tictac play`.
    pub(crate) fn from_environment() -> CliInvocation {
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        let mut parsed = usage::parse::<Cli>(Cli::command(), &arguments);
        if matches!(parsed, Ok(Cli { command: None, .. })) && can_play() {
            arguments.push("play".into());
            parsed = usage::parse(Cli::command(), &arguments);
        }
        let (color, charset, command) = match parsed {
            Ok(Cli { global: GlobalOptions { color, ascii: true }, command }) => {
                (color, Charset::Ascii, Ok(command))
            }
            Ok(Cli { global, command }) => {
                // These commands write records, which are data and stay as they are unless --ascii is given.
                let is_data = matches!(command, Some(CliCommand::Fmt(_) | CliCommand::Convert(_)));
                let charset = if is_data { Charset::Unicode } else { Charset::of_locale() };
                (global.color, charset, Ok(command))
            }
            Err(error) => (color_choice(&arguments), Charset::of_locale(), Err(error)),
        };
        CliInvocation { style: OutputStyle::new(color, charset), command }
    }

    pub(crate) fn run(&self, out: &mut (impl Write + Send)) -> anyhow::Result<ExitCode> {
        match &self.command {
            Ok(None) => bail!(
                "play, check, solve and grade tic-tac-toe games; run 'tictac help', or start it in a terminal to play"
            ),
            Ok(Some(command)) => command.run(self.style, out),
            Err(error) => usage::report(error, self.style, out),
        }
    }
}

/// Returns whether a game can be played on the full screen: only on a terminal.
pub(crate) fn can_play() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

/// Finds the value of `--color` in arguments that cannot be parsed, for the message about them.
fn color_choice(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let separate = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    separate.chain(joined).find_map(|value| value.parse().ok()).unwrap_or(ColorChoice::Auto)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_may_follow_the_command() {
        let parse = |line: &str| {
            let words: Vec<_> = line.split_whitespace().map(OsString::from).collect();
            usage::parse::<Cli>(Cli::command(), &words)
        };
        let parsed = parse("tictac check --ascii --color never --rules 4,4,4 -");
        assert!(parsed.is_ok_and(|cli| cli.global.ascii && cli.global.color == ColorChoice::Never));
        assert!(parse("tictac").is_ok_and(|cli| cli.command.is_none()));
        assert!(parse("tictac --ascii check").is_ok_and(|cli| cli.global.ascii && cli.command.is_some()));
        for line in [
            "tictac help",
            "tictac check --help",
            "tictac check --nope",
            "tictac grade help",
            "tictac grade help all",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_colour_of_help_is_found_in_arguments_that_cannot_be_parsed() {
        let choice =
            |line: &str| color_choice(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(choice("tictac --color never --help"), ColorChoice::Never);
        assert_eq!(choice("tictac show --help --color=always"), ColorChoice::Always);
        assert_eq!(choice("tictac show --color"), ColorChoice::Auto);
        assert_eq!(choice("tictac show --colorful=never"), ColorChoice::Auto);
    }

    /// Splits at white space, except between single quotes: all that the examples need of a shell.
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
    fn every_example_in_the_help_is_accepted() {
        let mut n_examples = 0;
        let top = Cli::command();
        for command in top.get_subcommands().chain([&top]) {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let before = n_examples;
            for example in help.lines().filter_map(|line| line.strip_prefix("  tictac ")) {
                // Cut off the explanation, a pipe and redirections.
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
