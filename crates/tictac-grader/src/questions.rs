//! Questions to students about their own programs: what does it answer here, and why?

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::assignment::Assignment;
use crate::case::{Case, Criterion};
use crate::exam::could_not_run;
use crate::expect::ReferenceRunner;
use crate::generate;
use crate::judge::Comparison;
use crate::report::visible_text;
use crate::run::{Program, RunOutput, RunnerPool};
use crate::settings::GradeSettings;

/// How many inputs are tried to find good questions, how many at a time, and for how long.
const MAX_TRIED: usize = 96;
const ROUND: usize = 16;
const TIME: Duration = Duration::from_millis(1200);
/// Inputs of questions are short enough to be followed by hand.
const MAX_INPUT: usize = 240;
const MAX_LINES: usize = 10;
/// A longer output is shown by its last lines.
const MAX_OUTPUT_LINES: usize = 12;
const LAST_LINES: usize = 3;
/// How many answers a question offers at most.
const MAX_ANSWERS: usize = 4;

/// One question about a program: what does it print for this input?
#[derive(Clone, Debug)]
pub struct ProgramQuestion {
    /// The input, or the calls as code.
    pub input: String,
    /// What the program may print, in random order; at least two.
    pub answers: Vec<String>,
    /// The place of what it does print.
    pub own: usize,
    /// The place of what the assignment asks for, if it is among the answers.
    pub expected: Option<usize>,
    /// The rule that the input is about.
    pub rule: &'static str,
}

/// A case with what the program and the reference print.
struct TriedCase {
    case: Case,
    own: String,
    expected: String,
}

/// Runs a program on some inputs of an assignment, and returns up to `n` questions about it. They are about different requirements and
/// have different answers where possible; the first is about an input that the program gets wrong, if there is one. Other answers are what
/// the reference prints, and what the program prints for similar inputs.
///
/// # Errors
///
/// Returns why the program or the reference could not be run.
pub fn program_questions(
    assignment: Assignment,
    program: &Program,
    settings: &GradeSettings,
    n: usize,
) -> io::Result<Vec<ProgramQuestion>> {
    let limits = settings.limits.or(assignment.form().limits);
    let settings = GradeSettings { limits, ..settings.clone() };
    let mut tried = try_cases(assignment, program, &settings).map_err(could_not_run)?;
    let mut rng = Rng::with_seed(settings.seed);
    rng.shuffle(&mut tried);
    let mut questions: Vec<ProgramQuestion> = Vec::new();
    let is_wrong = |each: &TriedCase| each.own != each.expected;
    let mut order: Vec<usize> = tried.iter().position(is_wrong).into_iter().chain(0..tried.len()).collect();
    let mut rules: BTreeSet<&str> = BTreeSet::new();
    let mut answers: BTreeSet<String> = BTreeSet::new();
    // First with new rules and new answers, then with new answers, then any.
    for strictness in [2, 1, 0] {
        order.retain(|&at| {
            let TriedCase { case, own, .. } = &tried[at];
            let is_new = (rules.contains(case.about.id), answers.contains(own));
            let fits = match strictness {
                2 => !is_new.0 && !is_new.1,
                1 => !is_new.1,
                _ => true,
            };
            let question =
                (fits && questions.len() < n).then(|| question(assignment, &tried, at, &mut rng)).flatten();
            let Some(question) = question else { return true };
            if questions.iter().all(|other| other.input != question.input) {
                rules.insert(case.about.id);
                answers.insert(own.clone());
                questions.push(question);
            }
            false
        });
    }
    Ok(questions)
}

fn try_cases(
    assignment: Assignment,
    program: &Program,
    settings: &GradeSettings,
) -> io::Result<Vec<TriedCase>> {
    let start = Instant::now();
    let mut pool = RunnerPool::new(program, settings)?;
    let reference = ReferenceRunner::new(assignment, settings)?;
    let is_short = |case: &Case| {
        let n_lines = case.input.split(|&byte| byte == b'\n').count();
        case.input.len() <= MAX_INPUT && n_lines <= MAX_LINES + 1 && case.input.is_ascii()
    };
    let cases: Vec<Case> = generate::cases(assignment, settings)?
        .into_iter()
        .filter(|case| is_short(case) && !case.is_robustness() && case.criterion == Criterion::Output)
        .take(MAX_TRIED)
        .collect();
    let mut tried = Vec::new();
    for cases in cases.chunks(ROUND) {
        if start.elapsed() > TIME && !tried.is_empty() {
            break;
        }
        let cases: Vec<&Case> = cases.iter().collect();
        reference.prepare(&cases)?;
        let outputs = pool.run(&cases)?;
        for (case, output) in cases.into_iter().zip(outputs) {
            let expected = reference.outputs(&program.path.to_string_lossy(), case)?;
            let is_right = expected.iter().any(|each| each.output.stdout == output.stdout);
            let own = answer(&output);
            // Where the wording is free, that of the reference would give the answer away.
            let expected = if is_right || assignment.form().comparison == Comparison::Lenient {
                own.clone()
            } else {
                answer(&expected[0].output)
            };
            tried.push(TriedCase { case: case.clone(), own, expected });
        }
    }
    Ok(tried)
}

/// Returns what a program printed, or its last lines, and how it exited if that was unusual.
fn answer(output: &RunOutput) -> String {
    let text = visible_text(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = if lines.len() > MAX_OUTPUT_LINES {
        let last = &lines[lines.len() - LAST_LINES..];
        format!("… and at the end:\n{}", last.join("\n"))
    } else if lines.is_empty() {
        "(nothing)".to_owned()
    } else {
        lines.join("\n")
    };
    if !matches!(output.exit, crate::run::RunExit::Status(0)) {
        let _ = write!(shown, "\n({})", output.exit);
    }
    shown
}

/// Makes a question of a case; `None` if there is nothing else to choose from.
fn question(
    assignment: Assignment,
    tried: &[TriedCase],
    at: usize,
    rng: &mut Rng,
) -> Option<ProgramQuestion> {
    let TriedCase { case, own, expected } = &tried[at];
    let mut answers = vec![own.clone()];
    let calls = called(assignment, case);
    let is_alike = |other: &&TriedCase| called(assignment, &other.case) == calls;
    let opposite = if calls.is_empty() { own.clone() } else { opposite(own) };
    let mut others: Vec<&TriedCase> = tried.iter().filter(is_alike).collect();
    // The answers to similar inputs are the most plausible ones.
    others.sort_by_key(|other| {
        (other.case.about != case.about, other.case.input.len().abs_diff(case.input.len()))
    });
    let others = others.into_iter().flat_map(|other| [&other.expected, &other.own]);
    for other in [expected, &opposite].into_iter().chain(others) {
        if !answers.contains(other) && answers.len() < MAX_ANSWERS {
            answers.push(other.clone());
        }
    }
    rng.shuffle(&mut answers);
    let place = |wanted: &String| answers.iter().position(|answer| answer == wanted);
    let input = match &assignment.form().unit {
        Some(unit) => unit.code(&case.input).join("\n"),
        None if case.input.is_empty() => "(no input)".to_owned(),
        None => visible_text(&case.input).trim_end().to_owned(),
    };
    let (own, expected) = (place(own)?, place(expected));
    (answers.len() > 1).then_some(ProgramQuestion { input, answers, own, expected, rule: case.about.rule })
}

/// Returns the names of the functions that a case calls; none if the assignment asks for a program.
fn called(assignment: Assignment, case: &Case) -> Vec<String> {
    let text = String::from_utf8_lossy(&case.input).into_owned();
    let lines = if assignment.asks_for_functions() { text.lines().collect() } else { Vec::new() };
    lines.into_iter().map(|line| line.split('(').next().unwrap_or_default().to_owned()).collect()
}

/// Returns an answer with its first truth value negated.
fn opposite(answer: &str) -> String {
    match (answer.find("true"), answer.find("false")) {
        (Some(yes), no) if no.is_none_or(|no| yes < no) => answer.replacen("true", "false", 1),
        _ => answer.replacen("false", "true", 1),
    }
}

/// Returns the sheet of a student in Markdown.
pub fn question_sheet(assignment: Assignment, student: &str, questions: &[ProgramQuestion]) -> String {
    let mut out = format!("# {assignment}: questions about your own program\n\nName: {}\n", plain(student));
    let (what, verb) = if assignment.asks_for_functions() {
        ("these calls", "return or print")
    } else {
        ("this input", "print")
    };
    for (number, question) in (1..).zip(questions) {
        let _ = write!(
            out,
            "\n## {number}. What does your program {verb} for {what}?\n\n{}",
            block(&question.input)
        );
        for (letter, answer) in ('a'..).zip(&question.answers) {
            let _ = write!(out, "\n**{letter})**\n\n{}", block(answer));
        }
        out += "\nWhy? Name the lines of your program that decide it.\n\n____________________________________________________________\n\n____________________________________________________________\n";
    }
    out
}

/// Returns the answers for the teacher in Markdown.
pub fn question_key(assignment: Assignment, students: &[(String, Vec<ProgramQuestion>)]) -> String {
    let mut out = format!(
        "# {assignment}: key to the questions\n\n| student | question | answer | about | remark |\n|---|---|---|---|---|\n"
    );
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap_or(25).min(25));
    for (student, questions) in students {
        for (number, question) in (1..).zip(questions) {
            let remark = match question.expected {
                Some(expected) if expected == question.own => String::new(),
                Some(expected) => format!("the program is wrong here; {} would be right", letter(expected)),
                None => "the program is wrong here".to_owned(),
            };
            let rule = question.rule.replace('|', "\\|");
            let (student, own) = (plain(student), letter(question.own));
            let _ = writeln!(out, "| {student} | {number} | {own} | {rule} | {remark} |");
        }
    }
    out
}

/// Returns text as a code block of Markdown, whatever it contains.
fn block(text: &str) -> String {
    text.lines().fold(String::new(), |out, line| out + "    " + line + "\n")
}

/// Returns the name of a student without signs that mean something in Markdown.
fn plain(name: &str) -> String {
    name.replace(|c: char| c.is_control() || "|*_`<>[]#\\".contains(c), "-")
}
