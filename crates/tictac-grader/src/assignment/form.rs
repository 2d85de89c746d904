//! What the file of an assignment says.

mod fields;
mod game;
mod inputs;
mod reading;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::CourseProgram;
use super::grammar::Grammar;
use crate::judge::Comparison;
use crate::judge::phrases::PhraseBook;
use crate::requirement::{Requirement, RequirementKind};
use crate::run::LimitChanges;

use fields::{FormFields, ReferenceFields, RequirementFields};

pub(crate) use game::{GameForm, GameWords};
pub(crate) use inputs::{GameInputs, RequirementInputs};

/// The requirements of an assignment are at most this many, and each is worth at most this many points.
const MAX_REQUIREMENTS: usize = 200;
const MAX_POINTS: u32 = 10_000;

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
    /// The inputs of each requirement, in the same order.
    pub(crate) inputs: Vec<RequirementInputs>,
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
        ("expected struct ExampleFields", "expected a table such as { input = \"5\\n\" }"),
    ];
    NAMES.iter().fold(message.to_owned(), |message, (name, words)| message.replace(name, words))
}

impl AssignmentForm {
    /// Parses the file of an assignment. `usual_name` is used if the file does not give a name; `folder` is the folder of
    /// the file, or `None` for a built-in assignment.
    pub(crate) fn parse(text: &str, usual_name: &str, folder: Option<&Path>) -> FormResult<AssignmentForm> {
        let fields: FormFields = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            FormMistake::new(span, in_words(error.message().lines().next().unwrap_or_default()))
        })?;
        let name = name(&fields, usual_name, folder)?;
        let grammar = inputs::grammar(text, &fields.grammar)?;
        let game = fields.game.as_ref().map(game::game).transpose()?;
        let inputs = fields
            .requirement
            .iter()
            .map(|fields| inputs::of_requirement(text, fields, &grammar, game.as_ref(), folder))
            .collect::<FormResult<Vec<_>>>()?;
        inputs::check_total(&fields.requirement, &inputs)?;
        check_requirements(&fields)?;
        let reader = reading::reader(&fields)?;
        let form = AssignmentForm {
            title: fields.title.clone(),
            folder: folder.map(Path::to_owned),
            digest: String::new(),
            is_interactive: is_interactive(&fields, &reader)?,
            arguments: fields.program.arguments.clone(),
            reference: reference(&fields.reference, folder, game.as_ref())?,
            comparison: reading::comparison(&fields)?,
            reader,
            statuses: reading::statuses(&fields)?,
            compares_status: fields.comparison.compares_status()?,
            limits: fields
                .limits
                .get_ref()
                .changes()
                .map_err(|message| FormMistake::new(fields.limits.span(), message))?,
            requirements: requirements(&fields, &name),
            generator: reading::generator(&fields)?,
            grammar,
            game,
            inputs,
            bases: bases(&fields)?,
            status_requirement: covering(&fields, "status"),
            wording_requirement: covering(&fields, "wording"),
            wrong: wrong(&fields)?,
            name,
        };
        Ok(form)
    }

    /// Returns whether a requirement is tested by the inputs of others.
    pub(crate) fn covers(&self, short_id: &str) -> bool {
        let has_phrase = match &self.reader {
            OutputReader::Phrases(book) => book.covers(short_id),
            _ => false,
        };
        has_phrase
            || [&self.status_requirement, &self.wording_requirement]
                .iter()
                .any(|id| id.as_deref() == Some(short_id))
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

/// Returns whether the program is a dialogue. The reader of a course program knows what it is.
fn is_interactive(fields: &FormFields, reader: &OutputReader) -> FormResult<bool> {
    let is_dialogue = fields.program.is_interactive()?;
    match reader {
        OutputReader::Course(program) => {
            Ok(!matches!(program, CourseProgram::MoveCheck | CourseProgram::GameCheck))
        }
        _ => Ok(is_dialogue),
    }
}

fn name(fields: &FormFields, usual: &str, folder: Option<&Path>) -> FormResult<String> {
    let (name, span) = match &fields.name {
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

/// Returns whether a text can be an id: programs are called by it, and it is part of file names and addresses.
fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=60).contains(&text.len()) && text.bytes().all(is_part) && !text.starts_with('-')
}

fn check_requirements(fields: &FormFields) -> FormResult<()> {
    let all = &fields.requirement;
    if all.is_empty() || all.len() > MAX_REQUIREMENTS {
        let message =
            format!("expected 1 to {MAX_REQUIREMENTS} requirements, each in a [[requirement]] table");
        return Err(FormMistake::new(0..0, message));
    }
    for (at, each) in all.iter().enumerate() {
        let RequirementFields { id, .. } = each.get_ref();
        if !is_id(id.get_ref()) {
            return Err(FormMistake::new(id.span(), "an id is made of lower-case letters, digits and -"));
        }
        if all[..at].iter().any(|other| other.get_ref().id.get_ref() == id.get_ref()) {
            return Err(FormMistake::new(
                id.span(),
                format!("{} is the id of two requirements", id.get_ref()),
            ));
        }
        each.get_ref().kind()?;
        each.get_ref().check_points(MAX_POINTS)?;
        if let Some(covers) = &each.get_ref().covers
            && !["status", "wording"].contains(&covers.get_ref().as_str())
        {
            let message = format!("unknown value {:?}; expected status or wording", covers.get_ref());
            return Err(FormMistake::new(covers.span(), message));
        }
    }
    Ok(())
}

/// Makes the requirements. Their texts stay in memory until the process ends, so this is done when all else is right.
fn requirements(fields: &FormFields, name: &str) -> Vec<Requirement> {
    let keep = |text: &str| -> &'static str { text.to_owned().leak() };
    let requirement = |each: &Spanned<RequirementFields>| {
        let fields = each.get_ref();
        let kind = fields.kind().unwrap_or(RequirementKind::Required);
        Requirement {
            id: keep(&format!("{name}/{}", fields.id.get_ref())),
            rule: keep(fields.rule.get_ref()),
            source: keep(fields.source.get_ref()),
            points: fields.points.as_ref().map_or(0, |points| *points.get_ref()),
            kind,
            hint: fields.hint.as_deref().filter(|hint| !hint.trim().is_empty()).map(keep),
        }
    };
    fields.requirement.iter().map(requirement).collect()
}

fn covering(fields: &FormFields, what: &str) -> Option<String> {
    let covers = |each: &&Spanned<RequirementFields>| {
        each.get_ref().covers.as_ref().is_some_and(|covers| covers.get_ref() == what)
    };
    fields.requirement.iter().find(covers).map(|each| each.get_ref().id.get_ref().clone())
}

fn bases(fields: &FormFields) -> FormResult<Vec<Vec<String>>> {
    let mut all = Vec::new();
    for requirement in &fields.requirement {
        let bases = &requirement.get_ref().builds_on;
        bases.iter().try_for_each(|id| fields.check_id(id))?;
        check_cycle(fields, requirement.get_ref())?;
        all.push(bases.iter().map(|id| id.get_ref().clone()).collect());
    }
    Ok(all)
}

/// Checks that a requirement does not build on itself.
fn check_cycle(fields: &FormFields, requirement: &RequirementFields) -> FormResult<()> {
    let id = requirement.id.get_ref();
    let mut below: Vec<&Spanned<String>> = requirement.builds_on.iter().collect();
    let mut at = 0;
    while let Some(&base) = below.get(at) {
        if base.get_ref() == id {
            return Err(FormMistake::new(base.span(), format!("{id} builds on itself")));
        }
        let found = fields.requirement.iter().find(|each| each.get_ref().id.get_ref() == base.get_ref());
        let is_new = |next: &&Spanned<String>| !below.iter().any(|known| known.get_ref() == next.get_ref());
        let new: Vec<_> = found.iter().flat_map(|each| &each.get_ref().builds_on).filter(is_new).collect();
        below.extend(new);
        at += 1;
    }
    Ok(())
}

fn reference(
    fields: &Spanned<ReferenceFields>,
    folder: Option<&Path>,
    game: Option<&GameForm>,
) -> FormResult<Reference> {
    let span = fields.span();
    let ReferenceFields { command, dialogue, options, words } = fields.get_ref();
    match (command, dialogue) {
        (Some(command), None) => {
            if command.get_ref().is_empty() {
                return Err(FormMistake::new(command.span(), "the command is empty"));
            }
            if let Some((option, _)) = [("options", options.is_empty()), ("words", words.is_empty())]
                .into_iter()
                .find(|(_, is_empty)| !is_empty)
            {
                return Err(FormMistake::new(
                    span,
                    format!("`{option}` belongs to `dialogue`, not to `command`"),
                ));
            }
            Ok(Reference::Command(absolute_files(command.get_ref(), folder)))
        }
        (None, Some(dialogue)) if dialogue.get_ref() == "game" => match game {
            Some(GameForm { words: Some(_), .. }) => Ok(Reference::Game),
            _ => Err(FormMistake::new(dialogue.span(), "the dialogue `game` needs the table [game.words]")),
        },
        (None, Some(dialogue)) => Ok(Reference::Course {
            program: fields::course_program(dialogue)?,
            options: options.clone(),
            words: words.iter().map(|[old, new]| (old.clone(), new.clone())).collect(),
        }),
        _ => Err(FormMistake::new(span, "expected either `command` or `dialogue`")),
    }
}

/// Returns a command in which every word that names a file of the folder is its absolute path: commands run elsewhere.
fn absolute_files(command: &[String], folder: Option<&Path>) -> Vec<String> {
    let absolute = |word: &String| {
        let path = folder?.join(word);
        path.is_file().then(|| path.to_string_lossy().into_owned())
    };
    command.iter().map(|word| absolute(word).unwrap_or_else(|| word.clone())).collect()
}

fn wrong(fields: &FormFields) -> FormResult<BTreeMap<String, String>> {
    let mut wrong = BTreeMap::new();
    for (program, id) in &fields.wrong {
        fields.check_id(id)?;
        wrong.insert(program.clone(), id.get_ref().clone());
    }
    Ok(wrong)
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
