//! How outputs are read and compared.

use toml::Spanned;

use super::fields::{self, BoardFields, FormFields, PhraseFields};
use super::{FormMistake, FormResult, OutputReader};
use crate::assignment::CourseProgram;
use crate::judge::Comparison;
use crate::judge::phrases::{BoardReader, Phrase, PhraseBook};

/// A board that can be read has at most this many rows and columns, and an assignment at most this many phrases.
const MAX_SIDE: usize = 64;
const MAX_PHRASES: usize = 200;

pub(super) fn reader(fields: &FormFields) -> FormResult<OutputReader> {
    let comparison = &fields.comparison;
    if let Some(reader) = &comparison.reader {
        return known_program(fields, reader).map(OutputReader::Course);
    }
    if output(fields) != "phrases" {
        return Ok(OutputReader::Text);
    }
    let board = comparison.board.as_ref().map(|board| board_reader(fields, board)).transpose()?;
    let phrases = comparison.phrase.iter().map(|phrase| read_phrase(fields, phrase));
    let phrases = phrases.collect::<FormResult<Vec<Phrase>>>()?;
    if phrases.len() > MAX_PHRASES || (phrases.is_empty() && board.is_none()) {
        let message = format!("expected a `board` or 1 to {MAX_PHRASES} phrases to look for");
        return Err(FormMistake::new(comparison.output.as_ref().map_or(0..0, Spanned::span), message));
    }
    Ok(OutputReader::Phrases(PhraseBook { board, phrases }))
}

/// Returns the program whose code makes the inputs, if the form names one.
pub(super) fn generator(fields: &FormFields) -> FormResult<Option<CourseProgram>> {
    fields.inputs.generator.as_ref().map(|name| known_program(fields, name)).transpose()
}

/// Returns the course program with this name, if the form has all requirements that its code knows.
fn known_program(fields: &FormFields, name: &Spanned<String>) -> FormResult<CourseProgram> {
    let program = fields::course_program(name)?;
    let is_missing = |id: &String| !fields.requirement.iter().any(|each| each.get_ref().id.get_ref() == id);
    match required_ids(program).into_iter().find(is_missing) {
        Some(id) => {
            let message = format!("the code for {program} needs a requirement with the id {id:?}");
            Err(FormMistake::new(name.span(), message))
        }
        None => Ok(program),
    }
}

/// Returns the exit statuses that the reference may have.
pub(super) fn statuses(fields: &FormFields) -> FormResult<Vec<i32>> {
    let Some(statuses) = &fields.comparison.statuses else { return Ok(vec![0]) };
    if statuses.get_ref().is_empty() || statuses.get_ref().iter().any(|status| !(0..=255).contains(status)) {
        return Err(FormMistake::new(statuses.span(), "expected a list of exit statuses from 0 to 255"));
    }
    Ok(statuses.get_ref().clone())
}

fn output(fields: &FormFields) -> &str {
    fields.comparison.output.as_ref().map_or("bytes", |output| output.get_ref().as_str())
}

/// Returns how closely outputs are compared.
pub(super) fn comparison(fields: &FormFields) -> FormResult<Comparison> {
    let mistake = |message: &str| {
        let span = fields.comparison.output.as_ref().map_or(0..0, Spanned::span);
        Err(FormMistake::new(span, message))
    };
    match (output(fields), fields.comparison.reader.is_some()) {
        ("bytes", _) => Ok(Comparison::Exact),
        ("content", true) | ("tokens" | "phrases", false) => Ok(Comparison::Lenient),
        (_, true) => mistake("with a `reader`, outputs are compared by bytes or content"),
        ("content", false) => {
            mistake("only a `reader` knows what the content is; expected bytes, tokens or phrases")
        }
        (_, false) => mistake("unknown comparison; expected bytes, tokens or phrases"),
    }
}

/// Returns the ids that the code for a course program blames: those of the built-in assignment.
fn required_ids(program: CourseProgram) -> Vec<String> {
    let built_in: Option<FormFields> = toml::from_str(program.form_text()).ok();
    built_in
        .into_iter()
        .flat_map(|fields| fields.requirement)
        .map(|each| each.into_inner().id.into_inner())
        .collect()
}

fn board_reader(fields: &FormFields, board: &Spanned<BoardFields>) -> FormResult<BoardReader> {
    let BoardFields { rows, columns, marks, empty, requirement } = board.get_ref();
    if !(1..=MAX_SIDE).contains(rows) || !(1..=MAX_SIDE).contains(columns) {
        return Err(FormMistake::new(board.span(), format!("a board has 1 to {MAX_SIDE} rows and columns")));
    }
    if marks.iter().any(|mark| mark.trim().is_empty()) {
        return Err(FormMistake::new(
            board.span(),
            "a mark is not empty; `empty` says how a free square looks",
        ));
    }
    requirement.as_ref().map_or(Ok(()), |id| fields.check_id(id))?;
    Ok(BoardReader {
        rows: *rows,
        columns: *columns,
        marks: marks.clone(),
        empty: empty.iter().map(|word| word.trim().to_owned()).collect(),
        requirement: requirement.as_ref().map(|id| id.get_ref().clone()),
    })
}

fn read_phrase(fields: &FormFields, phrase: &PhraseFields) -> FormResult<Phrase> {
    let PhraseFields { means, says, requirement } = phrase;
    requirement.as_ref().map_or(Ok(()), |id| fields.check_id(id))?;
    let requirement = requirement.as_ref().map(|id| id.get_ref().clone());
    Phrase::new(means, says.get_ref(), requirement).map_err(|message| FormMistake::new(says.span(), message))
}
