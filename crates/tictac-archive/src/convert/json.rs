//! One JSON object per game; `docs/formats.md` describes the fields.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tictac::notation::Fault;
use tictac::{Mark, Position, Rules};

use super::Conversion;
use super::lines::malformed;
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::games::trimmed;
use crate::report::LineFault;
use crate::tag::{Tag, is_name_byte};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonGame {
    rules: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(serialize_with = "write_tags", deserialize_with = "read_tags")]
    tags: JsonTags,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: Vec<JsonMove>,
    // The remaining fields can be derived from the moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonMove {
    mark: String,
    square: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

/// An object with unique names that keeps its order.
type JsonTags = Vec<(String, String)>;

fn write_tags<S: Serializer>(tags: &JsonTags, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tags.iter().map(|(name, value)| (name, value)))
}

fn read_tags<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JsonTags, D::Error> {
    deserializer.deserialize_map(TagsVisitor)
}

struct TagsVisitor;

impl<'de> Visitor<'de> for TagsVisitor {
    type Value = JsonTags;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of tags")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonTags, A::Error> {
        let (mut tags, mut names) = (Vec::new(), BTreeSet::new());
        while let Some((name, value)) = map.next_entry::<String, String>()? {
            let message = if name.is_empty() || !name.bytes().all(is_name_byte) {
                format!("{name:?} is not a tag name")
            } else if matches!(name.as_str(), "Rules" | "Result") {
                format!("the tag {name} is not needed: it follows from rules and outcome")
            } else if value.contains('\n') {
                format!("the value of {name} has more than one line")
            } else if !names.insert(name.clone()) {
                format!("duplicate tag {name}")
            } else {
                tags.push((name, value));
                continue;
            };
            return Err(A::Error::custom(message));
        }
        Ok(tags)
    }
}

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    let text = |bytes: &[u8], what: &dyn Fn() -> String| match str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => conversion
            .report_loss(what(), "JSON must be UTF-8; ttt and pgn may contain any bytes")
            .map(|()| String::from_utf8_lossy(bytes).into_owned()),
    };
    let tags = game.tags.iter().map(|tag| {
        let value = text(&tag.value, &|| format!("bytes of the tag {}", tag.name))?;
        Ok((tag.name.clone(), value))
    });
    let moves = (1..).zip(&game.moves).map(|(number, annotated): (u32, _)| {
        let comment = annotated.comment.as_deref();
        let comment =
            comment.map(|comment| text(comment, &|| format!("bytes of the comment of move {number}")));
        let written = annotated.mv.display(&game.rules).to_string();
        let square = written.split_once(' ').map_or("", |(_, square)| square).to_owned();
        Ok(JsonMove { mark: annotated.mv.mark.to_string(), square, comment: comment.transpose()? })
    });
    let object = JsonGame {
        rules: game.rules.to_string(),
        tags: tags.collect::<Result<_, Fault>>()?,
        start: game.start.map(|start| start.to_string()),
        moves: moves.collect::<Result<_, Fault>>()?,
        position: Some(game.last_state().to_string()),
        outcome: Some(game.ending().name().to_owned()),
    };
    let mut out = serde_json::to_vec(&object).expect("the object is plain data");
    out.push(b'\n');
    Ok(out)
}

pub(super) fn parse(line: &str, _: &Conversion) -> Result<AnnotatedGame, LineFault> {
    let object: JsonGame = serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        malformed(error.column().saturating_sub(1).min(line.len()), message)
    })?;
    let game = game_of(&object).map_err(|message| malformed(0, message))?;
    if let Ok(state) = game.play() {
        check_derived(&object, &state.to_string(), game.ending().name()).map_err(|message| {
            malformed(0, message).with_help("it may be left out: it follows from the moves")
        })?;
    }
    Ok(game)
}

fn game_of(object: &JsonGame) -> Result<AnnotatedGame, String> {
    let rules: Rules = object.rules.parse().map_err(|error| format!("rules: {error}"))?;
    let mut game = AnnotatedGame::new(rules);
    game.tags = object.tags.iter().map(|(name, value)| Tag::new(name, value.as_str())).collect();
    if let Some(text) = &object.start {
        if rules.n_boards() > 1 {
            return Err("start: a game on several boards starts empty".to_owned());
        }
        game.start = Some(Position::parse(text, &rules).map_err(|error| format!("start: {error}"))?);
    }
    for (number, object) in (1..).zip(&object.moves) {
        let mark = match object.mark.as_str() {
            "X" => Mark::X,
            "O" => Mark::O,
            mark => return Err(format!("move {number}: {mark:?} is not X or O")),
        };
        let mv =
            rules.parse_square(&object.square, mark).map_err(|error| format!("move {number}: {error}"))?;
        let comment = object.comment.as_deref();
        if comment.is_some_and(|comment| comment.contains('\n')) {
            return Err(format!("move {number}: a comment must be one line"));
        }
        let comment = comment.map(|comment| trimmed(comment.as_bytes()).into());
        game.moves.push(AnnotatedMove { mv, comment });
    }
    Ok(game)
}

/// Checks the fields that can be derived from the moves.
fn check_derived(object: &JsonGame, position: &str, outcome: &str) -> Result<(), String> {
    match (&object.position, &object.outcome) {
        (Some(given), _) if given != position => Err(format!("position: the moves lead to {position:?}")),
        (_, Some(given)) if given != outcome => Err(format!("outcome: the moves give {outcome:?}")),
        _ => Ok(()),
    }
}
