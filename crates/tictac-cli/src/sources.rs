//! Which records a command reads, and by which rules: the same arguments for every command that reads records.

use std::path::PathBuf;

use tictac::Rules;

/// Files, folders or standard input, and the rules of games that do not say theirs.
#[derive(clap::Args)]
pub(crate) struct Sources {
    /// Files, folders, or - for stdin; plain, gzip or Zstandard, recognised by content
    ///
    /// A folder stands for all files in it and below, by name, but for those whose names start with a dot. Links to files
    /// are followed; links to folders are not, and are named on standard error.
    #[arg(value_name = "FILE|DIR|-", default_value = "-", hide_default_value = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The rules of games without a Rules tag, such as '4,4,4 misere'
    #[arg(short, long, value_name = "RULES", default_value = "3,3,3")]
    pub(crate) rules: Rules,
}
