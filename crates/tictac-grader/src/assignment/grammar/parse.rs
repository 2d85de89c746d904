//! Parses the text of an input pattern.

use super::{InputPattern, PatternError};

/// How many times `*` and `+` repeat at most.
const USUAL_REPETITIONS: usize = 8;
/// How many times `{n}` may repeat.
const MAX_REPETITIONS: usize = 10_000;
/// How deep parentheses may be nested.
const MAX_NESTING: usize = 100;

type Parsed<T> = Result<T, PatternError>;

/// Parses a whole text; `names` are the rules that it may refer to.
pub(super) fn pattern(text: &str, names: &[String]) -> Parsed<InputPattern> {
    let mut parser = PatternParser { text, at: 0, names, nesting: 0 };
    let pattern = parser.choice()?;
    match parser.peek() {
        None => Ok(pattern),
        Some(_) => parser.error("expected a text in quotes, a name, a range or ("),
    }
}

struct PatternParser<'a> {
    text: &'a str,
    at: usize,
    names: &'a [String],
    nesting: usize,
}

impl PatternParser<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(PatternError { at: self.at, message: message.into() })
    }

    /// Returns the next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn take(&mut self, wanted: &str) -> bool {
        self.peek();
        let is_there = self.text[self.at..].starts_with(wanted);
        self.at += if is_there { wanted.len() } else { 0 };
        is_there
    }

    fn choice(&mut self) -> Parsed<InputPattern> {
        let mut parts = vec![self.sequence()?];
        while self.take("|") {
            parts.push(self.sequence()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { InputPattern::Choice(parts) })
    }

    fn sequence(&mut self) -> Parsed<InputPattern> {
        let mut parts = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let item = self.item()?;
            parts.push(self.repeated(item)?);
        }
        match parts.len() {
            0 => self.error("expected a text in quotes, a name, a range or ("),
            1 => Ok(parts.remove(0)),
            _ => Ok(InputPattern::Sequence(parts)),
        }
    }

    fn item(&mut self) -> Parsed<InputPattern> {
        let start = self.at;
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.nesting += 1;
                if self.nesting > MAX_NESTING {
                    return self.error("too many parentheses inside each other");
                }
                let inner = self.choice()?;
                self.nesting -= 1;
                if self.take(")") { Ok(inner) } else { self.error("expected )") }
            }
            Some(quote @ ('\'' | '"')) => {
                let bytes = self.quoted(quote)?;
                if !self.take("..") {
                    return Ok(InputPattern::Literal(bytes));
                }
                let last = match self.peek() {
                    Some(quote @ ('\'' | '"')) => self.quoted(quote)?,
                    _ => return self.error("expected a character in quotes after .."),
                };
                match (bytes.as_slice(), last.as_slice()) {
                    ([from], [to]) if from <= to => Ok(InputPattern::Byte(*from, *to)),
                    _ => {
                        self.at = start;
                        self.error("a range of characters needs one byte on each side, the smaller first")
                    }
                }
            }
            Some(c) if c.is_ascii_digit() || c == '-' => self.number_range(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.name(),
            _ => self.error("expected a text in quotes, a name, a range or ("),
        }
    }

    fn name(&mut self) -> Parsed<InputPattern> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        match self.names.iter().position(|known| known == name) {
            Some(at) => {
                self.at += name.len();
                Ok(InputPattern::Rule(at))
            }
            None => self.error(format!("the grammar has no rule {name}")),
        }
    }

    fn number_range(&mut self) -> Parsed<InputPattern> {
        let start = self.at;
        let from = self.number()?;
        if !self.take("..") {
            return self.error("expected .. and the end of the range; a fixed number is written in quotes");
        }
        self.peek();
        let to = self.number()?;
        if from > to {
            self.at = start;
            return self.error(format!("the range {from}..{to} is empty"));
        }
        Ok(InputPattern::Number(from, to))
    }

    fn number(&mut self) -> Parsed<i64> {
        let rest = &self.text[self.at..];
        let n_signs = usize::from(rest.starts_with('-'));
        let n_digits = rest[n_signs..].bytes().take_while(u8::is_ascii_digit).count();
        match rest[..n_signs + n_digits].parse() {
            Ok(number) => {
                self.at += n_signs + n_digits;
                Ok(number)
            }
            Err(_) => self.error("expected a whole number of at most 18 digits"),
        }
    }

    fn quoted(&mut self, quote: char) -> Parsed<Vec<u8>> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let Some(c) = self.text[self.at..].chars().next() else {
                self.at = start;
                return self.error(format!("the text has no closing {quote}"));
            };
            if c == '\\' {
                bytes.push(self.escape()?);
                continue;
            }
            self.at += c.len_utf8();
            if c == quote {
                return Ok(bytes);
            }
            bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
        }
    }

    fn escape(&mut self) -> Parsed<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let (byte, length) = match rest.get(1) {
            Some(b'n') => (b'\n', 2),
            Some(b't') => (b'\t', 2),
            Some(b'r') => (b'\r', 2),
            Some(&byte @ (b'\\' | b'\'' | b'"')) => (byte, 2),
            Some(b'x') => {
                let digits = self.text.get(self.at + 2..self.at + 4).unwrap_or("?");
                match u8::from_str_radix(digits, 16) {
                    Ok(byte) => (byte, 4),
                    Err(_) => return self.error("expected two hexadecimal digits after \\x"),
                }
            }
            _ => return self.error("unknown escape; expected \\n, \\t, \\r, \\\\, \\', \\\" or \\x41"),
        };
        self.at += length;
        Ok(byte)
    }

    fn repeated(&mut self, item: InputPattern) -> Parsed<InputPattern> {
        let (from, to) = match self.peek() {
            Some('?') => (0, 1),
            Some('*') => (0, USUAL_REPETITIONS),
            Some('+') => (1, USUAL_REPETITIONS),
            Some('{') => return self.counted(item),
            _ => return Ok(item),
        };
        self.at += 1;
        Ok(InputPattern::Repeat(Box::new(item), from, to))
    }

    fn counted(&mut self, item: InputPattern) -> Parsed<InputPattern> {
        let start = self.at;
        self.at += 1;
        self.peek();
        let from = self.number()?;
        let to = if self.take(",") {
            self.peek();
            self.number()?
        } else {
            from
        };
        if !self.take("}") {
            return self.error("expected }");
        }
        match (usize::try_from(from), usize::try_from(to)) {
            (Ok(from), Ok(to)) if from <= to && to <= MAX_REPETITIONS => {
                Ok(InputPattern::Repeat(Box::new(item), from, to))
            }
            _ => {
                self.at = start;
                self.error(format!("expected {{n}} or {{n,m}} with n at most m at most {MAX_REPETITIONS}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let error = |text: &str| pattern(text, &["year".to_owned()]).unwrap_err();
        for (text, at, message) in [
            ("year yeer", 5, "no rule yeer"),
            ("'abc", 0, "no closing '"),
            ("year | ", 7, "expected a text"),
            ("(year", 5, "expected )"),
            ("9..1", 0, "the range 9..1 is empty"),
            ("'a' 5", 5, "expected .."),
            ("'ab'..'c'", 0, "one byte on each side"),
            (r"'\q'", 1, "unknown escape"),
            (r"'\x4'", 1, "two hexadecimal digits"),
            ("year{3,2}", 4, "n at most m"),
            ("year{99999}", 4, "n at most m"),
            ("year)", 4, "expected a text"),
            ("", 0, "expected a text"),
            ("99999999999999999999..1", 0, "whole number"),
        ] {
            let found = error(text);
            assert!(found.message.contains(message), "{text}: {found:?}");
            assert_eq!(found.at, at, "{text}: {found:?}");
        }
        assert!(error(&"(".repeat(100_000)).message.contains("too many"));
    }
}
