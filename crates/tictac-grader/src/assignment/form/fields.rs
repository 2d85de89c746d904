//! The fields of the file of an assignment, as serde reads them.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::game::GameWords;
use super::{FormMistake, FormResult};
use crate::assignment::CourseProgram;
use crate::config::LimitFields;
use crate::requirement::RequirementKind;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormFields {
    pub(super) title: String,
    pub(super) name: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) program: ProgramFields,
    pub(super) reference: Spanned<ReferenceFields>,
    #[serde(default)]
    pub(super) comparison: ComparisonFields,
    #[serde(default = "no_limits")]
    pub(super) limits: Spanned<LimitFields>,
    #[serde(default)]
    pub(super) inputs: InputFields,
    #[serde(default)]
    pub(super) grammar: BTreeMap<String, Spanned<String>>,
    pub(super) game: Option<Spanned<GameFields>>,
    #[serde(default)]
    pub(super) requirement: Vec<Spanned<RequirementFields>>,
    #[serde(default)]
    pub(super) wrong: BTreeMap<String, Spanned<String>>,
}

fn no_limits() -> Spanned<LimitFields> {
    Spanned::new(0..0, LimitFields::default())
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramFields {
    kind: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) arguments: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReferenceFields {
    pub(super) command: Option<Spanned<Vec<String>>>,
    pub(super) dialogue: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) options: Vec<String>,
    #[serde(default)]
    pub(super) words: Vec<[String; 2]>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComparisonFields {
    pub(super) output: Option<Spanned<String>>,
    pub(super) reader: Option<Spanned<String>>,
    status: Option<Spanned<String>>,
    pub(super) statuses: Option<Spanned<Vec<i32>>>,
    pub(super) board: Option<Spanned<BoardFields>>,
    #[serde(default)]
    pub(super) phrase: Vec<PhraseFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardFields {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) marks: Vec<String>,
    pub(super) empty: Vec<String>,
    pub(super) requirement: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhraseFields {
    pub(super) means: String,
    pub(super) says: Spanned<Vec<String>>,
    pub(super) requirement: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFields {
    pub(super) generator: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameFields {
    pub(super) rules: Spanned<String>,
    pub(super) entry: Spanned<String>,
    #[serde(default)]
    pub(super) rows_from_bottom: bool,
    #[serde(default)]
    pub(super) refused: Vec<String>,
    pub(super) words: Option<GameWords>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequirementFields {
    pub(super) id: Spanned<String>,
    pub(super) rule: Spanned<String>,
    pub(super) source: Spanned<String>,
    pub(super) points: Option<Spanned<u32>>,
    kind: Option<Spanned<String>>,
    pub(super) hint: Option<String>,
    pub(super) covers: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) builds_on: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) inputs: Vec<Spanned<String>>,
    pub(super) cases: Option<Spanned<usize>>,
    pub(super) near_misses: Option<Spanned<usize>>,
    #[serde(default)]
    pub(super) examples: Vec<Spanned<ExampleFields>>,
    pub(super) generator: Option<Spanned<Vec<String>>>,
    pub(super) games: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) any_output: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExampleFields {
    pub(super) input: String,
    pub(super) arguments: Option<Vec<String>>,
}

/// Parses the name of a course program.
pub(super) fn course_program(name: &Spanned<String>) -> FormResult<CourseProgram> {
    name.get_ref().parse().map_err(|message: String| FormMistake::new(name.span(), message))
}

/// Returns which of two words a field has; the first is the default.
fn is_second(field: Option<&Spanned<String>>, words: [&str; 2]) -> FormResult<bool> {
    let Some(field) = field else { return Ok(false) };
    if let Some(at) = words.iter().position(|word| word == field.get_ref()) {
        return Ok(at == 1);
    }
    let message = format!("unknown value {:?}; expected {}", field.get_ref(), words.join(" or "));
    Err(FormMistake::new(field.span(), message))
}

impl FormFields {
    /// Checks that a requirement has this id.
    pub(super) fn check_id(&self, id: &Spanned<String>) -> FormResult<()> {
        if self.requirement.iter().any(|each| each.get_ref().id.get_ref() == id.get_ref()) {
            return Ok(());
        }
        Err(FormMistake::new(id.span(), format!("there is no requirement with the id {:?}", id.get_ref())))
    }
}

impl ProgramFields {
    pub(super) fn is_interactive(&self) -> FormResult<bool> {
        is_second(self.kind.as_ref(), ["checker", "dialogue"])
    }
}

impl ComparisonFields {
    pub(super) fn compares_status(&self) -> FormResult<bool> {
        is_second(self.status.as_ref(), ["same", "free"]).map(|is_free| !is_free)
    }
}

impl RequirementFields {
    pub(super) fn kind(&self) -> FormResult<RequirementKind> {
        let Some(kind) = &self.kind else { return Ok(RequirementKind::Required) };
        kind.get_ref().parse().map_err(|message: String| FormMistake::new(kind.span(), message))
    }

    pub(super) fn check_points(&self, max: u32) -> FormResult<()> {
        match (&self.points, self.kind()?) {
            (None, RequirementKind::Robustness) => Ok(()),
            (Some(points), RequirementKind::Robustness) => {
                Err(FormMistake::new(points.span(), "robustness is worth no points; leave `points` out"))
            }
            (None, _) => {
                let message = format!("the requirement {:?} has no `points`", self.id.get_ref());
                Err(FormMistake::new(self.id.span(), message))
            }
            (Some(points), _) if *points.get_ref() > max => {
                Err(FormMistake::new(points.span(), format!("a requirement is worth at most {max} points")))
            }
            _ => Ok(()),
        }
    }
}
