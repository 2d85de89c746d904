//! `tictac solve --all`: reads one position per line and writes one answer per line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::ExitCode;

use anyhow::bail;
use tictac::{Rules, State};
use tictac_archive::Input;
use tictac_solver::{Answer, BoardsSolver, Findings, Question, Solver};

use super::json;
use super::limits::SolveLimits;
use super::report::SolveReport;
use crate::diagnostic::Diagnostic;
use crate::position;
use crate::standard_streams::announce_stdin;

/// The longest line accepted, enough for thousands of boards.
const MAX_LINE: u64 = 1 << 20;

/// What to find for every position, and solvers that are kept from line to line, with what they have proven.
pub(super) struct Batch<'a> {
    pub(super) rules: Option<Rules>,
    pub(super) question: Question,
    pub(super) json: bool,
    pub(super) limits: &'a SolveLimits,
    pub(super) one: Option<Solver>,
    pub(super) many: Option<BoardsSolver>,
}

/// Answers every line of standard input in order; a line that is not a position is answered with an error.
pub(super) fn run(mut batch: Batch<'_>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    announce_stdin();
    let mut input = BufReader::new(Input::Stdin.reader()?);
    let mut line = Vec::new();
    let (mut all_right, mut all_proven) = (true, true);
    let mut number = 0;
    while input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? > 0 {
        number += 1;
        if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
            bail!("line {number} has more than {MAX_LINE} bytes");
        }
        let answer = batch.answer(&line);
        all_right &= answer.is_ok();
        all_proven &= answer.as_ref().map_or(true, |report| report.found.are_proven());
        writeln!(out, "{}", answer_line(answer, number, batch.json))?;
        line.clear();
    }
    Ok(match (all_right, all_proven) {
        (false, _) => ExitCode::from(1),
        (true, false) => ExitCode::from(2),
        (true, true) => ExitCode::SUCCESS,
    })
}

impl Batch<'_> {
    fn answer(&mut self, line: &[u8]) -> anyhow::Result<SolveReport> {
        let text = std::str::from_utf8(line)?.trim_end();
        let Batch { rules, question, json, limits, .. } = *self;
        let state = position::parse(rules, text)?;
        let stop = || limits.are_reached();
        let wants_moves = json && question == Question::Strong;
        let (answer, moves) = match &state {
            State::One(position) => {
                let solver = self.one.get_or_insert_with(|| Solver::new(position.rules(), limits.memory));
                let answer = solver.solve(position, question, &stop);
                (answer, if wants_moves { solver.moves(position, question, &stop) } else { Vec::new() })
            }
            State::Many(boards) => {
                let solver = match &mut self.many {
                    Some(solver) => solver,
                    none => match BoardsSolver::prepare(boards.rules(), limits.memory, &stop) {
                        Err(_) if stop() => {
                            let unknown = Findings::of_answer(Answer::UNKNOWN);
                            return Ok(SolveReport::new(state, question, unknown));
                        }
                        prepared => none.insert(prepared?),
                    },
                };
                let answer = solver.solve(boards, question, &stop);
                (answer, if wants_moves { solver.moves(boards, question, &stop) } else { Vec::new() })
            }
        };
        Ok(SolveReport::new(state, question, Findings { moves, ..Findings::of_answer(answer) }))
    }
}

fn answer_line(answer: anyhow::Result<SolveReport>, number: u64, json: bool) -> String {
    match answer {
        Ok(report) if json => json::object(&report).to_string(),
        Ok(SolveReport { found: Findings { answer, .. }, .. }) => {
            let value = answer.value().map_or_else(|| "?".to_owned(), |value| value.to_string());
            answer.distance.map_or(value.clone(), |plies| format!("{value} {plies}"))
        }
        Err(error) => {
            let message = error.downcast_ref().map_or_else(|| error.to_string(), Diagnostic::reason);
            // Only the first line of the message: any further line would look like the answer to the next position.
            let message = message.lines().next().unwrap_or_default();
            let message = format!("line {number}: {message}");
            if json {
                serde_json::json!({ "error": message }).to_string()
            } else {
                format!("error: {message}")
            }
        }
    }
}
