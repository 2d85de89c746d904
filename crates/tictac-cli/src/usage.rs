//! Messages about arguments that cannot be used, in one line each: what is wrong, and what was probably meant.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use tictac::notation::nearest;

use crate::cli::Cli;
use crate::paint::{OutputStyle, Paint};
use crate::values::ValueError;

/// The names of values that are numbers, times and amounts.
const QUANTITIES: [&str; 6] = ["N", "K", "TIME", "BYTES", "MIB", "KIB"];

/// Accepts a hyphen at the start of every number, time and amount. Their parsers refuse it and say what is right; clap would report
/// that there is no option `-1`.
fn with_negative_quantities(command: Command) -> Command {
    let is_quantity = |name: &str| QUANTITIES.contains(&name);
    let command = command.mut_args(|arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let accepts = !arg.is_positional() && names.iter().any(|name| is_quantity(name));
        if accepts { arg.allow_hyphen_values(true) } else { arg }
    });
    command.mut_subcommands(with_negative_quantities)
}

/// Parses arguments. Help, the version and usage errors are errors, which [`report`] writes.
pub(crate) fn parse<T: FromArgMatches>(command: Command, arguments: &[OsString]) -> Result<T, clap::Error> {
    let mut command = with_negative_quantities(command);
    let matches = command.try_get_matches_from_mut(arguments)?;
    T::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Writes help or the version and returns the exit status, or returns the message about a usage error.
pub(crate) fn report(
    error: &clap::Error,
    style: OutputStyle,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let text = |paint| match paint {
        Paint::Off => error.render().to_string(),
        Paint::On => error.render().ansi().to_string(),
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            write!(out, "{}", text(style.paint))?;
            Ok(ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // If standard error is closed, there is nowhere left to report to.
            let _ = write!(io::stderr(), "{}", text(style.error_paint));
            Ok(ExitCode::from(2))
        }
        _ => bail!(message(error)),
    }
}

/// Returns the message about a usage error.
fn message(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let word = |kind| context(kind).unwrap_or_default();
    // What clap suggests instead, or where the choices are listed.
    let advice = |kind| {
        context(kind).map_or_else(|| "see --help".to_owned(), |known| format!("did you mean {known}?"))
    };
    // clap writes an option with its value: `--boards <N>`.
    let option = || word(ContextKind::InvalidArg).split(' ').next().unwrap_or_default();
    match (error.kind(), error.source()) {
        (ErrorKind::InvalidSubcommand, _) => {
            let command = word(ContextKind::InvalidSubcommand);
            let cli = Cli::command();
            // Two letters in the wrong order are one mistake, which clap does not know.
            let near = nearest(command, cli.get_subcommands().map(Command::get_name));
            let near = near.map(|name| format!("did you mean {name}?"));
            let advice = near.unwrap_or_else(|| advice(ContextKind::SuggestedSubcommand));
            format!("there is no command {command:?}; {advice}")
        }
        (ErrorKind::UnknownArgument, _) => {
            let argument = word(ContextKind::InvalidArg);
            let what = if argument.starts_with('-') { "there is no option" } else { "unexpected argument" };
            format!("{what} {argument}; {}", advice(ContextKind::SuggestedArg))
        }
        // Such as `--boards must be at least 1`.
        (ErrorKind::ValueValidation, Some(reason)) => match reason.downcast_ref::<ValueError>() {
            Some(reason) => format!("{} {reason}", option()),
            None => format!("{}: {reason}", option()),
        },
        (ErrorKind::InvalidValue, _) => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(choices)) if !choices.is_empty() => {
                choice_message(option(), choices, word(ContextKind::InvalidValue))
            }
            _ => format!("{} needs a value", option()),
        },
        _ => without_frame(&error.render().to_string()),
    }
}

/// Returns the message about a value that is not one of a list.
fn choice_message(option: &str, choices: &[String], value: &str) -> String {
    let list = choices.join(", ");
    if value.is_empty() {
        return format!("{option} needs one of {list}");
    }
    let suggestion = nearest(value, choices.iter().map(String::as_str));
    let suggestion = suggestion.map_or_else(String::new, |choice| format!("; did you mean {choice}?"));
    format!("{option} must be one of {list}, not {value:?}{suggestion}")
}

/// Returns the first paragraph of a message of clap in one line, without its `error:`.
fn without_frame(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let sentence = words.join(" ");
    format!("{}; see --help", sentence.strip_prefix("error: ").unwrap_or(&sentence))
}
