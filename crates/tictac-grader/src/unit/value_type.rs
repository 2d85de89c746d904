//! The types of arguments and results.

use std::fmt::{self, Write as _};
use std::str::FromStr;

/// Types are nested at most this deep, and arrays have at most this many items.
const MAX_DEPTH: usize = 6;
const MAX_ITEMS: usize = 4096;

/// The type of an argument or of a result, as an `assignment.toml` writes it: `bool`, `int[3][3]`, `list<string>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    Void,
    Bool,
    Int,
    Long,
    Float,
    Char,
    Text,
    /// Whatever the function returns; only in Python.
    Any,
    /// Items of the same type; how many is part of the type.
    Array(Box<ValueType>, usize),
    List(Box<ValueType>),
    Set(Box<ValueType>),
    Tuple(Vec<ValueType>),
    Map(Box<ValueType>, Box<ValueType>),
    /// An object of a class of the student.
    Object(String),
    /// One of the values of an enumeration of the student.
    Enum(String),
}

impl FromStr for ValueType {
    type Err = String;

    fn from_str(text: &str) -> Result<ValueType, String> {
        let mut parser = TypeParser { text, at: 0 };
        let parsed = parser.value_type(0)?;
        parser.skip();
        if parser.at < text.len() {
            return Err(format!("unexpected {:?} after the type", &text[parser.at..]));
        }
        Ok(parsed)
    }
}

struct TypeParser<'a> {
    text: &'a str,
    at: usize,
}

impl TypeParser<'_> {
    fn skip(&mut self) {
        self.at += self.text[self.at..].len() - self.text[self.at..].trim_start().len();
    }

    fn take(&mut self, c: char) -> bool {
        self.skip();
        let found = self.text[self.at..].starts_with(c);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> &str {
        self.skip();
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn value_type(&mut self, depth: usize) -> Result<ValueType, String> {
        if depth > MAX_DEPTH {
            return Err(format!("types are nested at most {MAX_DEPTH} deep"));
        }
        let name = self.word().to_owned();
        let mut parts = Vec::new();
        if self.take('<') {
            loop {
                parts.push(self.value_type(depth + 1)?);
                if !self.take(',') {
                    break;
                }
            }
            if !self.take('>') {
                return Err("expected > after the type of the items".to_owned());
            }
        }
        let base = named_type(&name, parts)?;
        let mut lengths = Vec::new();
        while self.take('[') {
            let length = self.word().parse().ok().filter(|length| (1..=MAX_ITEMS).contains(length));
            lengths.push(length.ok_or(format!("an array has 1 to {MAX_ITEMS} items, such as int[9]"))?);
            if !self.take(']') {
                return Err("expected ] after the length of the array".to_owned());
            }
        }
        Ok(lengths.into_iter().rev().fold(base, |item, length| ValueType::Array(Box::new(item), length)))
    }
}

fn named_type(name: &str, parts: Vec<ValueType>) -> Result<ValueType, String> {
    let n_parts = parts.len();
    let mut boxed = parts.iter().cloned().map(Box::new);
    let mut next = || boxed.next().expect("the number of parts was compared");
    Ok(match (name, n_parts) {
        ("void", 0) => ValueType::Void,
        ("bool", 0) => ValueType::Bool,
        ("int", 0) => ValueType::Int,
        ("long", 0) => ValueType::Long,
        ("float" | "double", 0) => ValueType::Float,
        ("char", 0) => ValueType::Char,
        ("string", 0) => ValueType::Text,
        ("any", 0) => ValueType::Any,
        ("list" | "vector", 1) => ValueType::List(next()),
        ("set", 1) => ValueType::Set(next()),
        ("tuple", 1..) => ValueType::Tuple(parts),
        ("map", 2) => ValueType::Map(next(), next()),
        (_, 0) if name.starts_with(|c: char| c.is_ascii_uppercase()) => ValueType::Object(name.to_owned()),
        _ => {
            let known = "bool, int, long, float, char, string, any, void, list<int>, set<int>, tuple<int, int>, \
                         map<string, int>, int[3], or a class whose name starts with an upper-case letter";
            return Err(format!("unknown type {name:?}; expected {known}"));
        }
    })
}

impl ValueType {
    /// Returns the type with the names of enumerations, which look like those of classes, told apart.
    pub(super) fn with_enums(self, is_enum: &dyn Fn(&str) -> bool) -> ValueType {
        let boxed = |item: Box<ValueType>| Box::new(item.with_enums(is_enum));
        match self {
            ValueType::Object(name) if is_enum(&name) => ValueType::Enum(name),
            ValueType::Array(item, length) => ValueType::Array(boxed(item), length),
            ValueType::List(item) => ValueType::List(boxed(item)),
            ValueType::Set(item) => ValueType::Set(boxed(item)),
            ValueType::Map(key, value) => ValueType::Map(boxed(key), boxed(value)),
            ValueType::Tuple(items) => {
                ValueType::Tuple(items.into_iter().map(|item| item.with_enums(is_enum)).collect())
            }
            other => other,
        }
    }

    /// Returns the type in C++; arrays are declared by [`ValueType::declaration`].
    pub(super) fn in_cpp(&self) -> String {
        match self {
            ValueType::Void => "void".to_owned(),
            ValueType::Bool => "bool".to_owned(),
            ValueType::Int => "int".to_owned(),
            ValueType::Long => "long long".to_owned(),
            ValueType::Float => "double".to_owned(),
            ValueType::Char => "char".to_owned(),
            ValueType::Text => "std::string".to_owned(),
            ValueType::Any => "auto".to_owned(),
            ValueType::Array(item, _) => format!("{}*", item.in_cpp()),
            ValueType::List(item) => format!("std::vector<{}>", item.in_cpp()),
            ValueType::Set(item) => format!("std::set<{}>", item.in_cpp()),
            ValueType::Tuple(items) => {
                let items: Vec<String> = items.iter().map(ValueType::in_cpp).collect();
                format!("std::tuple<{}>", items.join(", "))
            }
            ValueType::Map(key, value) => format!("std::map<{}, {}>", key.in_cpp(), value.in_cpp()),
            ValueType::Object(name) | ValueType::Enum(name) => format!("::{name}"),
        }
    }

    /// Returns the type of the innermost items of an array, and its lengths, such as `[3][3]`.
    fn item_and_lengths(&self) -> (&ValueType, String) {
        let (mut item, mut lengths) = (self, String::new());
        while let ValueType::Array(inner, length) = item {
            let _ = write!(lengths, "[{length}]");
            item = inner;
        }
        (item, lengths)
    }

    /// Returns the declaration of a variable in C++.
    pub(super) fn declaration(&self, name: &str) -> String {
        let (item, lengths) = self.item_and_lengths();
        format!("{} {name}{lengths}", item.in_cpp())
    }

    /// Returns the type as the driver for Python reads it: a list of its name and its parts.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let list = |name: &str, parts: &[&ValueType]| {
            let parts = parts.iter().map(|part| part.to_json());
            serde_json::Value::Array([name.into()].into_iter().chain(parts).collect())
        };
        match self {
            ValueType::Void => list("void", &[]),
            ValueType::Bool => list("bool", &[]),
            ValueType::Int => list("int", &[]),
            ValueType::Long => list("long", &[]),
            ValueType::Float => list("float", &[]),
            ValueType::Char => list("char", &[]),
            ValueType::Text => list("string", &[]),
            ValueType::Any | ValueType::Object(_) => list("any", &[]),
            ValueType::Enum(name) => serde_json::json!(["enum", name]),
            ValueType::Array(item, _) => list("array", &[item]),
            ValueType::List(item) => list("list", &[item]),
            ValueType::Set(item) => list("set", &[item]),
            ValueType::Tuple(items) => list("tuple", &items.iter().collect::<Vec<_>>()),
            ValueType::Map(key, value) => list("map", &[key, value]),
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            ValueType::Void => "void",
            ValueType::Bool => "bool",
            ValueType::Int => "int",
            ValueType::Long => "long",
            ValueType::Float => "float",
            ValueType::Char => "char",
            ValueType::Text => "string",
            ValueType::Any => "any",
            ValueType::Object(name) | ValueType::Enum(name) => name,
            ValueType::Array(..) => {
                let (item, lengths) = self.item_and_lengths();
                return write!(f, "{item}{lengths}");
            }
            ValueType::List(item) => return write!(f, "list<{item}>"),
            ValueType::Set(item) => return write!(f, "set<{item}>"),
            ValueType::Map(key, value) => return write!(f, "map<{key}, {value}>"),
            ValueType::Tuple(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                return write!(f, "tuple<{}>", items.join(", "));
            }
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_parses_back() {
        for text in [
            "bool",
            "int[3][4]",
            "list<list<char>>",
            "tuple<int, int>",
            "map<string, set<int>>",
            "Board",
            "void",
        ] {
            assert_eq!(text.parse::<ValueType>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn an_array_is_declared_with_the_outer_length_first() {
        let board: ValueType = "bool[3][4]".parse().unwrap();
        assert_eq!(board.declaration("a"), "bool a[3][4]");
    }

    #[test]
    fn a_wrong_type_is_refused_with_what_is_known() {
        for (text, message) in [
            ("boolean", "unknown type"),
            ("int[0]", "1 to 4096"),
            ("list<int", "expected >"),
            ("int x", "unexpected"),
        ] {
            let error = text.parse::<ValueType>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!("list<".repeat(99).parse::<ValueType>().is_err());
    }
}
