//! Just enough parsing of Rust for the rules.

/// Returns the lines of a Rust file before its tests, numbered from 1, without comments.
pub(super) fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(before_tests(text).lines()).map(|(number, line)| (number, without_comment(line)))
}

/// Returns the part of a Rust file before its test module.
pub(super) fn before_tests(text: &str) -> &str {
    let start = text.match_indices("#[cfg(test)]").find(|&(at, attribute)| {
        let at_line_start = at == 0 || text[..at].ends_with('\n');
        at_line_start && text[at + attribute.len()..].trim_start().starts_with("mod ")
    });
    start.map_or(text, |(at, _)| &text[..at])
}

/// Removes a line comment. A `//` in a string, such as a web address, also cuts the line; that hides little.
fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_tests_are_left_out() {
        let text = "//! std::io\nuse a; // std::io\n#[cfg(test)]\nmod tests {\n    use std::io;\n}\n";
        assert_eq!(code_lines(text).collect::<Vec<_>>(), [(1, ""), (2, "use a; ")]);
    }

    #[test]
    fn a_single_item_for_tests_does_not_end_the_file() {
        let text = "#[cfg(test)]\nfn only_for_tests() {}\nfn more() {}\n";
        assert_eq!(before_tests(text), text);
    }
}
