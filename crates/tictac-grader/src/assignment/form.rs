//! What the file of an assignment says.

mod game;
mod inputs;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::CourseProgram;
use super::grammar::Grammar;
use crate::judge::Comparison;
use crate::judge::phrases::{BoardReader, Phrase, PhraseBook};
use crate::points::Points;
use crate::requirement::{Requirement, RequirementKind};
use crate::run::LimitChanges;
use crate::style::StyleCheck;
use crate::suite::{SuiteFields, SuiteForm, SuiteGoal, TestsQuality};
use crate::unit::{CodeLanguage, PositionInputs, UnitFields, UnitFile, UnitForm};

use game::GameFields;
pub(crate) use game::{GameForm, GameWords};
use inputs::CaseCount;
pub(crate) use inputs::{GameInputs, InputExample, RequirementInputs};

/// The requirements of an assignment are at most this many.
const MAX_REQUIREMENTS: usize = 200;
/// A board that can be read has at most this many rows and columns, and an assignment at most this many phrases.
const MAX_SIDE: usize = 64;
const MAX_PHRASES: usize = 200;

/// What the file of an assignment says. It has been checked: every name in it exists.
#[derive(Debug)]
pub(crate) struct AssignmentForm {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The folder, absolute; `None` if the assignment is built in.
    pub(crate) folder: Option<PathBuf>,
    /// A digest of everything in the folder.
    pub(crate) digest: String,
    pub(crate) is_interactive: bool,
    /// Arguments for every run.
    pub(crate) arguments: Vec<String>,
    pub(crate) reference: Reference,
    pub(crate) reader: OutputReader,
    /// How closely outputs are compared, unless the teacher wants it otherwise.
    pub(crate) comparison: Comparison,
    /// The exit statuses that the reference may have.
    pub(crate) statuses: Vec<i32>,
    /// Whether a program must exit with the same status as the reference.
    pub(crate) compares_status: bool,
    pub(crate) limits: LimitChanges,
    pub(crate) requirements: Vec<Requirement>,
    /// The code that makes the inputs, if not the grammar or a command does.
    pub(crate) generator: Option<CourseProgram>,
    pub(crate) grammar: Grammar,
    pub(crate) game: Option<GameForm>,
    /// The functions that students write, if they write no whole program.
    pub(crate) unit: Option<UnitForm>,
    pub(crate) suite: Option<SuiteForm>,
    /// What each requirement asks of the tests that students write.
    pub(crate) goals: Vec<Option<SuiteGoal>>,
    /// The inputs of each requirement, in the same order.
    pub(crate) inputs: Vec<RequirementInputs>,
    /// For each requirement what is looked for in the files of a submission.
    pub(crate) styles: Vec<Option<StyleCheck>>,
    /// For each requirement the short ids of those that it builds on.
    pub(crate) bases: Vec<Vec<String>>,
    /// The requirement, by its short id, that the right answer with a wrong exit status breaks.
    pub(crate) status_requirement: Option<String>,
    /// The same for the right answer in other words.
    pub(crate) wording_requirement: Option<String>,
    /// The short ids of the requirements that programs in `wrong/` must be blamed for, by their file names.
    pub(crate) wrong: BTreeMap<String, String>,
}

/// The program that gives the correct outputs.
#[derive(Clone, Debug)]
pub(crate) enum Reference {
    /// A program of this repository, with options of its command line, and words of its output that are replaced.
    Course { program: CourseProgram, options: Vec<String>, words: Vec<(String, String)> },
    /// The game that the form describes, in its words.
    Game,
    /// A command of the teacher; files of the folder have absolute paths.
    Command(Vec<String>),
    /// A file with the functions of the table `[unit]`.
    Source(UnitFile),
}

/// What is compared of an output.
#[derive(Debug)]
pub(crate) enum OutputReader {
    /// What the code for a course program understands.
    Course(CourseProgram),
    /// Every byte, or every word if the comparison is lenient.
    Text,
    /// Boards and phrases; everything else is free.
    Phrases(PhraseBook),
}

/// The fields of the file, as serde reads them. It refuses what is wrong by itself; [`AssignmentForm::parse`] refuses what does
/// not fit together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormFields {
    title: String,
    name: Option<Spanned<String>>,
    #[serde(default)]
    program: ProgramFields,
    reference: Spanned<ReferenceFields>,
    #[serde(default)]
    comparison: ComparisonFields,
    #[serde(default)]
    limits: LimitChanges,
    #[serde(default)]
    inputs: InputFields,
    #[serde(default)]
    grammar: BTreeMap<String, Spanned<String>>,
    game: Option<Spanned<GameFields>>,
    unit: Option<UnitFields>,
    tests: Option<SuiteFields>,
    #[serde(default)]
    requirement: Vec<RequirementFields>,
    #[serde(default)]
    wrong: BTreeMap<String, Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramFields {
    #[serde(default)]
    kind: ProgramKind,
    #[serde(default)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ProgramKind {
    #[default]
    Checker,
    Dialogue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceFields {
    command: Option<Spanned<Vec<String>>>,
    source: Option<Spanned<String>>,
    dialogue: Option<Spanned<String>>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    words: Vec<(String, String)>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComparisonFields {
    output: Option<Spanned<String>>,
    reader: Option<Spanned<CourseProgram>>,
    #[serde(default)]
    status: StatusComparison,
    #[serde(default)]
    statuses: ReferenceStatuses,
    board: Option<Spanned<BoardReader>>,
    #[serde(default)]
    phrase: Vec<Phrase>,
}

/// Whether a program must exit with the same status as the reference.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StatusComparison {
    #[default]
    Same,
    Free,
}

#[derive(Deserialize)]
#[serde(try_from = "Vec<i32>")]
struct ReferenceStatuses(Vec<i32>);

impl Default for ReferenceStatuses {
    fn default() -> ReferenceStatuses {
        ReferenceStatuses(vec![0])
    }
}

impl TryFrom<Vec<i32>> for ReferenceStatuses {
    type Error = &'static str;

    fn try_from(statuses: Vec<i32>) -> Result<ReferenceStatuses, &'static str> {
        let is_right = !statuses.is_empty() && statuses.iter().all(|status| (0..=255).contains(status));
        let message = "expected a list of exit statuses from 0 to 255";
        if is_right { Ok(ReferenceStatuses(statuses)) } else { Err(message) }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct InputFields {
    generator: Option<Spanned<CourseProgram>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequirementFields {
    id: Spanned<String>,
    rule: String,
    source: String,
    points: Option<Spanned<Points>>,
    kind: Option<RequirementKind>,
    hint: Option<String>,
    covers: Option<CoveredPart>,
    #[serde(default)]
    builds_on: Vec<Spanned<String>>,
    #[serde(default)]
    inputs: Vec<Spanned<String>>,
    #[serde(default)]
    cases: CaseCount,
    near_misses: Option<Spanned<CaseCount>>,
    #[serde(default)]
    examples: Vec<InputExample>,
    generator: Option<Vec<String>>,
    games: Option<Spanned<GameInputs>>,
    positions: Option<Spanned<PositionInputs>>,
    call: Option<Spanned<String>>,
    tests: Option<Spanned<TestsQuality>>,
    catches: Option<Spanned<u32>>,
    #[serde(default)]
    any_output: bool,
    style: Option<Spanned<StyleCheck>>,
}

/// What a requirement is about that all inputs test.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CoveredPart {
    Status,
    Wording,
}

/// A mistake in the file of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormMistake {
    /// The bytes of the file that are wrong.
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
}

pub(crate) type FormResult<T> = Result<T, FormMistake>;

impl FormMistake {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> FormMistake {
        FormMistake { span, message: message.into() }
    }

    fn at<T>(culprit: &Spanned<T>, message: impl Into<String>) -> FormMistake {
        FormMistake::new(culprit.span(), message)
    }
}

/// Returns the message of the TOML reader with the names of types replaced by what a teacher would write.
fn in_words(message: &str) -> String {
    const NAMES: [(&str, &str); 7] = [
        ("expected u32", "expected a whole number"),
        ("expected u64", "expected a whole number"),
        ("expected usize", "expected a whole number"),
        ("expected i32", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list such as [\"a\", \"b\"]"),
        ("expected struct InputExample", "expected a table such as { input = \"5\\n\" }"),
    ];
    let message =
        NAMES.iter().fold(message.to_owned(), |message, (name, words)| message.replace(name, words));
    if message.starts_with("unknown variant") { message.replace('`', "") } else { message }
}

impl AssignmentForm {
    /// Parses the file of an assignment. `usual_name` is used if the file does not give a name; `folder` is the folder of
    /// the file, or `None` for a built-in assignment.
    pub(crate) fn parse(text: &str, usual_name: &str, folder: Option<&Path>) -> FormResult<AssignmentForm> {
        let fields: FormFields = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            FormMistake::new(span, in_words(error.message().lines().next().unwrap_or_default()))
        })?;
        let name = fields.name(usual_name, folder)?;
        let grammar = inputs::grammar(text, &fields.grammar)?;
        let game = fields.game.as_ref().map(GameForm::new).transpose()?;
        let unit = fields.unit.as_ref().map(|unit| UnitForm::new(unit, folder)).transpose()?;
        let suite = fields.tests.as_ref().map(|tests| tests.check(unit.as_ref())).transpose()?;
        let goal = |each: &RequirementFields| SuiteGoal::of(&each.tests, &each.catches, suite.as_ref());
        let goals = fields.requirement.iter().map(goal).collect::<FormResult<_>>()?;
        let inputs = inputs::of_requirements(text, &fields.requirement, &grammar, game.as_ref(), folder)?;
        inputs::check_positions(&fields.requirement, unit.as_ref())?;
        fields.check_requirements()?;
        fields.check_named_ids()?;
        // The code for a course program knows what it is.
        let is_interactive = match &fields.comparison.reader {
            Some(reader) => !matches!(reader.get_ref(), CourseProgram::MoveCheck | CourseProgram::GameCheck),
            None => fields.program.kind == ProgramKind::Dialogue,
        };
        let covering = |part: CoveredPart| {
            let found = fields.requirement.iter().find(|each| each.covers == Some(part));
            found.map(|each| each.id.get_ref().clone())
        };
        let ids = |ids: &[Spanned<String>]| ids.iter().map(|id| id.get_ref().clone()).collect();
        let generator = fields.inputs.generator.as_ref();
        Ok(AssignmentForm {
            folder: folder.map(Path::to_owned),
            digest: String::new(),
            is_interactive,
            reference: fields.reference(folder, game.as_ref())?,
            comparison: fields.comparison()?,
            compares_status: fields.comparison.status == StatusComparison::Same,
            requirements: fields.requirement.iter().map(|each| each.requirement(&name)).collect(),
            generator: generator.map(|program| fields.known_program(program)).transpose()?,
            styles: fields
                .requirement
                .iter()
                .map(|each| each.style.as_ref().map(|style| style.get_ref().clone()))
                .collect(),
            bases: fields.requirement.iter().map(|each| ids(&each.builds_on)).collect(),
            status_requirement: covering(CoveredPart::Status),
            wording_requirement: covering(CoveredPart::Wording),
            wrong: fields.wrong.iter().map(|(name, id)| (name.clone(), id.get_ref().clone())).collect(),
            reader: fields.reader()?,
            statuses: fields.comparison.statuses.0,
            title: fields.title,
            arguments: fields.program.arguments,
            limits: fields.limits,
            grammar,
            game,
            unit,
            suite,
            goals,
            inputs,
            name,
        })
    }

    /// Returns whether a requirement is tested by the inputs of others.
    pub(crate) fn covers(&self, short_id: &str) -> bool {
        let has_phrase = matches!(&self.reader, OutputReader::Phrases(book) if book.covers(short_id));
        let covering = [&self.status_requirement, &self.wording_requirement];
        self.is_about_tests(short_id)
            || has_phrase
            || covering.iter().any(|id| id.as_deref() == Some(short_id))
    }

    /// Returns a requirement and those that it builds on, by their short ids.
    pub(crate) fn with_bases<'a>(&'a self, short_id: &'a str) -> Vec<&'a str> {
        let mut all = vec![short_id];
        let mut at = 0;
        while let Some(&id) = all.get(at) {
            let place = self.requirements.iter().position(|requirement| requirement.short_id() == id);
            let new = place.iter().flat_map(|&place| &self.bases[place]).map(String::as_str);
            let new: Vec<&str> = new.filter(|id| !all.contains(id)).collect();
            all.extend(new);
            at += 1;
        }
        all
    }

    pub(crate) fn course(&self) -> Option<CourseProgram> {
        match self.reader {
            OutputReader::Course(program) => Some(program),
            _ => None,
        }
    }
}

impl FormFields {
    fn name(&self, usual: &str, folder: Option<&Path>) -> FormResult<String> {
        let (name, span) = match &self.name {
            Some(name) => (name.get_ref().as_str(), name.span()),
            None => (usual, 0..0),
        };
        if !is_id(name) {
            let message = format!(
                "the name {name:?} is not made of lower-case letters, digits and -; set `name` in the file"
            );
            return Err(FormMistake::new(span, message));
        }
        if folder.is_some() && name.parse::<CourseProgram>().is_ok() {
            let message = format!("{name} is a built-in assignment; set `name` to another name");
            return Err(FormMistake::new(span, message));
        }
        Ok(name.to_owned())
    }

    fn check_requirements(&self) -> FormResult<()> {
        let all = &self.requirement;
        if all.is_empty() || all.len() > MAX_REQUIREMENTS {
            let message =
                format!("expected 1 to {MAX_REQUIREMENTS} requirements, each in a [[requirement]] table");
            return Err(FormMistake::new(0..0, message));
        }
        for (at, RequirementFields { id, .. }) in all.iter().enumerate() {
            if !is_id(id.get_ref()) {
                return Err(FormMistake::at(id, "an id is made of lower-case letters, digits and -"));
            }
            if all[..at].iter().any(|other| other.id.get_ref() == id.get_ref()) {
                return Err(FormMistake::at(id, format!("{} is the id of two requirements", id.get_ref())));
            }
            all[at].check_points()?;
        }
        Ok(())
    }

    /// Checks that every id that the file refers to is that of a requirement, and that none builds on itself.
    fn check_named_ids(&self) -> FormResult<()> {
        let ComparisonFields { board, phrase, .. } = &self.comparison;
        let of_board = board.iter().filter_map(|board| board.get_ref().requirement.as_ref());
        let of_phrases = phrase.iter().filter_map(|phrase| phrase.requirement.as_ref());
        let bases = self.requirement.iter().flat_map(|each| &each.builds_on);
        for id in bases.chain(self.wrong.values()).chain(of_board).chain(of_phrases) {
            if self.requirement_with(id.get_ref()).is_none() {
                let message = format!("there is no requirement with the id {:?}", id.get_ref());
                return Err(FormMistake::at(id, message));
            }
        }
        self.requirement.iter().try_for_each(|requirement| self.check_cycle(requirement))
    }

    fn requirement_with(&self, id: &str) -> Option<&RequirementFields> {
        self.requirement.iter().find(|each| each.id.get_ref() == id)
    }

    /// Checks that a requirement does not build on itself.
    fn check_cycle(&self, requirement: &RequirementFields) -> FormResult<()> {
        let id = requirement.id.get_ref();
        let mut below: Vec<&Spanned<String>> = requirement.builds_on.iter().collect();
        let mut at = 0;
        while let Some(&base) = below.get(at) {
            if base.get_ref() == id {
                return Err(FormMistake::at(base, format!("{id} builds on itself")));
            }
            let is_new =
                |next: &&Spanned<String>| !below.iter().any(|known| known.get_ref() == next.get_ref());
            let found = self.requirement_with(base.get_ref());
            let new: Vec<_> = found.iter().flat_map(|each| &each.builds_on).filter(is_new).collect();
            below.extend(new);
            at += 1;
        }
        Ok(())
    }

    fn reference(&self, folder: Option<&Path>, game: Option<&GameForm>) -> FormResult<Reference> {
        let ReferenceFields { command, source, dialogue, options, words } = self.reference.get_ref();
        if let Some(source) = source {
            return self.reference_source(source, folder);
        }
        match (command, dialogue) {
            (Some(command), None) if command.get_ref().is_empty() => {
                Err(FormMistake::at(command, "the command is empty"))
            }
            (Some(_), None) if !options.is_empty() || !words.is_empty() => {
                let option = if options.is_empty() { "words" } else { "options" };
                let message = format!("`{option}` belongs to `dialogue`, not to `command`");
                Err(FormMistake::at(&self.reference, message))
            }
            (Some(command), None) => Ok(Reference::Command(absolute_files(command.get_ref(), folder))),
            (None, Some(dialogue)) if dialogue.get_ref() == "game" => match game {
                Some(GameForm { words: Some(_), .. }) => Ok(Reference::Game),
                _ => Err(FormMistake::at(dialogue, "the dialogue `game` needs the table [game.words]")),
            },
            (None, Some(dialogue)) => {
                let program = dialogue.get_ref().parse();
                let program = program.map_err(|message: String| FormMistake::at(dialogue, message))?;
                Ok(Reference::Course { program, options: options.clone(), words: words.clone() })
            }
            _ => Err(FormMistake::at(&self.reference, "expected either `command`, `dialogue` or `source`")),
        }
    }

    fn reference_source(&self, source: &Spanned<String>, folder: Option<&Path>) -> FormResult<Reference> {
        if self.unit.is_none() {
            return Err(FormMistake::at(source, "`source` needs the table [unit]; a program is a `command`"));
        }
        let file = UnitFile::read(source.get_ref(), folder);
        let file =
            file.ok_or_else(|| FormMistake::at(source, "the folder of the assignment has no such file"))?;
        match CodeLanguage::of(Path::new(&file.name)) {
            Some(_) => Ok(Reference::Source(file)),
            None => Err(FormMistake::at(source, "expected a file whose name ends with .c, .cpp or .py")),
        }
    }

    fn reader(&self) -> FormResult<OutputReader> {
        let ComparisonFields { reader, output, board, phrase, .. } = &self.comparison;
        if let Some(reader) = reader {
            return self.known_program(reader).map(OutputReader::Course);
        }
        let Some(output) = output.as_ref().filter(|output| output.get_ref() == "phrases") else {
            return Ok(OutputReader::Text);
        };
        if phrase.len() > MAX_PHRASES || (phrase.is_empty() && board.is_none()) {
            let message = format!("expected a `board` or 1 to {MAX_PHRASES} phrases to look for");
            return Err(FormMistake::at(output, message));
        }
        if let Some(spanned) = board {
            let BoardReader { rows, columns, marks, .. } = spanned.get_ref();
            if !(1..=MAX_SIDE).contains(rows) || !(1..=MAX_SIDE).contains(columns) {
                let message = format!("a board has 1 to {MAX_SIDE} rows and columns");
                return Err(FormMistake::at(spanned, message));
            }
            if marks.iter().any(|mark| mark.trim().is_empty()) {
                let message = "a mark is not empty; `empty` says how a free square looks";
                return Err(FormMistake::at(spanned, message));
            }
        }
        let board = board.as_ref().map(|board| board.get_ref().clone());
        Ok(OutputReader::Phrases(PhraseBook { board, phrases: phrase.clone() }))
    }

    /// Returns a course program, if the form has all requirements that its code knows: those of the built-in assignment.
    fn known_program(&self, program: &Spanned<CourseProgram>) -> FormResult<CourseProgram> {
        let built_in: Option<FormFields> = toml::from_str(program.get_ref().form_text()).ok();
        let mut known =
            built_in.into_iter().flat_map(|fields| fields.requirement).map(|each| each.id.into_inner());
        match known.find(|id| self.requirement_with(id).is_none()) {
            Some(id) => {
                let name = program.get_ref();
                let message = format!("the code for {name} needs a requirement with the id {id:?}");
                Err(FormMistake::at(program, message))
            }
            None => Ok(*program.get_ref()),
        }
    }

    /// Returns how closely outputs are compared.
    fn comparison(&self) -> FormResult<Comparison> {
        let ComparisonFields { output, reader, .. } = &self.comparison;
        let name = output.as_ref().map_or("bytes", |output| output.get_ref().as_str());
        let message = match (name, reader.is_some()) {
            ("bytes", _) => return Ok(Comparison::Exact),
            ("content", true) | ("tokens" | "phrases", false) => return Ok(Comparison::Lenient),
            (_, true) => "with a `reader`, outputs are compared by bytes or content",
            ("content", false) => {
                "only a `reader` knows what the content is; expected bytes, tokens or phrases"
            }
            (_, false) => "unknown comparison; expected bytes, tokens or phrases",
        };
        Err(FormMistake::new(output.as_ref().map_or(0..0, Spanned::span), message))
    }
}

impl RequirementFields {
    fn kind(&self) -> RequirementKind {
        self.kind.unwrap_or(RequirementKind::Required)
    }

    fn check_points(&self) -> FormResult<()> {
        match (&self.points, self.kind()) {
            (None, RequirementKind::Robustness) => Ok(()),
            (Some(points), RequirementKind::Robustness) => {
                Err(FormMistake::at(points, "robustness is worth no points; leave `points` out"))
            }
            (None, _) => {
                let message = format!("the requirement {:?} has no `points`", self.id.get_ref());
                Err(FormMistake::at(&self.id, message))
            }
            _ => inputs::check_style(self),
        }
    }

    /// Returns the requirement. Its texts stay in memory until the process ends, so this is done when all else is right.
    fn requirement(&self, name: &str) -> Requirement {
        let keep = |text: &str| -> &'static str { text.to_owned().leak() };
        Requirement {
            id: keep(&format!("{name}/{}", self.id.get_ref())),
            rule: keep(&self.rule),
            source: keep(&self.source),
            points: self.points.as_ref().map_or(Points::ZERO, |points| *points.get_ref()),
            kind: self.kind(),
            hint: self.hint.as_deref().filter(|hint| !hint.trim().is_empty()).map(keep),
        }
    }
}

/// Returns whether a text can be an id: programs are called by it, and it is part of file names and addresses.
fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=60).contains(&text.len()) && text.bytes().all(is_part) && !text.starts_with('-')
}

/// Returns a command in which every word that names a file of the folder is its absolute path: commands run elsewhere.
fn absolute_files(command: &[String], folder: Option<&Path>) -> Vec<String> {
    let absolute = |word: &String| {
        let path = folder?.join(word);
        path.is_file().then(|| path.to_string_lossy().into_owned())
    };
    command.iter().map(|word| absolute(word).unwrap_or_else(|| word.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "title = 'T'\n[reference]\ncommand = ['sh', 'r.sh']\n[[requirement]]\nid = 'a'\npoints = 1\n\
                        source = 's'\nrule = 'r'\n";

    fn parse(text: &str) -> FormResult<AssignmentForm> {
        AssignmentForm::parse(text, "test", Some(Path::new("/nowhere")))
    }

    /// Checks the message about a file, and the part of it that is wrong.
    #[track_caller]
    fn check_text(text: &str, message: &str, culprit: &str) {
        let mistake = parse(text).unwrap_err();
        assert!(mistake.message.contains(message), "{text}\n{mistake:?}");
        assert_eq!(&text[mistake.span], culprit, "{text}");
    }

    #[track_caller]
    fn check(old: &str, new: &str, message: &str, culprit: &str) {
        assert!(FORM.contains(old), "{old}");
        check_text(&FORM.replace(old, new), message, culprit);
    }

    #[test]
    fn the_built_in_forms_are_those_of_their_readers() {
        for program in CourseProgram::ALL {
            let form = program.assignment().form();
            assert_eq!((form.course(), form.generator), (Some(program), Some(program)));
            // The same file in a folder is another assignment with the same requirements.
            let copy = parse(program.form_text()).unwrap();
            assert_eq!(copy.requirements.len(), form.requirements.len());
            assert_eq!(copy.is_interactive, form.is_interactive);
        }
    }

    #[test]
    fn a_mistake_in_the_file_is_named_with_its_place() {
        check("id = 'a'", "id = 'A'", "lower-case", "'A'");
        check("points = 1\n", "", "no `points`", "'a'");
        check("points = 1", "points = 1\nkind = 'extra'", "expected one of required", "'extra'");
        check("points = 1", "points = 1\npionts = 2", "unknown field `pionts`", "pionts");
        check("points = 1", "points = 99999", "at most 10000", "99999");
        check("points = 1", "points = 0.125", "exact to a hundredth", "0.125");
        check("points = 1", "points = 1\nkind = 'style'", "has no `style`", "'a'");
        let style = "{ files = ['a.c'], without = ['TODO'] }";
        check("points = 1", &format!("points = 1\nstyle = {style}"), "needs `kind = \"style\"`", style);
        let empty = "{ files = [], without = ['TODO'] }";
        check("points = 1", &format!("points = 1\nkind = 'style'\nstyle = {empty}"), "needs `files`", empty);
        check("points = 1", "points = 1\nkind = 'manual'\nexamples = [{ input = '' }]", "no inputs", "'a'");
        check("points = 1", "points = 1\ninputs = ['year']", "no rule year", "y");
        check("points = 1", "points = 1\ninputs = [\"1..\"]", "whole number", "\"");
        check("points = 1", "points = 1\nbuilds_on = ['b']", "no requirement with the id \"b\"", "'b'");
        check("points = 1", "points = 1\nbuilds_on = ['a']", "a builds on itself", "'a'");
        check("points = 1", "points = 1\ncases = 99999", "at most 5000", "99999");
        check("points = 1", "points = 1\nnear_misses = 3", "needs `inputs`", "3");
        check("points = 1", "points = 1\ngames = 'random'", "needs the table [game]", "'random'");
        check("points = 1", "points = 1\ncovers = 'all'", "expected status or wording", "'all'");
        check("command = ['sh', 'r.sh']", "dialogue = 'chess'", "unknown course program", "'chess'");
        check("command = ['sh', 'r.sh']", "command = []", "the command is empty", "[]");
    }

    #[test]
    fn mistakes_in_other_tables_are_named_as_well() {
        let with = |more: &str| format!("{FORM}{more}");
        check_text(&with("[grammar]\na = \"'x' b\"\n"), "no rule b", "b");
        check_text(&with("[grammar]\na = 'a'\n"), "never ends", "a");
        check_text(&with("[comparison]\nstatuses = []\n"), "from 0 to 255", "[]");
        check_text(&with("[comparison]\nstatuses = [0, 300]\n"), "from 0 to 255", "[0, 300]");
        check_text(
            &with("[comparison]\noutput = 'pixels'\n"),
            "expected bytes, tokens or phrases",
            "'pixels'",
        );
        check_text(&with("[comparison]\noutput = 'phrases'\n"), "1 to 200 phrases", "'phrases'");
        check_text(
            &with("[comparison]\nreader = 'lab3'\n"),
            "needs a requirement with the id \"arguments\"",
            "'lab3'",
        );
        check_text(&with("[comparison]\nstatus = 'any'\n"), "expected same or free", "'any'");
        check_text(&with("[program]\nkind = 'server'\n"), "expected checker or dialogue", "'server'");
        check_text(&with("[wrong]\n'x.sh' = 'z'\n"), "no requirement with the id \"z\"", "'z'");
        check_text(&with("[game]\nrules = '9,9'\nentry = '{row}'\n"), "", "'9,9'");
        check_text(
            &with("[game]\nrules = '3,3,3'\nentry = '{row}'\n"),
            "every square has its own entry",
            "'{row}'",
        );
        let phrase = "[[comparison.phrase]]\nmeans = 'turn'\nsays = ['{player}']\n";
        check_text(&with(&format!("[comparison]\noutput = 'phrases'\n{phrase}")), "no words", "['{player}']");
        check_text(
            &with("[[requirement]]\nid = 'a'\npoints = 1\nsource = ''\nrule = ''\n"),
            "two requirements",
            "'a'",
        );
    }

    #[test]
    fn no_damaged_file_is_a_panic() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignments");
        let mut rng = fastrand::Rng::with_seed(1);
        for name in ["leap-years", "morpion"] {
            let text = std::fs::read_to_string(folder.join(name).join("assignment.toml")).unwrap();
            for _ in 0..400 {
                let mut bytes = text.clone().into_bytes();
                for _ in 0..rng.usize(1..4) {
                    let at = rng.usize(..bytes.len());
                    match rng.u8(..3) {
                        0 => drop(bytes.remove(at)),
                        1 => bytes[at] = b"'\"[]{}=.,0 9a\\\n"[rng.usize(..15)],
                        _ => bytes.insert(at, b"'\"[]{}=.,0 9a\\\n"[rng.usize(..15)]),
                    }
                }
                let damaged = String::from_utf8_lossy(&bytes).into_owned();
                if let Err(mistake) = parse(&damaged) {
                    assert!(mistake.span.end <= damaged.len(), "{mistake:?}");
                    assert!(!mistake.message.is_empty(), "{damaged}");
                }
            }
        }
    }

    #[test]
    fn a_name_is_needed_that_no_built_in_assignment_has() {
        let parse = |name| AssignmentForm::parse(FORM, name, Some(Path::new("/nowhere")));
        assert!(parse("Leap Years").unwrap_err().message.contains("set `name`"));
        assert!(parse("lab3").unwrap_err().message.contains("built-in"));
        assert_eq!(parse("leap-years").unwrap().name, "leap-years");
    }

    #[test]
    fn what_a_requirement_builds_on_is_suspected_once() {
        let requirement = |id: &str, builds_on: &str| {
            format!(
                "[[requirement]]\nid = '{id}'\npoints = 1\nsource = 's'\nrule = 'r'\nbuilds_on = {builds_on}\n"
            )
        };
        let more = [requirement("b", "['a']"), requirement("c", "['b', 'a']")].concat();
        assert_eq!(parse(&format!("{FORM}{more}")).unwrap().with_bases("c"), ["c", "b", "a"]);
        let cycle = [requirement("b", "['a', 'c']"), requirement("c", "['b']")].concat();
        check_text(&format!("{FORM}{cycle}"), "b builds on itself", "'b'");
    }
}
