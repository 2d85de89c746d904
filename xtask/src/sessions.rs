//! Runs the terminal sessions in README.md, docs/ and the README of each crate, and compares their output with what the page
//! shows.
//!
//! A tutorial runs in an empty folder, because its reader has the installed programs and no checkout; all other pages run at the
//! root of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::cargo::{Programs, empty_folder, root};
use crate::tree::Tree;

/// Runs every session on every page.
pub(crate) fn check(programs: Programs) -> anyhow::Result<()> {
    let programs = programs.folder()?;
    let mut n_sessions = 0;
    for page in pages()? {
        let folder = if page.starts_with(root().join(TUTORIALS)) {
            empty_folder("tutorial")?
        } else {
            root().to_path_buf()
        };
        let text = fs::read_to_string(&page)?;
        for step in steps(&text) {
            match step {
                Step::File { name, text } => fs::write(folder.join(name), text)?,
                Step::Session(session) => {
                    check_session(&session, &page, &folder, &programs)?;
                    n_sessions += 1;
                }
            }
        }
    }
    if n_sessions == 0 {
        bail!("no page has a session: expected blocks that start with ```console");
    }
    Ok(())
}

/// Pages whose sessions run in an empty folder.
const TUTORIALS: &str = "docs/tutorials";

/// What a page asks its reader to do.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// Save the text of a block such as ```` ```sh move-check ```` under the name after the language.
    File {
        name: String,
        text: String,
    },
    Session(Session),
}

/// A command and the output that the page shows for it.
#[derive(Debug, PartialEq, Eq)]
struct Session {
    line: usize,
    command: String,
    expected: String,
}

/// Returns the files and sessions of a page, in order.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        if info == "console" {
            steps.extend(sessions(&block).into_iter().map(Step::Session));
        } else if let Some(name) = info.strip_prefix("sh ") {
            let text = block.iter().flat_map(|(_, line)| [line, "\n"]).collect();
            steps.push(Step::File { name: name.to_owned(), text });
        }
    }
    steps
}

/// Returns the sessions of a block: `$ ` starts a command, and its output follows.
fn sessions(block: &[(usize, &str)]) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for &(line, text) in block {
        if let Some(command) = text.strip_prefix("$ ") {
            sessions.push(Session { line, command: command.to_owned(), expected: String::new() });
        } else if let Some(session) = sessions.last_mut() {
            session.expected.push_str(text);
            session.expected.push('\n');
        }
    }
    sessions
}

fn check_session(session: &Session, page: &Path, folder: &Path, programs: &Path) -> anyhow::Result<()> {
    let output = transcript(session, folder, programs)?;
    if output != session.expected {
        bail!(
            "{}, line {}: $ {}\nexpected:\n{}\nfound:\n{output}",
            page.display(),
            session.line,
            session.command,
            session.expected
        );
    }
    Ok(())
}

/// Runs a command in the shell and returns stdout and stderr interleaved.
fn transcript(session: &Session, folder: &Path, programs: &Path) -> anyhow::Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([programs.to_path_buf()].into_iter().chain(std::env::split_paths(&path)))?;
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {}", session.command)])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", session.command))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the pages that may have sessions, in order.
fn pages() -> anyhow::Result<Vec<PathBuf>> {
    let tree = Tree::read(root())?;
    let is_page = |path: &str| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        path == "README.md" || path.starts_with("docs/") || folder.starts_with("crates/")
    };
    let pages = tree.texts_with_extension("md").filter(|(path, _)| is_page(path));
    Ok(pages.map(|(path, _)| root().join(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_a_command_and_what_it_prints() {
        let page = "text\n```console\n$ echo a\na\n$ true\n```\n```\n$ not this\n```\n";
        let session = |line, command: &str, expected: &str| {
            Step::Session(Session { line, command: command.to_owned(), expected: expected.to_owned() })
        };
        assert_eq!(steps(page), [session(3, "echo a", "a\n"), session(5, "true", "")]);
    }

    #[test]
    fn a_block_with_a_name_is_a_file() {
        let page = "```sh a.sh\necho a\n```\ntext\n```sh\n$ not this\n```\n";
        assert_eq!(steps(page), [Step::File { name: "a.sh".to_owned(), text: "echo a\n".to_owned() }]);
    }

    #[test]
    fn a_transcript_has_both_streams_in_order() {
        let command = "echo out; echo err >&2; echo out".to_owned();
        let session = Session { line: 1, command, expected: String::new() };
        assert_eq!(transcript(&session, root(), Path::new("/")).unwrap(), "out\nerr\nout\n");
    }
}
