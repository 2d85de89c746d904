//! Arguments shared by all commands that read records.

use std::path::PathBuf;

use tictac::Rules;

/// The files to read, and the rules of games without a `Rules` tag.
#[derive(clap::Args)]
pub(crate) struct Sources {
    /// Files, folders, or - for stdin; gzip and Zstandard are detected by content
    ///
    /// A folder means all files in it and its subfolders, sorted by name, except those whose names start with a dot. Links to
    /// files are followed; links to folders are skipped with a message.
    #[arg(value_name = "FILE|DIR|-", default_value = "-", hide_default_value = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The rules of games without a Rules tag, such as '4,4,4 misere'
    #[arg(short, long, value_name = "RULES", default_value = "3,3,3")]
    pub(crate) rules: Rules,
}
