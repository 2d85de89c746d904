//! The command `tictac man`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use roff::{Roff, roman};

use crate::cli::Cli;
use crate::diagnostic::escape;
use crate::paint::OutputStyle;

/// Print the manual page, or write all pages to a folder
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Write the page of `tictac` and of every subcommand to DIR, creating it if needed
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac man | man -l -
  tictac man --out ~/.local/share/man/man1";

/// The exit status of commands whose help does not mention it.
const EXIT_STATUS: &str = "0 success, 2 wrong usage or a failing system.";

pub(crate) fn run(args: &Args, _: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let related: Vec<&Command> = command.get_subcommands().collect();
    match &args.out {
        None => write_page(&command, &related, out)?,
        Some(folder) => fs::create_dir_all(folder)
            .and_then(|()| write_pages(&command, &related, folder))
            .with_context(|| format!("cannot write to {}", escape(folder)))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, related: &[&Command], folder: &Path) -> io::Result<()> {
    let file = folder.join(Man::new(command.clone()).get_filename());
    write_page(command, related, &mut BufWriter::new(File::create(file)?))?;
    for subcommand in command.get_subcommands() {
        let others = command.get_subcommands().filter(|other| other.get_name() != subcommand.get_name());
        let related: Vec<&Command> = iter::once(command).chain(others).collect();
        write_pages(subcommand, &related, folder)?;
    }
    Ok(())
}

/// Writes one page. The paragraphs after the options in the help become sections of their own.
fn write_page(command: &Command, related: &[&Command], out: &mut impl Write) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let (mut status, mut examples, mut notes) = (EXIT_STATUS, None, Roff::new());
    for paragraph in help.split("\n\n") {
        if let Some(text) = paragraph.strip_prefix("Exit status: ") {
            status = text;
        } else if let Some(text) = paragraph.strip_prefix("Examples:\n") {
            examples = Some(text);
        } else if !paragraph.is_empty() {
            notes.control("PP", []).text([roman(paragraph)]);
        }
    }
    let mut page = Roff::new();
    if notes != Roff::new() {
        page.control("SH", ["NOTES"]).extend([notes]);
    }
    page.control("SH", ["EXIT STATUS"]).text([roman(status)]);
    if let Some(examples) = examples {
        page.control("SH", ["EXAMPLES"]).control("nf", []).text([roman(examples)]).control("fi", []);
    }
    let names = related.iter().map(|other| other.get_display_name().unwrap_or(other.get_name()));
    let names: Vec<String> = names.map(|name| format!("{name}(1)")).collect();
    page.control("SH", ["SEE ALSO"]).text([roman(names.join(", "))]);
    page.to_writer(out)?;
    if command.get_version().is_some() {
        man.render_version_section(out)?;
    }
    out.flush()
}
