//! Running the programs as README.md does, in places other than the developer's machine.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// A program with its arguments, its input, and what it answers.
pub(crate) struct Trial {
    pub(crate) words: &'static [&'static str],
    pub(crate) input: &'static str,
    /// A part of the output, on either stream.
    pub(crate) expected: &'static str,
    pub(crate) status: i32,
}

impl Trial {
    /// Returns a trial that must end with status 0.
    pub(crate) const fn new(
        words: &'static [&'static str],
        input: &'static str,
        expected: &'static str,
    ) -> Trial {
        Trial { words, input, expected, status: 0 }
    }

    /// Runs the program; `start` returns the command for a program and its arguments.
    pub(crate) fn run(&self, start: impl Fn(&str, &[&str]) -> Command) -> anyhow::Result<()> {
        let line = self.words.join(" ");
        let mut child = start(self.words[0], &self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run `{line}`"))?;
        // A program that does not read all of its input closes the pipe.
        let _ = child.stdin.take().map(|mut input| input.write_all(self.input.as_bytes()));
        let output = child.wait_with_output()?;
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        let is_expected = stdout.contains(self.expected) || stderr.contains(self.expected);
        if output.status.code() != Some(self.status) || !is_expected {
            bail!("`{line}` ended with {}, not as expected:\n{stdout}{stderr}", output.status);
        }
        Ok(())
    }
}

/// The game of README.md.
pub(crate) const GAME: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";

/// Trials that work on every system, with every program at least once.
pub(crate) const TRIALS: [Trial; 9] = [
    Trial::new(&["game-check"], GAME, "Game over: X wins."),
    Trial::new(&["move-check"], "1 X B2\n", "1 X B2"),
    Trial::new(&["lab3", "TicTacToeGame"], "1,1\n2,2\n1,2\n3,3\n1,3\n", "Won! Player X is the winner!"),
    Trial::new(&["tictactoe", "--computer", "both", "--seed", "7"], "", "Goodbye!"),
    Trial::new(&["notakto", "--computer", "1", "--seed", "7"], "1 2 3 4 5 6 7 8 9", "Player 1 wins!"),
    Trial::new(&["tictac", "show", "-"], GAME, "X wins (B1-B2-B3)"),
    Trial::new(&["tictac", "check", "-"], GAME, "games       1\n"),
    Trial::new(&["tictac", "solve", "X.O/.X./... O"], "", "O to move: draw"),
    Trial::new(&["tictac", "play", "--plain", "--o", "perfect"], "b2\nquit\n", "X plays B2."),
];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::cargo::root;
    use crate::static_build::PROGRAMS;

    #[test]
    fn every_program_is_tried_and_the_game_is_that_of_the_readme() {
        for name in PROGRAMS {
            assert!(TRIALS.iter().any(|trial| trial.words[0] == name), "{name}");
        }
        assert_eq!(fs::read_to_string(root().join("games/records/example.ttt")).unwrap(), GAME);
    }

    #[test]
    fn a_wrong_status_or_answer_is_reported() {
        let shell = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments);
            command
        };
        let trial =
            |status| Trial { words: &["sh", "-c", "cat; exit 3"], input: "text", expected: "ex", status };
        trial(3).run(shell).unwrap();
        assert!(trial(0).run(shell).unwrap_err().to_string().contains("exit status: 3"));
        let silent = Trial::new(&["sh", "-c", "echo no"], "", "yes");
        assert!(silent.run(shell).unwrap_err().to_string().ends_with("no\n"));
    }
}
