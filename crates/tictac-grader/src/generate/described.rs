//! Cases of an assignment that a teacher described: by examples, a grammar, games or a command.

use std::io;
use std::path::Path;
use std::process::Command;

use fastrand::Rng;
use tictac::Square;

use super::{games, mutate, text, with_extra};
use crate::assignment::Assignment;
use crate::assignment::form::{GameForm, GameInputs, InputExample, RequirementInputs};
use crate::assignment::grammar::InputGenerator;
use crate::case::{Case, Criterion};
use crate::requirement::Requirement;
use crate::run::{RunExit, run_command, why_not_started};
use crate::settings::GradeSettings;

/// An input of a command or an example is no longer than this.
const MAX_INPUT: usize = 1024 * 1024;
/// A command prints at most this many inputs.
const MAX_PRINTED: usize = 10_000;
/// The line that separates the inputs that a command prints.
const SEPARATOR: &[u8] = b"%%\n";
/// A random input that is already there is tried again this many times.
const ATTEMPTS: usize = 8;

/// Returns the cases, those of each requirement together.
pub(super) fn cases(
    assignment: Assignment,
    rng: &mut Rng,
    settings: &GradeSettings,
) -> io::Result<Vec<Case>> {
    let form = assignment.form();
    let mut cases = Vec::new();
    for (requirement, inputs) in assignment.requirements().iter().zip(&form.inputs) {
        let with = |arguments: &[String], input: Vec<u8>| {
            Case::new(requirement, input).with_arguments(arguments.iter().map(String::as_str))
        };
        let own = |input: Vec<u8>| with(&form.arguments, input);
        for InputExample { input, arguments } in &inputs.examples {
            cases.push(with(arguments.as_ref().unwrap_or(&form.arguments), input.clone().into_bytes()));
        }
        let described = |input: Vec<u8>| {
            let case = own(input);
            Case { about: home(assignment, &case.input).unwrap_or(case.about), ..case }
        };
        match (&inputs.games, &form.game) {
            (Some(games), Some(game)) => {
                cases.extend(game_cases(*games, game, inputs.n_cases, rng).into_iter().map(own));
            }
            _ => cases.extend(generated(assignment, inputs, rng).into_iter().map(described)),
        }
        if let (Some((positions, call)), Some(board)) =
            (&inputs.positions, form.unit.as_ref().and_then(|unit| unit.board.as_ref()))
        {
            cases.extend(board.inputs(*positions, call).into_iter().map(own));
        }
        cases.extend(near_misses(assignment, inputs, rng).into_iter().map(own));
        if let Some(command) = &inputs.generator {
            cases.extend(printed(command, requirement, settings)?.into_iter().map(own));
        }
        if inputs.accepts_any_output {
            for case in cases.iter_mut().filter(|case| case.about == requirement) {
                case.criterion = Criterion::CleanExit;
            }
        }
    }
    Ok(cases)
}

/// Returns the first requirement whose inputs look like this one.
pub(crate) fn home(assignment: Assignment, input: &[u8]) -> Option<&'static Requirement> {
    let form = assignment.form();
    let is_described = |inputs: &RequirementInputs| {
        inputs.games.is_none() && inputs.patterns.iter().any(|pattern| form.grammar.matches(pattern, input))
    };
    let at = form.inputs.iter().position(is_described)?;
    Some(&assignment.requirements()[at])
}

/// Returns a case that was made smaller, or `None` if it does not look like the inputs of the same requirement: it would
/// test another one, or the reference need not know what to do with it.
pub(crate) fn smaller(assignment: Assignment, original: &Case, case: Case) -> Option<Case> {
    let form = assignment.form();
    let at = assignment.requirements().iter().position(|requirement| requirement == original.about)?;
    let inputs = &form.inputs[at];
    let is_described = || inputs.patterns.iter().any(|pattern| form.grammar.matches(pattern, &case.input));
    if let (Some(_), Some(game)) = (inputs.games, &form.game) {
        return (is_described() && game.is_whole_game(&case.input)).then_some(case);
    }
    if inputs.accepts_any_output {
        return is_described().then_some(case);
    }
    match home(assignment, &case.input) {
        Some(about) => (about == case.about).then_some(case),
        None => (inputs.n_near_misses > 0).then_some(case),
    }
}

fn generated(assignment: Assignment, inputs: &RequirementInputs, rng: &mut Rng) -> Vec<Vec<u8>> {
    if inputs.n_cases == usize::MAX {
        let grammar = &assignment.form().grammar;
        let all = inputs.patterns.iter().flat_map(|pattern| grammar.all_inputs(pattern, MAX_PRINTED));
        return all.collect();
    }
    let mut generator = InputGenerator::new(&assignment.form().grammar, rng);
    let mut all: Vec<Vec<u8>> = Vec::new();
    let attempts =
        inputs.patterns.iter().cycle().take(inputs.patterns.len().min(1) * inputs.n_cases * ATTEMPTS);
    for pattern in attempts {
        if all.len() == inputs.n_cases {
            break;
        }
        match generator.generate(pattern) {
            Some(input) if !all.contains(&input) => all.push(input),
            _ => {}
        }
    }
    all.sort_by_key(Vec::len);
    all
}

/// Returns inputs with a few bytes changed that no requirement describes.
fn near_misses(assignment: Assignment, inputs: &RequirementInputs, rng: &mut Rng) -> Vec<Vec<u8>> {
    if inputs.n_near_misses == 0 {
        return Vec::new();
    }
    let valid = generated(assignment, inputs, rng);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for input in valid.iter().cycle().take(if valid.is_empty() { 0 } else { inputs.n_near_misses * ATTEMPTS })
    {
        if all.len() == inputs.n_near_misses {
            break;
        }
        let changed = mutate::mutated(input, rng);
        if home(assignment, &changed).is_none() && !all.contains(&changed) {
            all.push(changed);
        }
    }
    all.sort_by_key(Vec::len);
    all
}

/// Returns the inputs of whole games, the shortest first.
fn game_cases(wanted: GameInputs, game: &GameForm, n_cases: usize, rng: &mut Rng) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for _ in 0..n_cases * ATTEMPTS * 4 {
        if all.len() == n_cases {
            break;
        }
        let squares = games::random(game.rules, rng);
        if is_wanted(wanted, game, &squares) {
            let input = typed(wanted, game, &squares, rng);
            if !all.contains(&input) {
                all.push(input);
            }
        }
    }
    all.sort_by_key(Vec::len);
    all
}

fn is_wanted(wanted: GameInputs, game: &GameForm, squares: &[Square]) -> bool {
    let has_line = games::position(game.rules, squares).lines().next().is_some();
    match wanted {
        GameInputs::Lines => has_line,
        GameInputs::Full => !has_line,
        _ => true,
    }
}

/// Returns a game as it is typed, with extra entries if they are wanted.
fn typed(wanted: GameInputs, game: &GameForm, squares: &[Square], rng: &mut Rng) -> Vec<u8> {
    let lines: Vec<String> = squares.iter().map(|&square| game.entry(square)).collect();
    let at = rng.usize(..lines.len().max(1));
    let extra: Vec<&str> = match wanted {
        GameInputs::Taken if at > 0 => vec![lines[rng.usize(..at)].as_str(); rng.usize(1..=3)],
        GameInputs::Refused => {
            (0..rng.usize(1..=3)).map(|_| game.refused[rng.usize(..game.refused.len())].as_str()).collect()
        }
        _ => Vec::new(),
    };
    if extra.is_empty() { text(lines) } else { with_extra(&lines, at, &extra) }
}

/// Returns the inputs that a command prints, separated by lines with `%%`. The seed is its last argument.
fn printed(
    command: &[String],
    requirement: &Requirement,
    settings: &GradeSettings,
) -> io::Result<Vec<Vec<u8>>> {
    let failed = |why: String| {
        io::Error::other(format!("the generator of {} failed: {}: {why}", requirement.id, command.join(" ")))
    };
    let Some((program, arguments)) = command.split_first() else {
        return Err(failed("it is empty".to_owned()));
    };
    let mut process = Command::new(program);
    process.args(arguments).arg(settings.seed.to_string());
    let limits = crate::run::RunLimits { output: 16 * MAX_INPUT, ..settings.limits.limits() };
    let output = run_command(&mut process, &limits, &settings.stop).map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => error,
        _ => failed(why_not_started(&error, Path::new(program))),
    })?;
    if output.exit != RunExit::Status(0) {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().lines().last().map(str::to_owned);
        return Err(failed(format!("{} {}", output.exit, said.unwrap_or_default())));
    }
    let mut inputs: Vec<Vec<u8>> = vec![Vec::new()];
    for line in output.stdout.split_inclusive(|&byte| byte == b'\n') {
        match inputs.last_mut() {
            Some(last) if line != SEPARATOR => last.extend(line),
            _ => inputs.push(Vec::new()),
        }
    }
    if inputs.len() > 1 && inputs.last().is_some_and(Vec::is_empty) {
        inputs.pop();
    }
    inputs.truncate(MAX_PRINTED);
    match inputs.iter().find(|input| input.len() > MAX_INPUT) {
        Some(_) => Err(failed("an input has more than 1 MiB".to_owned())),
        None => Ok(inputs),
    }
}
