//! A tag: `[Name "value"]`.

use tictac::notation::{Found, is_blank};

/// A tag that heads a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name, such as `Result`.
    pub name: String,
    /// Its value; what is not UTF-8 is replaced.
    pub value: String,
}

/// A tag as it stands in its line, or why it is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TagError {
    /// Where in the line, in bytes from 0.
    pub(crate) at: usize,
    expected: &'static str,
    found: Option<u8>,
}

impl TagError {
    pub(crate) fn message(&self) -> String {
        format!("expected {}, found {}", self.expected, Found(self.found))
    }
}

/// Reads a line that starts with `[`; returns the tag and where its value starts.
///
/// ```text
/// tag  := '[' WS* name WS+ '"' ( any but " and \ | \" | \\ )* '"' WS* ']' WS*
/// name := one or more letters, digits and underscores
/// ```
pub(crate) fn parse(line: &[u8]) -> Result<(Tag, usize), TagError> {
    let mut cursor = Cursor { line, at: 1 };
    cursor.skip(is_blank);
    let start = cursor.at;
    cursor.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = String::from_utf8_lossy(&line[start..cursor.at]).into_owned();
    if name.is_empty() {
        return Err(cursor.error("the name of a tag"));
    }
    if cursor.skip(is_blank) == 0 {
        return Err(cursor.error("a blank after the name of the tag"));
    }
    cursor.expect(b'"', "a value in double quotes")?;
    let value_at = cursor.at;
    let value = cursor.value()?;
    cursor.skip(is_blank);
    cursor.expect(b']', "]")?;
    cursor.skip(is_blank);
    match cursor.peek() {
        None => Ok((Tag { name, value }, value_at)),
        Some(_) => Err(cursor.error("the end of the line after a tag")),
    }
}

/// A place in a line.
struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn skip(&mut self, skipped: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.peek().is_some_and(&skipped) {
            self.at += 1;
        }
        self.at - start
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), TagError> {
        if self.peek() != Some(byte) {
            return Err(self.error(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<String, TagError> {
        let mut value = Vec::new();
        loop {
            match self.peek() {
                None => return Err(self.error("a double quote that ends the value")),
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
        Ok(String::from_utf8_lossy(&value).into_owned())
    }

    fn error(&self, expected: &'static str) -> TagError {
        TagError { at: self.at, expected, found: self.peek() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<(&str, &str), (usize, &str)>) {
        let found = parse(line.as_bytes());
        let found = found.map(|(tag, _)| (tag.name, tag.value)).map_err(|error| (error.at, error.message()));
        let expected = expected
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
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
    fn a_tag_that_is_none_says_where_and_what() {
        check("[", Err((1, "expected the name of a tag, found the end of the line")));
        check("[X]", Err((2, "expected a blank after the name of the tag, found ']'")));
        check("[X Ada]", Err((3, "expected a value in double quotes, found 'A'")));
        check(
            "[X \"Ada]",
            Err((8, "expected a double quote that ends the value, found the end of the line")),
        );
        check(r#"[X "A\da"]"#, Err((6, "expected \" or \\ after \\, found 'd'")));
        check("[X \"Ada\"", Err((8, "expected ], found the end of the line")));
        check("[X \"Ada\"] 1", Err((10, "expected the end of the line after a tag, found '1'")));
    }
}
