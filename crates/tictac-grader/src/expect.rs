//! The correct outputs for a case.
//!
//! They come from `tictac-programs`, run in this process, so the rules of a program are implemented only once, or from the
//! reference of a teacher. Where a document allows several outputs, all of them are listed here.

mod game;
mod reference;

use std::cell::OnceCell;
use std::ffi::OsString;

use tictac_programs::tictactoe::{TictactoeSession, TieRule};
use tictac_programs::{
    Dialogue, game_check, game_check::GameCheck, lab3, move_check, move_check::MoveCheck, notakto,
    notakto::NotaktoSession, run_on_bytes, tictactoe,
};

use crate::assignment::form::Reference;
use crate::assignment::{Assignment, CourseProgram};
use crate::case::{Case, Criterion};
use crate::judge::ParsedOutput;
use crate::run::{RunExit, RunOutput};

pub(crate) use reference::{ReferenceFailure, ReferenceRunner};

/// A correct output for a case.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedOutput {
    pub(crate) output: RunOutput,
    /// What it shows, if it is the output of a game and was asked for.
    parsed: OnceCell<ParsedOutput>,
}

impl ExpectedOutput {
    fn new(output: RunOutput) -> ExpectedOutput {
        ExpectedOutput { output, parsed: OnceCell::new() }
    }

    /// Returns what the output of a game shows; it is parsed only once.
    pub(crate) fn parsed(&self, assignment: Assignment) -> &ParsedOutput {
        self.parsed.get_or_init(|| ParsedOutput::parse(assignment, &self.output.stdout))
    }
}

fn output(dialogue: impl Dialogue, input: &[u8]) -> RunOutput {
    let transcript = run_on_bytes(dialogue, input);
    let exit = RunExit::Status(transcript.exit.status.into());
    RunOutput { stdout: transcript.stdout, stderr: Vec::new(), exit }
}

/// Returns the same output with another text, if `edit` returns one.
fn edited(output: &RunOutput, edit: impl Fn(&str) -> Option<String>) -> Option<RunOutput> {
    let stdout = edit(std::str::from_utf8(&output.stdout).ok()?)?.into_bytes();
    Some(RunOutput { stdout, ..output.clone() })
}

/// Returns every correct output of a course program for a case, the most usual first. `path` is that of the graded program.
fn expected_of_course(program: CourseProgram, path: &str, case: &Case) -> Vec<RunOutput> {
    let input = &case.input[..];
    let mut outputs = match program {
        CourseProgram::MoveCheck => vec![output(MoveCheck::default(), input)],
        CourseProgram::GameCheck => vec![output(GameCheck::default(), input)],
        CourseProgram::Lab3 => expected_of_lab3(path, case),
        CourseProgram::Tictactoe => expected_of_tictactoe(case),
        CourseProgram::Notakto => expected_of_notakto(input),
    };
    for at in (1..outputs.len()).rev() {
        if outputs[..at].contains(&outputs[at]) {
            outputs.remove(at);
        }
    }
    outputs
}

/// Returns the correct outputs for a case, or `None` if only a command of the teacher knows them.
pub(crate) fn expected(assignment: Assignment, path: &str, case: &Case) -> Option<Vec<ExpectedOutput>> {
    let outputs = match &assignment.form().reference {
        Reference::Command(_) | Reference::Source(_) => return None,
        Reference::Game => {
            let game = assignment.form().game.as_ref()?;
            vec![game::play(game, game.words.as_ref()?, &case.input)]
        }
        Reference::Course { program, .. } if assignment == *program => {
            expected_of_course(*program, path, case)
        }
        Reference::Course { program, options, words } => {
            let arguments = [program.name()].into_iter().chain(options.iter().map(String::as_str));
            let arguments = arguments.map(OsString::from).chain(case.arguments.iter().cloned());
            vec![in_other_words(&output_with_arguments(*program, arguments, &case.input), words)]
        }
    };
    Some(outputs.into_iter().map(ExpectedOutput::new).collect())
}

/// Returns the output of a course program that is started with these arguments; the first is its name.
fn output_with_arguments(
    program: CourseProgram,
    arguments: impl Iterator<Item = OsString>,
    input: &[u8],
) -> RunOutput {
    match program {
        CourseProgram::MoveCheck => output(move_check::invocation(arguments), input),
        CourseProgram::GameCheck => output(game_check::invocation(arguments), input),
        CourseProgram::Lab3 => output(lab3::invocation(arguments), input),
        CourseProgram::Tictactoe => output(tictactoe::invocation(arguments), input),
        CourseProgram::Notakto => output(notakto::invocation(arguments), input),
    }
}

fn in_other_words(output: &RunOutput, words: &[(String, String)]) -> RunOutput {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stdout = words.iter().fold(text, |text, (old, new)| text.replace(old.as_str(), new));
    RunOutput { stdout: stdout.into_bytes(), ..output.clone() }
}

/// Players may be named in the two ways of the document, and a quit line may name either player. A program may read words
/// instead of lines, as that of the document's author does, except in the cases about just that.
fn expected_of_lab3(program: &str, case: &Case) -> Vec<RunOutput> {
    let file_name = program.rsplit('/').next().unwrap_or(program);
    let with = |option: Option<&str>, input: &[u8]| {
        let words = [Some(file_name), option].into_iter().flatten().map(OsString::from);
        output(lab3::invocation(words.chain(case.arguments.iter().cloned())), input)
    };
    let plain = with(None, &case.input);
    if case.arguments.len() != 1 || case.arguments[0] != "TicTacToeGame" {
        // The usage message may show the file name of the program or all of argv[0].
        let with_path = edited(&plain, |text| Some(text.replace(file_name, program)));
        return [plain].into_iter().chain(with_path).collect();
    }
    let mut outputs = vec![plain, with(Some("--as-recorded"), &case.input)];
    let words = one_word_per_line(&case.input);
    if words != case.input && case.about.short_id() != "lines" {
        outputs.extend([None, Some("--as-recorded")].map(|option| with(option, &words)));
    }
    outputs.extend(outputs.clone().iter().filter_map(|output| edited(output, other_player_quits)));
    outputs
}

fn one_word_per_line(input: &[u8]) -> Vec<u8> {
    let words = input.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.flat_map(|word| [word, b"\n"].concat()).collect()
}

fn other_player_quits(text: &str) -> Option<String> {
    let (quit, other) = [("Player X quits!", "Player O quits!"), ("Player O quits!", "Player X quits!")]
        .into_iter()
        .find(|(quit, _)| text.contains(quit))?;
    Some(text.replace(quit, other))
}

/// A tie may be announced when the game is dead, with or without its last board, or when the board is full.
fn expected_of_tictactoe(case: &Case) -> Vec<RunOutput> {
    let with = |tie_rule| output(TictactoeSession::default().with_tie_rule(tie_rule), &case.input);
    let early = with(TieRule::DeadGame);
    let without_board = edited(&early, |text| {
        let tie = text.find("It's a tie! No one")?;
        let board = text[..tie].rfind("  1  2  3\n")?;
        Some([&text[..board], &text[tie..]].concat())
    });
    let late = (case.criterion != Criterion::BonusOutput).then(|| with(TieRule::FullBoard));
    [early].into_iter().chain(without_board).chain(late).collect()
}

/// The board may be drawn again after a bad location, and the last line may end with a space, as in the sample.
fn expected_of_notakto(input: &[u8]) -> Vec<RunOutput> {
    let session = NotaktoSession::default;
    let mut outputs = vec![output(session(), input), output(session().redrawing(), input)];
    let with_space = |text: &str| Some(format!("{} wins! \n", text.strip_suffix(" wins!\n")?));
    outputs.extend(outputs.clone().iter().filter_map(|output| edited(output, with_space)));
    outputs
}
