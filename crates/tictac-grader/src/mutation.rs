//! Changes the text of a program in one place.

use std::ops::Range;
use std::path::Path;

/// The language of a program, which decides how its text is divided into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLanguage {
    /// C or C++, with comments, preprocessor lines and character literals.
    C,
    /// Python, with its comments and long texts.
    Python,
    /// A shell or awk script: comments start with `#` at the start of a line, and `'` is an ordinary character.
    Script,
}

impl SourceLanguage {
    /// Returns the language of a file by its name.
    pub fn of(file: &str) -> SourceLanguage {
        match Path::new(file).extension().and_then(|extension| extension.to_str()) {
            Some("c" | "cc" | "cpp" | "cxx" | "h" | "hpp") => SourceLanguage::C,
            Some("py") => SourceLanguage::Python,
            _ => SourceLanguage::Script,
        }
    }
}

/// A program with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceMutant {
    /// The number of the changed line, from 1.
    pub line: usize,
    /// The text before and after the change.
    pub change: String,
    /// The whole changed program.
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Word,
    Number,
    Character,
    Text,
    Operator,
}

/// Operators, the long ones first, each with its replacements.
const OPERATORS: [(&str, &[&str]); 22] = [
    ("<=", &["<", "=="]),
    (">=", &[">", "=="]),
    ("==", &["!="]),
    ("!=", &["=="]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("++", &["--"]),
    ("--", &["++"]),
    ("+=", &["-="]),
    ("-=", &["+="]),
    ("->", &[]),
    ("<<", &[]),
    (">>", &[]),
    ("<", &["<=", ">"]),
    (">", &[">=", "<"]),
    ("!", &[""]),
    ("+", &["-"]),
    ("-", &["+"]),
    ("*", &["+"]),
    ("/", &["*"]),
    ("%", &["/"]),
    ("=", &[]),
];

/// Words with their replacements: narrower integer types, the other jump, and the other truth value.
const WORDS: [(&str, &str); 13] = [
    ("int", "signed char"),
    ("size_t", "unsigned char"),
    ("ssize_t", "signed char"),
    ("long", "short"),
    ("break", "continue"),
    ("continue", "break"),
    ("true", "false"),
    ("false", "true"),
    ("True", "False"),
    ("False", "True"),
    ("and", "or"),
    ("or", "and"),
    ("not", ""),
];

/// Numbers from this on may be sizes of buffers, which are also made much shorter.
const MIN_BUFFER: u64 = 100;

/// Returns the program with every change that the operators allow. Some of them do not compile.
pub fn mutants(source: &str, language: SourceLanguage) -> Vec<SourceMutant> {
    let mut mutants = Vec::new();
    let mut replace = |range: Range<usize>, new: &str| {
        let text = [&source[..range.start], new, &source[range.end..]].concat();
        let line = source[..range.start].matches('\n').count() + 1;
        let change = format!("{:?} -> {new:?}", &source[range]);
        mutants.push(SourceMutant { line, change, source: text });
    };
    for (kind, range) in tokens(source, language) {
        for new in replacements(kind, &source[range.clone()]) {
            replace(range.clone(), &new);
        }
    }
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let code = line.trim();
        let range = start + (line.len() - line.trim_start().len())..start + line.trim_end().len();
        let is_statement = match language {
            SourceLanguage::C => code.ends_with(';') && !code.starts_with('#') && code != ";",
            SourceLanguage::Python => {
                !code.starts_with(['#', '"', '@'])
                    && code.contains(['=', '('])
                    && !code.ends_with([':', ',', '\\'])
            }
            SourceLanguage::Script => {
                !code.starts_with('#') && code.contains(['=', '(']) && !code.ends_with(['{', '\\'])
            }
        };
        if is_statement {
            replace(
                range,
                match language {
                    SourceLanguage::C => ";",
                    SourceLanguage::Python => "pass",
                    SourceLanguage::Script => "",
                },
            );
        }
        start += line.len();
    }
    mutants
}

fn replacements(kind: TokenKind, token: &str) -> Vec<String> {
    match kind {
        TokenKind::Operator => {
            let found = OPERATORS.iter().find(|(operator, _)| *operator == token);
            found.map(|(_, new)| new.iter().map(|&new| new.to_owned()).collect()).unwrap_or_default()
        }
        TokenKind::Word => {
            WORDS.iter().filter(|(word, _)| *word == token).map(|&(_, new)| new.to_owned()).collect()
        }
        TokenKind::Number => {
            let Ok(number) = token.parse::<u64>() else { return Vec::new() };
            let near = [number.checked_add(1), number.checked_sub(1)].into_iter().flatten();
            let short = [64, 128].into_iter().filter(|_| number >= MIN_BUFFER);
            near.chain(short).map(|number| number.to_string()).collect()
        }
        TokenKind::Character => match token.as_bytes() {
            [b'\'', byte, b'\''] if byte.is_ascii_alphanumeric() => {
                let mut bytes = vec![byte + 1, byte - 1];
                bytes.extend(byte.is_ascii_alphabetic().then_some(byte ^ 0x20));
                bytes.into_iter().map(|byte| format!("'{}'", char::from(byte))).collect()
            }
            _ => Vec::new(),
        },
        TokenKind::Text => changed_texts(&token[1..token.len() - 1]),
    }
}

/// Returns a string literal with its last character left out, and with the case of its first letter changed.
fn changed_texts(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".,:!' ".contains(byte);
    let body = text.strip_suffix("\\n").unwrap_or(text);
    if body.as_bytes().last().is_some_and(is_plain) && !body.ends_with("\\t") && !ends_with_format(body) {
        texts.push(format!("\"{}{}\"", &body[..body.len() - 1], &text[body.len()..]));
    }
    if body.len() < text.len() {
        texts.push(format!("\"{body}\""));
    }
    let letter = text.bytes().position(|byte| byte.is_ascii_alphabetic());
    if let Some(at) = letter.filter(|&at| at == 0 || !matches!(text.as_bytes()[at - 1], b'\\' | b'%')) {
        let changed = char::from(text.as_bytes()[at] ^ 0x20);
        texts.push(format!("\"{}{changed}{}\"", &text[..at], &text[at + 1..]));
    }
    texts
}

/// Returns whether a text ends with a conversion such as `%d`.
fn ends_with_format(text: &str) -> bool {
    text.rfind('%').is_some_and(|at| text[at..].len() <= 3)
}

fn tokens(source: &str, language: SourceLanguage) -> Vec<(TokenKind, Range<usize>)> {
    let bytes = source.as_bytes();
    let is_c = language == SourceLanguage::C;
    let is_python = language == SourceLanguage::Python;
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        let is_line_start = at == 0 || bytes[at - 1] == b'\n';
        let length = match bytes[at] {
            b'#' if is_line_start && (!is_c || !rest.starts_with("#define")) => {
                rest.find('\n').unwrap_or(rest.len())
            }
            b'#' if is_python => rest.find('\n').unwrap_or(rest.len()),
            b'"' | b'\'' if is_python && (rest.starts_with("\"\"\"") || rest.starts_with("'''")) => {
                rest[3..].find(&rest[..3]).map_or(rest.len(), |end| end + 6)
            }
            b'/' if is_c && rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if is_c && rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'/' if language == SourceLanguage::Script && rest[1..].starts_with(['^', '[']) => {
                regex_length(rest)
            }
            b'"' => literal(rest, b'"'),
            b'\'' if is_c || is_python => literal(rest, b'\''),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
            }
            _ => {
                let operator = OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator));
                operator.map_or_else(
                    || rest.chars().next().map_or(1, char::len_utf8),
                    |(operator, _)| operator.len(),
                )
            }
        };
        let token = &rest[..length];
        let kind = match bytes[at] {
            // A comment of Python that is a text, over several lines.
            b'"' | b'\''
                if is_python && length > 4 && (token.starts_with("\"\"\"") || token.starts_with("'''")) =>
            {
                None
            }
            b'"' if length > 1 => Some(TokenKind::Text),
            b'\'' if is_c => Some(TokenKind::Character),
            b'0'..=b'9' => Some(TokenKind::Number),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => Some(TokenKind::Word),
            _ => OPERATORS.iter().any(|(operator, _)| *operator == token).then_some(TokenKind::Operator),
        };
        tokens.extend(kind.map(|kind| (kind, at..at + length)));
        at += length;
    }
    tokens
}

/// Returns the length of a literal with its quotes.
fn literal(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Returns the length of a regular expression of awk with its slashes.
fn regex_length(text: &str) -> usize {
    text[1..].find('/').map_or(1, |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(source: &str) -> Vec<String> {
        mutants(source, SourceLanguage::C).into_iter().map(|mutant| mutant.source).collect()
    }

    #[test]
    fn every_operator_changes_its_token() {
        let all = changes("if (a < 10 && !b) c++;\n");
        for changed in [
            "if (a <= 10 && !b) c++;\n",
            "if (a > 10 && !b) c++;\n",
            "if (a < 11 && !b) c++;\n",
            "if (a < 9 && !b) c++;\n",
            "if (a < 10 || !b) c++;\n",
            "if (a < 10 && b) c++;\n",
            "if (a < 10 && !b) c--;\n",
            ";\n",
        ] {
            assert!(all.iter().any(|each| each == changed), "{changed:?} not in {all:?}");
        }
    }

    #[test]
    fn literals_types_and_buffers_are_changed() {
        let all = changes("char s[200] = \"No.\\n\"; int c = 'a';\n");
        for part in ["s[64]", "\"No\\n\"", "\"No.\"", "\"no.\\n\"", "signed char c", "'b'", "'A'"] {
            assert!(all.iter().any(|each| each.contains(part)), "{part:?} not in {all:?}");
        }
    }

    #[test]
    fn operators_of_python_are_words_and_its_comments_are_left_alone() {
        let source = "def f(a):\n    \"\"\"1 < 2\"\"\"\n    b = a and True  # 3 < 4\n    return b\n";
        let all: Vec<String> =
            mutants(source, SourceLanguage::Python).into_iter().map(|mutant| mutant.source).collect();
        for part in ["a or True", "a and False", "    pass\n"] {
            assert!(all.iter().any(|each| each.contains(part)), "{part:?} not in {all:?}");
        }
        assert!(all.iter().all(|each| each.contains("1 < 2")), "{all:?}");
    }

    #[test]
    fn comments_and_includes_are_left_alone() {
        let all = changes("#include <a.h>\n/* 1 < 2 */\n// 3 < 4\n");
        assert_eq!(all, [""; 0]);
    }
}
