//! Reading a recorded game in order to play it.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use tictac::{Game, Move, Rules, State};
use tictac_archive::{AnnotatedGame, FoundGame, Games, Input};
use tictac_tui::{Holdings, Kept, Opened, path_of};

use super::has_room;
use crate::diagnostic::{Diagnostic, escape};

/// How large a file may be whose games are stepped through, in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// Reads a game from a file; `FILE#2` is its second one.
pub(crate) fn open(name: &str) -> anyhow::Result<Opened> {
    let (file, number) = split(name);
    let (found, n_games) = find(file, number)?;
    let file_name = escape(file.as_bytes());
    let Some(found) = found else {
        let games = if n_games == 1 { "game" } else { "games" };
        bail!("there is no game {number}: {file_name} has {n_games} {games}");
    };
    let annotated = found
        .into_game()
        .map_err(|report| Diagnostic::of_report(file, &report).next().expect("a bad game has a fault"))?;
    has_room(&annotated.rules)?;
    let title = Path::new(file).file_name().map_or_else(|| file.into(), |name| name.to_string_lossy());
    let title = if n_games > 1 { format!("{title}#{number} of {n_games}") } else { title.into_owned() };
    Ok(Opened {
        game: played(&annotated)?,
        name: escape(title.as_bytes()),
        file: file.to_owned(),
        kept: kept(&annotated),
    })
}

/// Says what a file of records holds; nothing where it cannot be read or is none.
pub(crate) fn holdings(name: &str) -> Option<Holdings> {
    let text = read(name).ok()?;
    let mut games = Games::new(text.as_slice(), &Rules::CLASSIC);
    let mut holdings = Holdings::default();
    while let Ok(Some(found)) = games.next_game() {
        holdings.n_games += 1;
        holdings.has_tags |= found.report.tags.iter().any(|tag| tag.name != "Rules");
        holdings.has_comments |= found.legal_part().moves.iter().any(|annotated| annotated.comment.is_some());
    }
    Some(holdings)
}

/// Splits `FILE#2`, unless there is a file of that name.
fn split(name: &str) -> (&str, usize) {
    match name.rsplit_once('#') {
        Some((file, number)) if !path_of(name).exists() => number.parse().map_or((name, 1), |n| (file, n)),
        _ => (name, 1),
    }
}

/// Returns a game of a file by its number, and how many there are.
fn find(file: &str, number: usize) -> anyhow::Result<(Option<FoundGame>, usize)> {
    let text = read(file).with_context(|| format!("cannot read {}", escape(file.as_bytes())))?;
    let mut games = Games::new(text.as_slice(), &Rules::CLASSIC);
    let (mut found, mut n_games) = (None, 0);
    while let Some(game) = games.next_game()? {
        n_games += 1;
        if n_games == number {
            found = Some(game);
        }
    }
    Ok((found, n_games))
}

fn read(file: &str) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    Input::File(path_of(file)).reader()?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        bail!("it is larger than {} MB", MAX_BYTES / 1_000_000);
    }
    Ok(text)
}

fn played(annotated: &AnnotatedGame) -> anyhow::Result<Game> {
    let start = match annotated.start {
        Some(position) => State::One(position),
        None => State::start_with(&annotated.rules, annotated.opener()),
    };
    let mut game = Game::from(start);
    for annotated in &annotated.moves {
        game.play(annotated.mv).map_err(|illegal| anyhow::anyhow!("{illegal}"))?;
    }
    Ok(game)
}

/// What the record says besides the moves.
fn kept(annotated: &AnnotatedGame) -> Kept {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let quoted = |value: &[u8]| text(value).replace('\\', "\\\\").replace('"', "\\\"");
    let tags = annotated.tags.iter().filter(|tag| tag.name != "Rules");
    let with_comment = |annotated: &tictac_archive::AnnotatedMove| -> (Move, Option<String>) {
        (annotated.mv, annotated.comment.as_deref().map(text))
    };
    Kept {
        tags: tags
            .map(|tag| (tag.name.clone(), format!("[{} \"{}\"]", tag.name, quoted(&tag.value))))
            .collect(),
        moves: annotated.moves.iter().map(with_comment).collect(),
    }
}
