//! A type name has one meaning: it is defined once in the whole workspace.

use std::collections::BTreeMap;

use super::Finding;
use super::source::code_lines;
use crate::tree::Tree;

/// Names that may be defined several times: each subcommand has its own `Args`.
const ALLOWED: [&str; 1] = ["Args"];

const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut definitions: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    let is_source = |path: &str| path.starts_with("crates/") && path.contains("/src/");
    for (path, text) in tree.texts_with_extension("rs").filter(|(path, _)| is_source(path)) {
        for (line, name) in code_lines(text).filter_map(|(line, code)| Some((line, defined_type(code)?))) {
            definitions.entry(name).or_default().push((path, line));
        }
    }
    definitions.retain(|name, _| !ALLOWED.contains(name));
    definitions.into_iter().flat_map(|(name, places)| repetitions(name, &places)).collect()
}

/// Reports every definition of `name` after the first.
fn repetitions(name: &str, places: &[(&str, usize)]) -> Vec<Finding> {
    let Some((&(first, _), others)) = places.split_first() else { return Vec::new() };
    let message = format!("{name} is already defined in {first}: say which one this is");
    others.iter().map(|&(path, line)| Finding::in_line(path, line, message.as_str())).collect()
}

/// Returns the name of the type that a line defines. An indented `type` is an associated type and does not count.
fn defined_type(line: &str) -> Option<&str> {
    let is_indented = line.starts_with(' ');
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next().filter(|word| KEYWORDS.contains(word))?;
    let name = words.next()?.split(|c: char| !c.is_alphanumeric()).next()?;
    let is_type = name.starts_with(char::is_uppercase) && !(is_indented && keyword == "type");
    is_type.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_definition_is_found_in_any_crate() {
        let tree = Tree::of(&[
            ("crates/a/src/board.rs", "pub struct Board<T> {\n}\nstruct Args;\n"),
            ("crates/b/src/lib.rs", "use a::Board;\npub(crate) enum Board { A }\nstruct Args;\n"),
            ("crates/b/tests/it/main.rs", "struct Board;\n"),
        ]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/b/src/lib.rs:2: Board is already defined in crates/a/src/board.rs: say which one this is"
            ]
        );
    }

    #[test]
    fn types_of_every_kind_are_recognised() {
        assert_eq!(defined_type("pub(super) struct Line(u8);"), Some("Line"));
        assert_eq!(defined_type("    enum Inner {"), Some("Inner"));
        assert_eq!(defined_type("trait Store: Send {"), Some("Store"));
        assert_eq!(defined_type("type Id = u64;"), Some("Id"));
        assert_eq!(defined_type("    type Err = ParseError;"), None);
        assert_eq!(defined_type("let kind = type_of(x);"), None);
        assert_eq!(defined_type("impl Line {"), None);
    }
}
