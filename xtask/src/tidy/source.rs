//! Just enough parsing of Rust for the rules and for counting lines.

/// Returns the lines of a Rust file before its tests, numbered from 1, without comments.
pub(crate) fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(before_tests(text).lines()).map(|(number, line)| (number, without_comment(line)))
}

/// Returns the part of a Rust file before its test module.
pub(super) fn before_tests(text: &str) -> &str {
    let start = text.match_indices("#[cfg(test)]\nmod ").find(|&(at, heading)| {
        let at_line_start = at == 0 || text[..at].ends_with('\n');
        // A module in a file of its own may come before the end.
        let rest = text[at + heading.len()..].lines().next();
        at_line_start && rest.is_some_and(|rest| rest.ends_with('{'))
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
        for item in ["fn only_for_tests() {}", "mod support;"] {
            let text = format!("#[cfg(test)]\n{item}\nfn more() {{}}\n");
            assert_eq!(before_tests(&text), text);
        }
    }
}
