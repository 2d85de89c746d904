//! The inputs that a form describes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::game::GameForm;
use super::{FormMistake, FormResult, RequirementFields, absolute_files};
use crate::assignment::grammar::{Grammar, InputPattern, PatternError};
use crate::requirement::RequirementKind;
use crate::unit::{PositionInputs, UnitForm};

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
    /// Inputs that are written out.
    pub(crate) examples: Vec<InputExample>,
    /// What generated inputs look like.
    pub(crate) patterns: Vec<InputPattern>,
    /// How many inputs are generated; `usize::MAX` stands for all that the patterns describe.
    pub(crate) n_cases: usize,
    /// How many of them are changed, so that no pattern describes them any more.
    pub(crate) n_near_misses: usize,
    /// A command that prints inputs.
    pub(crate) generator: Option<Vec<String>>,
    pub(crate) games: Option<GameInputs>,
    /// Positions, and the calls that ask about each of them.
    pub(crate) positions: Option<(PositionInputs, String)>,
    /// Whether the program only has to exit by itself.
    pub(crate) accepts_any_output: bool,
}

/// An input that is written out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputExample {
    pub(crate) input: String,
    /// Arguments that replace those of the assignment.
    pub(crate) arguments: Option<Vec<String>>,
}

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
        return Err(FormMistake::at(rule, format!("a grammar has at most {MAX_RULES} rules")));
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

/// A number of cases.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "toml::Value")]
pub(super) struct CaseCount(usize);

impl Default for CaseCount {
    fn default() -> CaseCount {
        CaseCount(USUAL_CASES)
    }
}

impl TryFrom<toml::Value> for CaseCount {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<CaseCount, String> {
        let number = value.as_integer().and_then(|number| usize::try_from(number).ok());
        match number {
            Some(n) if n > MAX_CASES => Err(format!("expected at most {MAX_CASES}, or \"all\"")),
            Some(n) => Ok(CaseCount(n)),
            None if value.as_str() == Some("all") => Ok(CaseCount(usize::MAX)),
            None => Err("expected a whole number or \"all\"".to_owned()),
        }
    }
}

/// Returns the inputs of each requirement, which do not have too many cases together.
pub(super) fn of_requirements(
    text: &str,
    requirements: &[RequirementFields],
    grammar: &Grammar,
    game: Option<&GameForm>,
    folder: Option<&Path>,
) -> FormResult<Vec<RequirementInputs>> {
    let mut all: Vec<RequirementInputs> = Vec::new();
    let mut n_all = 0;
    for requirement in requirements {
        let inputs = of_requirement(text, requirement, grammar, game, folder)?;
        let n_described = if inputs.n_cases == usize::MAX { 0 } else { inputs.n_cases };
        n_all += n_described + inputs.n_near_misses;
        if n_all > MAX_ALL_CASES {
            let message = format!("the requirements up to this one have more than {MAX_ALL_CASES} cases");
            return Err(FormMistake::at(&requirement.id, message));
        }
        all.push(inputs);
    }
    Ok(all)
}

/// Checks that positions come with the call that asks about them and with a board.
pub(super) fn check_positions(requirements: &[RequirementFields], unit: Option<&UnitForm>) -> FormResult<()> {
    for RequirementFields { positions, call, .. } in requirements {
        match (positions, call) {
            (Some(positions), None) => {
                return Err(FormMistake::at(
                    positions,
                    "`positions` needs `call`, such as \"winner({board})\"",
                ));
            }
            (None, Some(call)) => return Err(FormMistake::at(call, "`call` needs `positions`")),
            (Some(positions), Some(_)) if unit.is_none_or(|unit| unit.board.is_none()) => {
                return Err(FormMistake::at(positions, "`positions` needs the table [unit.board]"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that what is looked for in the files belongs to a requirement on style, and that such a requirement has nothing else.
pub(super) fn check_style(requirement: &RequirementFields) -> FormResult<()> {
    let id = requirement.id.get_ref();
    match (&requirement.style, requirement.kind()) {
        (Some(style), RequirementKind::Style) => match style.get_ref().mistake() {
            Some(mistake) => Err(FormMistake::at(style, mistake)),
            None => Ok(()),
        },
        (Some(style), _) => Err(FormMistake::at(style, "`style` needs `kind = \"style\"`")),
        (None, RequirementKind::Style) => {
            Err(FormMistake::at(&requirement.id, format!("the requirement {id:?} has no `style`")))
        }
        (None, _) => Ok(()),
    }?;
    let has_inputs =
        !requirement.inputs.is_empty() || !requirement.examples.is_empty() || requirement.generator.is_some();
    if !requirement.kind().has_cases()
        && (has_inputs || requirement.games.is_some() || requirement.positions.is_some())
    {
        let message = format!("{id}: a requirement of the kind {} has no inputs", requirement.kind());
        return Err(FormMistake::at(&requirement.id, message));
    }
    Ok(())
}

fn of_requirement(
    text: &str,
    fields: &RequirementFields,
    grammar: &Grammar,
    game: Option<&GameForm>,
    folder: Option<&Path>,
) -> FormResult<RequirementInputs> {
    let RequirementFields { inputs, cases, near_misses, examples, generator, games, any_output, .. } = fields;
    let RequirementFields { positions, call, .. } = fields;
    let parse = |pattern: &Spanned<String>| {
        grammar.parse(pattern.get_ref()).map_err(|error| pattern_mistake(text, pattern, error))
    };
    let mut patterns = inputs.iter().map(parse).collect::<FormResult<Vec<InputPattern>>>()?;
    if let Some(games) = games {
        let game = game.ok_or_else(|| FormMistake::at(games, "`games` needs the table [game]"))?;
        if *games.get_ref() == GameInputs::Refused && game.refused.is_empty() {
            return Err(FormMistake::at(games, "`refused` of the table [game] lists no entries"));
        }
        patterns.push(game.pattern());
    }
    let n_near_misses = near_misses.as_ref().map_or(0, |n| n.get_ref().0);
    if let Some(spanned) = near_misses
        && n_near_misses > 0
        && (patterns.is_empty() || games.is_some())
    {
        return Err(FormMistake::at(spanned, "`near_misses` needs `inputs` to change"));
    }
    Ok(RequirementInputs {
        examples: examples.clone(),
        patterns,
        n_cases: cases.0,
        n_near_misses,
        generator: generator.as_ref().map(|command| absolute_files(command, folder)),
        games: games.as_ref().map(|games| *games.get_ref()),
        positions: positions.as_ref().zip(call.as_ref()).map(|(positions, call)| {
            (*positions.get_ref(), format!("{}\n", call.get_ref().trim_end_matches('\n')))
        }),
        accepts_any_output: *any_output,
    })
}
