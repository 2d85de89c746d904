//! Runs the terminal sessions in README.md, docs/ and the README of each crate, and compares their output with what the page
//! shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::cargo::{Programs, root};
use crate::tree::Tree;

/// Runs every session on every page.
pub(crate) fn check(programs: Programs) -> anyhow::Result<()> {
    let programs = programs.folder()?;
    let mut n_sessions = 0;
    for page in pages()? {
        let text = fs::read_to_string(&page)?;
        for session in sessions(&text) {
            let output = transcript(&session, &programs)?;
            if output != session.expected {
                bail!(
                    "{}, line {}: $ {}\nexpected:\n{}\nfound:\n{output}",
                    page.display(),
                    session.line,
                    session.command,
                    session.expected
                );
            }
            n_sessions += 1;
        }
    }
    if n_sessions == 0 {
        bail!("no page has a session: expected blocks that start with ```console");
    }
    Ok(())
}

/// A command and the output that the page shows for it.
#[derive(Debug, PartialEq, Eq)]
struct Session {
    line: usize,
    command: String,
    expected: String,
}

/// Returns the sessions in the ```` ```console ```` blocks of a page: `$ ` starts a command, and its output follows.
fn sessions(page: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    let mut inside = false;
    for (line, text) in (1..).zip(page.lines()) {
        if text.starts_with("```") {
            inside = text == "```console";
        } else if let Some(command) = text.strip_prefix("$ ").filter(|_| inside) {
            sessions.push(Session { line, command: command.to_owned(), expected: String::new() });
        } else if let Some(session) = sessions.last_mut().filter(|_| inside) {
            session.expected.push_str(text);
            session.expected.push('\n');
        }
    }
    sessions
}

/// Runs a command in the shell at the root of the repository and returns stdout and stderr interleaved.
fn transcript(session: &Session, programs: &Path) -> anyhow::Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([programs.to_path_buf()].into_iter().chain(std::env::split_paths(&path)))?;
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {}", session.command)])
        .current_dir(root())
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
        let session = |line, command: &str, expected: &str| Session {
            line,
            command: command.to_owned(),
            expected: expected.to_owned(),
        };
        assert_eq!(sessions(page), [session(3, "echo a", "a\n"), session(5, "true", "")]);
    }

    #[test]
    fn a_transcript_has_both_streams_in_order() {
        let command = "echo out; echo err >&2; echo out".to_owned();
        let session = Session { line: 1, command, expected: String::new() };
        assert_eq!(transcript(&session, Path::new("/")).unwrap(), "out\nerr\nout\n");
    }
}
