//! Records as files: opening one to step through it, and saving a game.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::{env, fmt};

use anyhow::{Context, anyhow, ensure};
use tictac::{Game, Move, Rules};
use tictac_archive::{AnnotatedGame, AnnotatedMove, GameReport, Games, Input, Tag, io_reason, sort_tags};

use crate::game_archive::{ArchivedGame, GameArchive};
use crate::session::{GameEnding, GameSession, NextTurn};
use crate::settings::MAX_BOARDS;
use crate::words::counted;

/// The maximum size of a file that is opened, in bytes, after decompression.
const MAX_BYTES: u64 = 1 << 24;
/// The maximum number of games that are listed.
const MAX_GAMES: usize = 10_000;

/// A game that was opened from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedRecord {
    /// The game, ready to be stepped through.
    pub game: Game,
    /// The name of the file, and the number of the game if the file has several.
    pub title: String,
    /// The file name as given.
    pub file: String,
    /// The game with its tags and comments, which are kept when it is saved again.
    pub annotated: AnnotatedGame,
}

impl OpenedRecord {
    /// Returns the comment on the last of these moves, if the record has the same ones.
    pub fn comment(&self, moves: &[Move]) -> Option<String> {
        let record = &self.annotated.moves;
        let is_recorded = moves.iter().zip(record).all(|(mv, annotated)| *mv == annotated.mv);
        let last = record.get(moves.len().checked_sub(1)?).filter(|_| is_recorded)?;
        let comment = printable(String::from_utf8_lossy(last.comment.as_ref()?).trim());
        Some(comment).filter(|comment| !comment.is_empty())
    }
}

/// Whether saving may replace an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveMode {
    /// Fail if the file exists.
    Create,
    /// Replace the file if it exists.
    Replace,
}

/// The reason why a file was not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveError {
    /// The file exists already.
    Exists {
        /// The file name as given.
        name: String,
        /// What would be lost if it were replaced, as a sentence.
        warning: Option<String>,
    },
    /// The file cannot be written; the message gives the reason.
    Failed(String),
}

/// The error for a game in a file that breaks the rules or is not a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidRecord {
    /// The file name as given.
    pub file: String,
    /// The faults of the game.
    pub report: Box<GameReport>,
}

impl fmt::Display for InvalidRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = printable(&self.file);
        match self.report.faults.first() {
            Some(fault) => write!(f, "{file}:{}:{}: {}", fault.line, fault.column, fault.fault.message),
            None => write!(f, "{file} is not a valid record"),
        }
    }
}

impl std::error::Error for InvalidRecord {}

/// Opens a game of a file; `FILE#2` is the second game.
///
/// # Errors
///
/// Fails if the file cannot be read, has no such game, or the game has an error or too many boards.
pub fn open(name: &str) -> anyhow::Result<OpenedRecord> {
    let (file, number) = split_number(name);
    let (shown, bytes) = (printable(file), read(file)?);
    let (mut found, mut n_games) = (None, 0);
    for game in Games::new(bytes.as_slice(), &Rules::CLASSIC) {
        let game = game?;
        n_games += 1;
        if n_games == number {
            found = Some(game);
        }
    }
    let games = counted(n_games, "game");
    let found = found.with_context(|| format!("there is no game {number}: {shown} has {games}"))?;
    let annotated = found
        .into_game()
        .map_err(|report| InvalidRecord { file: file.to_owned(), report: Box::new(report) })?;
    check_n_boards(&annotated.rules)?;
    let title = Path::new(file).file_name().map_or_else(|| file.into(), |name| name.to_string_lossy());
    let title = printable(&title);
    Ok(OpenedRecord {
        game: Game::try_from(&annotated)?,
        title: if n_games > 1 { format!("{title}#{number} of {n_games}") } else { title },
        file: file.to_owned(),
        annotated,
    })
}

/// What a file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedFile {
    /// A single game.
    Game(Box<OpenedRecord>),
    /// A list of several games.
    Archive(Box<GameArchive>),
}

/// Opens a game of a file, or the list of its games if there are several and none is named.
///
/// # Errors
///
/// Fails like [`open`].
pub fn open_file(name: &str) -> anyhow::Result<OpenedFile> {
    let is_named = split_number(name).0 != name;
    let mut games = if is_named { Vec::new() } else { archived_games(name)? };
    if games.len() < 2 {
        return open(name).map(|opened| OpenedFile::Game(Box::new(opened)));
    }
    games.truncate(MAX_GAMES);
    Ok(OpenedFile::Archive(Box::new(GameArchive::new(name.to_owned(), games))))
}

fn archived_games(file: &str) -> anyhow::Result<Vec<ArchivedGame>> {
    let mut found = Vec::new();
    for game in Games::new(read(file)?.as_slice(), &Rules::CLASSIC) {
        let game = game?;
        let tags = game.report.tags.clone();
        let is_playable = |game: &AnnotatedGame| check_n_boards(&game.rules).is_ok();
        let game = game.into_game().ok().filter(is_playable).and_then(|game| Game::try_from(&game).ok());
        found.push(ArchivedGame { number: found.len() + 1, game, tags });
        if found.len() > MAX_GAMES {
            break;
        }
    }
    Ok(found)
}

/// Fails if the rules have more boards than fit on the screen.
///
/// # Errors
///
/// The message names the limit.
pub fn check_n_boards(rules: &Rules) -> anyhow::Result<()> {
    let n_boards = rules.n_boards();
    ensure!(n_boards <= MAX_BOARDS, "a game can have at most {MAX_BOARDS} boards, not {n_boards}");
    Ok(())
}

/// Splits `FILE#2` into the file and the number, unless a file of that name exists.
fn split_number(name: &str) -> (&str, usize) {
    match name.rsplit_once('#') {
        Some((file, number)) if !expand_home(name).exists() => {
            number.parse().map_or((name, 1), |number| (file, number))
        }
        _ => (name, 1),
    }
}

fn read(file: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let reader = Input::File(expand_home(file)).reader();
    let n_read = reader.and_then(|reader| reader.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    let n_read = n_read.map_err(|error| anyhow!("cannot read {}: {}", printable(file), io_reason(&error)))?;
    ensure!(
        n_read as u64 <= MAX_BYTES,
        "cannot read {}: it is larger than {} MB",
        printable(file),
        MAX_BYTES / 1_000_000
    );
    Ok(bytes)
}

/// Returns what replacing the file `name` with these records would lose, as a sentence. Nothing is lost if its only game is
/// `source`, from which the game was opened.
fn warning(name: &str, records: &[u8], source: Option<&OpenedRecord>) -> Option<String> {
    let is_opened = source.is_some_and(|source| expand_home(&source.file) == expand_home(name));
    if records.trim_ascii().is_empty() {
        return None;
    }
    let (mut n_games, mut has_tags, mut has_comments) = (0, false, false);
    for found in Games::new(records, &Rules::CLASSIC).map_while(Result::ok) {
        n_games += 1;
        has_tags |= found.report.tags.iter().any(|tag| tag.name != "Rules");
        has_comments |= found.legal_part.moves.iter().any(|annotated| annotated.comment.is_some());
    }
    let notes = match (has_tags, has_comments) {
        (false, false) => "",
        (true, false) => " with tags",
        (false, true) => " with comments",
        (true, true) => " with tags and comments",
    };
    match (n_games, is_opened) {
        (0, _) | (1, true) => None,
        (1, false) => Some(format!("It contains a game{notes}, which will be lost.")),
        (n, _) => Some(format!("It contains {n} games{notes}, which will be lost.")),
    }
}

/// Tags that describe the end of a game, and are wrong if it is continued in another way.
const ENDING_TAGS: [&str; 2] = ["Result", "Termination"];

/// Returns the game as a record that `tictac check` accepts.
///
/// A plain game of 3,3,3 has no tags, so that `game-check` accepts it too. Resigning and running out of time are no results
/// by the rules, so the result is then open and a tag gives the reason. If the game was opened from a record, its tags are kept, and its
/// comments up to the first move that differs.
///
/// # Errors
///
/// Fails if the game did not start on an empty board.
pub fn record_text(session: &GameSession, source: Option<&OpenedRecord>) -> anyhow::Result<String> {
    ensure!(session.game().start().n_moves() == 0, "only games that started on an empty board can be saved");
    let (rules, moves) = (session.rules(), session.game().moves());
    let mut tags = Vec::new();
    if rules != Rules::CLASSIC {
        tags.push(Tag::new("Rules", rules.to_string()));
    }
    let termination = match session.turn() {
        NextTurn::Over(GameEnding::Resigned(player)) => Some((player, "resigned")),
        NextTurn::Over(GameEnding::OutOfTime(player)) => Some((player, "ran out of time")),
        _ => None,
    };
    if let Some((player, reason)) = termination.filter(|_| !moves.is_empty()) {
        tags.push(Tag::new("Result", "*"));
        tags.push(Tag::new("Termination", format!("{} {reason}", session.state().name(player))));
    }
    let mut comments = Vec::new();
    if let Some(old) = source.map(|source| &source.annotated) {
        let is_same = moves.iter().eq(old.moves.iter().map(|annotated| &annotated.mv));
        let is_kept = |old: &&Tag| {
            old.name != "Rules"
                && !tags.iter().any(|tag| tag.name == old.name)
                && (is_same || !ENDING_TAGS.contains(&old.name.as_str()))
        };
        let kept: Vec<Tag> = old.tags.iter().filter(is_kept).cloned().collect();
        tags.extend(kept);
        let same = old.moves.iter().zip(moves).take_while(|(annotated, mv)| annotated.mv == **mv);
        comments.extend(same.map(|(annotated, _)| annotated.comment.clone()));
    }
    sort_tags(&mut tags);
    comments.resize(moves.len(), None);
    let moves = moves.iter().zip(comments).map(|(&mv, comment)| AnnotatedMove { mv, comment }).collect();
    let mut bytes = Vec::new();
    let game = AnnotatedGame { rules, tags, start: None, moves };
    game.write_to(&mut bytes).expect("writing to a vector does not fail");
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a record to a file and returns its name. `source` is the record from which the game was opened, if any.
///
/// # Errors
///
/// Fails if the file exists and must not be replaced, or cannot be written.
pub(crate) fn save(
    name: &str,
    text: &str,
    mode: SaveMode,
    source: Option<&OpenedRecord>,
) -> Result<String, SaveError> {
    let file = match mode {
        SaveMode::Create => File::create_new(expand_home(name)),
        SaveMode::Replace => File::create(expand_home(name)),
    };
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(name.to_owned()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let warning = read(name).ok().and_then(|records| warning(name, &records, source));
            Err(SaveError::Exists { name: name.to_owned(), warning })
        }
        Err(error) => Err(SaveError::Failed(format!("cannot write {name}: {}", io_reason(&error)))),
    }
}

/// Returns the path of a typed file name, in which `~/` is the home folder, as in a shell.
pub(crate) fn expand_home(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(name),
    }
}

/// Returns a text in which control characters are escaped.
pub(crate) fn printable(name: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    name.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use tictac::State;

    use super::*;
    use crate::seat::Seat;

    fn mv(text: &str) -> Move {
        Rules::CLASSIC.parse_move(text).unwrap()
    }

    fn session(rules: &str, moves: &[&str]) -> GameSession {
        let rules: Rules = rules.parse().unwrap();
        let mut session = GameSession::new(State::start(&rules), [Seat::Person; 2], 7);
        for text in moves {
            session.play(rules.parse_move(text).unwrap()).unwrap();
        }
        session
    }

    fn opened(tags: &[(&str, &str)], moves: &[(&str, Option<&str>)]) -> OpenedRecord {
        let annotated = AnnotatedGame {
            tags: tags.iter().map(|&(name, value)| Tag::new(name, value)).collect(),
            moves: moves
                .iter()
                .map(|(text, comment)| AnnotatedMove {
                    mv: mv(text),
                    comment: comment.map(|comment| comment.as_bytes().into()),
                })
                .collect(),
            ..AnnotatedGame::new(Rules::CLASSIC)
        };
        let (title, file) = ("old.ttt".to_owned(), "old.ttt".to_owned());
        OpenedRecord { game: Game::try_from(&annotated).unwrap(), title, file, annotated }
    }

    #[test]
    fn a_record_has_tags_only_where_it_needs_them() {
        let mut plain = session("3,3,3", &["X A1", "O B2"]);
        assert_eq!(record_text(&plain, None).unwrap(), "1 X A1\n2 O B2\n");
        plain.resign();
        let resigned = "[Result \"*\"]\n[Termination \"X resigned\"]\n1 X A1\n2 O B2\n";
        assert_eq!(record_text(&plain, None).unwrap(), resigned);
        let mut boards = session("notakto boards=2", &["X 2.B2"]);
        boards.resign();
        let expected =
            "[Rules \"notakto boards=2\"]\n[Result \"*\"]\n[Termination \"player 2 resigned\"]\n1 X 2.B2\n";
        assert_eq!(record_text(&boards, None).unwrap(), expected);
        let set_up = State::parse("X../.../... O", &Rules::CLASSIC).unwrap();
        assert!(record_text(&GameSession::new(set_up, [Seat::Person; 2], 7), None).is_err());
    }

    #[test]
    fn tags_and_comments_of_an_opened_record_are_kept_as_long_as_they_apply() {
        let tags = [("Rules", "3,3,3"), ("Event", "club \"A\""), ("Result", "*")];
        let old = opened(&tags, &[("X B2", Some("the middle")), ("O A1", Some("a corner"))]);
        let same = session("3,3,3", &["X B2", "O A1"]);
        assert_eq!(
            record_text(&same, Some(&old)).unwrap(),
            "[Event \"club \\\"A\\\"\"]\n[Result \"*\"]\n1 X B2 # the middle\n2 O A1 # a corner\n"
        );
        let other = session("3,3,3", &["X B2", "O A2"]);
        assert_eq!(
            record_text(&other, Some(&old)).unwrap(),
            "[Event \"club \\\"A\\\"\"]\n1 X B2 # the middle\n2 O A2\n"
        );
        let back = session("3,3,3", &[]);
        assert_eq!(record_text(&back, Some(&old)).unwrap(), "[Event \"club \\\"A\\\"\"]\n");
    }

    #[test]
    fn a_resigned_record_has_one_result() {
        let old = opened(&[("Event", "club"), ("Result", "X"), ("Termination", "time")], &[("X B2", None)]);
        let mut resigned = session("3,3,3", &["X B2"]);
        resigned.resign();
        assert_eq!(
            record_text(&resigned, Some(&old)).unwrap(),
            "[Event \"club\"]\n[Result \"*\"]\n[Termination \"O resigned\"]\n1 X B2\n"
        );
    }

    #[test]
    fn replacing_a_file_warns_of_what_is_lost() {
        let old = opened(&[], &[]);
        let check = |name, records: &str, lost: Option<&str>| {
            let expected = lost.map(|lost| format!("It contains {lost}, which will be lost."));
            assert_eq!(warning(name, records.as_bytes(), Some(&old)), expected, "{name}: {records}");
        };
        let several = "[Event \"a\"]\n1 X A1\n\n1 X A1 # c\n";
        check("old.ttt", several, Some("2 games with tags and comments"));
        check("old.ttt", "1 X A1 # c\n", None);
        check("other.ttt", "1 X A1 # c\n", Some("a game with comments"));
        check("other.ttt", "[Rules \"misere\"]\n1 X A1\n", Some("a game"));
        check("other.ttt", "", None);
    }

    #[test]
    fn a_name_with_control_characters_is_escaped() {
        assert_eq!(printable("a\u{1b}[2J é.ttt"), "a\\u{1b}[2J é.ttt");
    }
}
