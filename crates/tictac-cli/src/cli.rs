//! The command line: global options, subcommands, and what to do with arguments that cannot be run.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args as _, ColorChoice, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

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
#[command(name = NAME, version, override_usage = USAGE, after_long_help = AFTER_LONG_HELP, max_term_width = 100)]
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

const NAME: &str = "tictac";

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

/// Adds the options of a command to its description.
type AugmentArgs = fn(Command) -> Command;

/// All commands by name.
const BY_NAME: [(&str, AugmentArgs); 16] = [
    ("play", play::Args::augment_args),
    ("show", show::Args::augment_args),
    ("check", check::Args::augment_args),
    ("explain", explain::Args::augment_args),
    ("engine", engine::Args::augment_args),
    ("fmt", fmt::Args::augment_args),
    ("convert", convert::Args::augment_args),
    ("analyze", analyze::Args::augment_args),
    ("stats", stats::Args::augment_args),
    ("grade", grade::Args::augment_args),
    ("perft", perft::Args::augment_args),
    ("solve", solve::Args::augment_args),
    ("verify", verify::Args::augment_args),
    ("serve", serve::Args::augment_args),
    ("completions", completions::Args::augment_args),
    ("man", man::Args::augment_args),
];

impl CliCommand {
    /// Returns the description of the command with this name, if there is one.
    fn described(name: &str) -> Option<Command> {
        let (name, augment) = BY_NAME.iter().find(|(known, _)| *known == name)?;
        Some(augment(Command::new(name)))
    }

    fn run(&self, style: OutputStyle, out: &mut (impl Write + Send)) -> anyhow::Result<ExitCode> {
        let success = |()| ExitCode::SUCCESS;
        match self {
            CliCommand::Play(args) => play::run(args, style, out),
            CliCommand::Show(args) => show::run(args, style.paint, out).map(success),
            CliCommand::Check(args) => check::run(args, style, out),
            CliCommand::Explain(args) => explain::run(args, style.paint, out).map(success),
            CliCommand::Engine(args) => engine::run(args, out).map(success),
            CliCommand::Fmt(args) => fmt::run(args, style, out),
            CliCommand::Convert(args) => convert::run(args, style, out),
            CliCommand::Analyze(args) => analyze::run(args, style, out),
            CliCommand::Stats(args) => stats::run(args, style, out),
            CliCommand::Grade(args) => grade::run(args, style.paint, out),
            CliCommand::Perft(args) => perft::run(args, out).map(success),
            CliCommand::Solve(args) => solve::run(args, style.paint, out),
            CliCommand::Verify(args) => verify::run(args, out),
            CliCommand::Serve(args) => serve::run(args, out),
            CliCommand::Completions(args) => completions::run(args, out).map(success),
            CliCommand::Man(args) => man::run(args, out).map(success),
        }
    }
}

impl Cli {
    fn parse_arguments(arguments: &[OsString], color: ColorChoice) -> Result<Cli, clap::Error> {
        if let Some(cli) = Cli::parse_one_command(arguments) {
            return Ok(cli);
        }
        let mut command = usage::with_negative_quantities(Cli::command().color(color));
        let matches = command.try_get_matches_from_mut(arguments)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// Parses arguments that start with the name of a command and are right. Returns `None` for all others, which need the whole
    /// command line for an error or for help.
    ///
    /// Describing all options of all commands to clap would take as long as the rest of a short run.
    fn parse_one_command(arguments: &[OsString]) -> Option<Cli> {
        let command = CliCommand::described(arguments.get(1)?.to_str()?)?;
        // `help` stays on: switching it off would also take it from `grade`, where the word would then be an assignment.
        let line = GlobalOptions::augment_args(Command::new(NAME));
        let matches = line.subcommand(command).try_get_matches_from(arguments).ok()?;
        let global = GlobalOptions::from_arg_matches(&matches).ok()?;
        Some(Cli { global, command: Some(CliCommand::from_arg_matches(&matches).ok()?) })
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
        let color = color_choice(&arguments);
        let mut parsed = Cli::parse_arguments(&arguments, color);
        if matches!(parsed, Ok(Cli { command: None, .. })) && play::is_possible() {
            arguments.push("play".into());
            parsed = Cli::parse_arguments(&arguments, color);
        }
        match parsed {
            Ok(Cli { global: GlobalOptions { color, ascii }, command }) => {
                let charset = if ascii { Charset::Ascii } else { Charset::Unicode };
                CliInvocation { style: OutputStyle::new(color, charset), command: Ok(command) }
            }
            Err(error) => {
                CliInvocation { style: OutputStyle::new(color, Charset::Unicode), command: Err(error) }
            }
        }
    }

    pub(crate) fn run(&self, out: &mut (impl Write + Send)) -> anyhow::Result<ExitCode> {
        match &self.command {
            Ok(None) => bail!(
                "play, check, solve and grade tic-tac-toe games; run 'tictac help', or start it in a terminal to play"
            ),
            Ok(Some(command)) => command.run(self.style, out),
            Err(error) => usage::report(error, self.style.paint, out),
        }
    }
}

/// Finds the value of `--color` before the arguments are parsed: clap prints help and usage errors while parsing.
fn color_choice(arguments: &[OsString]) -> ColorChoice {
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
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_command_alone_is_described_as_among_the_others() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let mut alone = CliCommand::described(name).unwrap_or_else(|| panic!("{name} is missing"));
            let mut whole = command.clone();
            assert_eq!(alone.render_long_help().to_string(), whole.render_long_help().to_string());
        }
        assert!(CliCommand::described("help").is_none());
    }

    #[test]
    fn right_arguments_are_parsed_without_the_other_commands() {
        let parse = |line: &str| {
            let arguments: Vec<_> = line.split_whitespace().map(OsString::from).collect();
            Cli::parse_one_command(&arguments)
        };
        let parsed = parse("tictac check --ascii --color never --rules 4,4,4 -");
        assert!(parsed.is_some_and(|cli| cli.global.ascii && cli.global.color == ColorChoice::Never));
        for line in [
            "tictac",
            "tictac help",
            "tictac check --help",
            "tictac check --nope",
            "tictac --ascii check",
            "tictac grade help",
            "tictac grade help all",
        ] {
            assert!(parse(line).is_none(), "{line}");
        }
    }

    #[test]
    fn the_colour_of_help_is_found_before_the_arguments_are_parsed() {
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
