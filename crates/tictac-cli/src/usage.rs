//! Messages about arguments that cannot be used, in one line each: what is wrong, and what was probably meant.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, FromArgMatches};
use tictac::notation::nearest;

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
        _ => None,
    };
    let found = match error.kind() {
        ErrorKind::InvalidSubcommand => context(ContextKind::InvalidSubcommand).map(|word| {
            with_suggestion(&format!("there is no command {word:?}"), error, ContextKind::SuggestedSubcommand)
        }),
        ErrorKind::UnknownArgument => context(ContextKind::InvalidArg).map(|word| {
            let what = if word.starts_with('-') { "there is no option" } else { "unexpected argument" };
            with_suggestion(&format!("{what} {word}"), error, ContextKind::SuggestedArg)
        }),
        ErrorKind::ValueValidation => context(ContextKind::InvalidArg)
            .and_then(|argument| Some(value_message(argument, error.source()?))),
        ErrorKind::InvalidValue => context(ContextKind::InvalidArg)
            .map(|argument| choice_message(argument, context(ContextKind::InvalidValue), error)),
        _ => None,
    };
    found.unwrap_or_else(|| without_frame(&error.render().to_string()))
}

/// Returns the message about a value that its parser refuses, such as `--boards must be at least 1`.
fn value_message(argument: &str, reason: &(dyn Error + 'static)) -> String {
    let option = name_of(argument);
    match reason.downcast_ref::<ValueError>() {
        Some(reason) => format!("{option} {reason}"),
        None => format!("{option}: {reason}"),
    }
}

/// Returns the message about a value that is not one of a list.
fn choice_message(argument: &str, value: Option<&str>, error: &clap::Error) -> String {
    let option = name_of(argument);
    let choices = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(choices)) if !choices.is_empty() => choices,
        _ => return format!("{option} needs a value"),
    };
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return format!("{option} needs one of {}", choices.join(", "));
    };
    let suggestion = nearest(value, choices.iter().map(String::as_str));
    let suggestion = suggestion.map_or_else(String::new, |choice| format!("; did you mean {choice}?"));
    format!("{option} must be one of {}, not {value:?}{suggestion}", choices.join(", "))
}

/// Returns the message with what clap suggests instead, or where the choices are listed.
fn with_suggestion(message: &str, error: &clap::Error, kind: ContextKind) -> String {
    let suggestion = match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        Some(ContextValue::Strings(texts)) => texts.first(),
        _ => None,
    };
    match suggestion {
        Some(suggestion) => format!("{message}; did you mean {suggestion}?"),
        None => format!("{message}; see --help"),
    }
}

/// Returns the name of an option, which clap writes with its value: `--boards <N>`.
fn name_of(argument: &str) -> &str {
    argument.split(' ').next().unwrap_or(argument)
}

/// Returns the first paragraph of a message of clap in one line, without its `error:`.
fn without_frame(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let sentence = words.join(" ");
    format!("{}; see --help", sentence.strip_prefix("error: ").unwrap_or(&sentence))
}
