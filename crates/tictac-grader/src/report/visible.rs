//! Bytes that can be seen, and commands that reproduce them.

use std::fmt::Write as _;

/// Runs of equal bytes from this length on are written as a count.
const RUN: usize = 24;

/// Returns text in which nothing is invisible: `1␠X␠A1␊`, `é` as it is, `⟨ff⟩` for a byte that is no text. A line ends after `␊`.
pub fn visible(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for (text, n) in runs(bytes) {
        let symbol = symbol(&text);
        if n >= RUN && text != "\n" {
            let _ = write!(shown, "⟨{symbol} ×{n}⟩");
        } else {
            shown.push_str(&symbol.repeat(n));
        }
    }
    shown
}

/// Returns text in which a byte that is no text is written as its number, `⟨ff⟩`; all else is as it was.
pub(super) fn readable(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "⟨{byte:02x}⟩");
        }
    }
    text
}

/// Returns one line of output: only what would mislead is made visible, such as blanks at the end.
pub(super) fn visible_line(line: &str) -> String {
    let body = line.trim_end_matches([' ', '\t', '\r']);
    let mut shown: String =
        body.chars().map(|c| if c == ' ' { " ".to_owned() } else { symbol(&c.to_string()) }).collect();
    for c in line[body.len()..].chars() {
        shown.push_str(&symbol(&c.to_string()));
    }
    shown
}

/// Returns whether the last line lacks its newline.
pub fn lacks_newline(bytes: &[u8]) -> bool {
    !bytes.is_empty() && !bytes.ends_with(b"\n")
}

fn symbol(text: &str) -> String {
    match text {
        " " => "␠".to_owned(),
        "\t" => "␉".to_owned(),
        "\n" => "␊\n".to_owned(),
        "\u{b}" => "␋".to_owned(),
        "\u{c}" => "␌".to_owned(),
        "\r" => "␍".to_owned(),
        "\0" => "␀".to_owned(),
        "\u{1b}" => "␛".to_owned(),
        "\u{7f}" => "␡".to_owned(),
        _ => match text.chars().next() {
            Some(c) if c.is_control() => format!("⟨{:02x}⟩", u32::from(c)),
            // A byte that is no text was handed over as a number.
            _ => text.to_owned(),
        },
    }
}

/// Splits bytes into runs of the same character; a byte that is no text is written as its number.
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

/// Returns bytes as an argument of `printf` between single quotes.
pub fn escaped(bytes: &[u8]) -> String {
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

/// Returns a shell command that writes these bytes; long runs are made, not spelt out.
pub(super) fn producer(bytes: &[u8]) -> String {
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
        pieces.push(format!("head -c {} /dev/zero | tr '\\0' '{}'", run.len(), escaped(&run[..1])));
    }
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(printf(&plain));
    }
    match &pieces[..] {
        [one] => one.clone(),
        _ => format!("{{ {}; }}", pieces.join("; ")),
    }
}

/// A first hyphen would make an option of the text.
fn printf(bytes: &[u8]) -> String {
    let text = escaped(bytes);
    match text.strip_prefix('-') {
        Some(rest) => format!("printf '\\055{rest}'"),
        None => format!("printf '{text}'"),
    }
}

/// Returns a word as a shell reads it back.
pub(super) fn shell_word(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=+:,@".contains(&byte));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_invisible() {
        assert_eq!(visible(b"1 X\tA1\r\n"), "1␠X␉A1␍␊\n");
        assert_eq!(visible(b"\0\x0b\x0c\x1b\x7f\x01"), "␀␋␌␛␡⟨01⟩");
        assert_eq!(visible(b"\xff\xa0"), "⟨ff⟩⟨a0⟩");
        assert_eq!(visible("é".as_bytes()), "é");
        assert_eq!(visible(&vec![b'c'; 70_000]), "⟨c ×70000⟩");
        assert_eq!(visible(&[b'c'; 5]), "ccccc");
    }

    #[test]
    fn a_shell_writes_the_same_bytes() {
        let long = [b"1 X A1 # ".to_vec(), vec![b'c'; 3000], b"\n".to_vec()].concat();
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&b"1 X A1#c\n"[..], b"", b"'%d' \\n \0\xff\n", &long, &all, b"-n 1\n"] {
            let output = std::process::Command::new("sh").args(["-c", &producer(bytes)]).output().unwrap();
            assert_eq!(output.stdout, bytes, "{}", producer(bytes));
        }
    }
}
