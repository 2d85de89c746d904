//! Functions and classes that students write.
//!
//! A generated driver makes a program of them: it reads calls, one per line, and writes what each returned, printed, changed or
//! threw. Everything else works as for other programs: inputs from a grammar, limits, the sandbox, blame, shrinking, reports.

mod board;
mod build;
mod call;
mod driver;
mod value_type;

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::assignment::embedded_file;
use crate::assignment::form::{FormMistake, FormResult};

use board::BoardFields;
pub(crate) use board::{PositionInputs, UnitBoard};
pub use build::build_unit;
pub(crate) use build::{build_source, compile, failure, in_parallel};
pub(crate) use call::Call;
pub(crate) use value_type::ValueType;

/// Functions and classes together have at most this many declarations.
const MAX_FUNCTIONS: usize = 100;

/// A language in which students write functions and classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum CodeLanguage {
    #[serde(rename = "c")]
    C,
    #[serde(rename = "c++")]
    Cpp,
    #[serde(rename = "python")]
    Python,
}

impl CodeLanguage {
    /// Returns the language of a file by the end of its name.
    pub(crate) fn of(path: &Path) -> Option<CodeLanguage> {
        match path.extension()?.to_str()? {
            "c" => Some(CodeLanguage::C),
            "cpp" | "cc" | "cxx" | "h" | "hpp" => Some(CodeLanguage::Cpp),
            "py" => Some(CodeLanguage::Python),
            _ => None,
        }
    }
}

/// What `[unit]` says: which functions and classes students write, and in which files.
#[derive(Debug)]
pub(crate) struct UnitForm {
    pub(crate) language: CodeLanguage,
    /// The names of the student's files. The first exists; the others are used if they do.
    pub(crate) files: Vec<String>,
    /// Files of the assignment that are put beside those of the student.
    pub(crate) given: Vec<UnitFile>,
    pub(crate) functions: Vec<UnitFunction>,
    pub(crate) enums: Vec<UnitEnum>,
    pub(crate) compares_exception_types: bool,
    pub(crate) board: Option<UnitBoard>,
}

/// A file of the assignment.
#[derive(Clone, Debug)]
pub(crate) struct UnitFile {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl UnitFile {
    /// Reads a file of an assignment; `None` if there is none of this name. `folder` is that of the assignment, or `None` if it is
    /// built in.
    pub(crate) fn read(name: &str, folder: Option<&Path>) -> Option<UnitFile> {
        let bytes = match folder {
            Some(folder) => std::fs::read(folder.join(name)).ok()?,
            None => embedded_file(name)?.as_bytes().to_vec(),
        };
        let name = Path::new(name).file_name()?.to_string_lossy().into_owned();
        Some(UnitFile { name, bytes })
    }
}

/// An enumeration of the student, with the names of its values.
#[derive(Clone, Debug)]
pub(crate) struct UnitEnum {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// A function, a method or a constructor.
#[derive(Clone, Debug)]
pub(crate) struct UnitFunction {
    pub(crate) name: String,
    /// The class, if it is a method or a constructor.
    pub(crate) class: Option<String>,
    pub(crate) arguments: Vec<ValueType>,
    pub(crate) returns: ValueType,
    /// Whether what it prints is compared.
    pub(crate) prints: bool,
    /// The arguments, from 1, that are compared after the call.
    pub(crate) changed: Vec<usize>,
    /// Whether it chooses a move, and every best move is right.
    pub(crate) chooses_move: bool,
}

impl UnitFunction {
    pub(crate) fn is_constructor(&self) -> bool {
        self.class.as_ref() == Some(&self.name)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitFields {
    language: CodeLanguage,
    files: Spanned<Vec<String>>,
    #[serde(default)]
    given: Vec<Spanned<String>>,
    #[serde(default)]
    function: Vec<FunctionFields>,
    #[serde(default)]
    class: Vec<ClassFields>,
    #[serde(default, rename = "enum")]
    enums: Vec<EnumFields>,
    #[serde(default)]
    exceptions: ExceptionComparison,
    board: Option<BoardFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionFields {
    name: Spanned<String>,
    #[serde(default)]
    arguments: Vec<Spanned<String>>,
    returns: Option<Spanned<String>>,
    #[serde(default)]
    prints: bool,
    #[serde(default)]
    changed: Vec<Spanned<usize>>,
    #[serde(default)]
    chooses_move: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassFields {
    name: Spanned<String>,
    #[serde(default)]
    constructors: Vec<Vec<Spanned<String>>>,
    #[serde(default)]
    method: Vec<FunctionFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnumFields {
    name: Spanned<String>,
    values: Vec<Spanned<String>>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ExceptionComparison {
    #[default]
    Any,
    Type,
}

impl UnitForm {
    /// Checks the table `[unit]`; `folder` is that of the assignment.
    pub(crate) fn new(fields: &UnitFields, folder: Option<&Path>) -> FormResult<UnitForm> {
        let files = fields.files.get_ref();
        let is_name = |name: &String| !name.is_empty() && !name.contains('/') && !name.starts_with('.');
        if files.is_empty() || !files.iter().all(is_name) {
            return Err(at(&fields.files, "expected names of files, such as [\"notakto.cpp\"]"));
        }
        let given = fields.given.iter().map(|file| {
            let read = UnitFile::read(file.get_ref(), folder);
            read.ok_or_else(|| at(file, "the folder of the assignment has no such file"))
        });
        let mut functions = Vec::new();
        for function in &fields.function {
            functions.push(function.check(None)?);
        }
        for class in &fields.class {
            let name = identifier(&class.name)?;
            for arguments in &class.constructors {
                functions.push(constructor(&name, types(arguments)?));
            }
            if class.constructors.is_empty() {
                functions.push(constructor(&name, Vec::new()));
            }
            for method in &class.method {
                functions.push(method.check(Some(&name))?);
            }
        }
        if functions.is_empty() || functions.len() > MAX_FUNCTIONS {
            let message =
                format!("expected 1 to {MAX_FUNCTIONS} functions in [[unit.function]] or [[unit.class]]");
            return Err(at(&fields.files, message));
        }
        let enums = fields.enums.iter().map(EnumFields::check).collect::<FormResult<Vec<_>>>()?;
        if let (CodeLanguage::C, Some(first)) = (fields.language, fields.enums.first()) {
            return Err(at(&first.name, "the values of an enumeration of C are numbers; use int"));
        }
        let is_enum = |name: &str| enums.iter().any(|each| each.name == name);
        for function in &mut functions {
            let types = std::mem::take(&mut function.arguments).into_iter();
            function.arguments = types.map(|each| each.with_enums(&is_enum)).collect();
            function.returns = function.returns.clone().with_enums(&is_enum);
        }
        Ok(UnitForm {
            language: fields.language,
            files: files.clone(),
            given: given.collect::<FormResult<_>>()?,
            functions,
            enums,
            compares_exception_types: fields.exceptions == ExceptionComparison::Type,
            board: fields.board.as_ref().map(BoardFields::check).transpose()?,
        })
    }

    /// Returns the classes, each once.
    pub(crate) fn classes(&self) -> Vec<&str> {
        let mut classes: Vec<&str> = self.functions.iter().filter_map(|each| each.class.as_deref()).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Returns the declaration that a call uses.
    pub(crate) fn function(&self, call: &Call) -> Option<&UnitFunction> {
        let is_called = |each: &&UnitFunction| each.name == call.name;
        let fits = |each: &&UnitFunction| each.arguments.len() == call.arguments.len();
        let mut called = self.functions.iter().filter(is_called);
        called.clone().find(fits).or_else(|| called.next())
    }

    /// Returns the calls of a case as code in the language of the student, one per line.
    pub(crate) fn code(&self, input: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(input);
        let code = |line: &str| match Call::parse(line) {
            Some(call) => {
                let types = self.function(&call).map_or(&[][..], |function| &function.arguments);
                call.to_code(self.language, types)
            }
            None => line.to_owned(),
        };
        text.lines().map(code).collect()
    }

    /// Returns every right result of a case whose only call chooses a move, as the driver writes it; `None` for other cases.
    pub(crate) fn best_moves(&self, input: &[u8]) -> Option<Vec<String>> {
        let board = self.board.as_ref()?;
        let text = std::str::from_utf8(input).ok()?;
        let call = Call::parse(text.strip_suffix('\n')?)?;
        if !self.function(&call)?.chooses_move {
            return None;
        }
        let (_, argument) = text.split_once('(')?;
        board.best_moves(argument.strip_suffix(")\n")?)
    }
}

fn constructor(class: &str, arguments: Vec<ValueType>) -> UnitFunction {
    UnitFunction {
        name: class.to_owned(),
        class: Some(class.to_owned()),
        arguments,
        returns: ValueType::Void,
        prints: false,
        changed: Vec::new(),
        chooses_move: false,
    }
}

impl EnumFields {
    fn check(&self) -> FormResult<UnitEnum> {
        let name = identifier(&self.name)?;
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Err(at(&self.name, "the name of an enumeration starts with an upper-case letter"));
        }
        Ok(UnitEnum { name, values: self.values.iter().map(identifier).collect::<FormResult<_>>()? })
    }
}

impl FunctionFields {
    fn check(&self, class: Option<&str>) -> FormResult<UnitFunction> {
        let arguments = types(&self.arguments)?;
        for number in &self.changed {
            if !(1..=arguments.len()).contains(number.get_ref()) {
                return Err(at(number, format!("the function has arguments 1 to {}", arguments.len())));
            }
        }
        let returns = self.returns.as_ref().map_or(Ok(ValueType::Void), value_type)?;
        Ok(UnitFunction {
            name: identifier(&self.name)?,
            class: class.map(str::to_owned),
            arguments,
            returns,
            prints: self.prints,
            changed: self.changed.iter().map(|number| *number.get_ref()).collect(),
            chooses_move: self.chooses_move,
        })
    }
}

fn at<T>(culprit: &Spanned<T>, message: impl Into<String>) -> FormMistake {
    FormMistake::new(culprit.span(), message)
}

fn identifier(name: &Spanned<String>) -> FormResult<String> {
    let text = name.get_ref();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = text.chars().all(is_part) && !text.starts_with(|c: char| c.is_ascii_digit());
    if text.is_empty() || !is_name {
        return Err(at(name, "a name is made of letters, digits and _"));
    }
    Ok(text.clone())
}

fn value_type(text: &Spanned<String>) -> FormResult<ValueType> {
    text.get_ref().parse().map_err(|message: String| at(text, message))
}

fn types(texts: &[Spanned<String>]) -> FormResult<Vec<ValueType>> {
    texts.iter().map(value_type).collect()
}
