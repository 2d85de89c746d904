//! Tags: `[Name "value"]`.

use std::borrow::Cow;

use tictac::notation::{Code, Found, is_blank};

use crate::report::LineFault;

/// A tag before the first move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, such as `Result`.
    pub name: String,
    /// The value without quotes and backslashes; any bytes except newlines.
    pub value: Vec<u8>,
}

impl Tag {
    /// Returns a tag with this name and value.
    pub fn new(name: impl Into<String>, value: impl Into<Vec<u8>>) -> Tag {
        Tag { name: name.into(), value: value.into() }
    }

    /// Returns the value as text, in which invalid UTF-8 is replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.value)
    }

    /// Parses a line that starts with `[`; returns the tag and the offset of its value.
    ///
    /// ```text
    /// tag  := '[' WS* name WS+ '"' ( any but " and \ | \" | \\ )* '"' WS* ']' WS*
    /// name := one or more letters, digits and underscores
    /// ```
    pub(crate) fn parse(line: &[u8]) -> Result<(Tag, usize), LineFault> {
        let mut parser = TagParser { line, at: 1 };
        parser.skip(is_blank);
        let start = parser.at;
        parser.skip(is_name_byte);
        let name = String::from_utf8_lossy(&line[start..parser.at]).into_owned();
        if name.is_empty() {
            return Err(parser.error("a tag name"));
        }
        if parser.skip(is_blank) == 0 {
            return Err(parser.error("a space after the tag name"));
        }
        parser.expect(b'"', "a value in double quotes")?;
        let value_at = parser.at;
        let value = parser.value()?;
        parser.skip(is_blank);
        parser.expect(b']', "]")?;
        parser.skip(is_blank);
        match parser.peek() {
            None => Ok((Tag { name, value }, value_at)),
            Some(_) => Err(parser.error("the end of the line after the tag")),
        }
    }

    /// Returns the line of the tag, with its newline.
    pub(crate) fn line(&self) -> Vec<u8> {
        let mut line = format!("[{} \"", self.name).into_bytes();
        for &byte in &self.value {
            if matches!(byte, b'"' | b'\\') {
                line.push(b'\\');
            }
            line.push(byte);
        }
        line.extend_from_slice(b"\"]\n");
        line
    }
}

/// Returns whether a tag name may contain `byte`.
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A line with the offset up to which it has been parsed.
struct TagParser<'a> {
    line: &'a [u8],
    at: usize,
}

impl TagParser<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    /// Skips the bytes that match; returns how many there were.
    fn skip(&mut self, matches: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.peek().is_some_and(&matches) {
            self.at += 1;
        }
        self.at - start
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Result<(), LineFault> {
        if self.peek() != Some(byte) {
            return Err(self.error(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<Vec<u8>, LineFault> {
        let mut value = Vec::new();
        loop {
            match self.peek() {
                None => return Err(self.error("a double quote after the value")),
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(byte @ (b'"' | b'\\')) => value.push(byte),
                        _ => return Err(self.error("\" or \\ after \\")),
                    }
                }
                Some(byte) => value.push(byte),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(value)
    }

    fn error(&self, expected: &str) -> LineFault {
        let message = format!("expected {expected}, found {}", Found(self.peek()));
        LineFault::new(self.at, Code::MalformedTag, message).with_help("a tag looks like [Result \"X\"]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<(&str, &str), (usize, &str)>) {
        let found = Tag::parse(line.as_bytes()).map(|(tag, _)| tag);
        let found = found.map_err(|LineFault { at, fault }| (at, fault.message));
        let expected = expected
            .map(|(name, value)| Tag::new(name, value))
            .map_err(|(at, message)| (at, message.to_owned()));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn a_tag_has_a_name_and_a_quoted_value() {
        check(r#"[Rules "4,4,4"]"#, Ok(("Rules", "4,4,4")));
        check("[ X\t\"Ada \\\"the\\\\one\\\"\" ] \r", Ok(("X", "Ada \"the\\one\"")));
        check(r#"[O ""]"#, Ok(("O", "")));
    }

    #[test]
    fn a_malformed_tag_is_reported_with_its_offset() {
        check("[", Err((1, "expected a tag name, found the end of the line")));
        check("[X]", Err((2, "expected a space after the tag name, found ']'")));
        check("[X Ada]", Err((3, "expected a value in double quotes, found 'A'")));
        check("[X \"Ada]", Err((8, "expected a double quote after the value, found the end of the line")));
        check(r#"[X "A\da"]"#, Err((6, "expected \" or \\ after \\, found 'd'")));
        check("[X \"Ada\"", Err((8, "expected ], found the end of the line")));
        check("[X \"Ada\"] 1", Err((10, "expected the end of the line after the tag, found '1'")));
    }
}
