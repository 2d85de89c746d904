//! Which characters may be written: `--ascii`.

use std::io::{self, Write};

/// The characters that the user's terminal, printer or ears can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// All of them.
    Unicode,
    /// Those of ASCII; all others are put into words.
    Ascii,
}

impl Charset {
    /// Returns `text` in these characters. What has an ASCII look-alike becomes that, all else is spelled out.
    pub(crate) fn spell(self, text: String) -> String {
        if self == Charset::Unicode || text.is_ascii() {
            return text;
        }
        text.split_inclusive('\n').map(spell_line).collect()
    }

    /// Returns a writer that writes in these characters.
    pub(crate) fn writer<W: Write>(self, inner: W) -> Speller<W> {
        Speller { charset: self, inner, held: Vec::new() }
    }
}

fn spell_line(line: &str) -> String {
    // The values of an object are data: spelled as JSON does it, whoever reads it gets them back.
    let is_json = line.starts_with('{');
    let mut text = String::new();
    for c in line.chars() {
        match look_alike(c) {
            _ if c.is_ascii() => text.push(c),
            Some(look_alike) if !is_json => text.push_str(look_alike),
            _ => text.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}"))),
        }
    }
    text
}

/// Returns what to write instead of the signs that this command uses itself.
const fn look_alike(c: char) -> Option<&'static str> {
    Some(match c {
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
        '⁰' => "^0",
        '¹' => "^1",
        '²' => "^2",
        '³' => "^3",
        '⁴' => "^4",
        '⁵' => "^5",
        '⁶' => "^6",
        '⁷' => "^7",
        '⁸' => "^8",
        '⁹' => "^9",
        _ => return None,
    })
}

/// A writer that spells line by line.
pub(crate) struct Speller<W: Write> {
    charset: Charset,
    inner: W,
    // The line being written, where it is to be spelled.
    held: Vec<u8>,
}

impl<W: Write> Write for Speller<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.charset == Charset::Unicode {
            return self.inner.write(bytes);
        }
        self.held.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') {
            let n_whole = self.held.len() - (bytes.len() - end - 1);
            self.release(n_whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.release(self.held.len())?;
        self.inner.flush()
    }
}

impl<W: Write> Speller<W> {
    fn release(&mut self, n_bytes: usize) -> io::Result<()> {
        let rest = self.held.split_off(n_bytes);
        let whole = std::mem::replace(&mut self.held, rest);
        let text = self.charset.spell(String::from_utf8_lossy(&whole).into_owned());
        self.inner.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Charset::Unicode.spell(text.to_owned()), text);
        assert_eq!(Charset::Ascii.spell(text.to_owned()), expected);
        let mut written = Vec::new();
        let mut speller = Charset::Ascii.writer(&mut written);
        // Characters may arrive in parts.
        text.as_bytes().chunks(1).for_each(|byte| speller.write_all(byte).unwrap());
        speller.flush().unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    #[test]
    fn what_has_a_look_alike_becomes_it_and_all_else_is_spelled_out() {
        check("4×4 …\nmisère", "4x4 ...\nmisere");
        check("┌───┐\n│ ╳ │\n", "+---+\n| X |\n");
        check("Zoë 😀", "Zo\\u00eb \\ud83d\\ude00");
    }

    #[test]
    fn json_keeps_its_values() {
        check("{\"X\":\"4×4 Irène\"}\n4×4", "{\"X\":\"4\\u00d74 Ir\\u00e8ne\"}\n4x4");
    }
}
