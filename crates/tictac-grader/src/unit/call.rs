//! Calls as text: one per line, such as `has_line([[1,0,1],[0,1,0],[0,0,1]])`, `game = Tictactoe()` or `game.isWin("X")`.
//!
//! Arguments are written as in JSON; a bare name is an object that an earlier line has made.

use super::CodeLanguage;
use super::value_type::ValueType;

/// Values are nested at most this deep.
const MAX_DEPTH: usize = 32;

/// One call of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The name that the new object gets.
    pub(crate) handle: Option<String>,
    /// The object whose method is called.
    pub(crate) object: Option<String>,
    /// The function, the class or the method.
    pub(crate) name: String,
    pub(crate) arguments: Vec<CallValue>,
}

/// A value in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallValue {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<CallValue>),
    Map(Vec<(CallValue, CallValue)>),
    /// An object, by its name.
    Object(String),
}

impl Call {
    /// Parses a line; `None` if it is no call.
    pub(crate) fn parse(line: &str) -> Option<Call> {
        let mut parser = CallParser { rest: line.trim(), depth: MAX_DEPTH };
        let mut name = parser.word()?;
        let mut handle = None;
        if parser.take('=') {
            handle = Some(std::mem::replace(&mut name, parser.word()?));
        }
        let mut object = None;
        if parser.take('.') {
            object = Some(std::mem::replace(&mut name, parser.word()?));
        }
        if !parser.take('(') {
            return None;
        }
        let arguments = parser.list(')')?;
        parser.rest.is_empty().then_some(Call { handle, object, name, arguments })
    }

    /// Returns the call as a student would write it; `types` are those of the arguments, as far as they are declared.
    pub(crate) fn to_code(&self, language: CodeLanguage, types: &[ValueType]) -> String {
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .enumerate()
            .map(|(at, value)| value.to_code(language, types.get(at)))
            .collect();
        let arguments = arguments.join(", ");
        match (&self.handle, &self.object, language) {
            (Some(handle), _, CodeLanguage::Python) => format!("{handle} = {}({arguments})", self.name),
            (Some(handle), ..) if arguments.is_empty() => format!("{} {handle};", self.name),
            (Some(handle), ..) => format!("{} {handle}({arguments});", self.name),
            (None, Some(object), _) => format!("{object}.{}({arguments})", self.name),
            (None, None, _) => format!("{}({arguments})", self.name),
        }
    }
}

impl CallValue {
    fn to_code(&self, language: CodeLanguage, value_type: Option<&ValueType>) -> String {
        let is_python = language == CodeLanguage::Python;
        let is_bool = matches!(value_type, Some(ValueType::Bool));
        match self {
            CallValue::Null => (if is_python { "None" } else { "nullptr" }).to_owned(),
            CallValue::Bool(value) if is_python => (if *value { "True" } else { "False" }).to_owned(),
            CallValue::Bool(value) => value.to_string(),
            CallValue::Number(text) if is_bool && is_python => {
                (if text == "1" { "True" } else { "False" }).to_owned()
            }
            CallValue::Number(text) => text.clone(),
            CallValue::Text(text) if matches!(value_type, Some(ValueType::Char)) && !is_python => {
                format!("'{}'", text.escape_default())
            }
            CallValue::Text(text) => match value_type {
                Some(ValueType::Enum(name)) if is_python => format!("{name}.{text}"),
                Some(ValueType::Enum(name)) => format!("{name}::{text}"),
                _ => format!("\"{}\"", text.escape_default()),
            },
            CallValue::Object(name) => name.clone(),
            CallValue::List(items) => list_code(items, language, value_type),
            CallValue::Map(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|(key, value)| {
                        let (key, value) = (key.to_code(language, None), value.to_code(language, None));
                        if is_python { format!("{key}: {value}") } else { format!("{{{key}, {value}}}") }
                    })
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }
}

fn list_code(items: &[CallValue], language: CodeLanguage, value_type: Option<&ValueType>) -> String {
    let item_type = |at: usize| match value_type {
        Some(ValueType::Array(item, _) | ValueType::List(item) | ValueType::Set(item)) => Some(&**item),
        Some(ValueType::Tuple(items)) => items.get(at),
        _ => None,
    };
    let items: Vec<String> =
        items.iter().enumerate().map(|(at, item)| item.to_code(language, item_type(at))).collect();
    let text = items.join(", ");
    match (language, value_type) {
        (CodeLanguage::Python, Some(ValueType::Tuple(_))) => format!("({text})"),
        (CodeLanguage::Python, Some(ValueType::Set(_))) if items.is_empty() => "set()".to_owned(),
        (CodeLanguage::Python, Some(ValueType::Set(_))) => format!("{{{text}}}"),
        (CodeLanguage::Python, _) => format!("[{text}]"),
        _ => format!("{{{text}}}"),
    }
}

struct CallParser<'a> {
    rest: &'a str,
    /// How many lists may still be opened inside each other.
    depth: usize,
}

impl CallParser<'_> {
    fn take(&mut self, c: char) -> bool {
        let trimmed = self.rest.trim_start();
        match trimmed.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<String> {
        let trimmed = self.rest.trim_start();
        let end = trimmed.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(trimmed.len());
        let (word, rest) = trimmed.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// Parses values up to the closing bracket.
    fn list(&mut self, end: char) -> Option<Vec<CallValue>> {
        let mut items = Vec::new();
        if self.take(end) {
            return Some(items);
        }
        loop {
            items.push(self.value()?);
            if self.take(end) {
                return Some(items);
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    fn value(&mut self) -> Option<CallValue> {
        self.rest = self.rest.trim_start();
        self.depth = self.depth.checked_sub(1)?;
        let value = self.value_inside();
        self.depth += 1;
        value
    }

    fn value_inside(&mut self) -> Option<CallValue> {
        match self.rest.chars().next()? {
            '[' => {
                self.take('[');
                self.list(']').map(CallValue::List)
            }
            '{' => {
                self.take('{');
                self.map().map(CallValue::Map)
            }
            '"' | '-' | '0'..='9' => {
                let mut stream =
                    serde_json::Deserializer::from_str(self.rest).into_iter::<serde_json::Value>();
                let value = stream.next()?.ok()?;
                let end = stream.byte_offset();
                let text = self.rest[..end].to_owned();
                self.rest = &self.rest[end..];
                Some(match value {
                    serde_json::Value::String(text) => CallValue::Text(text),
                    _ => CallValue::Number(text),
                })
            }
            _ => Some(match self.word()?.as_str() {
                "null" => CallValue::Null,
                "true" => CallValue::Bool(true),
                "false" => CallValue::Bool(false),
                name => CallValue::Object(name.to_owned()),
            }),
        }
    }

    fn map(&mut self) -> Option<Vec<(CallValue, CallValue)>> {
        let mut items = Vec::new();
        if self.take('}') {
            return Some(items);
        }
        loop {
            let key = self.value()?;
            if !self.take(':') {
                return None;
            }
            items.push((key, self.value()?));
            if self.take('}') {
                return Some(items);
            }
            if !self.take(',') {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_shown_in_the_language_of_the_student() {
        let board: ValueType = "bool[2][2]".parse().unwrap();
        let call = Call::parse("has_line([[1,0],[0,1]])").unwrap();
        assert_eq!(
            call.to_code(CodeLanguage::Cpp, std::slice::from_ref(&board)),
            "has_line({{1, 0}, {0, 1}})"
        );
        let types: Vec<ValueType> =
            ["list<list<string>>", "tuple<int, int>"].map(|text| text.parse().unwrap()).into();
        let call = Call::parse("result([[\"X\", null]], [0, -1])").unwrap();
        assert_eq!(call.to_code(CodeLanguage::Python, &types), "result([[\"X\", None]], (0, -1))");
        let made = Call::parse("game = Tictactoe()").unwrap();
        assert_eq!(made.to_code(CodeLanguage::Cpp, &[]), "Tictactoe game;");
        assert_eq!(made.to_code(CodeLanguage::Python, &[]), "game = Tictactoe()");
        let method = Call::parse("game.isWin(\"X\")").unwrap();
        assert_eq!(method.to_code(CodeLanguage::Cpp, &[ValueType::Char]), "game.isWin('X')");
    }

    #[test]
    fn what_is_no_call_is_refused() {
        for line in ["", "f", "f(", "f(1,)", "f(1) 2", "f(\"x)", "a.b.c()"] {
            assert_eq!(Call::parse(line), None, "{line}");
        }
        assert_eq!(Call::parse(&format!("f({})", "[".repeat(100_000))), None);
    }
}
