//! Makes bytes visible, and writes shell commands that reproduce them.

use std::fmt::Write as _;

/// Runs of at least this many equal characters are written as a count.
const MIN_RUN: usize = 24;

/// Invisible characters, each with its symbol and its short name.
pub(super) const SYMBOLS: [(char, char, &str); 9] = [
    (' ', '␠', "SP"),
    ('\n', '␊', "LF"),
    ('\t', '␉', "TAB"),
    ('\r', '␍', "CR"),
    ('\0', '␀', "NUL"),
    ('\u{b}', '␋', "VT"),
    ('\u{c}', '␌', "FF"),
    ('\u{1b}', '␛', "ESC"),
    ('\u{7f}', '␡', "DEL"),
];

/// Returns the bytes with every invisible character shown: `1␠X␠A1␊`, and `⟨ff⟩` for a byte that is not UTF-8. Lines end
/// after `␊`.
pub(super) fn visible(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for (text, n) in runs(bytes) {
        let symbol = symbol(&text);
        if n >= MIN_RUN && text != "\n" {
            let _ = write!(shown, "⟨{symbol} ×{n}⟩");
        } else {
            shown.push_str(&symbol.repeat(n));
        }
    }
    shown
}

/// Returns the bytes as text, with `⟨ff⟩` for a byte that is not UTF-8.
pub(super) fn to_text(bytes: &[u8]) -> String {
    runs(bytes).into_iter().map(|(text, n)| text.repeat(n)).collect()
}

/// Returns a line of output with control characters and trailing spaces made visible.
pub(super) fn visible_line(line: &str) -> String {
    let body = line.trim_end_matches([' ', '\t', '\r']);
    let visible = |c: char| symbol(&c.to_string());
    let start = body.chars().map(|c| if c == ' ' { " ".to_owned() } else { visible(c) });
    start.chain(line[body.len()..].chars().map(visible)).collect()
}

/// Returns bytes as lines of text to read, with control characters and trailing spaces made visible.
pub(crate) fn visible_text(bytes: &[u8]) -> String {
    to_text(bytes).lines().map(|line| visible_line(line) + "\n").collect()
}

/// Returns whether the last line does not end with a newline.
pub(super) fn lacks_newline(bytes: &[u8]) -> bool {
    !bytes.is_empty() && !bytes.ends_with(b"\n")
}

/// Returns how a character is shown; `text` is one character, or a byte that is not UTF-8.
fn symbol(text: &str) -> String {
    let first = text.chars().next().unwrap_or_default();
    match SYMBOLS.iter().find(|(c, ..)| *c == first) {
        Some((_, symbol, _)) if first == '\n' => format!("{symbol}\n"),
        Some((_, symbol, _)) => symbol.to_string(),
        None if first.is_control() => format!("⟨{:02x}⟩", u32::from(first)),
        None => text.to_owned(),
    }
}

/// Splits bytes into runs of the same character; bytes that are not UTF-8 are written as in [`to_text`].
fn runs(bytes: &[u8]) -> Vec<(String, usize)> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    let mut add = |text: String| match runs.last_mut() {
        Some((last, n)) if *last == text => *n += 1,
        _ => runs.push((text, 1)),
    };
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| add(c.to_string()));
        chunk.invalid().iter().for_each(|byte| add(format!("⟨{byte:02x}⟩")));
    }
    runs
}

/// Escapes bytes for `printf` and single quotes: `\n`, `\000`, `%%`.
pub(super) fn escape(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'\\' => text.push_str("\\\\"),
            b'%' => text.push_str("%%"),
            b'\'' => text.push_str("\\047"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text
}

/// Returns a shell command that writes these bytes, without spelling out long runs.
pub(super) fn printing_command(bytes: &[u8]) -> String {
    const LONG_RUN: usize = 200;
    let mut pieces = Vec::new();
    let mut plain = Vec::new();
    for run in bytes.chunk_by(|a, b| a == b) {
        if run.len() < LONG_RUN {
            plain.extend_from_slice(run);
            continue;
        }
        if !plain.is_empty() {
            pieces.push(printf(&plain));
            plain.clear();
        }
        pieces.push(format!("head -c {} /dev/zero | tr '\\0' '{}'", run.len(), escape(&run[..1])));
    }
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(printf(&plain));
    }
    match &pieces[..] {
        [one] => one.clone(),
        _ => format!("{{ {}; }}", pieces.join("; ")),
    }
}

/// Returns a `printf` command. A hyphen at the start is escaped, because it would start an option.
fn printf(bytes: &[u8]) -> String {
    let text = escape(bytes);
    match text.strip_prefix('-') {
        Some(rest) => format!("printf '\\055{rest}'"),
        None => format!("printf '{text}'"),
    }
}

/// Quotes a word for the shell if necessary.
pub(super) fn shell_word(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=+:,@".contains(&byte));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_shown() {
        assert_eq!(visible(b"1 X\tA1\r\n"), "1␠X␉A1␍␊\n");
        assert_eq!(visible(b"\0\x0b\x0c\x1b\x7f\x01"), "␀␋␌␛␡⟨01⟩");
        assert_eq!(visible(b"\xff\xa0"), "⟨ff⟩⟨a0⟩");
        assert_eq!(visible("é".as_bytes()), "é");
        assert_eq!(visible(&vec![b'c'; 70_000]), "⟨c ×70000⟩");
        assert_eq!(visible(&[b'c'; 5]), "ccccc");
    }

    #[test]
    fn the_shell_writes_the_same_bytes() {
        let long = [b"1 X A1 # ".to_vec(), vec![b'c'; 3000], b"\n".to_vec()].concat();
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&b"1 X A1#c\n"[..], b"", b"'%d' \\n \0\xff\n", &long, &all, b"-n 1\n"] {
            let output =
                std::process::Command::new("sh").args(["-c", &printing_command(bytes)]).output().unwrap();
            assert_eq!(output.stdout, bytes, "{}", printing_command(bytes));
        }
    }
}
