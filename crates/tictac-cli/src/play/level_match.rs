//! Matches of the computer against itself, between two levels.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tictac::level::Level;
use tictac::notation::Style;
use tictac::{Goal, Mark, Outcome, Player, Rules, State, Status};

use crate::charset::Charset;
use crate::computer_player::ComputerPlayer;
use crate::paint::Paint;

/// A match between two levels.
pub(super) struct LevelMatch {
    pub(super) rules: Rules,
    /// The levels of X and O; where marks do not name players, of the first and second player in the first game.
    pub(super) levels: [Level; 2],
    pub(super) n_games: u64,
    /// How long each position is shown; without it the positions are not shown.
    pub(super) delay: Option<Duration>,
    pub(super) time_limit: Duration,
    pub(super) seed: u64,
    pub(super) format: ResultsFormat,
}

/// The format of the results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultsFormat {
    Text,
    Json,
}

/// The results, with the field names of the JSON.
#[derive(Serialize)]
struct MatchResults {
    rules: String,
    x: &'static str,
    o: &'static str,
    games: u64,
    x_won: u64,
    o_won: u64,
    drawn: u64,
    moves: u64,
    seed: u64,
}

impl LevelMatch {
    /// Plays the games and prints the results.
    pub(super) fn run(
        &self,
        paint: Paint,
        charset: Charset,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        let mut results = MatchResults {
            rules: self.rules.to_string(),
            x: self.levels[0].name(),
            o: self.levels[1].name(),
            games: self.n_games,
            x_won: 0,
            o_won: 0,
            drawn: 0,
            moves: 0,
            seed: self.seed,
        };
        // Each side has its own random numbers, so that the moves of one do not depend on how many the other drew.
        let mut players = [0, 1].map(|side| {
            ComputerPlayer::new(self.levels[side], self.time_limit, Some(self.seed.wrapping_add(side as u64)))
        });
        let bar = self.progress_bar(charset);
        for number in 0..self.n_games {
            let game = MatchGame { level_match: self, number };
            let state = game.play(&mut players, paint, out)?;
            results.moves += state.n_moves() as u64;
            match state.status() {
                Status::Over(Outcome::Win(winner)) if game.side_of(winner) == 0 => results.x_won += 1,
                Status::Over(Outcome::Win(_)) => results.o_won += 1,
                _ => results.drawn += 1,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        match self.format {
            ResultsFormat::Json => writeln!(out, "{}", serde_json::to_string(&results)?)?,
            ResultsFormat::Text => write!(out, "{}", results.to_text(&self.rules))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn progress_bar(&self, charset: Charset) -> ProgressBar {
        // No bar is drawn if the boards are shown, or if standard error is not a terminal.
        if self.delay.is_some() || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let style = if charset == Charset::Ascii { style.progress_chars("#>-") } else { style };
        ProgressBar::new(self.n_games).with_style(style)
    }
}

/// One game of a match.
struct MatchGame<'a> {
    level_match: &'a LevelMatch,
    /// The number of the game, from 0; in every other game the second side goes first.
    number: u64,
}

impl MatchGame<'_> {
    /// Returns the side that plays as `player`: 0 is X, or the first player of the first game.
    const fn side_of(&self, player: Player) -> usize {
        let is_swapped = self.number % 2 == 1;
        match (player, is_swapped) {
            (Player::First, false) | (Player::Second, true) => 0,
            (Player::Second, false) | (Player::First, true) => 1,
        }
    }

    fn play(
        &self,
        players: &mut [ComputerPlayer; 2],
        paint: Paint,
        out: &mut impl Write,
    ) -> io::Result<State> {
        let opener = if self.side_of(Player::First) == 0 { Mark::X } else { Mark::O };
        let mut state = State::start_with(&self.level_match.rules, opener);
        if self.level_match.delay.is_some() {
            writeln!(out, "Game {} of {}", self.number + 1, self.level_match.n_games)?;
        }
        while let Status::ToMove(player) = state.status() {
            let side = self.side_of(player);
            let Some(choice) = players[side].choose(&state, &|| false) else { break };
            let mover = state.name(player);
            state.play(choice.mv).map_err(io::Error::other)?;
            if let Some(delay) = self.level_match.delay {
                let level = self.level_match.levels[side];
                let name = choice.mv.name(&self.level_match.rules);
                writeln!(out, "\n{}. {mover} ({level}): {name}", state.n_moves())?;
                MatchGame::show(&state, paint, out)?;
                thread::sleep(delay);
            }
        }
        Ok(state)
    }

    fn show(state: &State, paint: Paint, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}", paint.boards(state, Style::Plain))?;
        if matches!(state.status(), Status::Over(_)) {
            writeln!(out, "\n{}\n", paint.strong(state.status_line()))?;
        }
        out.flush()
    }
}

/// The length of the bar for all games.
const WIDTH: u32 = 40;

impl MatchResults {
    fn to_text(&self, rules: &Rules) -> String {
        let names = if rules.marks_name_players() {
            [format!("X {}", self.x), format!("O {}", self.o)]
        } else {
            [format!("1 {}", self.x), format!("2 {}", self.o)]
        };
        let line = |name: &str, n: u64| {
            let share = n as f64 / self.games.max(1) as f64;
            let bar: String = (0..WIDTH)
                .filter(|&place| share * f64::from(WIDTH) > f64::from(place))
                .map(|_| '#')
                .collect();
            format!("{name:<12} {n:>7} {:>6.1} %  {bar}", share * 100.0).trim_end().to_owned() + "\n"
        };
        let goal = if rules.goal() == Goal::Avoid { " (a line loses)" } else { "" };
        format!(
            "{}{goal}, {} games, sides take turns to go first, seed {}\n",
            self.rules, self.games, self.seed
        ) + &line(&names[0], self.x_won)
            + &line(&names[1], self.o_won)
            + &line("drawn", self.drawn)
    }
}
