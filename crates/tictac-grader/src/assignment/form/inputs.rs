//! The inputs that a form describes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use super::fields::RequirementFields;
use super::game::GameForm;
use super::{FormMistake, FormResult, absolute_files};
use crate::assignment::grammar::{Grammar, InputPattern, PatternError};

/// The usual number of cases of a requirement, and the largest.
const USUAL_CASES: usize = 60;
const MAX_CASES: usize = 5000;
/// All requirements together have at most this many cases.
const MAX_ALL_CASES: usize = 20_000;
/// A grammar has at most this many rules.
const MAX_RULES: usize = 500;

/// The inputs that test a requirement.
#[derive(Clone, Debug)]
pub(crate) struct RequirementInputs {
    /// Inputs that are written out, with arguments that replace those of the assignment.
    pub(crate) examples: Vec<(Vec<u8>, Option<Vec<String>>)>,
    /// What generated inputs look like.
    pub(crate) patterns: Vec<InputPattern>,
    /// How many inputs are generated.
    pub(crate) n_cases: usize,
    /// How many of them are changed, so that no pattern describes them any more.
    pub(crate) n_near_misses: usize,
    /// A command that prints inputs.
    pub(crate) generator: Option<Vec<String>>,
    pub(crate) games: Option<GameInputs>,
    /// Whether the program only has to exit by itself.
    pub(crate) accepts_any_output: bool,
}

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameInputs {
    /// Games with random moves.
    Random,
    /// Games that end with a line.
    Lines,
    /// Games that end on a full board.
    Full,
    /// Games in which a taken square is entered.
    Taken,
    /// Games with entries that must be refused.
    Refused,
}

/// Parses the rules of the grammar.
pub(super) fn grammar(text: &str, rules: &BTreeMap<String, Spanned<String>>) -> FormResult<Grammar> {
    if let Some(rule) = rules.values().nth(MAX_RULES) {
        return Err(FormMistake::new(rule.span(), format!("a grammar has at most {MAX_RULES} rules")));
    }
    let texts = rules.iter().map(|(name, rule)| (name.clone(), rule.get_ref().clone())).collect();
    Grammar::new(&texts).map_err(|(name, error)| pattern_mistake(text, &rules[&name], error))
}

/// Returns the mistake with its place in the file. The place is exact if the text has no escapes.
fn pattern_mistake(text: &str, pattern: &Spanned<String>, error: PatternError) -> FormMistake {
    let Range { start, end } = pattern.span();
    let raw = text.get(start..end).unwrap_or_default();
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    let span = if inner == pattern.get_ref() {
        let at = (start + 1 + error.at).min(end);
        at..at + 1
    } else {
        start..end
    };
    FormMistake::new(span, error.message)
}

pub(super) fn of_requirement(
    text: &str,
    fields: &Spanned<RequirementFields>,
    grammar: &Grammar,
    game: Option<&GameForm>,
    folder: Option<&Path>,
) -> FormResult<RequirementInputs> {
    let RequirementFields { inputs, cases, near_misses, examples, generator, games, any_output, .. } =
        fields.get_ref();
    let parse = |pattern: &Spanned<String>| {
        grammar.parse(pattern.get_ref()).map_err(|error| pattern_mistake(text, pattern, error))
    };
    let mut patterns = inputs.iter().map(parse).collect::<FormResult<Vec<InputPattern>>>()?;
    let games = match games {
        None => None,
        Some(name) => {
            let game = game.ok_or_else(|| FormMistake::new(name.span(), "`games` needs the table [game]"))?;
            patterns.push(game.pattern());
            Some(game_inputs(name, game)?)
        }
    };
    let n_near_misses = count(near_misses.as_ref())?.unwrap_or(0);
    if n_near_misses > 0 && (patterns.is_empty() || games.is_some()) {
        let span = near_misses.as_ref().map_or(0..0, Spanned::span);
        return Err(FormMistake::new(span, "`near_misses` needs `inputs` to change"));
    }
    let examples = examples.iter().map(|example| {
        let example = example.get_ref();
        (example.input.clone().into_bytes(), example.arguments.clone())
    });
    Ok(RequirementInputs {
        examples: examples.collect(),
        patterns,
        n_cases: count(cases.as_ref())?.unwrap_or(USUAL_CASES),
        n_near_misses,
        generator: generator.as_ref().map(|command| absolute_files(command.get_ref(), folder)),
        games,
        accepts_any_output: *any_output,
    })
}

/// Checks that the requirements do not have too many cases together.
pub(super) fn check_total(
    requirements: &[Spanned<RequirementFields>],
    inputs: &[RequirementInputs],
) -> FormResult<()> {
    let mut n_all = 0;
    for (requirement, inputs) in requirements.iter().zip(inputs) {
        n_all += inputs.n_cases + inputs.n_near_misses;
        if n_all > MAX_ALL_CASES {
            let message = format!("the requirements up to this one have more than {MAX_ALL_CASES} cases");
            return Err(FormMistake::new(requirement.get_ref().id.span(), message));
        }
    }
    Ok(())
}

fn count(field: Option<&Spanned<usize>>) -> FormResult<Option<usize>> {
    match field {
        Some(number) if *number.get_ref() > MAX_CASES => {
            Err(FormMistake::new(number.span(), format!("expected at most {MAX_CASES}")))
        }
        field => Ok(field.map(|number| *number.get_ref())),
    }
}

fn game_inputs(name: &Spanned<String>, game: &GameForm) -> FormResult<GameInputs> {
    let found = match name.get_ref().as_str() {
        "random" => GameInputs::Random,
        "lines" => GameInputs::Lines,
        "full" => GameInputs::Full,
        "taken" => GameInputs::Taken,
        "refused" if game.refused.is_empty() => {
            return Err(FormMistake::new(name.span(), "`refused` of the table [game] lists no entries"));
        }
        "refused" => GameInputs::Refused,
        _ => {
            let message = "unknown games; expected random, lines, full, taken or refused";
            return Err(FormMistake::new(name.span(), message));
        }
    };
    Ok(found)
}
