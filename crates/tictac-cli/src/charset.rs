//! The characters that may be written: `--ascii`.

use std::env;
use std::io::{self, Write};

/// The characters that output may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// Every Unicode character.
    Unicode,
    /// Only ASCII; every other character is replaced or escaped.
    Ascii,
}

impl Charset {
    /// Returns the character set of the locale in the environment.
    pub(crate) fn of_locale() -> Charset {
        Charset::of_variables(|name| env::var(name).ok())
    }

    /// Returns ASCII if the first variable that is set names the locale C or POSIX.
    fn of_variables(value: impl Fn(&str) -> Option<String>) -> Charset {
        let set = |name| value(name).filter(|locale| !locale.is_empty());
        match ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).as_deref() {
            Some("C" | "POSIX") => Charset::Ascii,
            _ => Charset::Unicode,
        }
    }

    /// Converts `text` to this character set: a character with an ASCII equivalent becomes that, any other is escaped.
    pub(crate) fn convert(self, text: String) -> String {
        if self == Charset::Unicode || text.is_ascii() {
            return text;
        }
        text.split_inclusive('\n').map(convert_line).collect()
    }

    /// Returns a writer that converts text to this character set and writes it to `inner`.
    pub(crate) fn writer<W: Write>(self, inner: W) -> CharsetWriter<W> {
        CharsetWriter { charset: self, inner, pending: Vec::new() }
    }
}

fn convert_line(line: &str) -> String {
    // The strings of a JSON object are data. They are escaped as in JSON, so that a parser restores them.
    let is_json = line.starts_with('{');
    let mut text = String::new();
    for c in line.chars() {
        match ascii_equivalent(c) {
            _ if c.is_ascii() => text.push(c),
            Some(equivalent) if !is_json => text.push_str(&equivalent),
            _ => text.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}"))),
        }
    }
    text
}

/// Returns the ASCII equivalent of a character that this command itself uses.
fn ascii_equivalent(c: char) -> Option<String> {
    let text = match c {
        '×' => "x",
        'è' => "e",
        '…' => "...",
        '·' => "*",
        '′' => "'",
        '╳' => "X",
        '◯' => "O",
        '─' => "-",
        '│' => "|",
        '┌' | '┬' | '┐' | '├' | '┼' | '┤' | '└' | '┴' | '┘' => "+",
        _ => return "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == c).map(|digit| format!("^{digit}")),
    };
    Some(text.to_owned())
}

/// A writer that converts text to a charset, line by line.
pub(crate) struct CharsetWriter<W: Write> {
    charset: Charset,
    inner: W,
    // The incomplete last line; always empty for Unicode.
    pending: Vec<u8>,
}

impl<W: Write> Write for CharsetWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.charset == Charset::Unicode {
            return self.inner.write(bytes);
        }
        self.pending.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') {
            let n_whole = self.pending.len() - (bytes.len() - end - 1);
            self.write_pending(n_whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_pending(self.pending.len())?;
        self.inner.flush()
    }
}

impl<W: Write> CharsetWriter<W> {
    fn write_pending(&mut self, n_bytes: usize) -> io::Result<()> {
        let rest = self.pending.split_off(n_bytes);
        let whole = std::mem::replace(&mut self.pending, rest);
        let text = self.charset.convert(String::from_utf8_lossy(&whole).into_owned());
        self.inner.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Charset::Unicode.convert(text.to_owned()), text);
        assert_eq!(Charset::Ascii.convert(text.to_owned()), expected);
        let mut written = Vec::new();
        let mut writer = Charset::Ascii.writer(&mut written);
        // Characters may arrive in parts.
        text.as_bytes().chunks(1).for_each(|byte| writer.write_all(byte).unwrap());
        writer.flush().unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    #[test]
    fn characters_become_their_ascii_equivalent_or_an_escape() {
        check("4×4 …\nmisère", "4x4 ...\nmisere");
        check("┌───┐\n│ ╳ │\n", "+---+\n| X |\n");
        check("Zoë 😀", "Zo\\u00eb \\ud83d\\ude00");
    }

    #[test]
    fn the_locale_is_the_first_variable_that_is_set() {
        let charset = |set: &[(&str, &str)]| {
            let value =
                |name: &str| set.iter().find(|(other, _)| *other == name).map(|(_, value)| value.to_string());
            Charset::of_variables(value)
        };
        assert_eq!(charset(&[]), Charset::Unicode);
        assert_eq!(charset(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]), Charset::Ascii);
        assert_eq!(
            charset(&[("LC_ALL", ""), ("LC_CTYPE", "POSIX"), ("LANG", "de_DE.UTF-8")]),
            Charset::Ascii
        );
        assert_eq!(charset(&[("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]), Charset::Unicode);
    }

    #[test]
    fn strings_in_json_are_escaped_as_json() {
        check("{\"X\":\"4×4 Irène\"}\n4×4", "{\"X\":\"4\\u00d74 Ir\\u00e8ne\"}\n4x4");
    }
}
